import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnHeartbeat, NEW_RHYTHM, silenceLimitSeconds } from '../../../src/analysis/silence.ts';
import type { Rhythm } from '../../../src/model/rhythm.ts';
import {
  type Detector,
  PATTERNS,
  type PatternName,
  quantile,
  type Result,
  watchPhones,
} from '../../rhythms.ts';

const MINUTES_A_DAY = 1_440;

/** Learns gaps, in seconds. */
function learn(rhythm: Rhythm, gaps: readonly number[]): Rhythm {
  return gaps.reduce(learnHeartbeat, rhythm);
}

/** Repeats a gap. */
function repeat(gap: number, times: number): readonly number[] {
  return Array.from({ length: times }, () => gap);
}

function createLearned(): Detector {
  let rhythm = NEW_RHYTHM;
  return {
    learn: (gap) => {
      rhythm = learnHeartbeat(rhythm, gap);
    },
    limitSeconds: () => silenceLimitSeconds(rhythm),
  };
}

function watch(name: PatternName, phones: number, days: number, pollSeconds = 30): Result {
  return watchPhones({ pattern: PATTERNS[name], detector: createLearned, phones, days, pollSeconds });
}

const eachMinute = learn(NEW_RHYTHM, repeat(60, 3 * MINUTES_A_DAY));

/** Any gaps: usual ones, any number at all, and garbage. */
const anyGaps = fc.array(
  fc.oneof(
    fc.double({ min: 1, max: 400, noNaN: true }),
    fc.double({ min: 0, max: 2_000, noNaN: true }),
    fc.double(),
    fc.constantFrom(0, -0, -60, 1e-300, 1_800, 1_800.001, 86_400, 1e9),
  ),
  { maxLength: 300 },
);

