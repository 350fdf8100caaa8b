import type { Moment } from './moment.ts';

/** The times between two ticks of a schedule, in milliseconds. */
export type Gaps = { readonly longest: number; readonly shortest: number };

/** What a schedule is waiting for. Instants are those of a {@link Moment}. */
export type Cadence = {
  /** The wall clock at the next tick: a schedule is a calendar. */
  readonly dueAt: number;
  /** The monotonic clock at the latest possible next tick, whatever the wall clock says by then. */
  readonly overdueAt: number;
  /** The monotonic clock at the earliest possible next tick. */
  readonly apartAt: number;
};

/** A tick is due by the calendar, or overdue: the wall clock was set back and has not come to it again. */
export type TickCause = 'due' | 'overdue';

export type TickPlan =
  | { readonly act: 'wait'; readonly milliseconds: number }
  | { readonly act: 'tick'; readonly cause: TickCause };

/** The watchdog gives the calendar this share of a gap more than it asked for: one and a half intervals in all. */
const WATCHDOG_SHARE = 0.5;

/** Ticks keep this share of a gap between them, and at most so many milliseconds, however often the clock is set. */
const LEAST_GAP_SHARE = 0.5;
const LEAST_GAP_MILLISECONDS = 5_000;

/** The clocks are looked at this often, in milliseconds, since no timer notices that one of them was set. */
const LONGEST_LOOK_AWAY = 5_000;

/** What to wait for after a tick, or the start, at `now` when the next tick is due at `dueAt`. */
export function awaitTick({ shortest }: Gaps, dueAt: number, now: Moment): Cadence {
  return {
    dueAt,
    overdueAt: now.monotonic + (dueAt - now.wall) + WATCHDOG_SHARE * shortest,
    apartAt: now.monotonic + Math.min(LEAST_GAP_SHARE * shortest, LEAST_GAP_MILLISECONDS),
  };
}

/** What a schedule has to do now. However many ticks were missed, they become one. */
export function planTick({ dueAt, overdueAt, apartAt }: Cadence, now: Moment): TickPlan {
  const untilDue = Math.max(dueAt - now.wall, apartAt - now.monotonic);
  if (untilDue <= 0) return { act: 'tick', cause: 'due' };
  const untilOverdue = overdueAt - now.monotonic;
  if (untilOverdue <= 0) return { act: 'tick', cause: 'overdue' };
  return { act: 'wait', milliseconds: Math.min(untilDue, untilOverdue, LONGEST_LOOK_AWAY) };
}

/** Each process is late by a share of the gap up to this one, and by at most so many milliseconds. */
const JITTER_SHARE = 0.25;
const JITTER_MILLISECONDS = 60_000;

/**
 * By how many milliseconds a process is later than the calendar, always: without it, all exporters of a marketplace would
 * poll in the same second. It stays below the shortest gap, so that no tick is passed over.
 *
 * @param drawn a random number in [0, 1)
 */
export function jitterOf({ shortest }: Gaps, drawn: number): number {
  return Math.floor(drawn * Math.min(JITTER_SHARE * shortest, JITTER_MILLISECONDS));
}
