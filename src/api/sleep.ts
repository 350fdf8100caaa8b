import type { Clock } from '../clock.ts';
import { onAbort } from './abort.ts';

/** Resolves after so many milliseconds; rejects with the signal's reason as soon as that aborts. */
export function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    if (milliseconds <= 0) return resolve();
    const cancel = clock.after(milliseconds, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, () => {
      cancel();
      reject(signal.reason);
    });
  });
}
