import type { Clock } from '../../clock.ts';

/** A clock that stands still until it is moved. */
export type SimulatedClock = Clock & {
  /** Moves on to an instant, in milliseconds since 1970, and calls back what falls due on the way, in order. */
  readonly moveTo: (instant: number) => void;
  /** Moves on to what falls due next. */
  readonly moveOn: () => void;
};

type Timer = { readonly at: number; readonly callback: () => void };

/** A clock whose wall and monotonic time are one, and begin at an instant. */
export function createSimulatedClock(startAt: number): SimulatedClock {
  let now = startAt;
  const timers = new Set<Timer>();
  /** The first one of those that fall due first. */
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  };
  const moveTo = (instant: number): void => {
    for (let timer = next(); timer !== undefined && timer.at <= instant; timer = next()) {
      now = Math.max(now, timer.at);
      timers.delete(timer);
      timer.callback();
    }
    now = Math.max(now, instant);
  };
  return {
    now: () => now,
    monotonic: () => now - startAt,
    after: (milliseconds, callback) => {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    moveTo,
    moveOn: () => moveTo(next()?.at ?? now),
  };
}
