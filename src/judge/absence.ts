import { lookAtEach, type Steps } from '../base/steps.ts';
import type { Absence, Fleet, FleetDevice, LeftDevice } from '../model/fleet.ts';
import type { ListedDevice, ListObservation } from '../model/observation.ts';
import { DAY } from '../model/time.ts';

/*
 * Removal of devices. A device may be missing from a list although it exists: pages shift, caches lag, services fail. So it
 * stays as it was until further lists confirm that it is gone, even across restarts.
 */

/** Number of consecutive complete listings without a device before it is removed. */
const CONFIRMATIONS = 2;

/** The same for a suspect loss: the list is then probably wrong. */
const SUSPECT_CONFIRMATIONS = 3;

/** A loss is suspect if it exceeds both this share of the fleet and this number of devices. */
const SUSPECT_SHARE = 0.2;
const SUSPECT_COUNT = 5;

/** Maximum number of departed devices that are remembered, and for what time. */
const MAX_LEFT = 1_000;
const LEFT_MILLISECONDS = DAY;

/**
 * Finds the devices that are missing from a list, and decides which of them are gone.
 *
 * @param times the API's clock at the list, and the time that decides when devices that left are forgotten
 * @param staleAfter milliseconds after which an unseen device is gone without confirmation
 */
export function* findAbsences(
  before: Fleet | undefined,
  list: ListObservation,
  [apiTime, agreedAt]: readonly [apiTime: number, agreedAt: number],
  staleAfter: number,
): Steps<Pick<Fleet, 'absent' | 'left'>> {
  if (before === undefined) return { absent: new Map(), left: new Map() };
  const lost = new Map<string, Absence>();
  yield* lookAtEach(before.devices.keys(), (id) => {
    if (!list.devices.has(id)) lost.set(id, absenceOf(before.absent.get(id), before, list));
  });
  const isLoss = isSuspectLoss(lost.values(), before.devices.size);
  const absent = new Map<string, Absence>();
  const leaving = new Map<string, LeftDevice>();
  for (const [id, absence] of lost) {
    const updated = isLoss ? { ...absence, suspect: absence.completeListings > 0 } : absence;
    const entry = before.devices.get(id);
    if (!isGone(updated, staleAfter)) absent.set(id, updated);
    else if (entry !== undefined) leaving.set(id, leftDevice(entry, updated.seenAt, apiTime));
  }
  return { absent, left: leftAfter(before.left, leaving, list.devices, agreedAt) };
}

function absenceOf(known: Absence | undefined, before: Fleet, { times, listing }: ListObservation): Absence {
  // An item without a usable id may be this device, so the list proves nothing.
  if (listing.rejected > 0)
    return known ?? { seenAt: before.apiTime, missing: 0, listings: 0, completeListings: 0, suspect: false };
  return {
    seenAt: known?.seenAt ?? before.apiTime,
    missing: (known?.missing ?? 0) + (times.elapsed ?? 0),
    listings: (known?.listings ?? 0) + 1,
    // An incomplete listing proves nothing.
    completeListings: (known?.completeListings ?? 0) + (listing.complete ? 1 : 0),
    suspect: known?.suspect ?? false,
  };
}

/** Reports whether complete listings miss so many known devices that more listings must confirm it. */
function isSuspectLoss(absences: Iterable<Absence>, known: number): boolean {
  let lost = 0;
  for (const { completeListings } of absences) if (completeListings > 0) lost += 1;
  return lost > 0 && (lost === known || (lost > SUSPECT_COUNT && lost > known * SUSPECT_SHARE));
}

/**
 * Reports whether an absent device is removed: complete listings agree that it is gone, or, in case listings are never
 * complete, its data is too old. A single listing proves nothing.
 */
function isGone({ missing, listings, completeListings, suspect }: Absence, staleAfter: number): boolean {
  const isExpired = listings > 1 && missing > staleAfter;
  return completeListings >= (suspect ? SUSPECT_CONFIRMATIONS : CONFIRMATIONS) || isExpired;
}

