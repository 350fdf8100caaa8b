import { onAbort } from './abort.ts';

/** Lets a bounded number of tasks run at once, the others in the order in which they came. */
export type Gate = {
  /**
   * Runs the task when it is its turn and passes on its outcome. A task whose signal aborts while it waits is never
   * run; its promise rejects with the signal's reason.
   */
  readonly run: <Value>(signal: AbortSignal, task: () => Promise<Value>) => Promise<Value>;
};

/** A gate for as many tasks at once as `limit` says at the moment; those that run when it falls are let finish. */
export function createGate(limit: () => number): Gate {
  let running = 0;
  // A Set keeps the order of arrival, and lets one who gives up leave from the middle at no cost.
  const waiting = new Set<() => void>();

  const leave = () => {
    running -= 1;
    for (const admit of waiting) {
      if (running >= limit()) break;
      admit();
    }
  };

  const admission = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        waiting.delete(admit);
        reject(signal.reason);
      });
      const admit = () => {
        waiting.delete(admit);
        stopListening();
        running += 1;
        resolve();
      };
      waiting.add(admit);
    });

  return {
    run: async (signal, task) => {
      signal.throwIfAborted();
      if (running < limit()) running += 1;
      else await admission(signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
