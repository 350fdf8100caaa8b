import { createTask } from 'node-cron';
import type { Clock } from '../clock.ts';
import { awaitTick, type Cadence, type Gaps, jitterOf, planTick, type TickCause } from './cadence.ts';
import { momentOf } from './moment.ts';

/** Ticks again and again between `start` and `stop`. */
export type Schedule = {
  /** Longest number of seconds between two ticks. */
  readonly intervalSeconds: number;
  readonly start: () => void;
  readonly stop: () => void;
};

/** A schedule, not started yet, that calls `tick` whenever a cron expression says so, or should have said so. */
export type Scheduler = (expression: string, tick: (cause: TickCause) => void) => Schedule;

/**
 * Cron with seconds, always in UTC: in a local time zone node-cron loses an hour of ticks at every end of summer time.
 * node-cron is asked only when the next tick is. Its own runner stops for as long as the wall clock was set back, and
 * after a suspend walks through every tick that was missed; what is done instead, {@link planTick} decides.
 *
 * @param random a number in [0, 1), drawn once for each schedule
 */
export function cronScheduler(clock: Clock, random: () => number): Scheduler {
  const calendars = new Map<string, Calendar>();
  return (expression, tick) => {
    const calendar = calendars.get(expression) ?? createCalendar(expression);
    calendars.set(expression, calendar);
    const { gaps } = calendar;
    const jitter = jitterOf(gaps, random());
    let cancel = (): void => {};
    const fromNow = (): Cadence => awaitTick(gaps, calendar.nextAt() + jitter, momentOf(clock));
    const follow = (cadence: Cadence): void => {
      const plan = planTick(cadence, momentOf(clock));
      if (plan.act === 'wait') {
        cancel = clock.after(plan.milliseconds, () => follow(cadence));
        return;
      }
      // The next tick is awaited before this one is given away, so that nobody who is called can break the chain.
      follow(fromNow());
      tick(plan.cause);
    };
    return {
      intervalSeconds: gaps.longest / 1000,
      start: () => follow(fromNow()),
      stop: () => cancel(),
    };
  };
}

/** When the ticks of a cron expression are, by the wall clock. */
type Calendar = {
  readonly gaps: Gaps;
  /** The next tick from now on, in milliseconds since 1970. */
  readonly nextAt: () => number;
};

/** How many ticks ahead are looked at to find the gaps between them. */
const TICKS_AHEAD = 100;

function createCalendar(expression: string): Calendar {
  // Never started: node-cron only knows the present as the place to count from, and only tasks can be asked.
  const task = createTask(expression, () => {}, { timezone: 'UTC' });
  const upcoming = (count: number): readonly number[] =>
    task.getNextRuns(count).map((tick) => tick.getTime());
  const ticks = upcoming(TICKS_AHEAD);
  const gaps = ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? tick));
  return {
    gaps: { longest: Math.max(...gaps), shortest: Math.min(...gaps) },
    nextAt: () => Math.min(...upcoming(1)),
  };
}
