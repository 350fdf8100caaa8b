import { createRandom, deriveSeed, type Random } from '../src/simulator/random.ts';

/*
 * Heartbeats of simulated devices, polls that show them, and how well a failure detector does on them. Each comes from a
 * seed alone. Times are seconds since the device began.
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

/** Simulates a heartbeat each `interval` seconds, give or take a share of it, of which a share is lost. */
function regular(interval: number, lost: number, jitter = 0.02): Pattern {
  return (random) => ({
    next: (time) => {
      let next = time;
      do next += interval * (1 + uniform(random, -jitter, jitter));
      while (random() < lost);
      return next;
    },
  });
}

/** Simulates heartbeats at multiples of `interval`, each delayed by about a second, of which a share is lost. */
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

/** A failure detector that watches one device. */
export type Detector = {
  readonly learn: (gapSeconds: number) => void;
  /** Returns the heartbeat age above which the device is silent. */
  readonly limitSeconds: () => number;
};

/** A silent device that is alive is a wrong suspicion, counted once for each heartbeat that it waited for. */
export type Result = {
  /** Wrong suspicions on the first day of each device, and later. */
  firstDay: number;
  later: number;
  /** Number of days after the first ones. */
  days: number;
  /** Seconds from failures at random times after the first day to the poll that shows the device as silent. */
  readonly delays: number[];
};

export type Trial = {
  readonly pattern: Pattern;
  readonly detector: () => Detector;
  readonly phones: number;
  /** Days of each phone, the first one included. */
  readonly days: number;
  readonly pollSeconds?: number;
  readonly seed?: number;
};

/** Number of failures that are tried, for each device and day. */
const FAILURES_PER_DAY = 2;

/** Lets a detector watch simulated devices. */
export function watchPhones(trial: Trial): Result {
  const { phones, days, seed = 1 } = trial;
  const result: Result = { firstDay: 0, later: 0, days: phones * (days - 1), delays: [] };
  for (let phone = 0; phone < phones; phone += 1) watchPhone(trial, deriveSeed(seed, phone), result);
  return result;
}

function watchPhone(trial: Trial, seed: number, result: Result): void {
  const random = createRandom(seed);
  const beats = trial.pattern(random);
  const detector = trial.detector();
  const polls = createPolls(trial.pollSeconds ?? 30, seed, beats.exporterRestarts ?? false);
  const failures = createRandom(deriveSeed(seed, 1));
  let failsAt = DAY + exponential(failures, DAY / FAILURES_PER_DAY);
  let beat = uniform(random, 0, 10 * MINUTE);
  let poll = polls.after(beat);
  let last: number | undefined;
  while (beat < trial.days * DAY) {
    const next = beats.next(beat);
    const isAlive = !(beats.endedOutage?.() ?? false);
    const nextPoll = next <= poll ? poll : polls.after(next);
    const shown = beats.shown?.(beat) ?? beat;
    // Polls show the last heartbeat only.
    if (nextPoll > poll) {
      if (last !== undefined && shown > last) detector.learn(shown - last);
      last = shown;
      if (isAlive && polls.before(nextPoll) - shown > detector.limitSeconds())
        result[beat < DAY ? 'firstDay' : 'later'] += 1;
    }
    for (; failsAt < next; failsAt += exponential(failures, DAY / FAILURES_PER_DAY))
      if (isAlive && failsAt >= beat)
        result.delays.push(polls.after(Math.max(failsAt, shown + detector.limitSeconds())) - failsAt);
    poll = nextPoll;
    beat = next;
  }
}

type Polls = {
  /** Returns the time of the first poll after a time. */
  readonly after: (time: number) => number;
  /** Returns the time of the last poll before a time. */
  readonly before: (time: number) => number;
};

/** Creates polls each `interval` seconds, up to a tenth later, from a random time on. */
function createPolls(interval: number, seed: number, exporterRestarts: boolean): Polls {
  const phase = interval * fraction(seed, -1);
  const timeOf = (index: number): number => phase + interval * (index + 0.1 * fraction(seed, index));
  const isSent = (time: number): boolean => !exporterRestarts || time % DAY > 5 * MINUTE;
  return {
    after: (time) => {
      let index = Math.floor((time - phase) / interval);
      while (timeOf(index) <= time || !isSent(timeOf(index))) index += 1;
      return timeOf(index);
    },
    before: (time) => {
      let index = Math.floor((time - phase) / interval);
      while (timeOf(index) >= time || !isSent(timeOf(index))) index -= 1;
      return timeOf(index);
    },
  };
}

/** Creates a fixed limit. */
export function fixedLimit(seconds: number): Detector {
  return { learn: () => {}, limitSeconds: () => seconds };
}

/** Creates the retransmission timer of RFC 6298, within the bounds of the learned limit. */
export function createRetransmissionTimer(): Detector {
  let mean = 0;
  let variation = 0;
  let count = 0;
  return {
    learn: (gap) => {
      variation = count === 0 ? gap / 2 : variation + (Math.abs(mean - gap) - variation) / 4;
      mean = count === 0 ? gap : mean + (gap - mean) / 8;
      count += 1;
    },
    limitSeconds: () => bounded(count, mean + 4 * variation),
  };
}

/** Standard deviations above the mean at which φ is 8, by Akka's approximation of the normal distribution. */
const PHI_8_DEVIATIONS = 5.226;

/** Creates a φ accrual detector: threshold 8, the last 1,000 gaps (as in Akka), within the bounds of the learned limit. */
export function createPhiDetector(): Detector {
  const gaps = new Float64Array(1_000);
  let count = 0;
  let sum = 0;
  let squares = 0;
  return {
    learn: (gap) => {
      const slot = count % gaps.length;
      const oldest = gaps[slot] ?? 0;
      gaps[slot] = gap;
      sum += gap - oldest;
      squares += gap * gap - oldest * oldest;
      count += 1;
    },
    limitSeconds: () => {
      const known = Math.min(count, gaps.length);
      const mean = sum / known;
      const deviation = Math.sqrt(Math.max(0, squares / known - mean * mean));
      return bounded(count, mean + PHI_8_DEVIATIONS * Math.max(0.1, deviation));
    },
  };
}

function bounded(count: number, limit: number): number {
  return count < 12 ? 600 : Math.min(Math.max(limit, 180), 1_800);
}

/** Returns the value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor(share * values.length)] ?? Number.NaN;
}

function hourOf(time: number): number {
  return (time % DAY) / HOUR;
}

function isNight(time: number): boolean {
  return hourOf(time) < 8;
}

function uniform(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** Draws from the standard normal distribution (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(exponential(random, 2)) * Math.cos(2 * Math.PI * random());
}

/** Returns a random number in [0, 1) that depends on a seed and an index alone. */
function fraction(seed: number, index: number): number {
  return deriveSeed(seed, index) / 2 ** 32;
}
