import { describe, expect, it } from 'vitest';
import { createSimulatedClock } from '../../../src/commands/history/clock.ts';
import { NOON } from '../../builders.ts';

describe('a simulated clock', () => {
  it('stands still until it is moved, and never goes back', () => {
    const clock = createSimulatedClock(NOON);
    expect([clock.now(), clock.monotonic()]).toEqual([NOON, 0]);
    clock.moveTo(NOON + 5_000);
    clock.moveTo(NOON);
    expect([clock.now(), clock.monotonic()]).toEqual([NOON + 5_000, 5_000]);
  });

  it('calls back what falls due on the way, in order, each at its time', () => {
    const clock = createSimulatedClock(NOON);
    const called: [string, number][] = [];
    const note = (name: string) => () => called.push([name, clock.monotonic()]);
    clock.after(3_000, note('late'));
    clock.after(1_000, () => {
      note('early')();
      clock.after(1_000, note('of the early one'));
    });
    clock.after(9_000, note('not yet'));
    const cancel = clock.after(2_500, note('cancelled'));
    cancel();
    clock.moveTo(NOON + 4_000);
    expect(called).toEqual([
      ['early', 1_000],
      ['of the early one', 2_000],
      ['late', 3_000],
    ]);
    expect(clock.monotonic()).toBe(4_000);
  });

  it('moves on to what falls due next, and stays where nothing does', () => {
    const clock = createSimulatedClock(NOON);
    const called: number[] = [];
    clock.after(700, () => called.push(clock.monotonic()));
    clock.moveOn();
    clock.moveOn();
    expect(called).toEqual([700]);
    expect(clock.monotonic()).toBe(700);
  });
});
