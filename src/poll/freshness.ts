import { type Due, freshFor, staleFor } from '../model/due.ts';
import type { DataState, FailureReason } from '../model/enums.ts';
import type { PollState } from '../model/reading.ts';

/** State of a collector before its first poll. */
export const NEVER_POLLED: PollState = {
  state: 'expired',
  lastSuccessAt: undefined,
  lastSuccessUptime: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** Times that decide for how long data is shown, in milliseconds. */
type Staleness = Due & {
  /** Maximum time while polls fail (`poll.stale_after`). */
  readonly staleAfter: number;
};

/** Returns the state after a poll that succeeded at `now`, and at `uptime`. */
export function afterSuccessfulPoll(now: number, uptime: number): PollState {
  return {
    state: 'fresh',
    lastSuccessAt: now,
    lastSuccessUptime: uptime,
    lastAttemptAt: now,
    failure: undefined,
  };
}

/** Returns the state after a poll that failed at `now`: the data stays, and how it is shown follows from {@link withAge}. */
export function afterFailedPoll(polled: PollState, failure: FailureReason, now: number): PollState {
  return { ...polled, failure, lastAttemptAt: now };
}

/**
 * Returns the polls at their present age: fresh, then stale, then expired. Data also expires without a failed poll, because
 * a poll may hang or the machine may be suspended. Setting the clock has no effect.
 *
 * @param uptime milliseconds since the machine was started
 * @returns the same object if nothing changed
 */
export function withAge(polled: PollState, uptime: number, staleness: Staleness): PollState {
  const state = stateAt(polled, uptime, staleness);
  return state === polled.state ? polled : { ...polled, state };
}

function stateAt(polled: PollState, uptime: number, staleness: Staleness): DataState {
  if (polled.lastSuccessUptime === undefined) return 'expired';
  const age = uptime - polled.lastSuccessUptime;
  const { staleAfter } = staleness;
  if (age > (polled.failure === undefined ? staleFor(staleness, staleAfter) : staleAfter)) return 'expired';
  return polled.failure !== undefined || age > freshFor(staleness) ? 'stale' : 'fresh';
}
