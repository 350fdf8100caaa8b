/*
 * How old may data become? It depends on the schedule of the collector that it came from, and on nothing else.
 */

/** When the poll after one is due, in milliseconds. */
export type Due = {
  readonly dueIn: number;
  /** Shortest time between two polls of the schedule: a poll that is later by less has not failed. */
  readonly slack: number;
};

/** An outage begins when the next poll is late by more than this multiple of the slack. */
const OUTAGE_SLACKS = 1.5;

/** Data without a failed poll is held until the next poll is late by this multiple of the slack. */
const HELD_SLACKS = 2;

/** Returns the milliseconds for which data is fresh: until the next poll is due, and late by the slack. */
export function freshFor({ dueIn, slack }: Due): number {
  return dueIn + slack;
}

/** Returns the milliseconds after a poll in which the next one is no sign of an outage of the API. */
export function toleratedFor({ dueIn, slack }: Due): number {
  return dueIn + OUTAGE_SLACKS * slack;
}

/**
 * Returns the milliseconds for which data is held, and what it said is carried over to later polls.
 *
 * @param staleAfter longest time while polls fail (`poll.stale_after`), in milliseconds
 */
export function staleFor({ dueIn, slack }: Due, staleAfter: number): number {
  return Math.max(staleAfter, dueIn + HELD_SLACKS * slack);
}
