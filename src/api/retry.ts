import type { FailureReason } from '../model/failure.ts';
import type { ApiError } from './errors.ts';

/** Most retries of one request, beside the one at once that a stale connection is worth. */
const MOST_RETRIES = 2;

/** Longest wait before the first retry, doubled for each further one, and the most that it comes to. */
const FIRST_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 8_000;

/**
 * Failures that may be over in a second. Not `timeout`, which has cost the API its longest already, not `dns`, since
 * resolvers try again by themselves, and nothing that would only be refused again.
 */
const RETRIED: ReadonlySet<FailureReason> = new Set(['server', 'reset', 'connect', 'truncated']);

/** What was done for one request so far. */
export type Tries = {
  readonly retries: number;
  /** Whether a stale connection was replaced already. */
  readonly renewed: boolean;
};

export type RetryPlan =
  | {
      readonly step: 'retry';
      readonly afterMilliseconds: number;
      /** Whether it costs nothing of the budget. */
      readonly isFree: boolean;
      readonly tries: Tries;
    }
  | { readonly step: 'give_up' };

export const FIRST_TRY: Tries = { retries: 0, renewed: false };

export const GIVE_UP: RetryPlan = { step: 'give_up' };

/**
 * What to do after a try that failed. Waits have full jitter: any time up to the longest, so that clients whose
 * requests failed together do not come back together.
 *
 * @param tokens what is left of the retry budget; a retry costs one
 * @param random a number in [0, 1), drawn anew
 */
export function planRetry(failure: ApiError, tries: Tries, tokens: number, random: () => number): RetryPlan {
  // The server closed a connection that we took for open: it never saw the request, so this one is the first.
  if (failure.staleConnection && !tries.renewed) {
    return { step: 'retry', afterMilliseconds: 0, isFree: true, tries: { ...tries, renewed: true } };
  }
  if (tokens < 1 || tries.retries >= MOST_RETRIES || !RETRIED.has(failure.reason)) return GIVE_UP;
  const longest = Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** tries.retries);
  return {
    step: 'retry',
    afterMilliseconds: random() * longest,
    isFree: false,
    tries: { ...tries, retries: tries.retries + 1 },
  };
}
