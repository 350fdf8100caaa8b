import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createPace } from '../../../src/api/pace.ts';
import { sleep } from '../../../src/api/sleep.ts';
import { createFakeClock } from '../../fake-clock.ts';

const never = new AbortController().signal;

/** Lets every promise that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a pace', () => {
  it('of none lets all pass', async () => {
    const pace = createPace(undefined, createFakeClock());
    await Promise.all(Array.from({ length: 1_000 }, () => pace.turn(never)));
  });

  it('of four a second lets one pass each quarter of a second', async () => {
    const clock = createFakeClock();
    const pace = createPace(4, clock);
    const at: number[] = [];
    for (let request = 0; request < 6; request += 1) {
      pace.turn(never).then(() => at.push(clock.monotonic()));
    }
    for (let step = 0; step < 30; step += 1) {
      await settle();
      clock.advance(50);
    }
    expect(at).toEqual([0, 250, 500, 750, 1_000, 1_250]);
  });

  it('has no burst after a rest', async () => {
    const clock = createFakeClock();
    const pace = createPace(4, clock);
    clock.advance(60_000);
    await pace.turn(never);
    let passed = false;
    pace.turn(never).then(() => {
      passed = true;
    });
    clock.advance(249);
    await settle();
    expect(passed).toBe(false);
    clock.advance(1);
    await settle();
    expect(passed).toBe(true);
  });

  it('leaves no gap for those who give up', async () => {
    const clock = createFakeClock();
    const pace = createPace(1, clock);
    await pace.turn(never);
    const impatient = new AbortController();
    const gaveUp = Array.from({ length: 100 }, () => pace.turn(impatient.signal));
    let passed = false;
    pace.turn(never).then(() => {
      passed = true;
    });
    await settle();
    impatient.abort('enough');
    for (const one of gaveUp) await expect(one).rejects.toBe('enough');
    await settle();
    clock.advance(1_000);
    await settle();
    expect(passed).toBe(true);
  });
});

describe('a sleep', () => {
  it('ends when its time has come, and leaves no listener', async () => {
    const clock = createFakeClock();
    const caller = new AbortController();
    const slept = sleep(clock, 100, caller.signal);
    clock.advance(100);
    await slept;
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it.each([0, -1, Number.NEGATIVE_INFINITY])('of %d ms ends at once', async (milliseconds) => {
    await sleep(createFakeClock(), milliseconds, never);
  });

  it('ends at once when its signal aborts', async () => {
    const caller = new AbortController();
    const slept = sleep(createFakeClock(), 1e9, caller.signal);
    caller.abort('stop');
    await expect(slept).rejects.toBe('stop');
  });

  it.each([0, 100])('of %i ms does not begin after its signal aborted', async (milliseconds) => {
    await expect(sleep(createFakeClock(), milliseconds, AbortSignal.abort('late'))).rejects.toBe('late');
  });
});
