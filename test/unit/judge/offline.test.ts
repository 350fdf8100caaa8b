import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueSeconds, explainLimit, learnGap, NEW_RHYTHM } from '../../../src/judge/offline.ts';
import type { Rhythm } from '../../../src/model/rhythm.ts';

const MINUTES_A_DAY = 1_440;

const limitOf = (rhythm: Rhythm): number => explainLimit(rhythm).limitSeconds;

/** Learns gaps, in seconds. */
function learn(rhythm: Rhythm, gaps: readonly number[]): Rhythm {
  return gaps.reduce(learnGap, rhythm);
}

/** Repeats a gap. */
function repeat(gap: number, times: number): readonly number[] {
  return Array.from({ length: times }, () => gap);
}

/** Days of a phone that reports each minute, each with these gaps at its end. */
function days(count: number, ...ends: readonly number[]): readonly number[] {
  const left = MINUTES_A_DAY - ends.reduce((sum, end) => sum + end, 0) / 60;
  return Array.from({ length: count }, () => [...repeat(60, left), ...ends]).flat();
}

const eachMinute = learn(NEW_RHYTHM, days(14));

/** Any gaps: usual ones, any number at all, and garbage. */
const anyGaps = fc.array(
  fc.oneof(
    fc.double({ min: 1, max: 400, noNaN: true }),
    fc.double({ min: 0, max: 4_000, noNaN: true }),
    fc.double(),
    fc.constantFrom(0, -0, -60, 1e-300, 3_600, 3_600.001, 86_400, 1e9),
  ),
  { maxLength: 300 },
);

describe('the threshold', () => {
  it.each([30, 60])('of a phone that reports every %i s is learned in minutes', (gap) => {
    const after = (minutes: number) => limitOf(learn(NEW_RHYTHM, repeat(gap, (minutes * 60) / gap + 1)));
    expect(limitOf(NEW_RHYTHM)).toBe(600);
    expect([10, 20, 300, 361].map(after)).toEqual([600, 300, 300, 180]);
  });

  it('is longer at once for a phone that dozes', () => {
    expect(limitOf(learn(NEW_RHYTHM, [60, 60, 720]))).toBeGreaterThan(720);
    expect(limitOf(learn(NEW_RHYTHM, [...repeat(60, 40), 250]))).toBeGreaterThan(400);
  });

  it('never grows with more heartbeats of the same rhythm', () => {
    for (const gap of [5, 30, 60, 120, 300]) {
      const limits = Array.from({ length: 60 }, (_, hours) =>
        limitOf(learn(NEW_RHYTHM, repeat(gap, (hours * 3_600) / gap + 1))),
      );
      // From the hour on in which the usual gap is known.
      expect(limits.slice(1)).toEqual(limits.slice(1).toSorted((one, other) => other - one));
    }
  });

  it.each([
    [5, 180],
    [60, 180],
    [120, 360],
    [300, 900],
    [1_500, 1_800],
  ])('of a phone that reports each %i s without losses is %i s', (interval, limit) => {
    expect(limitOf(learn(NEW_RHYTHM, repeat(interval, 20 * MINUTES_A_DAY)))).toBe(limit);
  });

  it('lets as many beats in a row be missed as are lost less than once in a thousand days, three at most', () => {
    const limitAt = (lossEach: number): number => {
      const rhythm = { ...eachMinute, lateShare: 1 / lossEach };
      return explainLimit(rhythm).learned?.lostBeats ?? -1;
    };
    expect([10_000, 200, 100, 50, 5].map(limitAt)).toEqual([2, 2, 3, 3, 3]);
  });

  it('is above the longest gap of the last 14 days but one', () => {
    const withPause = (pause: number, count: number) =>
      limitOf(learn(learn(eachMinute, days(count, pause)), days(12 - count)));
    expect(withPause(300, 1)).toBeLessThan(185);
    expect(withPause(300, 2)).toBeGreaterThan(300 / 1.2);
  });

  it('is not moved by one odd day, however long its gap', () => {
    for (const pause of [400, 900, 3_000, 40_000])
      expect(limitOf(learnGap(eachMinute, pause))).toBeLessThan(185);
  });

  it('has a larger margin while few days are known, and sets nothing aside', () => {
    const after = (count: number) => limitOf(learn(NEW_RHYTHM, days(count, 180)));
    const limits = [1, 2, 5, 9, 14].map(after);
    expect(limits).toEqual(limits.toSorted((one, other) => other - one));
    expect(limits[0]).toBeGreaterThan(300);
    expect(limits.at(-1)).toBeLessThan(230);
  });

  it('follows a habit in a few steps, and forgets it within two weeks', () => {
    let rhythm = eachMinute;
    let wrong = 0;
    for (const gap of days(14, 1_200)) {
      if (gap > limitOf(rhythm)) wrong += 1;
      rhythm = learnGap(rhythm, gap);
    }
    expect(wrong).toBeLessThanOrEqual(8);
    expect(limitOf(rhythm)).toBeGreaterThan(1_200);
    expect(limitOf(learn(rhythm, days(14)))).toBeLessThan(185);
  });

  it('is 10 minutes again once three gaps in a row were beyond it, since that is another rhythm', () => {
    const changed = learn(eachMinute, repeat(300, 3));
    expect(limitOf(changed)).toBe(600);
    expect(limitOf(learn(changed, repeat(300, 288)))).toBeGreaterThan(600);
    expect(explainLimit(learn(eachMinute, [300, 300, 60, 300])).learned?.days).toBe(14);
  });

  it('stays within 3 to 30 minutes after any gaps', () => {
    fc.assert(
      fc.property(anyGaps, (gaps) => {
        let rhythm = NEW_RHYTHM;
        for (const gap of gaps) {
          rhythm = learnGap(rhythm, gap);
          const limit = limitOf(rhythm);
          expect(Number.isInteger(limit) && limit >= 180 && limit <= 1_800, String(limit)).toBe(true);
        }
      }),
    );
  });

  it.each([Number.NaN, 0, -1, -60, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3_601, 86_400, 1e300])(
    'ignores a gap of %d s',
    (gap) => {
      expect(learnGap(eachMinute, gap)).toBe(eachMinute);
      expect(learnGap(NEW_RHYTHM, gap)).toBe(NEW_RHYTHM);
    },
  );
});

