import type { DataState, FailureReason } from '../model/enums.ts';
import type { Reading } from '../model/reading.ts';

/** The reading of a collector before its first poll. */
export const NEVER_READ: Reading<never> = {
  data: undefined,
  state: 'expired',
  lastSuccessAt: undefined,
  lastSuccessUptime: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** The times that decide for how long data is shown, in milliseconds. */
export type Staleness = {
  /** Time from the poll that brought the data to the next one, as the schedule asks for it. */
  readonly gap: number;
  /** Longest time while polls fail (`poll.stale_after`). */
  readonly staleAfter: number;
};

/** Data is not fresh any more after this many gaps, even if no poll has failed. */
const FRESH_GAPS = 2;

/** Data without a failed poll lives for at least this many gaps, so that rare polls can be configured. */
const LIVE_GAPS = 3;

/** Returns the reading after a poll that succeeded at `now`, and at `uptime`. */
export function afterSuccessfulPoll<Data>(
  data: Data,
  now: number,
  uptime: number,
): Reading<Data> & { readonly data: Data } {
  return {
    data,
    state: 'fresh',
    lastSuccessAt: now,
    lastSuccessUptime: uptime,
    lastAttemptAt: now,
    failure: undefined,
  };
}

/** Returns the reading after a poll that failed at `now`: the data stays. Its state follows from {@link withAge}. */
export function afterFailedPoll<Data>(
  reading: Reading<Data>,
  failure: FailureReason,
  now: number,
): Reading<Data> {
  return { ...reading, failure, lastAttemptAt: now };
}

/**
 * Returns the milliseconds for which data is shown: the one place that decides about it. The same time bounds what is
 * carried over from one poll to the next: time in a status, devices that lists lack, tunnels that bring no response.
 */
export function lifetimeOf({ failure }: Reading<unknown>, { gap, staleAfter }: Staleness): number {
  return failure === undefined ? Math.max(staleAfter, LIVE_GAPS * gap) : staleAfter;
}

/**
 * Returns the reading at its present age: fresh, then held, then expired. A reading also expires without a failed poll,
 * because a poll hangs or the machine was suspended. Setting the clock changes nothing.
 *
 * @param uptime milliseconds since the machine was started
 * @returns the same object if nothing changed
 */
export function withAge<Data>(reading: Reading<Data>, uptime: number, staleness: Staleness): Reading<Data> {
  const state = stateAt(reading, uptime, staleness);
  return state === reading.state ? reading : { ...reading, state };
}

function stateAt(reading: Reading<unknown>, uptime: number, staleness: Staleness): DataState {
  if (reading.lastSuccessUptime === undefined) return 'expired';
  const age = uptime - reading.lastSuccessUptime;
  if (age > lifetimeOf(reading, staleness)) return 'expired';
  return reading.failure !== undefined || age > FRESH_GAPS * staleness.gap ? 'held' : 'fresh';
}
