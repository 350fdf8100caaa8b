import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { cronScheduler } from '../../../src/poll/schedule.ts';
import { NOON } from '../../builders.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** When a schedule ticks within two minutes of its start, in milliseconds after noon. */
function ticksOf(expression: string, startAt: number, drawn: number): readonly number[] {
  vi.useFakeTimers({ now: NOON + startAt });
  const ticks: number[] = [];
  const schedule = cronScheduler(systemClock, () => drawn)(expression, () => ticks.push(Date.now() - NOON));
  schedule.start();
  vi.advanceTimersByTime(120_000);
  schedule.stop();
  vi.advanceTimersByTime(120_000);
  return ticks;
}

describe('a schedule', () => {
  it.each([
    ['*/30 * * * * *', 30],
    ['0 * * * * *', 60],
    ['0 0 * * * *', 3_600],
    ['0 0 6 * * *', 86_400],
    ['0 0 8-18 * * *', 50_400],
    ['0 0 6 * * 1-5', 259_200],
    ['0 0 0 29 2 *', 1_461 * 86_400],
    ['0 0 3 1 * mon', 7 * 86_400],
    ['0 * 8-20 * * *', 11 * 3_600 + 60],
    ['0 */15 8-17 * * mon-fri', 62 * 3_600 + 900],
    ['30 59 23 31 12 *', 366 * 86_400],
    ['0 0 12 * * 0,7', 7 * 86_400],
    ['10,5 * * * * *', 55],
    ['* * * * * *', 1],
  ])('of %s ticks every %d seconds at the longest', (expression, seconds) => {
    vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
    expect(cronScheduler(systemClock, () => 0)(expression, () => {}).intervalSeconds).toBe(seconds);
  });

  it('has the same longest gap on whatever day one asks', () => {
    for (let day = 0; day < 7; day += 1) {
      vi.useFakeTimers({ now: NOON + day * 86_400_000, toFake: ['Date'] });
      const schedule = cronScheduler(systemClock, () => 0)('0 */15 8-17 * * mon-fri', () => {});
      expect(schedule.intervalSeconds).toBe(62 * 3_600 + 900);
    }
  });

  it.each([
    ['within its hours', '2026-03-02T12:20:00Z', 40],
    ['in the last one', '2026-03-02T20:30:00Z', 690],
    ['outside of them', '2026-03-02T23:00:00Z', 9 * 60],
  ])('knows when the next tick is due %s, before its start and after it', (_, at, minutes) => {
    vi.useFakeTimers({ now: new Date(at) });
    const schedule = cronScheduler(systemClock, () => 0)('0 0 8-20 * * *', () => {});
    expect(schedule.untilNext()).toBe(minutes * 60_000);
  });

  it('ticks on either day where a day of the month and a weekday are given', () => {
    vi.useFakeTimers({ now: new Date('2026-04-27T12:00:00Z') });
    const untilNext = cronScheduler(systemClock, () => 0)('0 0 3 1 * mon', () => {}).untilNext;
    expect(new Date(Date.now() + untilNext()).toISOString()).toBe('2026-05-01T03:00:00.000Z');
    vi.setSystemTime(new Date('2026-05-02T12:00:00Z'));
    expect(new Date(Date.now() + untilNext()).toISOString()).toBe('2026-05-04T03:00:00.000Z');
  });

  it('ticks when the expression says so, until it is stopped', () => {
    expect(ticksOf('*/30 * * * * *', 0, 0)).toEqual([30_000, 60_000, 90_000, 120_000]);
  });

  it('adds the same jitter to every tick', () => {
    expect(ticksOf('*/30 * * * * *', 0, 0.5)).toEqual([33_750, 63_750, 93_750]);
  });

  it('skips no tick of an expression with uneven gaps', () => {
    expect(ticksOf('5,15,50 * * * * *', 0, 0.999_999)).toEqual([
      7_499, 17_499, 52_499, 67_499, 77_499, 112_499,
    ]);
  });

  it('leaves five seconds between its start and its first tick, since a poll begins at the start', () => {
    expect(ticksOf('*/30 * * * * *', 29_000, 0)).toEqual([34_000, 60_000, 90_000, 120_000]);
  });
});
