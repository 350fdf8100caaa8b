import { expect, it } from 'vitest';
import { ageOf, stepBetween } from '../../../src/poller/moment.ts';
import { NOON } from '../../builders.ts';

const before = { wall: NOON, monotonic: 0 };
const HOUR = 3_600_000;

it.each([
  ['both clocks go on', HOUR, HOUR, HOUR, 0],
  ['the machine slept, which the monotonic clock does not know', HOUR, 1_000, HOUR, HOUR - 1_000],
  ['the clock was set ahead', HOUR, 0, HOUR, HOUR],
  ['the clock was set back', -HOUR, 5_000, 5_000, -HOUR - 5_000],
  ['a time server slows the clock down', 59_001, 60_000, 60_000, 0],
])('when %s, the age and the step are known', (_, wall, monotonic, age, step) => {
  const after = { wall: NOON + wall, monotonic };
  expect([ageOf(before, after), stepBetween(before, after)]).toEqual([age, step]);
});
