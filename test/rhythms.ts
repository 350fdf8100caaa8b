import { createRandom, deriveSeed, type Random } from '../src/base/random.ts';
import { learnGap, NEW_RHYTHM } from '../src/judge/offline.ts';
import type { Rhythm } from '../src/model/rhythm.ts';

/*
 * Heartbeats: patterns from a seed alone, in seconds since a device began, and the moments at which a phone of a farm beats.
 */

/** The heartbeats of a device, one after the other. */
export type Heartbeats = {
  /** Returns the time of the heartbeat after the one at `time`. */
  readonly next: (time: number) => number;
  /** The device did not work before the heartbeat that was returned last. */
  readonly endedOutage?: () => boolean;
  /** Returns the time that the API shows for a heartbeat. */
  readonly shown?: (time: number) => number;
  /** The exporter is stopped for five minutes a day. */
  readonly exporterRestarts?: boolean;
};

export type Pattern = (random: Random) => Heartbeats;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Simulates a heartbeat every `interval` seconds, give or take a share of it. A share of them is lost. */
export function regular(interval: number, lost: number, jitter = 0.02): Pattern {
  return (random) => ({
    next: (time) => {
      let next = time;
      do next += interval * (1 + uniform(random, -jitter, jitter));
      while (random() < lost);
      return next;
    },
  });
}

/** Simulates heartbeats at multiples of `interval`, each delayed by about a second. A share of them is lost. */
function scheduled(interval: number, lost: number): Pattern {
  return (random) => {
    let index = 0;
    return {
      next: (time) => {
        let next = time;
        while (next <= time || random() < lost) {
          index += 1;
          next = index * interval + Math.min(exponential(random, 1), interval / 2);
        }
        return next;
      },
    };
  };
}

/** Simulates losses in bursts: one begins with probability `begins` at a heartbeat, and goes on with `goesOn`. */
function bursty(interval: number, begins: number, goesOn: number): Pattern {
  return (random) => ({
    next: (time) => {
      let next = time;
      let isLost = false;
      do {
        next += interval * (1 + uniform(random, -0.02, 0.02));
        isLost = random() < (isLost ? goesOn : begins);
      } while (isLost);
      return next;
    },
  });
}

/** Simulates sleeps of `asleep` seconds; between them, the device is awake for 7 to 10 minutes. */
function dozing(asleep: number, lost: number, untilHour = 24): Pattern {
  return (random) => {
    const awake = regular(MINUTE, lost)(random);
    let sleepsAt = uniform(random, 0, 10 * MINUTE);
    return {
      next: (time) => {
        const next = awake.next(time);
        if (hourOf(time) >= untilHour || next < sleepsAt) return next;
        const wakes = time + asleep * (1 + uniform(random, -0.03, 0.03));
        sleepsAt = wakes + uniform(random, 7 * MINUTE, 10 * MINUTE);
        return random() < lost ? awake.next(wakes) : wakes;
      },
    };
  };
}

type Pauses = {
  readonly perDay: number;
  readonly low: number;
  readonly high: number;
  readonly isOutage?: boolean;
};

/** Adds pauses of `low` to `high` seconds at random times. */
function withPauses(pattern: Pattern, { perDay, low, high, isOutage = false }: Pauses): Pattern {
  return (random) => {
    const beats = pattern(random);
    let pausesAt = exponential(random, DAY / perDay);
    let hasPaused = false;
    return {
      next: (time) => {
        const next = beats.next(time);
        hasPaused = next > pausesAt;
        if (!hasPaused) return next;
        const resumed = Math.max(time, pausesAt) + uniform(random, low, high);
        pausesAt = resumed + exponential(random, DAY / perDay);
        return resumed;
      },
      endedOutage: () => isOutage && hasPaused,
    };
  };
}

/** Adds a pause of `low` to `high` seconds at four each night. */
function nightly(pattern: Pattern, low: number, high: number): Pattern {
  return (random) => {
    const beats = pattern(random);
    let pausesAt = 4 * HOUR;
    return {
      next: (time) => {
        const next = beats.next(time);
        if (next <= pausesAt) return next;
        const resumed = Math.max(time, pausesAt) + uniform(random, low, high);
        pausesAt += DAY;
        return resumed;
      },
    };
  };
}

