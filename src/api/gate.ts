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
  // In the order of arrival. An array, not a Set: see onAbort.
  const waiting: (() => void)[] = [];

  const leave = () => {
    running -= 1;
    while (running < limit()) {
      const admit = waiting.shift();
      if (admit === undefined) break;
      admit();
    }
  };

  const admission = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(signal.reason);
      });
      const admit = () => {
        stopListening();
        running += 1;
        resolve();
      };
      waiting.push(admit);
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
