import { explainLimit, learnGap, NEW_RHYTHM } from '../../src/judge/offline.ts';
import {
  createLearned,
  type Detector,
  MIN_LIMIT,
  quantile,
  type Result,
  watchPhones,
} from '../../test/detectors.ts';
import { PATTERNS, type PatternName } from '../../test/rhythms.ts';
import { median } from '../measure.ts';
import type { Bar, Figure, Scenario } from '../report.ts';

/** Days of each phone, the first of which counts apart. */
const DAYS = 40;

/** Phones of a pattern with a bar, of another one, and of the detectors to compare with. */
const BARRED_PHONES = 100;
const PHONES = 50;
const COMPARED_PHONES = 20;

type Bars = { readonly wrong: number; readonly minutes?: number };

const BARS: { readonly [Name in PatternName]?: Bars } = {
  'each 5 s': { wrong: 1 },
  'each 10 s': { wrong: 1 },
  'each 30 s': { wrong: 1 },
  'each minute': { wrong: 1, minutes: 4.2 },
  'each 90 s': { wrong: 1 },
  'each 2 min': { wrong: 1, minutes: 7.5 },
  'each 5 min': { wrong: 1 },
  'each minute, a fifth lost': { wrong: 20 },
  'dozes for 12 min': { wrong: 1 },
  'dozes for 15 min': { wrong: 1 },
  'each minute, jitter of 10 %': { wrong: 3, minutes: 4.2 },
  'each 90 s, jitter of 10 %': { wrong: 3, minutes: 5.8 },
  'each 2 min, jitter of 10 %': { wrong: 3, minutes: 7.5 },
  'each 200 s, jitter of 10 %': { wrong: 3, minutes: 12 },
  'bursts, then 5 min of nothing': { wrong: 3, minutes: 6 },
  'log-normal gaps, median a minute': { wrong: 60 },
  'nap of 10 to 20 min a day': { wrong: 60 },
  'restart of 4 to 6 min each night': { wrong: 10 },
};

const COMPARED: Readonly<Record<string, () => Detector>> = {
  'fixed 10 min': () => fixedLimit(600),
  'fixed 5 min': () => fixedLimit(300),
  'φ ≥ 8': createPhiDetector,
  'RFC 6298': createRetransmissionTimer,
};

/** Polls of other fleets, in seconds. The patterns are polled each 30 s. */
const OTHER_POLLS = [10, 60, 300];

export const offline: Scenario = {
  name: 'offline',
  title: `Offline thresholds over ${DAYS - 1} days, after a first one: wrong suspicions in 1,000 phone-days; from failure to offline`,
  async *run({ rounds }) {
    console.log('\nWrong suspicions in 1,000 phone-days, and median minutes from failure to offline');
    console.log(['', 'learned', ...Object.keys(COMPARED)].map(inColumn).join(''));
    for (const name of patternNames()) {
      const bars = BARS[name];
      const phones = bars === undefined ? PHONES : BARRED_PHONES;
      const result = watchPhones({ pattern: PATTERNS[name], detector: createLearned, phones, days: DAYS });
      yield* figuresOf(name, phones, result, bars);
      const compared = Object.values(COMPARED).map((detector) =>
        watchPhones({ pattern: PATTERNS[name], detector, phones: COMPARED_PHONES, days: DAYS }),
      );
      console.log([name, ...[result, ...compared].map(inShort)].map(inColumn).join(''));
    }
    for (const pollSeconds of OTHER_POLLS) {
      for (const name of ['each minute', 'each 2 min', 'dozes for 12 min'] as const) {
        const trial = { pattern: PATTERNS[name], detector: createLearned, phones: PHONES, days: DAYS };
        const result = watchPhones({ ...trial, pollSeconds });
        yield* figuresOf(`${name}, polls each ${pollSeconds} s`, PHONES, result, undefined);
      }
    }
    for (const phones of [1_000, 10_000, 100_000]) {
      const times = Array.from({ length: rounds }, () => timeOf(phones));
      yield { name: 'learn a heartbeat and judge', phones, value: median(times), unit: 'µs a phone' };
    }
  },
};

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
  return count < 12 ? 600 : Math.min(Math.max(limit, MIN_LIMIT), 1_800);
}

function patternNames(): readonly PatternName[] {
  const isName = (name: string): name is PatternName => name in PATTERNS;
  return Object.keys(PATTERNS).filter(isName);
}

function* figuresOf(name: string, phones: number, result: Result, bars: Bars | undefined): Generator<Figure> {
  const minutes = (share: number): number => quantile(result.delays, share) / 60;
  yield figureOf(`${name}: wrong suspicions`, phones, wrongOf(result), 'in 1,000 phone-days', bars?.wrong);
  yield figureOf(`${name}: wrong on the first day`, phones, result.firstDay / phones, 'a phone', undefined);
  yield figureOf(`${name}: failure to offline, median`, phones, minutes(0.5), 'min', bars?.minutes);
  yield figureOf(`${name}: failure to offline, p95`, phones, minutes(0.95), 'min', undefined);
}

function figureOf(
  name: string,
  phones: number,
  value: number,
  unit: string,
  atMost: number | undefined,
): Figure {
  const bar: Bar | undefined = atMost === undefined ? undefined : { atMost };
  return { name, phones, value, unit, ...(bar && { bar }) };
}

function wrongOf({ later, days }: Result): number {
  return (1_000 * later) / days;
}

function inShort(result: Result): string {
  return `${wrongOf(result).toFixed(1)} / ${(quantile(result.delays, 0.5) / 60).toFixed(2)}`;
}

function inColumn(text: string, index: number): string {
  return index === 0 ? text.padEnd(50) : text.padStart(18);
}

/** Microseconds for each phone whose heartbeat is learned and whose limit is computed. */
function timeOf(phones: number): number {
  const rhythms = Array.from({ length: phones }, () => {
    let rhythm = NEW_RHYTHM;
    for (let gap = 50; gap < 70; gap += 1) rhythm = learnGap(rhythm, gap);
    return rhythm;
  });
  const startedAt = performance.now();
  for (const [index, rhythm] of rhythms.entries()) {
    const learned = learnGap(rhythm, 60 + (index % 7));
    explainLimit(learned).limitSeconds;
    rhythms[index] = learned;
  }
  return ((performance.now() - startedAt) * 1_000) / phones;
}
