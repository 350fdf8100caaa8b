import { expect, it } from 'vitest';
import { logClockSteps } from '../../../src/poll/clock-reading.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { silentLog } from '../../silent-log.ts';

const HOUR = 3_600_000;

function setUp() {
  const clock = createFakeClock();
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (fields: object) => lines.push(fields) };
  const stop = logClockSteps(clock, log);
  return { clock, lines, stop };
}

it('logClockSteps logs nothing while the clock is right', () => {
  const { clock, lines } = setUp();
  clock.advance(HOUR);
  expect(lines).toEqual([]);
});

it('logClockSteps logs the first step in an hour', () => {
  const { clock, lines } = setUp();
  for (const milliseconds of [24 * HOUR, -24 * HOUR, 1_500, 999]) {
    clock.step(milliseconds);
    clock.advance(1_000);
  }
  clock.advance(HOUR);
  clock.step(-2 * HOUR);
  clock.advance(1_000);
  expect(lines).toEqual([{ seconds: 86_400 }, { seconds: -7_200 }]);
});

it('logClockSteps does not log a change of less than a second', () => {
  const { clock, lines } = setUp();
  clock.step(999);
  clock.advance(1_000);
  expect(lines).toEqual([]);
});

it('logClockSteps logs one line an hour for a clock that is set every ten seconds', () => {
  const { clock, lines } = setUp();
  for (let passed = 0; passed < 24 * HOUR; passed += 10_000) {
    clock.step(passed % 20_000 === 0 ? 2_000 : -2_000);
    clock.advance(10_000);
  }
  expect(lines.length).toBe(24);
});

it('logClockSteps logs nothing after it was stopped', () => {
  const { clock, lines, stop } = setUp();
  stop();
  clock.step(HOUR);
  clock.advance(HOUR);
  expect(lines).toEqual([]);
});
