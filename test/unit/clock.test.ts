import { describe, expect, it } from 'vitest';
import { within } from '../../src/clock.ts';
import { createFakeClock } from '../fake-clock.ts';

describe('within some time', () => {
  it('a promise is fulfilled', async () => {
    expect(await within(createFakeClock(), 1_000, Promise.resolve())).toBe(true);
  });

  it('a promise is not', async () => {
    const clock = createFakeClock();
    const outcome = within(clock, 1_000, new Promise(() => {}));
    clock.advance(1_000);
    expect(await outcome).toBe(false);
  });

  it('a promise is rejected', async () => {
    await expect(within(createFakeClock(), 1_000, Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  });
});