const eachMinute = regular(MINUTE, 0.02);
const LOOSE = 0.1;

/** Patterns by name. Intervals are constant up to 2 %, and 2 % of the heartbeats are lost, unless the name says otherwise. */
export const PATTERNS = {
  'each 5 s': regular(5, 0.02),
  'each 10 s': regular(10, 0.02),
  'each 30 s': regular(30, 0.02),
  'each minute': eachMinute,
  'each 90 s': regular(90, 0.02),
  'each 2 min': regular(2 * MINUTE, 0.02),
  'each 5 min': regular(5 * MINUTE, 0.02),
  'each minute, none lost': regular(MINUTE, 0),
  'each minute, 5 % lost': regular(MINUTE, 0.05),
  'each minute, a fifth lost': regular(MINUTE, 0.2),
  'each minute, lost in bursts': bursty(MINUTE, 0.02, 0.2),
  'each minute, 1 % lost by day and 5 % at night': (random) => {
    const [day, night] = [regular(MINUTE, 0.01)(random), regular(MINUTE, 0.05)(random)];
    return { next: (time) => (isNight(time) ? night : day).next(time) };
  },
  'each minute, jitter of 20 %': regular(MINUTE, 0.02, 0.2),
  'each minute of the clock': scheduled(MINUTE, 0.02),
  'each minute, shown in whole minutes': (random) => ({
    ...eachMinute(random),
    shown: (time) => Math.floor(time / MINUTE) * MINUTE,
  }),
  'five in 10 s, each 5 min': (random) => {
    let left = 0;
    return {
      next: (time) => {
        left = (left + 4) % 5;
        return time + (left === 4 ? uniform(random, 280, 300) : uniform(random, 1, 4));
      },
    };
  },
  'log-normal gaps, median a minute': (random) => ({
    next: (time) => time + MINUTE * Math.exp(0.5 * normal(random)),
  }),
  'gamma gaps, mean a minute': (random) => ({
    next: (time) => time + exponential(random, 20) + exponential(random, 20) + exponential(random, 20),
  }),
  'Poisson, mean a minute': (random) => ({ next: (time) => time + exponential(random, MINUTE) }),
  'dozes for 12 min': dozing(12 * MINUTE, 0.02),
  'dozes for 15 min': dozing(15 * MINUTE, 0.02),
  'dozes for 12 min at night': dozing(12 * MINUTE, 0.02, 8),
  'each 12 min for an hour, then each minute': (random) => {
    const [asleep, awake] = [regular(12 * MINUTE, 0)(random), eachMinute(random)];
    return { next: (time) => (hourOf(time) % 2 < 1 ? asleep : awake).next(time) };
  },
  'each 5 to 10 min at night': (random) => {
    const day = eachMinute(random);
    return {
      next: (time) => (isNight(time) ? time + uniform(random, 5 * MINUTE, 10 * MINUTE) : day.next(time)),
    };
  },
  'from each minute to each 2 min in 10 days': (random) => ({
    next: (time) => regular(MINUTE * (1 + Math.min(1, time / (10 * DAY))), 0.02)(random).next(time),
  }),
  'nap of 20 min a day': withPauses(eachMinute, { perDay: 1, low: 20 * MINUTE, high: 20 * MINUTE }),
  'nap of 1 to 2 h a day': withPauses(eachMinute, { perDay: 1, low: HOUR, high: 2 * HOUR }),
  'restarts of 2 to 5 min, 3 a day': withPauses(eachMinute, { perDay: 3, low: 2 * MINUTE, high: 5 * MINUTE }),
  'outages of 10 min to 10 h, one in 3 days': withPauses(eachMinute, {
    perDay: 1 / 3,
    low: 10 * MINUTE,
    high: 10 * HOUR,
    isOutage: true,
  }),
  'each minute, jitter of 10 %': regular(MINUTE, 0.02, LOOSE),
  'each 90 s, jitter of 10 %': regular(90, 0.02, LOOSE),
  'each 2 min, jitter of 10 %': regular(2 * MINUTE, 0.02, LOOSE),
  'each 200 s, jitter of 10 %': regular(200, 0.02, LOOSE),
  'bursts, then 5 min of nothing': (random) => {
    let left = 0;
    return {
      next: (time) => {
        left = (left + 7) % 8;
        return time + (left === 7 ? uniform(random, 280, 320) : uniform(random, 2, 25));
      },
    };
  },
  'nap of 10 to 20 min a day': withPauses(eachMinute, { perDay: 1, low: 10 * MINUTE, high: 20 * MINUTE }),
  'restart of 4 to 6 min each night': nightly(eachMinute, 4 * MINUTE, 6 * MINUTE),
  'exporter restarts': (random) => ({ ...eachMinute(random), exporterRestarts: true }),
} as const satisfies Readonly<Record<string, Pattern>>;

