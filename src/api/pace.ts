import type { Clock } from '../clock.ts';
import { createGate } from './gate.ts';
import { sleep } from './sleep.ts';

/** Spreads requests over time. */
export type Pace = {
  /** Resolves when the next request may be sent; rejects with the signal's reason as soon as that aborts. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
};

const AT_ONCE = Promise.resolve();

const NO_PACE: Pace = { turn: () => AT_ONCE };

/**
 * At most so many requests per second, evenly and without bursts; undefined for as many as come. Who gives up waiting
 * leaves no gap, since only the first in the queue has a time.
 */
export function createPace(requestsPerSecond: number | undefined, clock: Clock): Pace {
  if (requestsPerSecond === undefined) return NO_PACE;
  const queue = createGate(() => 1);
  let next = Number.NEGATIVE_INFINITY;
  return {
    turn: async (signal) => {
      await queue.enter(signal);
      try {
        await sleep(clock, next - clock.monotonic(), signal);
        next = clock.monotonic() + 1000 / requestsPerSecond;
      } finally {
        queue.leave();
      }
    },
  };
}
