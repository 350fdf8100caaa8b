import type { RentalStatus } from '../model/device.ts';
import type { DepartedDevice, Fleet, FleetDevice } from '../model/fleet.ts';
import { MUTED } from '../model/muted.ts';
import { DAY } from '../model/time.ts';
import type { Column, DeviceTimes } from '../model/times.ts';

/*
 * Time per column. The time between two successful polls goes to the column that the first one showed. It is divided at the
 * instant at which the device went offline or came back. Time that no poll observed is not counted.
 */

type Shown = Pick<
  FleetDevice,
  'device' | 'listedAt' | 'offline' | 'outageSeconds' | 'offlineAfterSeconds'
> & {
  readonly isMuted: boolean;
};

/**
 * Returns the times of a device after a list.
 *
 * @param before undefined if the list shows it for the first time
 * @param departed its times before it left, if it did
 * @param elapsed milliseconds since it was last seen; undefined if its state in between is unknown
 * @param hasReported the list shows a newer heartbeat
 * @param apiTime the API's clock at the list, in milliseconds since 1970
 */
export function timesAfter(
  before: FleetDevice | undefined,
  departed: DeviceTimes | undefined,
  shown: Shown,
  { elapsed, hasReported }: { readonly elapsed: number | undefined; readonly hasReported: boolean },
  apiTime: number,
): DeviceTimes {
  const known = before?.times ?? departed;
  const column = columnOf(shown.device.rentalStatus, shown);
  const milliseconds =
    before === undefined || elapsed === undefined
      ? { ...known?.milliseconds }
      : withTime(before, shown, elapsed, hasReported);
  if (column !== undefined) milliseconds[column] ??= 0;
  return {
    firstListedAt: Math.min(known?.firstListedAt ?? apiTime, apiTime),
    column,
    milliseconds,
    interruptions: (known?.interruptions ?? 0) + (isInterrupted(before, shown, hasReported) ? 1 : 0),
  };
}

/** Returns the column of a device; undefined without a rental status. */
export function columnOf(
  status: RentalStatus | undefined,
  { offline, isMuted }: { readonly offline: boolean; readonly isMuted: boolean },
): Column | undefined {
  if (status !== 'sold') return status;
  if (!offline) return 'sold_online';
  return isMuted ? MUTED : 'sold_offline';
}

/**
 * Adds the time between two lists, divided at the instants at which the device came back and went offline.
 *
 * Example: a sold device was offline at 14:00. At 14:10 it is offline again, with a heartbeat at 14:03 and a threshold of 3
 * minutes. 14:00 to 14:03 is offline, 14:03 to 14:06 online, and 14:06 to 14:10 offline.
 */
function withTime(
  { device: { rentalStatus }, offline, times }: FleetDevice,
  shown: Shown,
  elapsed: number,
  hasReported: boolean,
): Partial<Record<Column, number>> {
  const milliseconds = { ...times.milliseconds };
  const add = (column: Column | undefined, from: number, to: number): void => {
    if (column !== undefined && to > from) milliseconds[column] = (milliseconds[column] ?? 0) + to - from;
  };
  const to = shown.listedAt;
  const from = to - elapsed;
  const within = (instant: number): number => Math.min(Math.max(instant, from), to);
  const { lastHeartbeatAt = to } = shown.device;
  const limit = (shown.outageSeconds + shown.offlineAfterSeconds) * 1000;
  const backAt = offline ? (hasReported ? within(lastHeartbeatAt) : to) : from;
  const offlineAt = shown.offline ? Math.max(backAt, within(lastHeartbeatAt + limit)) : to;
  add(times.column, from, backAt);
  add(columnOf(rentalStatus, { offline: false, isMuted: false }), backAt, offlineAt);
  add(columnOf(rentalStatus, { offline: true, isMuted: shown.isMuted }), offlineAt, to);
  return milliseconds;
}

/** Reports whether a device went offline while it was sold and not muted. */
function isInterrupted(before: FleetDevice | undefined, shown: Shown, hasReported: boolean): boolean {
  if (before?.device.rentalStatus !== 'sold' || !shown.offline || shown.isMuted) return false;
  return !before.offline || hasReported;
}

/** Maximum number of departed devices. */
const MAX_DEPARTED = 1_000;

/** Returns the departed devices after a list, without those that are listed again or that left before last month. */
export function departedAfter(
  before: Fleet | undefined,
  {
    listed,
    left,
    agreedAt,
  }: Pick<Fleet, 'left'> & {
    readonly listed: ReadonlyMap<string, unknown>;
    readonly agreedAt: number;
  },
): Fleet['departed'] {
  if (before === undefined) return new Map();
  const kept = [...before.departed].filter(
    ([id, { leftAt }]) => !listed.has(id) && agreedAt <= endOfNextMonth(leftAt),
  );
  const leaving = [...left].flatMap(([id, { lastListedAt }]) => {
    const entry = before.left.has(id) ? undefined : before.devices.get(id);
    return entry === undefined ? [] : [[id, departedDevice(entry, lastListedAt)] as const];
  });
  if (kept.length === before.departed.size && leaving.length === 0) return before.departed;
  return new Map([...kept, ...leaving].slice(-MAX_DEPARTED));
}

function departedDevice({ device, group, times, rhythm }: FleetDevice, leftAt: number): DepartedDevice {
  const { label, brand, model, appVersion } = device;
  return { device: { label, brand, model, appVersion }, group, leftAt, times, rhythm };
}

/** Returns the end of the month that follows the month of an instant, in any time zone. */
function endOfNextMonth(instant: number): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 1) + DAY;
}
