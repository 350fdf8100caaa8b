import { describe, expect, it } from 'vitest';
import { cronScheduler } from '../../../src/poll/schedule.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';

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

describe('a schedule of every half minute', () => {
  it.each<[string, (clock: FakeClock) => void, readonly number[]]>([
    ['does not tick before it is due', (clock) => clock.advance(29_999), []],
    ['ticks when it is due', (clock) => clock.advance(30 * SECOND), [30]],
    [
      'ticks once after the machine slept for an hour',
      (clock) => {
        clock.suspend(HOUR);
        clock.advance(10 * SECOND);
      },
      [5],
    ],
    [
      'ticks once when the clock was set ahead',
      (clock) => {
        clock.advance(10 * SECOND);
        clock.step(24 * HOUR);
        clock.advance(5 * SECOND);
      },
      [15],
    ],
    [
      'keeps its ticks five seconds apart when the clock was set ahead',
      (clock) => {
        clock.advance(3 * SECOND);
        clock.step(24 * HOUR);
        clock.advance(4 * SECOND);
      },
      [5],
    ],
    [
      'waits for up to one and a half intervals when the clock was set back',
      (clock) => {
        clock.step(-2 * HOUR);
        clock.advance(44 * SECOND);
      },
      [],
    ],
    [
      'ticks after one and a half intervals when the clock was set back',
      (clock) => {
        clock.step(-2 * HOUR);
        clock.advance(45 * SECOND);
      },
      [45],
    ],
  ])('%s', (_, pass, expected) => {
    const { clock, ticks } = follow('*/30 * * * * *');
    pass(clock);
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
