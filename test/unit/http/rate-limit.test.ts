import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/http/rate-limit.ts';
import { createFakeClock } from '../../fake-clock.ts';

function createStage(intervalMilliseconds: number, burst: number) {
  const clock = createFakeClock();
  const allow = createRateLimiter({ intervalMilliseconds, burst }, clock.monotonic);
  return {
    allowed: (requests: number) => Array.from({ length: requests }, allow).filter(Boolean).length,
    clock,
  };
}

describe('a rate limit', () => {
  it('lets in its burst at once, then one each interval', () => {
    const { allowed, clock } = createStage(1_000, 3);
    expect(allowed(10)).toBe(3);
    clock.advance(999);
    expect(allowed(10)).toBe(0);
    clock.advance(1);
    expect(allowed(10)).toBe(1);
    clock.advance(2_000);
    expect(allowed(10)).toBe(2);
  });

  it('saves no more than its burst', () => {
    const { allowed, clock } = createStage(1_000, 3);
    clock.advance(3_600_000);
    expect(allowed(10)).toBe(3);
  });

  it('with a burst of none lets nobody in, ever', () => {
    const { allowed, clock } = createStage(1_000, 0);
    clock.advance(3_600_000);
    expect(allowed(10)).toBe(0);
  });

  it('does not lose anything by being asked often', () => {
    const { allowed, clock } = createStage(3, 1);
    let count = 0;
    for (let step = 0; step < 3_000; step++) {
      clock.advance(1);
      count += allowed(1);
    }
    expect(count).toBe(1_000);
  });

  it('goes by the clock that never steps', () => {
    const { allowed, clock } = createStage(1_000, 1);
    expect(allowed(2)).toBe(1);
    clock.step(3_600_000);
    expect(allowed(2)).toBe(0);
  });
});
