import type { Account } from '../model/account.ts';
import type { Fleet } from '../model/fleet.ts';
import { CLOCK_TOLERANCE, fitsBetter, newestHeartbeat } from '../model/heartbeat.ts';
import type { ListObservation, OwnClocks } from '../model/observation.ts';
import { DAY } from '../model/time.ts';

/*
 * Ages are measured by the clock of the API, from the `Date` of its responses, or by our own clock without one. Either may be
 * set, and a single date may be wrong. If a list and the one before disagree about the time that passed, heartbeats decide: an
 * online fleet has reported just now, and never in the future. The first list of a process is compared with our own clock.
 * Other responses have no heartbeats, so they do not move the clock.
 */

/** Difference between the clock of the API and ours that may be a wrong time zone; a larger one is a wrong date. */
const MAX_DIFFERENCE = DAY;

/** Correction of the times of a list. */
type ClockShift = {
  /** In milliseconds. */
  readonly clockShift: number;
  /** The clock before was wrong, so all ages are measured anew. */
  readonly isClockReset: boolean;
};

/** Chooses the clock of a list: its own, or the one of the list before if the heartbeats fit it better. */
export function chooseClock(
  before: Fleet | undefined,
  { times, devices, apiTime }: ListObservation,
  own: OwnClocks | undefined,
): ClockShift {
  const isFollowed = before !== undefined && times.elapsed !== undefined;
  const expected = isFollowed ? before.apiTime + times.elapsed : (own?.wall ?? apiTime);
  const difference = expected - apiTime;
  if (Math.abs(difference) <= (isFollowed ? CLOCK_TOLERANCE : MAX_DIFFERENCE))
    return { clockShift: 0, isClockReset: false };
  const newest = (before && newestSince(devices, before)) ?? newestHeartbeat(devices.values());
  const isExpected = newest === undefined ? isFollowed : fitsBetter(expected, apiTime, newest);
  return { clockShift: isExpected ? difference : 0, isClockReset: isFollowed && !isExpected };
}

/**
 * Returns the time of an observation without heartbeats, by the clock of the last list.
 *
 * @param apiTime the time of its response
 */
export function timeOf({ at: before, fleet }: Account, apiTime: number, own: OwnClocks | undefined): number {
  const at = apiTime + (fleet?.clockShift ?? 0);
  if (own === undefined) return at;
  if (fleet !== undefined && own.sinceList !== undefined) {
    const expected = fleet.apiTime + own.sinceList;
    return Math.abs(at - expected) <= CLOCK_TOLERANCE ? at : expected;
  }
  // Until the first list of a process nothing says which of the clocks is right.
  if (before === undefined || Math.abs(at - own.wall) <= MAX_DIFFERENCE) return at;
  return Math.max(before, Math.min(at, own.wall));
}

/**
 * Returns the time by which is decided what is old enough to be forgotten, and which day it is: that of the API, or of our own
 * clock where that of the API has jumped ahead.
 */
export function agreedAfter(
  { at: before, agreedAt = before }: Account,
  at: number,
  own: OwnClocks | undefined,
): number {
  if (own === undefined || agreedAt === undefined || Math.abs(at - own.wall) <= MAX_DIFFERENCE) return at;
  const possible = [at, own.wall].filter((each) => each >= agreedAt);
  return possible.length === 0 ? at : Math.min(...possible);
}

/** Returns the 90th percentile of the heartbeats that are new since a list. Offline devices say nothing about the time that passed. */
function newestSince(devices: ListObservation['devices'], before: Fleet): number | undefined {
  return newestHeartbeat(
    devices.values(),
    ({ id, lastHeartbeatAt }) => lastHeartbeatAt !== before.devices.get(id)?.device.lastHeartbeatAt,
  );
}
