import { describe, expect, it } from 'vitest';
import { within } from '../../../src/base/clock.ts';
import { createFakeClock } from '../../fake-clock.ts';

describe('within', () => {
  it('resolves with true if the promise is fulfilled in time', async () => {
    expect(await within(createFakeClock(), 1_000, Promise.resolve())).toBe(true);
  });

  it('resolves with false if the promise is not settled in time', async () => {
    const clock = createFakeClock();
    const outcome = within(clock, 1_000, new Promise(() => {}));
    clock.advance(1_000);
    expect(await outcome).toBe(false);
  });

  it('rejects as the promise does', async () => {
    await expect(within(createFakeClock(), 1_000, Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  });
});