function leftDevice(entry: FleetDevice, lastListedAt: number, removedAt: number): LeftDevice {
  const { device, group } = entry;
  return { label: device.label, group, lastListedAt, removedAt, wasOffline: entry.offline };
}

/** Returns the newest devices that left within a day and are not listed again; the same object if nothing changed. */
function leftAfter(
  before: ReadonlyMap<string, LeftDevice>,
  leaving: ReadonlyMap<string, LeftDevice>,
  listed: ReadonlyMap<string, unknown>,
  agreedAt: number,
): ReadonlyMap<string, LeftDevice> {
  const isRemembered = ([id, { removedAt }]: readonly [string, LeftDevice]): boolean =>
    agreedAt - removedAt <= LEFT_MILLISECONDS && !listed.has(id);
  const kept = [...before].filter(isRemembered);
  if (kept.length === before.size && leaving.size === 0) return before;
  return new Map([...kept, ...leaving].slice(-MAX_LEFT));
}

/**
 * Reports whether the listed description of a device is an old copy, from a cache or a lagging replica: its heartbeat is older
 * than the known one. It is accepted once the known heartbeat is older than `lifetime` milliseconds.
 *
 * @param apiTime the API's clock, in milliseconds since 1970
 */
export function isOldDescription(
  known: FleetDevice,
  lastHeartbeatAt: number | undefined,
  apiTime: number,
  lifetime: number,
): boolean {
  return (
    isHeartbeatOlder(known, lastHeartbeatAt) && apiTime - (known.device.lastHeartbeatAt ?? 0) <= lifetime
  );
}

/** Reports whether a listed heartbeat is older than the known one. */
export function isHeartbeatOlder(
  { device, heartbeatAgeSeconds }: FleetDevice,
  lastHeartbeatAt: number | undefined,
): boolean {
  if (heartbeatAgeSeconds === undefined || lastHeartbeatAt === undefined) return false;
  return lastHeartbeatAt < (device.lastHeartbeatAt ?? 0);
}

/** Minimum share and number of known devices with another id before a list counts as renumbered. */
const RENUMBERED_SHARE = 0.5;
const MIN_RENUMBERED = 3;

/** Lists the new ids if most known devices, identified by label, have another id in a list; otherwise none. */
export function otherIds(known: Fleet, devices: ReadonlyMap<string, ListedDevice>): ReadonlySet<string> {
  const missing = new Set<string>();
  for (const [id, { device }] of known.devices)
    if (!devices.has(id) && device.label !== '') missing.add(device.label);
  const others = new Set<string>();
  for (const [id, { device }] of devices)
    if (!known.devices.has(id) && missing.has(device.label)) others.add(id);
  const least = Math.max(MIN_RENUMBERED, RENUMBERED_SHARE * known.devices.size);
  return others.size >= least ? others : new Set();
}

/**
 * Reports whether a list is an old copy: most of its descriptions are old, or several are and no heartbeat is newer.
 *
 * @param apiTime the API's clock at the list, in milliseconds since 1970
 * @param lifetime milliseconds after which an older description is accepted
 */
export function isStaleCopy(
  known: Fleet,
  devices: ReadonlyMap<string, ListedDevice>,
  apiTime: number,
  lifetime: number,
): boolean {
  let [compared, older, others] = [0, 0, 0];
  for (const [id, entry] of known.devices) {
    const listed = devices.get(id)?.device;
    if (listed === undefined || entry.heartbeatAgeSeconds === undefined) continue;
    compared += 1;
    if (isOldDescription(entry, listed.lastHeartbeatAt, apiTime, lifetime)) older += 1;
    else if (listed.lastHeartbeatAt !== entry.device.lastHeartbeatAt) others += 1;
  }
  return older > compared / 2 || (older > 1 && others === 0);
}
