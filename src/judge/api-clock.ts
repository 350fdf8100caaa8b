import type { Account } from '../model/account.ts';
import type { Fleet } from '../model/fleet.ts';
import { CLOCK_TOLERANCE, fitsBetter, newestHeartbeat } from '../model/heartbeat.ts';
import type { ListObservation, OwnClocks } from '../model/observation.ts';
import { DAY } from '../model/time.ts';

/*
 * Ages are measured by the API's clock (the `Date` of its responses), or without one by our own. Either may be set, and a
 * single date may be wrong. If a list and the one before disagree about how much time has passed, heartbeats decide: an online
 * fleet has just reported, and never in the future. A process compares its first list with its own clock. Other responses have
 * no heartbeats, so they do not move the clock.
 */

/** Largest difference between the API's clock and ours that may be a wrong time zone. Beyond it, the date is wrong. */
const MAX_DIFFERENCE = DAY;

/** Correction of the times of a list. */
type ClockShift = {
  /** In milliseconds. */
  readonly clockShift: number;
  /** The previous clock was wrong, so all ages are measured again from scratch. */
  readonly isClockReset: boolean;
};

/** Chooses the clock of a list: its own, or that of the previous list if the heartbeats fit it better. */
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
  // Before the first list of a process, there is no telling which clock is right.
  if (before === undefined || Math.abs(at - own.wall) <= MAX_DIFFERENCE) return at;
  return Math.max(before, Math.min(at, own.wall));
}

/**
 * Returns the time that decides what is old enough to be forgotten, and which day it is: the API's time, or our own if the
 * API's clock has jumped ahead.
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

/** Returns the 90th percentile of the heartbeats since a list. Offline devices do not show how much time has passed. */
function newestSince(devices: ListObservation['devices'], before: Fleet): number | undefined {
  return newestHeartbeat(
    devices.values(),
    ({ id, lastHeartbeatAt }) => lastHeartbeatAt !== before.devices.get(id)?.device.lastHeartbeatAt,
  );
}
