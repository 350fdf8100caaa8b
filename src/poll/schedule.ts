import type { Clock } from '../base/clock.ts';
import { type Calendar, createCalendar, type TickGaps } from '../config/cron.ts';
import { type ClockReading, readClocks } from './clock-reading.ts';

/** A schedule that ticks between `start` and `stop`. */
export type Schedule = {
  /** Longest number of seconds between two ticks. */
  readonly intervalSeconds: number;
  /** Shortest number of milliseconds between two ticks. */
  readonly shortestGap: number;
  /** Returns the milliseconds until the next tick, by whichever clock it comes. */
  readonly untilNext: () => number;
  readonly start: () => void;
  readonly stop: () => void;
};

/** Creates a schedule, not started yet, that calls `tick` when a cron expression is due or was missed. */
export type Scheduler = (expression: string, tick: () => void) => Schedule;

/** The next tick that a schedule waits for. */
type NextTick = {
  /** The wall clock at the next tick: a schedule is a calendar. */
  readonly dueAt: number;
  /** The monotonic clock at the latest possible tick, for when the wall clock was set back. */
  readonly overdueAt: number;
  /** The monotonic clock at the earliest possible tick. */
  readonly earliestAt: number;
};

type TickPlan = { readonly act: 'wait'; readonly milliseconds: number } | { readonly act: 'tick' };

/** A tick is overdue by the monotonic clock after this share of the shortest gap beyond its due time. */
const WATCHDOG_SHARE = 0.5;

/** Minimum time between two ticks: this share of the shortest gap, and at most so many milliseconds. */
const MIN_GAP_SHARE = 0.5;
const MIN_GAP_MILLISECONDS = 5_000;

/** Maximum time between two readings of the clocks, because a timer does not notice that a clock was set. */
const MAX_WAIT_MILLISECONDS = 5_000;

/** Maximum delay of the ticks of a process: this share of the shortest gap, and at most so many milliseconds. */
const JITTER_SHARE = 0.25;
const JITTER_MILLISECONDS = 60_000;

/** Plans the next tick after a tick, or the start, at `now` when the calendar says `dueAt`. */
export function planNextTick({ shortest }: TickGaps, dueAt: number, now: ClockReading): NextTick {
  return {
    dueAt,
    overdueAt: now.monotonic + (dueAt - now.wall) + WATCHDOG_SHARE * shortest,
    earliestAt: now.monotonic + Math.min(MIN_GAP_SHARE * shortest, MIN_GAP_MILLISECONDS),
  };
}

/** Returns the milliseconds until a tick, 0 if it is due: by the wall clock, or by the monotonic one if that was set back. */
function untilTick({ dueAt, overdueAt, earliestAt }: NextTick, now: ClockReading): number {
  const untilDue = Math.max(dueAt - now.wall, earliestAt - now.monotonic);
  return Math.max(0, Math.min(untilDue, overdueAt - now.monotonic));
}

/** Plans what a schedule does now. However many ticks were missed, they become one. */
export function planTick(next: NextTick, now: ClockReading): TickPlan {
  const milliseconds = untilTick(next, now);
  return milliseconds === 0
    ? { act: 'tick' }
    : { act: 'wait', milliseconds: Math.min(milliseconds, MAX_WAIT_MILLISECONDS) };
}

/**
 * Returns the milliseconds by which a process is always later than the calendar: without them, all exporters of a
 * marketplace would poll in the same second. They stay below the shortest gap, so that no tick is skipped.
 *
 * @param drawn a random number in [0, 1)
 */
export function jitterOf({ shortest }: TickGaps, drawn: number): number {
  return Math.floor(drawn * Math.min(JITTER_SHARE * shortest, JITTER_MILLISECONDS));
}

/**
 * Creates schedules from cron expressions with seconds, always in UTC: in a local time zone node-cron loses an hour of
 * ticks at every end of summer time. node-cron only computes the calendar. Its own runner stops for as long as the wall
 * clock was set back, and after a suspend walks through every missed tick; {@link planTick} decides instead.
 *
 * @param random returns a number in [0, 1), drawn once for each schedule
 */
export function cronScheduler(clock: Clock, random: () => number): Scheduler {
  const calendars = new Map<string, Calendar>();
  return (expression, tick) => {
    const calendar = calendars.get(expression) ?? createCalendar(expression);
    calendars.set(expression, calendar);
    const { gaps } = calendar;
    const jitter = jitterOf(gaps, random());
    let cancel = (): void => {};
    const nextTick = (): NextTick => planNextTick(gaps, calendar.nextAt() + jitter, readClocks(clock));
    let next: NextTick | undefined;
    const follow = (): void => {
      next ??= nextTick();
      const plan = planTick(next, readClocks(clock));
      if (plan.act === 'wait') {
        cancel = clock.after(plan.milliseconds, follow);
        return;
      }
      // Schedule the next tick first, so that an exception in `tick` does not stop the schedule.
      next = undefined;
      follow();
      tick();
    };
    return {
      intervalSeconds: gaps.longest / 1000,
      shortestGap: gaps.shortest,
      untilNext: () => untilTick(next ?? nextTick(), readClocks(clock)),
      start: follow,
      stop: () => cancel(),
    };
  };
}
