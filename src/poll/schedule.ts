import type { Clock } from '../base/clock.ts';
import { createCalendar } from '../config/cron.ts';
import { type ClockReading, readClocks } from './clock-reading.ts';

/** A schedule that ticks between `start` and `stop`. */
export type Schedule = {
  /** Maximum number of seconds between two ticks. */
  readonly intervalSeconds: number;
  /** Minimum number of milliseconds between two ticks. */
  readonly shortestGap: number;
  /** Returns the milliseconds until the next tick, by whichever clock is first. */
  readonly untilNext: () => number;
  readonly start: () => void;
  readonly stop: () => void;
};

/** Creates a schedule that calls `tick` when a cron expression is due or was missed. Does not start it. */
export type Scheduler = (expression: string, tick: () => void) => Schedule;

type NextTick = {
  /** The wall clock at the next tick: a schedule is a calendar. */
  readonly dueAt: number;
  /** The monotonic clock at the latest possible tick, for when the wall clock was set back. */
  readonly overdueAt: number;
  /** The monotonic clock at the earliest possible tick. */
  readonly earliestAt: number;
};

/** A tick is overdue by the monotonic clock after this share of the shortest gap beyond its due time. */
const WATCHDOG_SHARE = 0.5;

/** Minimum time between two ticks: this share of the shortest gap, and at most this many milliseconds. */
const MIN_GAP_SHARE = 0.5;
const MIN_GAP_MILLISECONDS = 5_000;

/** Maximum time between two readings of the clocks, because timers do not notice when a clock is set. */
const MAX_WAIT_MILLISECONDS = 5_000;

/** Maximum delay of a process's ticks: this share of the shortest gap, and at most this many milliseconds. */
const JITTER_SHARE = 0.25;
const JITTER_MILLISECONDS = 60_000;

/** Returns the milliseconds until a tick, 0 if it is due: by the wall clock, or by the monotonic one if that was set back. */
function untilTick({ dueAt, overdueAt, earliestAt }: NextTick, now: ClockReading): number {
  const untilDue = Math.max(dueAt - now.wall, earliestAt - now.monotonic);
  return Math.max(0, Math.min(untilDue, overdueAt - now.monotonic));
}

/**
 * Creates schedules from cron expressions with seconds, always in UTC: in a local time zone, node-cron loses an hour of ticks
 * whenever summer time ends. node-cron only parses the expressions. Its runner stops for as long as the wall clock was set
 * back, and after a suspend it runs every missed tick; here, missed ticks become one.
 *
 * All ticks of a process are delayed by the same jitter: without it, all of a marketplace's exporters would poll in the same
 * second. It is shorter than the shortest gap, so that no tick is skipped.
 *
 * @param random returns a number in [0, 1), drawn once for each schedule
 */
export function cronScheduler(clock: Clock, random: () => number): Scheduler {
  const calendars = new Map<string, ReturnType<typeof createCalendar>>();
  return (expression, tick) => {
    const calendar = calendars.get(expression) ?? createCalendar(expression);
    calendars.set(expression, calendar);
    const { longest, shortest } = calendar.gaps;
    const jitter = Math.floor(random() * Math.min(JITTER_SHARE * shortest, JITTER_MILLISECONDS));
    let cancel = (): void => {};
    const nextTick = (): NextTick => {
      const { wall, monotonic } = readClocks(clock);
      const dueAt = calendar.nextAfter(wall) + jitter;
      return {
        dueAt,
        overdueAt: monotonic + (dueAt - wall) + WATCHDOG_SHARE * shortest,
        earliestAt: monotonic + Math.min(MIN_GAP_SHARE * shortest, MIN_GAP_MILLISECONDS),
      };
    };
    let next: NextTick | undefined;
    const follow = (): void => {
      next ??= nextTick();
      const milliseconds = untilTick(next, readClocks(clock));
      if (milliseconds > 0) {
        cancel = clock.after(Math.min(milliseconds, MAX_WAIT_MILLISECONDS), follow);
        return;
      }
      // Schedule the next tick first, so that an exception in `tick` does not stop the schedule.
      next = undefined;
      follow();
      tick();
    };
    return {
      intervalSeconds: longest / 1000,
      shortestGap: shortest,
      untilNext: () => untilTick(next ?? nextTick(), readClocks(clock)),
      start: follow,
      stop: () => cancel(),
    };
  };
}
