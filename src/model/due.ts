/* Maximum ages of data, derived from its collector's schedule. */

/** Time until the next poll is due, in milliseconds. */
export type Due = {
  readonly dueIn: number;
  /** Shortest time between two scheduled polls. A poll may be late by this much. */
  readonly slack: number;
};

/** An outage starts when the next poll is late by more than this multiple of the slack. */
const OUTAGE_SLACKS = 1.5;

/** Data expires when the next poll is late by more than this multiple of the slack. */
const STALE_SLACKS = 2;

/** Returns how long data is fresh, in milliseconds: until the next poll is late by the slack. */
export function freshFor({ dueIn, slack }: Due): number {
  return dueIn + slack;
}

/** Returns how long after a poll the next one may be missing before it counts as an API outage, in milliseconds. */
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
