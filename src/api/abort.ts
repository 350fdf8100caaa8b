import { setMaxListeners } from 'node:events';

/** Calls back when the signal aborts; the function returned ends that. The one place that listens to signals. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  // Each request of a listing listens, and each one's listener is taken away: many are no leak, as Node would warn.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/**
 * Runs work under an abort controller of its own that also follows the caller's signal; nothing is left on that signal
 * afterwards. In place of `AbortSignal.any`, which on Node 20 holds on to every signal that it ever made from a
 * long-lived one (nodejs/node#54614).
 */
export async function withOwnAbort<Value>(
  signal: AbortSignal,
  work: (own: AbortController) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const own = new AbortController();
  const stopFollowing = onAbort(signal, () => own.abort(signal.reason));
  try {
    return await work(own);
  } finally {
    stopFollowing();
  }
}
