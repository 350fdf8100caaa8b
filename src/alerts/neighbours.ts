import { lookAtEach, type Steps } from '../base/steps.ts';
import { isSetUp } from '../model/device.ts';
import type { FleetDevice } from '../model/fleet.ts';
import { hasVote, isLate, NONE, valueReader } from './cause-votes.ts';
import type { Context } from './incident.ts';

/*
 * Signs of a common cause that is about to be found. Devices that fail together cross their thresholds one after the other: a
 * device is suspect while several of its neighbours are late too.
 */

/** Minimum number and share of late neighbours. Heartbeats get lost everywhere: one late device proves nothing. */
const MIN_LATE = 2;
const MIN_LATE_SHARE = 0.25;

/** A device that has been offline for longer than this multiple of its threshold did not fail with the latest ones. */
const RECENT = 2;

/** Maximum size of a small group. The devices of all small groups are neighbours. */
const SMALL_GROUP = 3;

/** Properties that make devices of a group neighbours. */
const KINDS = ['group', 'model', 'app_version', 'tunnel_host'] as const;

/** Numbers of devices in use, and of late or offline ones. */
type LateCount = { inUse: number; late: number };

/** Reports whether a device stopped recently enough to have failed with the latest ones. */
export function isRecent({
  heartbeatAgeSeconds = 0,
  outageSeconds,
  offlineAfterSeconds,
}: FleetDevice): boolean {
  return heartbeatAgeSeconds - outageSeconds <= RECENT * offlineAfterSeconds;
}

/** Lists the devices that became late recently, offline or not. */
export function* lateDevices({ fleet, judgement }: Context): Steps<readonly FleetDevice[]> {
  const late: FleetDevice[] = [];
  yield* lookAtEach(fleet.devices, ([id, entry]) => {
    if (isLate(entry) && isRecent(entry) && hasVote(entry, judgement.problems.get(id)?.problem))
      late.push(entry);
  });
  return late;
}

/**
 * Finds the devices with late neighbours: ids, and the largest share of late neighbours. Neighbours share a tag, or a group
 * and within it a model, version or host. Devices in small groups, or in none, are neighbours of each other.
 */
export function* suspectsAmong(
  devices: readonly FleetDevice[],
  late: readonly FleetDevice[],
  { name, account, fleet }: Context,
): Steps<ReadonlyMap<string, number>> {
  const suspects = new Map<string, number>();
  // The usual case: one or two devices are late, and have no late neighbours.
  if (devices.length === 0 || late.length <= MIN_LATE) return suspects;
  const lateIds = new Set(late.map(({ device }) => device.id));
  const sizes = new Map<string, number>();
  for (const entry of fleet.devices.values())
    if (isInUse(entry)) sizes.set(entry.group, (sizes.get(entry.group) ?? 0) + 1);
  yield;
  const placeOf = ({ group }: FleetDevice): string => ((sizes.get(group) ?? 0) > SMALL_GROUP ? group : NONE);
  const readValue = valueReader(name, account);
  const places = new Set(devices.map(placeOf));
  const keysOf = (entry: FleetDevice): readonly string[] => {
    const place = placeOf(entry);
    // A tag, such as the carrier, may cut across all groups.
    const keys = Array.from(entry.properties, ([name, value]) => `${name} ${value}`);
    if (!places.has(place)) return keys;
    for (const kind of KINDS) {
      const value = readValue(kind, entry);
      if (value !== NONE) keys.push(`${place}\n${kind}\n${value}`);
    }
    return keys;
  };
  const cells = new Map<string, LateCount>();
  yield* lookAtEach(devices, (entry) => {
    for (const key of keysOf(entry)) if (!cells.has(key)) cells.set(key, { inUse: 0, late: 0 });
  });
  yield* lookAtEach(fleet.devices, ([id, entry]) => {
    if (!isInUse(entry)) return;
    for (const key of keysOf(entry)) {
      const cell = cells.get(key);
      if (cell === undefined) continue;
      cell.inUse += 1;
      if (lateIds.has(id)) cell.late += 1;
    }
  });
  yield* lookAtEach(devices, (entry) => {
    const share = Math.max(0, ...keysOf(entry).map((key) => lateShare(cells.get(key))));
    if (share > 0) suspects.set(entry.device.id, share);
  });
  return suspects;
}

/** Returns the share of late neighbours; 0 if there are few. `cell` also counts the device itself. */
function lateShare(cell: LateCount | undefined): number {
  if (cell === undefined || cell.late - 1 < MIN_LATE) return 0;
  const share = (cell.late - 1) / (cell.inUse - 1);
  return share >= MIN_LATE_SHARE ? share : 0;
}

function isInUse({ device, heartbeatAgeSeconds }: FleetDevice): boolean {
  return heartbeatAgeSeconds !== undefined && isSetUp(device.setupStatus);
}
