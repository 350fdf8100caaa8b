/*
 * Maximum ages of data, from the schedule of its collector.
 */

/** Time until the next poll is due, in milliseconds. */
export type Due = {
  readonly dueIn: number;
  /** Shortest time between two polls of the schedule. A poll may be late by this much. */
  readonly slack: number;
};

/** An outage starts when the next poll is late by more than this multiple of the slack. */
const OUTAGE_SLACKS = 1.5;

/** Data expires when the next poll is late by more than this multiple of the slack. */
const STALE_SLACKS = 2;

/** Returns the milliseconds for which data is fresh: until the next poll is late by the slack. */
export function freshFor({ dueIn, slack }: Due): number {
  return dueIn + slack;
}

/** Returns the milliseconds after a poll without another one that are no outage of the API yet. */
export function toleratedFor({ dueIn, slack }: Due): number {
  return dueIn + OUTAGE_SLACKS * slack;
}

/**
 * Returns the milliseconds after which data expires.
 *
 * @param staleAfter time while polls fail (`poll.stale_after`), in milliseconds
 */
export function staleFor({ dueIn, slack }: Due, staleAfter: number): number {
  return Math.max(staleAfter, dueIn + STALE_SLACKS * slack);
}
