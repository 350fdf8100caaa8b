import { createTask } from 'node-cron';

/** How many ticks ahead are looked at to find the longest time between two of them. */
const TICKS_AHEAD = 100;

/** Ticks again and again between `start` and `stop`. */
export type Schedule = {
  /** Longest number of seconds between two ticks. */
  readonly intervalSeconds: number;
  readonly start: () => void;
  readonly stop: () => void;
};

/** A schedule, not started yet, that calls `tick` whenever a cron expression says so. */
export type Scheduler = (expression: string, tick: () => void) => Schedule;

/**
 * Cron with seconds, always in UTC: in a local time zone node-cron loses an hour of ticks at every end of summer time.
 * Ticks that were missed (a suspended machine) are not caught up with. Overlap is the business of whoever is called.
 */
export const cronScheduler: Scheduler = (expression, tick) => {
  const task = createTask(expression, tick, { timezone: 'UTC', suppressMissedWarning: true });
  return {
    intervalSeconds: longestGap(task.getNextRuns(TICKS_AHEAD)) / 1000,
    start: () => void task.start(),
    stop: () => void task.destroy(),
  };
};

function longestGap(ticks: readonly Date[]): number {
  return ticks.slice(1).reduce((longest, tick, index) => {
    const before = ticks[index];
    return before === undefined ? longest : Math.max(longest, tick.getTime() - before.getTime());
  }, 0);
}