export type PatternName = keyof typeof PATTERNS;

/** Moments at which a phone beats, in milliseconds since 1970. */
export type Beats = {
  /** Returns the last one at or before an instant. */
  readonly before: (at: number) => number;
  /** Returns the rhythm that polls have learned of it within a time. */
  readonly learned: (milliseconds: number) => Rhythm;
};

const SECOND = 1_000;

/** Returns beats each `every` milliseconds, and `phase` after the beginning of 1970. */
export function beatsEach(every: number, phase: number): Beats {
  return {
    before: (at) => Math.floor((at - phase) / every) * every + phase,
    learned: (milliseconds) =>
      remember(`${every} ${milliseconds}`, () => {
        let rhythm = NEW_RHYTHM;
        for (let beat = every; beat <= milliseconds; beat += every) rhythm = learnGap(rhythm, every / SECOND);
        return rhythm;
      }),
  };
}

/** Returns the beats of a pattern from an instant on. One that is earlier counts as a beat itself. */
export function beatsOf(pattern: Pattern, seed: number, beginsAt: number, rhythm: Rhythm): Beats {
  const beats = pattern(createRandom(seed));
  const moments: number[] = [];
  let next = beats.next(0);
  return {
    before: (at) => {
      for (; beginsAt + next * SECOND <= at; next = beats.next(next))
        moments.push(Math.round(beginsAt + (beats.shown?.(next) ?? next) * SECOND));
      return moments[lastIndexUpTo(moments, at)] ?? at;
    },
    learned: () => rhythm,
  };
}

/** Returns the index of the last of ascending numbers that is not above a limit; -1 if all are. */
function lastIndexUpTo(numbers: readonly number[], limit: number): number {
  let low = -1;
  let high = numbers.length - 1;
  if ((numbers[high] ?? limit) <= limit) return high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? limit) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Seconds between the polls from which the rhythm of a pattern is learned. */
const POLL = 30;

const patternIds = new Map<Pattern, number>();

/** Returns the rhythm that polls learn of a pattern within some seconds. */
export function learnedOf(pattern: Pattern, seed: number, seconds: number): Rhythm {
  const id = patternIds.get(pattern) ?? patternIds.size;
  patternIds.set(pattern, id);
  return remember(`pattern ${id} ${seed} ${seconds}`, () => {
    const beats = pattern(createRandom(deriveSeed(seed)));
    let rhythm = NEW_RHYTHM;
    let last = beats.next(0);
    let next = last;
    for (let poll = POLL; poll < seconds; poll += POLL) {
      let shown = last;
      for (; next <= poll; next = beats.next(next)) shown = next;
      if (shown > last) rhythm = learnGap(rhythm, shown - last);
      last = shown;
    }
    return rhythm;
  });
}

const rhythms = new Map<string, Rhythm>();

/** Learns a rhythm once: no farm pays for the hours that this takes. */
function remember(key: string, learn: () => Rhythm): Rhythm {
  const rhythm = rhythms.get(key) ?? learn();
  rhythms.set(key, rhythm);
  return rhythm;
}

function hourOf(time: number): number {
  return (time % DAY) / HOUR;
}

function isNight(time: number): boolean {
  return hourOf(time) < 8;
}

export function uniform(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** Draws from the standard normal distribution (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(exponential(random, 2)) * Math.cos(2 * Math.PI * random());
}
