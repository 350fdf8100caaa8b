import type { FailureReason } from '../model/failure.ts';

/** How many requests may be under way at once: as many as the API bears, within what is configured. */
export type Concurrency = {
  readonly limit: () => number;
  /** A mark of the present limit, for a request that is sent under it. */
  readonly mark: () => number;
  readonly succeeded: () => void;
  /** @param mark that of the request when it was sent */
  readonly failed: (reason: FailureReason, mark: number) => void;
};

const FIRST_LIMIT = 2;

/** Failures that say "too much". */
const OVERLOADS: ReadonlySet<FailureReason> = new Set(['throttled', 'timeout']);

/**
 * Additive increase, multiplicative decrease, as TCP does it: one more after as many successes in a row as the limit
 * is (so from 2 to 8 within 27), half of it on a sign of overload. Requests that were under way together have that
 * sign together, so it counts once.
 *
 * @param most the configured limit
 * @param onLimit is told the first limit and each new one
 */
export function createConcurrency(most: number, onLimit: (limit: number) => void): Concurrency {
  let limit = Math.min(FIRST_LIMIT, most);
  let successes = 0;
  let halvings = 0;
  const change = (next: number) => {
    successes = 0;
    if (next === limit) return;
    limit = next;
    onLimit(limit);
  };
  onLimit(limit);
  return {
    limit: () => limit,
    mark: () => halvings,
    succeeded: () => {
      successes += 1;
      if (successes >= limit) change(Math.min(most, limit + 1));
    },
    failed: (reason, mark) => {
      successes = 0;
      if (!OVERLOADS.has(reason) || mark !== halvings) return;
      halvings += 1;
      change(Math.max(1, Math.floor(limit / 2)));
    },
  };
}
