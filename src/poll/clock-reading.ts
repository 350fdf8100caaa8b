import { type Clock, every } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

/**
 * A reading of the wall clock and the monotonic clock, in milliseconds. The wall clock can be set, and the monotonic clock
 * stops while the machine is suspended.
 */
export type ClockReading = { readonly wall: number; readonly monotonic: number };

export function readClocks(clock: Clock): ClockReading {
  return { wall: clock.now(), monotonic: clock.monotonic() };
}

/** Smallest change of the wall clock that counts as a step. Time servers make smaller changes. */
const MIN_STEP_MILLISECONDS = 1_000;

/**
 * Returns the milliseconds by which the wall clock was set between two readings; 0 if it was not. Suspending the
 * machine is a step forward, because only the wall clock keeps running.
 */
function stepBetween(before: ClockReading, after: ClockReading): number {
  const step = after.wall - before.wall - (after.monotonic - before.monotonic);
  return Math.abs(step) < MIN_STEP_MILLISECONDS ? 0 : step;
}

const CHECK_MILLISECONDS = 1_000;

/** Minimum time between two log lines about steps. */
const QUIET_MILLISECONDS = 60 * 60 * 1000;

/** Logs steps of the wall clock, until the returned function is called. */
export function logClockSteps(clock: Clock, log: Log): () => void {
  let before = readClocks(clock);
  let loggedAt = Number.NEGATIVE_INFINITY;
  return every(clock, CHECK_MILLISECONDS, () => {
    const now = readClocks(clock);
    const step = stepBetween(before, now);
    before = now;
    if (step === 0) return;
    if (clock.uptime() - loggedAt < QUIET_MILLISECONDS) return;
    loggedAt = clock.uptime();
    log.warn({ seconds: Math.round(step / 1000) }, 'the clock was set, or the machine was suspended');
  });
}
