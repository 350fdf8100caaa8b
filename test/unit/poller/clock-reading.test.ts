import { expect, it } from 'vitest';
import { watchClockSteps } from '../../../src/poller/clock-reading.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { silentLog } from '../../silent-log.ts';

const HOUR = 3_600_000;

function setUp() {
  const clock = createFakeClock();
  const steps: string[] = [];
  const lines: unknown[] = [];
  const log = { ...silentLog, warn: (fields: object) => lines.push(fields) };
  const stop = watchClockSteps(clock, (direction) => steps.push(direction), log);
  return { clock, steps, lines, stop };
}

it('watchClockSteps logs and counts nothing while the clock is right', () => {
  const { clock, steps, lines } = setUp();
  clock.advance(HOUR);
  expect([steps, lines]).toEqual([[], []]);
});

it('watchClockSteps counts each step of the clock, and logs the first one in an hour', () => {
  const { clock, steps, lines } = setUp();
  for (const milliseconds of [24 * HOUR, -24 * HOUR, 1_500, 999]) {
    clock.step(milliseconds);
    clock.advance(1_000);
  }
  clock.advance(HOUR);
  clock.step(-2 * HOUR);
  clock.advance(1_000);
  expect(steps).toEqual(['forward', 'backward', 'forward', 'backward']);
  expect(lines).toEqual([{ seconds: 86_400 }, { seconds: -7_200 }]);
});

it('watchClockSteps logs one line an hour for a clock that is set every ten seconds', () => {
  const { clock, steps, lines } = setUp();
  for (let passed = 0; passed < 24 * HOUR; passed += 10_000) {
    clock.step(passed % 20_000 === 0 ? 2_000 : -2_000);
    clock.advance(10_000);
  }
  expect(steps.length).toBe(8_640);
  expect(lines.length).toBe(24);
});

it('watchClockSteps reports nothing after it was stopped', () => {
  const { clock, steps, stop } = setUp();
  stop();
  clock.step(HOUR);
  clock.advance(HOUR);
  expect(steps).toEqual([]);
});
