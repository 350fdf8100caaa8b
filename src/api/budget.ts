/** How many retries an account may still make: tokens that successes earn. */
export type RetryBudget = {
  /** Whole and tenth tokens left; a retry costs a whole one. */
  readonly tokens: () => number;
  readonly earn: () => void;
  readonly spend: () => void;
};

/** Counted in tenths, as ten times 0.1 is less than 1 for a computer. */
const TENTHS_PER_SUCCESS = 1;
const TENTHS_PER_RETRY = 10;
const MOST_TENTHS = 100;

/** What a program that has just started may spend, so that its first request can be retried as well. */
const FIRST_TENTHS = 20;

/**
 * A token bucket: at any time the retries made are at most two more than a tenth of the successes, so that an API that
 * is in trouble never gets much more requests than one that is not.
 */
export function createRetryBudget(): RetryBudget {
  let tenths = FIRST_TENTHS;
  return {
    tokens: () => tenths / 10,
    earn: () => {
      tenths = Math.min(MOST_TENTHS, tenths + TENTHS_PER_SUCCESS);
    },
    spend: () => {
      tenths -= TENTHS_PER_RETRY;
    },
  };
}
