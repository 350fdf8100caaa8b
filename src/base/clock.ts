import { uptime } from 'node:os';

/** Source of time, passed to all code that needs it. Only this file reads the system's clocks. */
export type Clock = {
  /** Wall clock, milliseconds since 1970 UTC. It can step backwards and forwards. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary start; never steps, never runs backwards. Stops while the machine is suspended. */
  readonly monotonic: () => number;
  /** The same, but runs on during suspends, in hundredths of a second: for ages that must not depend on the wall clock. */
  readonly uptime: () => number;
  /** Calls back once after `milliseconds`, 24 days at most; returns a function that cancels. Doesn't keep the process alive. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
};

/** Longest delay of Node's timers; a longer one would fire at once. */
const MAX_DELAY_MILLISECONDS = 2 ** 31 - 1;

/** Milliseconds for which an uptime is reused: its own precision. Reading it opens a system file. */
const UPTIME_PRECISION = 10;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: createUptime(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, MAX_DELAY_MILLISECONDS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

function createUptime(): Clock['uptime'] {
  let readAt = Number.NEGATIVE_INFINITY;
  let milliseconds = 0;
  return () => {
    const now = performance.now();
    if (now - readAt >= UPTIME_PRECISION) {
      milliseconds = uptime() * 1000;
      readAt = now;
    }
    return milliseconds;
  };
}

/** Calls back repeatedly, `milliseconds` after the last time; returns a function that cancels. */
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

/** Resolves with true if the promise is fulfilled in time, and with false if not. Rejects if the promise does. */
export function within(clock: Clock, milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => resolve(false));
    promise.finally(cancel).then(() => resolve(true), reject);
  });
}

export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Keeps the process alive until it is ended. The timers of {@link Clock} don't. */
export function keepProcessAlive(): void {
  setInterval(() => {}, MAX_DELAY_MILLISECONDS);
}

/** Resolves after some milliseconds; rejects with the signal's reason as soon as the signal aborts. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    if (milliseconds <= 0) return resolve();
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
