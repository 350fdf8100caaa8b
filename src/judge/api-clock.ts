import type { Fleet } from '../model/fleet.ts';
import type { ListObservation } from '../model/observation.ts';

/*
 * Which clock are ages measured by? By that of the API, from the `Date` of its responses. Where none has one, it is our own,
 * which may be wrong until a time server sets it; and a single response may have a wrong date. Then the clock of a list and
 * the one before disagree about how much time has passed, and the heartbeats of the fleet tell which of them is right: a
 * fleet that works has reported just now, and never in the future.
 */

/** Maximum difference that is no fault: dates have whole seconds, and responses take some. In milliseconds. */
export const CLOCK_TOLERANCE = 10_000;

/** Number of heartbeats that are looked at, and the share of them that a few wrong ones cannot reach. */
const SAMPLE = 500;
const SHARE = 0.9;

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
  const newest = newestHeartbeat(devices, before) ?? newestHeartbeat(devices, undefined);
  const isBeforeRight = newest !== undefined && isCloser(expected, apiTime, newest);
  return { clockShift: isBeforeRight ? difference : 0, isClockReset: !isBeforeRight };
}

/** Reports whether the first clock fits heartbeats better: it is not behind them, and less far ahead. */
function isCloser(one: number, other: number, newest: number): boolean {
  const isPossible = (clock: number): boolean => clock >= newest - CLOCK_TOLERANCE;
  return isPossible(one) && (one < other || !isPossible(other));
}

/**
 * Returns a heartbeat that nine of ten devices do not exceed, of those that have reported since a list; undefined where none
 * has. A device that is offline tells nothing of the time that passed.
 */
function newestHeartbeat(devices: ListObservation['devices'], before: Fleet | undefined): number | undefined {
  const heartbeats: number[] = [];
  for (const [id, { device }] of devices) {
    const { lastHeartbeatAt } = device;
    const known = before?.devices.get(id)?.device.lastHeartbeatAt;
    if (lastHeartbeatAt !== undefined && lastHeartbeatAt !== known) heartbeats.push(lastHeartbeatAt);
    if (heartbeats.length === SAMPLE) break;
  }
  heartbeats.sort((one, other) => one - other);
  return heartbeats[Math.ceil(SHARE * heartbeats.length) - 1];
}