describe('the reason of a limit', () => {
  it('returns its reasons, for people', () => {
    expect(explainLimit(NEW_RHYTHM)).toEqual({ limitSeconds: 600, learned: undefined });
    expect(explainLimit(learn(eachMinute, days(12, 170)))).toMatchObject({
      limitSeconds: 212,
      learned: { lostBeats: 2, days: 14, setAside: 1, longestSeconds: 170 },
    });
  });
});

describe('the time within which a phone reports again', () => {
  it('is the longest gap of its quietest whole day', () => {
    expect(dueSeconds(NEW_RHYTHM)).toBe(300);
    expect(dueSeconds(learn(NEW_RHYTHM, [60, 120]))).toBe(120);
    expect(dueSeconds(learn(learn(NEW_RHYTHM, days(1, 600)), days(2, 240)))).toBe(240);
  });
});

describe('a rhythm', () => {
  it('has at most 120 bytes in the state file, and is the same after a restart', () => {
    fc.assert(
      fc.property(anyGaps, (gaps) => {
        let rhythm = NEW_RHYTHM;
        for (const gap of gaps) {
          rhythm = learnGap(rhythm, gap);
          const { usual, lateShare, over, elapsed, longest } = rhythm;
          const json = JSON.stringify([usual, lateShare, over, elapsed, longest]);
          if (json.length > 120) expect(json).toBe('at most 120 bytes');
        }
        expect(JSON.parse(JSON.stringify(rhythm))).toEqual(rhythm);
      }),
    );
  });

  it('stays as it is when another gap is learned', () => {
    const before = JSON.stringify(eachMinute);
    for (const gap of [60, 120, 720]) learnGap(eachMinute, gap);
    expect(JSON.stringify(eachMinute)).toBe(before);
  });
});
