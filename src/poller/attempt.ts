import { ApiError } from '../api/errors.ts';
import type { Clock } from '../clock.ts';
import type { FailureReason } from '../model/failure.ts';

/** What came of work that could fail. */
export type Outcome<Value> =
  | { readonly value: Value; readonly failure: undefined }
  | { readonly failure: FailureReason; readonly error: unknown };

/** Work under way. */
export type Attempt<Value> = {
  /** Never rejects; undefined if the attempt was stopped. */
  readonly outcome: Promise<Outcome<Value> | undefined>;
  readonly stop: () => void;
};

/** Why the signal of an attempt aborts. */
const STOPPED = 'stopped';
const DEADLINE = 'deadline';

/** Share of the deadline in which work whose time is up may still hand over what it has. */
const PATIENCE_SHARE = 1 / 8;

/**
 * Begins work that is told to end at its deadline, in milliseconds, and given up on soon afterwards: work that ignores
 * its signal is left to itself and holds up nobody.
 */
export function attempt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  deadlineMilliseconds: number,
  clock: Clock,
): Attempt<Value> {
  const controller = new AbortController();
  const { signal } = controller;
  let giveUp = (_reason: string): void => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  let cancel = clock.after(deadlineMilliseconds, () => {
    controller.abort(DEADLINE);
    cancel = clock.after(deadlineMilliseconds * PATIENCE_SHARE, () => giveUp(DEADLINE));
  });
  const settle = async (): Promise<Outcome<Value> | undefined> => {
    try {
      const value = await Promise.race([work(signal), givenUp]);
      return signal.reason === STOPPED ? undefined : { value, failure: undefined };
    } catch (error) {
      return signal.reason === STOPPED ? undefined : { failure: reasonOf(error), error };
    } finally {
      cancel();
    }
  };
  return {
    outcome: settle(),
    stop: () => {
      controller.abort(STOPPED);
      giveUp(STOPPED);
    },
  };
}

/** A call whose signal aborted rejects with the reason of the signal. */
function reasonOf(error: unknown): FailureReason {
  if (error === DEADLINE) return 'timeout';
  return error instanceof ApiError ? error.reason : 'internal';
}
