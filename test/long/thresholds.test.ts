import { describe, expect, it } from 'vitest';
import { createLearned, quantile, type Result, watchPhones } from '../detectors.ts';
import { PATTERNS, type PatternName } from '../rhythms.ts';

const results = new Map<PatternName, Result>();

/** Watches as many phones of a pattern as its wrong suspicions take to be counted, once for all tests. */
function watch(name: PatternName, phones: number, days: number): Result {
  const pattern = PATTERNS[name];
  const result = results.get(name) ?? watchPhones({ pattern, detector: createLearned, phones, days });
  results.set(name, result);
  return result;
}

describe('the threshold', () => {
  it.each<PatternName>([
    'each 30 s',
    'each minute',
    'each 90 s',
    'each 2 min',
    'each minute, jitter of 10 %',
  ])('calls at most one living phone in a thousand offline on its first day: %s', (name) => {
    const { firstDay } = watchPhones({
      ...{ pattern: PATTERNS[name], detector: createLearned, phones: 1_000, days: 1 },
    });
    expect(firstDay).toBeLessThanOrEqual(1);
  });

  it.each<[number, PatternName, number, number]>([
    [1, 'each 5 s', 10, 4],
    [1, 'each 30 s', 30, 5],
    [1, 'each minute', 100, 11],
    [1, 'each 2 min', 100, 11],
    [1, 'each 5 min', 100, 11],
    [3, 'each minute, jitter of 10 %', 60, 25],
    [3, 'each 2 min, jitter of 10 %', 60, 25],
    [3, 'each 200 s, jitter of 10 %', 60, 25],
    [1, 'dozes for 12 min', 50, 11],
    [20, 'each minute, a fifth lost', 60, 11],
    [60, 'log-normal gaps, median a minute', 60, 11],
    [10, 'restart of 4 to 6 min each night', 60, 30],
    [60, 'nap of 10 to 20 min a day', 20, 60],
  ])('calls at most %i living phones offline in 1,000 phone-days: %s', (most, name, phones, count) => {
    const result = watch(name, phones, count);
    expect((1_000 * result.later) / Math.max(1_000, result.days)).toBeLessThanOrEqual(most);
  });

  it.each<[PatternName, number]>([
    ['each minute, jitter of 10 %', 4.2],
    ['each 90 s, jitter of 10 %', 5.8],
    ['each 2 min, jitter of 10 %', 7.5],
    ['each 200 s, jitter of 10 %', 12],
    ['bursts, then 5 min of nothing', 6],
  ])('shows a phone of the pattern "%s" as offline %d minutes after its failure', (name, minutes) => {
    expect(quantile(watch(name, 60, 25).delays, 0.5) / 60).toBeLessThanOrEqual(minutes);
  });
});
