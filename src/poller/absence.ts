import type { Absence } from '../model/reading.ts';

/** Complete listings in a row that have to lack a phone before it leaves the fleet: one may be wrong by chance. */
export const CONFIRMATIONS = 2;

/** The same where so many are lost at once that the list is more likely to be wrong than the phones to be gone. */
export const SUSPECT_CONFIRMATIONS = 3;

/** A loss is suspect beyond this share of the fleet, if it is more phones than somebody takes out by hand. */
const SUSPECT_SHARE = 0.2;
const SUSPECT_COUNT = 5;

/** The absence of a phone before any listing lacked it. */
export function present(seenAt: number): Absence {
  return { seenAt, listings: 0, completeListings: 0, suspect: false };
}

/** The absence of a phone after one more listing without it. An incomplete one may have hidden it, and proves nothing. */
export function longer(absence: Absence, complete: boolean): Absence {
  return {
    ...absence,
    listings: absence.listings + 1,
    completeListings: absence.completeListings + (complete ? 1 : 0),
  };
}

/** The absence of a phone that is one of too many; what only incomplete listings lack is not lost. */
export function suspected(absence: Absence): Absence {
  return { ...absence, suspect: absence.completeListings > 0 };
}

/** Whether complete listings lack so many of `known` phones, or all, that they are not believed at their word. */
export function isSuspectLoss(absences: Iterable<Absence>, known: number): boolean {
  let lost = 0;
  for (const { completeListings } of absences) if (completeListings > 0) lost += 1;
  return lost > 0 && (lost === known || (lost > SUSPECT_COUNT && lost > known * SUSPECT_SHARE));
}

/**
 * Whether a phone that is absent leaves the fleet: complete listings agree that it is gone, or nobody has seen it for so
 * long that nothing of what is known of it can be vouched for, which bounds how long it stays if listings are never
 * complete. A single listing proves nothing, however long it is since the one before.
 *
 * @param longestGap milliseconds without a sight of a phone after which nobody can vouch for what it does
 */
export function leaves(absence: Absence, apiTime: number, longestGap: number): boolean {
  const { seenAt, listings, completeListings, suspect } = absence;
  const isForgotten = listings > 1 && apiTime - seenAt > longestGap;
  return completeListings >= (suspect ? SUSPECT_CONFIRMATIONS : CONFIRMATIONS) || isForgotten;
}
