import { describe, expect, it } from 'vitest';
import { cronScheduler } from '../../../src/poll/schedule.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A schedule that starts at noon; its ticks are seconds of the monotonic clock, which stands at 0 then. */
function follow(expression: string, drawn = 0) {
  const clock = createFakeClock();
  const ticks: number[] = [];
  const schedule = cronScheduler(clock, () => drawn)(expression, () =>
    ticks.push(clock.monotonic() / SECOND),
  );
  schedule.start();
  return { clock, ticks };
}

/** Seconds that pass, a jump in hours (the clock is set, or the machine sleeps), and seconds that pass then. */
type Course = {
  readonly before?: number;
  readonly step?: number;
  readonly suspend?: number;
  readonly after: number;
};

describe('a schedule of every half minute', () => {
  it.each<[string, Course, readonly number[]]>([
    ['does not tick before it is due', { after: 29.999 }, []],
    ['ticks when it is due', { after: 30 }, [30]],
    ['ticks once after the machine slept for an hour', { suspend: 1, after: 10 }, [5]],
    ['ticks once when the clock was set ahead', { before: 10, step: 24, after: 5 }, [15]],
    ['keeps its ticks five seconds apart when it was set ahead', { before: 3, step: 24, after: 4 }, [5]],
    ['waits for up to one and a half intervals when it was set back', { step: -2, after: 44 }, []],
    ['ticks after one and a half intervals when it was set back', { step: -2, after: 45 }, [45]],
  ])('%s', (_, { before = 0, step = 0, suspend = 0, after }, expected) => {
    const { clock, ticks } = follow('*/30 * * * * *');
    clock.advance(before * SECOND);
    clock.step(step * HOUR);
    clock.suspend(suspend * HOUR);
    clock.advance(after * SECOND);
    expect(ticks).toEqual(expected);
  });
});

it('a schedule of every second keeps its ticks half a second apart', () => {
  const { clock, ticks } = follow('* * * * * *');
  clock.advance(100);
  clock.step(HOUR);
  clock.advance(900);
  expect(Math.min(...ticks)).toBeGreaterThanOrEqual(0.5);
});

it('a schedule without ticks at night does not tick early', () => {
  const { clock, ticks } = follow('0 0 1 * * *');
  clock.advance(13 * HOUR - SECOND);
  expect(ticks).toEqual([]);
  clock.advance(SECOND);
  expect(ticks).toEqual([13 * 3_600]);
});

describe('the jitter', () => {
  it.each([
    ['is 0 for the random number 0', '*/30 * * * * *', 0, 30],
    ['is a quarter of the gap at most', '*/30 * * * * *', 0.999_999, 37.499],
    ['depends on the shortest gap', '10,20 * * * * *', 0.5, 11.25],
    ['is a minute at most', '0 0 13 * * *', 0.999_999, 3_659.999],
  ])('%s', (_, expression, drawn, seconds) => {
    const { clock, ticks } = follow(expression, drawn);
    clock.advance(2 * HOUR);
    expect(ticks[0]).toBe(seconds);
  });
});
