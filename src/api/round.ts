import { setMaxListeners } from 'node:events';

/**
 * Runs requests that belong together with one controller's signal. It aborts with `signal`, or when the work aborts it or
 * throws, so that waiting requests are not sent once the round has failed.
 */
export async function asRound<Value>(
  signal: AbortSignal,
  work: (round: AbortController) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const round = new AbortController();
  // Each request of the round listens to it.
  setMaxListeners(0, round.signal);
  const abort = (): void => round.abort(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await work(round);
  } catch (error) {
    round.abort(error);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
