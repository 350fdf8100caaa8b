import type { Fleet } from '../model/fleet.ts';
import { CLOCK_TOLERANCE, fitsBetter, newestHeartbeat } from '../model/heartbeat.ts';
import type { ListObservation } from '../model/observation.ts';

/*
 * Ages are measured by the clock of the API, from the `Date` of its responses, or by our own clock without one. Either may be
 * set, and a single date may be wrong. If a list and the one before disagree about the time that passed, heartbeats decide: an
 * online fleet has reported just now, and never in the future.
 */

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
): ClockShift {
  if (before === undefined || times.elapsed === undefined) return { clockShift: 0, isClockReset: false };
  const expected = before.apiTime + times.elapsed;
  const difference = expected - apiTime;
  if (Math.abs(difference) <= CLOCK_TOLERANCE) return { clockShift: 0, isClockReset: false };
  const newest = newestSince(devices, before) ?? newestHeartbeat(devices.values());
  const isBeforeRight = newest !== undefined && fitsBetter(expected, apiTime, newest);
  return { clockShift: isBeforeRight ? difference : 0, isClockReset: !isBeforeRight };
}

/** Returns the 90th percentile of the heartbeats that are new since a list. Offline devices say nothing about the time that passed. */
function newestSince(devices: ListObservation['devices'], before: Fleet): number | undefined {
  return newestHeartbeat(
    devices.values(),
    ({ id, lastHeartbeatAt }) => lastHeartbeatAt !== before.devices.get(id)?.device.lastHeartbeatAt,
  );
}
