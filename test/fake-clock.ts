import type { Clock } from '../src/base/clock.ts';
import { NOON } from './builders.ts';

/** A clock that stays at noon until it is moved. */
export type FakeClock = Clock & {
  /** Moves both clocks and calls back what falls due on the way, in order. */
  readonly advance: (milliseconds: number) => void;
  /** Lets the wall clock jump, as a time server does; no timer notices. */
  readonly step: (milliseconds: number) => void;
  /** Suspends the machine: the wall clock and the uptime go on, the monotonic clock and timers don't. */
  readonly suspend: (milliseconds: number) => void;
};

export function createFakeClock(): FakeClock {
  let monotonic = 0;
  let wall = NOON;
  let suspended = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => wall,
    monotonic: () => monotonic,
    uptime: () => monotonic + suspended,
    after: (milliseconds, callback) => {
      const timer = { at: monotonic + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (milliseconds) => {
      const end = monotonic + milliseconds;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        const next = due?.at ?? end;
        wall += next - monotonic;
        monotonic = next;
        if (due === undefined) return;
        timers.delete(due);
        due.callback();
      }
    },
    step: (milliseconds) => {
      wall += milliseconds;
    },
    suspend: (milliseconds) => {
      wall += milliseconds;
      suspended += milliseconds;
    },
  };
}
