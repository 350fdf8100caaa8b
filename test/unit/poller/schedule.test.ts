import { expect, it } from 'vitest';
import { cronScheduler } from '../../../src/poller/schedule.ts';

it.each([
  ['*/30 * * * * *', 30],
  ['0 * * * * *', 60],
  ['0 0 * * * *', 3_600],
  ['0 0 6 * * *', 86_400],
])('the schedule %s ticks every %d seconds at the longest', (expression, seconds) => {
  const schedule = cronScheduler(expression, () => {});
  expect(schedule.intervalSeconds).toBe(seconds);
  schedule.stop();
});
