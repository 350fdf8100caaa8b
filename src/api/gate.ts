import { onAbort } from './abort.ts';

/** Lets a bounded number in at once, the others in the order in which they came. */
export type Gate = {
  /**
   * Resolves when it is the turn of whoever asks, who has to `leave` afterwards. Rejects with the signal's reason once
   * that aborts; whoever was not let in by then has nothing to leave.
   */
  readonly enter: (signal: AbortSignal) => Promise<void>;
  readonly leave: () => void;
};

/** A gate for as many at once as `limit` says at the moment; those that are in when it falls are let finish. */
export function createGate(limit: () => number): Gate {
  let inside = 0;
  // In the order of arrival. An array, not a Set: see onAbort.
  const waiting: (() => void)[] = [];

  const admission = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(signal.reason);
      });
      const admit = () => {
        stopListening();
        inside += 1;
        resolve();
      };
      waiting.push(admit);
    });

  return {
    enter: async (signal) => {
      signal.throwIfAborted();
      if (inside < limit()) inside += 1;
      else await admission(signal);
    },
    leave: () => {
      inside -= 1;
      while (inside < limit()) {
        const admit = waiting.shift();
        if (admit === undefined) break;
        admit();
      }
    },
  };
}
