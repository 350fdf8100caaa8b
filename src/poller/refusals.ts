import type { Collector } from '../model/endpoint.ts';
import type { FailureReason } from '../model/failure.ts';

/** The collectors to which the key was refused last, and when each may ask again, by the monotonic clock. */
export type Refusals = Readonly<Partial<Record<Collector, number>>>;

export const NO_REFUSALS: Refusals = {};

/** A refused key is tried again after the first of these times, in milliseconds, and then each time after the second. */
const FIRST_PAUSE_MILLISECONDS = 5 * 60 * 1000;
const NEXT_PAUSE_MILLISECONDS = 60 * 60 * 1000;

/** The collector that asks for all of them whether the key is good again: its poll is the cheapest. */
export const PROBE = 'balance';

/**
 * Whether a collector may poll. One that was refused waits, and where the probe was refused too, for the probe to be
 * granted. One that was not refused goes on: a key that may not read the balance may still list phones.
 */
export function mayPoll(refusals: Refusals, collector: Collector, now: number): boolean {
  const retryAt = refusals[collector];
  if (retryAt === undefined) return true;
  return now >= retryAt && (collector === PROBE || refusals[PROBE] === undefined);
}

/** Whether the probe was refused, and is due again. */
export function isProbeDue(refusals: Refusals, now: number): boolean {
  return refusals[PROBE] !== undefined && mayPoll(refusals, PROBE, now);
}

/** What is known after a poll ended. A failure of another kind says nothing of the key. */
export function afterPoll(
  refusals: Refusals,
  collector: Collector,
  failure: FailureReason | undefined,
  now: number,
): Refusals {
  const refusedBefore = refusals[collector] !== undefined;
  if (failure === 'unauthorized') {
    const pause = refusedBefore ? NEXT_PAUSE_MILLISECONDS : FIRST_PAUSE_MILLISECONDS;
    return { ...refusals, [collector]: now + pause };
  }
  if (failure !== undefined || !refusedBefore) return refusals;
  if (collector === PROBE) return NO_REFUSALS;
  const { [collector]: _, ...others } = refusals;
  return others;
}
