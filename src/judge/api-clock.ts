import type { Fleet } from '../model/fleet.ts';
import { CLOCK_TOLERANCE, fitsBetter, newestHeartbeat } from '../model/heartbeat.ts';
import type { ListObservation } from '../model/observation.ts';

/*
 * Which clock are ages measured by? By that of the API, from the `Date` of its responses. Where none has one, it is our own,
 * which may be wrong until a time server sets it; and a single response may have a wrong date. Then the clock of a list and
 * the one before disagree about how much time has passed, and the heartbeats of the fleet tell which of them is right: a
 * fleet that works has reported just now, and never in the future.
 */

/** What is added to the times of a list. */
type ClockShift = {
  /** In milliseconds. */
  readonly clockShift: number;
  /** The clock before was wrong: what was measured by it is measured anew. */
  readonly isClockReset: boolean;
};

/** Chooses the clock of a list: its own, or that of the list before if the heartbeats fit that one better. */
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

/** Returns a heartbeat of the devices that have reported since a list: one that is offline says nothing of the time that passed. */
function newestSince(devices: ListObservation['devices'], before: Fleet): number | undefined {
  return newestHeartbeat(
    devices.values(),
    ({ id, lastHeartbeatAt }) => lastHeartbeatAt !== before.devices.get(id)?.device.lastHeartbeatAt,
  );
}
