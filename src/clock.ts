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

/** Calls back again and again, `milliseconds` after the last time; the function returned ends that. */
export function every(clock: Clock, milliseconds: number, callback: () => void): () => void {
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.after(milliseconds, () => {
      again();
      callback();
    });
  };
  again();
  return () => cancel();
}

/** Whether a promise was fulfilled before so many milliseconds had passed. Rejects as it does. */
export function within(clock: Clock, milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => resolve(false));
    promise.finally(cancel).then(() => resolve(true), reject);
  });
}

/** Keeps the process alive until it is ended: Node ends one in which nothing is left but timers that don't do so. */
export function stayAlive(): void {
  setInterval(() => {}, LONGEST_MILLISECONDS);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_MILLISECONDS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
