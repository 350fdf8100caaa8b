import type { Clock } from '../clock.ts';

/**
 * Both clocks at once, in milliseconds. Neither tells the truth alone: the wall clock can be set, and the monotonic one
 * stands still while the machine is suspended.
 */
export type Moment = { readonly wall: number; readonly monotonic: number };

/** A change of the wall clock below this, in milliseconds, is what time servers do all day. */
const SMALLEST_STEP_MILLISECONDS = 1_000;

export function momentOf(clock: Clock): Moment {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/** How long ago a moment was, in milliseconds: by the clock that says more, so that nothing old passes for young. */
export function ageOf(moment: Moment, now: Moment): number {
  return Math.max(now.wall - moment.wall, now.monotonic - moment.monotonic);
}

/**
 * By how many milliseconds the wall clock was set between two moments, 0 where it was not. Waking from a suspend is a
 * step forward: the wall clock knows of the time asleep, the monotonic one does not.
 */
export function stepBetween(before: Moment, after: Moment): number {
  const step = after.wall - before.wall - (after.monotonic - before.monotonic);
  return Math.abs(step) < SMALLEST_STEP_MILLISECONDS ? 0 : step;
}
