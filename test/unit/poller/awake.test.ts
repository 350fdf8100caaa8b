import { describe, expect, it } from 'vitest';
import { measureAwakeTime } from '../../../src/poller/awake.ts';
import { createFakeClock } from '../../fake-clock.ts';

describe('the time in which a process runs', () => {
  it('goes on with the clock', () => {
    const clock = createFakeClock();
    const { elapsed } = measureAwakeTime(clock);
    clock.advance(3_600_000);
    expect(elapsed()).toBe(3_600_000);
  });

  it('does not know of a wall clock that is set', () => {
    const clock = createFakeClock();
    const { elapsed } = measureAwakeTime(clock);
    clock.step(3_600_000);
    clock.advance(10_000);
    expect(elapsed()).toBe(10_000);
  });

  it('stands still while the process does', () => {
    let now = 0;
    const frozen = { ...createFakeClock(), monotonic: () => now };
    const { elapsed } = measureAwakeTime(frozen);
    now = 1_000;
    expect(elapsed()).toBe(1_000);
    now = 3_600_000;
    expect(elapsed()).toBe(6_000);
    now += 1_000;
    expect(elapsed()).toBe(7_000);
  });

  it('goes on without timers, since whoever asks looks at the clock', () => {
    const clock = createFakeClock();
    const { elapsed, stop } = measureAwakeTime(clock);
    stop();
    for (let asked = 0; asked < 10; asked += 1) {
      clock.advance(10_000);
      elapsed();
    }
    expect(elapsed()).toBe(50_000);
  });
});
