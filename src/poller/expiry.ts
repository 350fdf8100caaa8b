import type { DataState, Reading } from '../model/reading.ts';

/** How long the data of a reading may be shown, in milliseconds. */
export type Patience = {
  /** Longest time between two polls that the schedule asks for. */
  readonly intervalMilliseconds: number;
  /** Longest time while polls fail. */
  readonly staleAfterMilliseconds: number;
};

/** Data is not fresh any more after this many intervals, even if no poll has failed. */
const FRESH_INTERVALS = 2;

/** Data that no failed poll speaks against lives for at least this many intervals, so that rare polls can be asked for. */
const LIVE_INTERVALS = 3;

/**
 * The reading as it has become by growing old: what no poll renews becomes held, then expired. So it ends well also where
 * no poll ends at all, because they hang, are paused or were asleep.
 *
 * @param age milliseconds since the last poll that succeeded
 * @returns the same object if nothing changed
 */
export function expire<Data>(reading: Reading<Data>, age: number, patience: Patience): Reading<Data> {
  const state = stateAt(reading, age, patience);
  return state === reading.state ? reading : { ...reading, state };
}

function stateAt(
  { state, failure }: Reading<unknown>,
  age: number,
  { intervalMilliseconds, staleAfterMilliseconds }: Patience,
): DataState {
  const rhythm = failure === undefined ? LIVE_INTERVALS * intervalMilliseconds : 0;
  if (age > Math.max(staleAfterMilliseconds, rhythm)) return 'expired';
  return state === 'fresh' && age > FRESH_INTERVALS * intervalMilliseconds ? 'held' : state;
}
