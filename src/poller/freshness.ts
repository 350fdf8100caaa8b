import type { DataState, FailureReason } from '../model/enums.ts';
import type { PollTimes } from '../model/observation.ts';
import type { PollState } from '../model/reading.ts';

/** The polls of a collector before the first one. */
export const NEVER_POLLED: PollState = {
  state: 'expired',
  lastSuccessAt: undefined,
  lastSuccessUptime: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** Data without a failed poll is held until the next poll is late by this many of the shortest gaps. */
const HELD_SLACKS = 2;

/** Times that decide for how long data is shown, in milliseconds. */
export type Staleness = Pick<PollTimes, 'dueIn' | 'slack'> & {
  /** Longest time while polls fail (`poll.stale_after`). */
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

/** Returns the milliseconds for which data is fresh: until the next poll is due, and late by one gap. */
export function freshFor({ dueIn, slack }: Staleness): number {
  return dueIn + slack;
}

/** Returns the milliseconds for which data is shown: the one place that decides about it. */
export function heldFor({ failure }: PollState, { dueIn, slack, staleAfter }: Staleness): number {
  return failure === undefined ? Math.max(staleAfter, dueIn + HELD_SLACKS * slack) : staleAfter;
}

/**
 * Returns the polls at their present age: fresh, then held, then expired. Data also expires without a failed poll, because
 * a poll hangs or the machine was suspended. Setting the clock changes nothing.
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
  if (age > heldFor(polled, staleness)) return 'expired';
  return polled.failure !== undefined || age > freshFor(staleness) ? 'held' : 'fresh';
}
