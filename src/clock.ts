/** Time as the rim hands it to everything below: nothing else in the house asks the system for it. */
export type Clock = {
  /** Wall clock, milliseconds since 1970 UTC. It can step backwards and forwards. */
  readonly now: () => number;
  /** Milliseconds since some start; never steps, never runs backwards. */
  readonly monotonic: () => number;
  /** Calls back once after `milliseconds`, at most some 24 days; the function returned cancels it. Does not keep the process alive. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
};

/** Node takes a longer time for none at all, and calls back at once. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_MILLISECONDS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
