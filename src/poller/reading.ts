import type { DataState, FailureReason } from '../model/enums.ts';
import type { Reading } from '../model/reading.ts';

/** The reading of a collector before its first poll. */
export const NEVER_READ: Reading<never> = {
  data: undefined,
  state: 'expired',
  lastSuccessAt: undefined,
  lastAttemptAt: undefined,
  failure: undefined,
};

/** Time for which the data of a reading may be shown, in milliseconds. */
export type Staleness = {
  /** Longest time between two polls that the schedule asks for. */
  readonly intervalMilliseconds: number;
  /** Longest time while polls fail. */
  readonly staleAfterMilliseconds: number;
};

/** Data is not fresh any more after this many intervals, even if no poll has failed. */
const FRESH_INTERVALS = 2;

/** Data without a failed poll lives for at least this many intervals, so that rare polls can be configured. */
const LIVE_INTERVALS = 3;

/** Returns the reading after a poll that succeeded at `now`. */
export function afterSuccessfulPoll<Data>(data: Data, now: number): Reading<Data> {
  return { data, state: 'fresh', lastSuccessAt: now, lastAttemptAt: now, failure: undefined };
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
 * Returns the reading at a given age: fresh, then held, then expired. The one place that decides about staleness. A
 * reading also expires without a failed poll, because a poll hangs or the machine was suspended.
 *
 * @param age milliseconds since the last successful poll
 * @returns the same object if nothing changed
 */
export function withAge<Data>(reading: Reading<Data>, age: number, staleness: Staleness): Reading<Data> {
  const state = stateAt(reading, age, staleness);
  return state === reading.state ? reading : { ...reading, state };
}

function stateAt(
  { failure, lastSuccessAt }: Reading<unknown>,
  age: number,
  { intervalMilliseconds, staleAfterMilliseconds }: Staleness,
): DataState {
  if (lastSuccessAt === undefined) return 'expired';
  const leastMilliseconds = failure === undefined ? LIVE_INTERVALS * intervalMilliseconds : 0;
  if (age > Math.max(staleAfterMilliseconds, leastMilliseconds)) return 'expired';
  return failure !== undefined || age > FRESH_INTERVALS * intervalMilliseconds ? 'held' : 'fresh';
}
