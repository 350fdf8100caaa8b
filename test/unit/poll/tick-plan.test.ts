import { describe, expect, it } from 'vitest';
import { jitterOf, planNextTick, planTick } from '../../../src/poll/schedule.ts';
import { NOON } from '../../builders.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const HALF_MINUTE = { longest: 30 * SECOND, shortest: 30 * SECOND };

/** A schedule that ticked at noon, when the monotonic clock was at 0, and is due again after so many seconds. */
const waiting = (seconds: number, gaps = HALF_MINUTE) =>
  planNextTick(gaps, NOON + seconds * SECOND, { wall: NOON, monotonic: 0 });

/** Its plan when the clocks have gone on by so many seconds. */
const planAfter = (wall: number, monotonic: number, next = waiting(30)) =>
  planTick(next, { wall: NOON + wall * SECOND, monotonic: monotonic * SECOND });

const wait = (seconds: number) => ({ act: 'wait', milliseconds: seconds * SECOND });
const TICK = { act: 'tick' };

describe('a schedule', () => {
  it.each([
    ['checks the clocks every five seconds', 0, 0, wait(5)],
    ['checks the clocks again when it is due', 28, 28, wait(2)],
    ['does not tick before it is due when the timer is early', 29.999, 30, wait(0.001)],
    ['ticks when it is due', 30, 30, TICK],
    ['ticks once after the machine slept for an hour', 3_600, 10, TICK],
    ['ticks once after an hour without timers', 3_600, 3_600, TICK],
    ['ticks once when the clock was set ahead', 86_400, 10, TICK],
    ['waits for the calendar when the clock was set back', -7_200, 30, wait(5)],
    ['waits for the calendar for up to one and a half intervals', -7_200, 44, wait(1)],
    ['ticks after one and a half intervals when the clock was set back', -7_200, 45, TICK],
    ['keeps its ticks five seconds apart when the clock was set ahead', 86_400, 3, wait(2)],
  ])('%s', (_, wall, monotonic, plan) => {
    expect(planAfter(wall, monotonic)).toEqual(plan);
  });

  it('keeps ticks of every second half a second apart', () => {
    const everySecond = { longest: SECOND, shortest: SECOND };
    expect(planAfter(0.2, 0.2, waiting(0.1, everySecond))).toEqual(wait(0.3));
  });

  it('without ticks at night does not trigger the watchdog early', () => {
    const night = waiting(13 * 3_600);
    expect(planAfter(13 * 3_600 - 6, 13 * 3_600 - 6, night)).toEqual(wait(5));
    expect(planAfter(0, 13 * 3_600 + 15, night)).toEqual(TICK);
  });
});

describe('the jitter', () => {
  it.each([
    ['is 0 for the random number 0', HALF_MINUTE, 0, 0],
    ['is a quarter of the gap at most', HALF_MINUTE, 0.999_999, 7_499],
    ['depends on the shortest gap', { longest: HOUR, shortest: 10 * SECOND }, 0.5, 1_250],
    ['is a minute at most', { longest: 24 * HOUR, shortest: 24 * HOUR }, 0.999_999, 59_999],
  ])('%s', (_, gaps, drawn, milliseconds) => {
    expect(jitterOf(gaps, drawn)).toBe(milliseconds);
  });

  it('spreads a thousand exporters over eight seconds', () => {
    const seconds = Array.from({ length: 1_000 }, (_, index) =>
      Math.floor(jitterOf(HALF_MINUTE, index / 1_000) / SECOND),
    );
    const counts = [...new Set(seconds)].map((second) => seconds.filter((each) => each === second).length);
    expect([counts.length, Math.max(...counts)]).toEqual([8, 134]);
  });
});
