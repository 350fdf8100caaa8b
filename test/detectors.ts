import { createRandom, deriveSeed } from '../src/base/random.ts';
import { explainLimit, learnGap, NEW_RHYTHM } from '../src/judge/offline.ts';
import { exponential, type Pattern, uniform } from './rhythms.ts';

/*
 * Trials of failure detectors on the heartbeats of a pattern that polls show. Times are seconds since the device began.
 */

const MINUTE = 60;
const DAY = 86_400;

/** A failure detector that watches one device. */
export type Detector = {
  readonly learn: (gapSeconds: number) => void;
  /** Returns the heartbeat age above which the device is offline. */
  readonly limitSeconds: () => number;
};

/** The detector of the exporter. */
export function createLearned(): Detector {
  let rhythm = NEW_RHYTHM;
  return {
    learn: (gap) => {
      rhythm = learnGap(rhythm, gap);
    },
    limitSeconds: () => explainLimit(rhythm).limitSeconds,
  };
}

/** An offline device that is alive is a wrong suspicion, counted once for each heartbeat that it waited for. */
export type Result = {
  /** Wrong suspicions on the first day of each device, and later. */
  firstDay: number;
  later: number;
  /** Number of days after the first ones. */
  days: number;
  /** Seconds from failures at random times after the first day to the poll that shows the device as offline. */
  readonly delays: number[];
};

type Trial = {
  readonly pattern: Pattern;
  readonly detector: () => Detector;
  readonly phones: number;
  /** Days of each phone, the first one included. */
  readonly days: number;
  readonly pollSeconds?: number;
  readonly seed?: number;
};

/** Least limit of any detector, in seconds. */
export const MIN_LIMIT = 180;

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
      const mayBeOffline = isAlive && nextPoll - shown > MIN_LIMIT;
      if (mayBeOffline && polls.before(nextPoll) - shown > detector.limitSeconds())
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

/** Returns the value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor(share * values.length)] ?? Number.NaN;
}

/** Returns a random number in [0, 1) that depends on a seed and an index alone. */
function fraction(seed: number, index: number): number {
  return deriveSeed(seed, index) / 2 ** 32;
}