describe('the silence limit', () => {
  it('is 10 minutes until twelve gaps are known', () => {
    expect(silenceLimitSeconds(NEW_RHYTHM)).toBe(600);
    expect(silenceLimitSeconds(learn(NEW_RHYTHM, repeat(60, 11)))).toBe(600);
    expect(silenceLimitSeconds(learn(NEW_RHYTHM, repeat(60, 12)))).toBeLessThan(600);
  });

  it.each([
    [5, 180, 180],
    [60, 180, 240],
    [120, 350, 480],
    [300, 600, 1_200],
    [1_500, 1_800, 1_800],
  ])('of a phone that reports each %i s without losses is %i to %i s', (interval, least, most) => {
    const limit = silenceLimitSeconds(learn(NEW_RHYTHM, repeat(interval, 1_000)));
    expect(limit).toBeGreaterThanOrEqual(least);
    expect(limit).toBeLessThanOrEqual(most);
  });

  it.each([600, 1_200, 1_700])('is not misled by a first gap of %i s, the end of an outage', (first) => {
    for (const gap of [10, 30, 60]) {
      const quick = silenceLimitSeconds(learn(NEW_RHYTHM, repeat(gap, 20)));
      const misled = silenceLimitSeconds(learn(NEW_RHYTHM, [first, ...repeat(gap, 20)]));
      // It counts as a pause, which raises the limit by a minute for a day.
      expect(misled - quick).toBeLessThanOrEqual(60);
    }
  });

  it('stays within 3 to 30 minutes after any gaps', () => {
    fc.assert(
      fc.property(anyGaps, (gaps) => {
        let rhythm = NEW_RHYTHM;
        for (const gap of gaps) {
          rhythm = learnHeartbeat(rhythm, gap);
          const limit = silenceLimitSeconds(rhythm);
          expect(limit >= 180 && limit <= 1_800, String(limit)).toBe(true);
        }
      }),
    );
  });

  it.each([Number.NaN, 0, -1, -60, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1_801, 86_400, 1e300])(
    'ignores a gap of %d s',
    (gap) => {
      expect(learnHeartbeat(eachMinute, gap)).toBe(eachMinute);
      expect(learnHeartbeat(NEW_RHYTHM, gap)).toBe(NEW_RHYTHM);
    },
  );

  it('rises by a minute for a single pause, however long', () => {
    const before = silenceLimitSeconds(eachMinute);
    for (const pause of [400, 900, 1_800]) {
      const rise = silenceLimitSeconds(learnHeartbeat(eachMinute, pause)) - before;
      expect(rise).toBeGreaterThan(0);
      expect(rise).toBeLessThan(70);
    }
  });

  it('covers a pause that came four times within two days', () => {
    const habit = [720, ...repeat(60, 600)];
    const rhythm = learn(eachMinute, [...habit, ...habit, ...habit]);
    expect(silenceLimitSeconds(rhythm)).toBeLessThan(720);
    expect(silenceLimitSeconds(learn(rhythm, [720]))).toBeGreaterThan(720);
  });

  it('does not cover a nap a day', () => {
    const day = [1_200, ...repeat(60, MINUTES_A_DAY - 20)];
    const rhythm = learn(eachMinute, Array.from({ length: 14 }, () => day).flat());
    expect(silenceLimitSeconds(rhythm)).toBeLessThan(360);
  });

  it('forgets a habit within two days after its end', () => {
    const dozing = learn(eachMinute, Array.from({ length: 200 }, () => [720, ...repeat(60, 8)]).flat());
    expect(silenceLimitSeconds(dozing)).toBeGreaterThan(780);
    const awake = learn(dozing, repeat(60, 2 * MINUTES_A_DAY + 1));
    expect(silenceLimitSeconds(awake)).toBeCloseTo(silenceLimitSeconds(eachMinute), 0);
  });

  it('follows a phone that reports each 5 minutes from now on, and back within two days', () => {
    let rhythm = eachMinute;
    let wrong = 0;
    for (const gap of repeat(300, 288)) {
      if (gap > silenceLimitSeconds(rhythm)) wrong += 1;
      rhythm = learnHeartbeat(rhythm, gap);
    }
    expect(wrong).toBeLessThanOrEqual(4);
    expect(silenceLimitSeconds(rhythm)).toBeGreaterThan(600);
    const back = learn(learn(rhythm, repeat(300, 2_000)), repeat(60, 2 * MINUTES_A_DAY));
    expect(silenceLimitSeconds(back)).toBeLessThan(300);
  });

  it.each<[number, PatternName, number, number]>([
    [1, 'each 5 s', 10, 4],
    [1, 'each 30 s', 30, 5],
    [1, 'each minute', 100, 11],
    [1, 'each 2 min', 100, 11],
    [1, 'each 5 min', 100, 11],
    [1, 'dozes for 12 min', 50, 11],
    [1, 'dozes for 15 min', 50, 11],
    [20, 'each minute, a fifth lost', 60, 6],
  ])('calls at most %i living phones silent in 1,000 phone-days: %s', (most, name, phones, days) => {
    const result = watch(name, phones, days);
    expect((1_000 * result.later) / Math.max(1_000, result.days)).toBeLessThanOrEqual(most);
  });

  it.each<[PatternName, number]>([
    ['each minute', 4.25],
    ['each 2 min', 7.25],
  ])('shows a phone of the pattern "%s" as silent %d minutes after its failure', (name, minutes) => {
    expect(quantile(watch(name, 80, 11).delays, 0.5) / 60).toBeLessThanOrEqual(minutes);
  });
});

describe('a rhythm', () => {
  it('has at most 200 bytes as JSON, and is the same after a restart', () => {
    fc.assert(
      fc.property(anyGaps, (gaps) => {
        let rhythm = NEW_RHYTHM;
        for (const gap of gaps) {
          rhythm = learnHeartbeat(rhythm, gap);
          const json = JSON.stringify(rhythm);
          if (json.length > 200) expect(json).toBe('at most 200 bytes');
        }
        expect(JSON.parse(JSON.stringify(rhythm))).toEqual(rhythm);
      }),
    );
  });

  it('stays as it is when another heartbeat is learned', () => {
    const before = JSON.stringify(eachMinute);
    for (const gap of [60, 120, 720]) learnHeartbeat(eachMinute, gap);
    expect(JSON.stringify(eachMinute)).toBe(before);
  });
});
