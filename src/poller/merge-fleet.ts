import { isSetUp } from '../judgement/problems.ts';
import { learnedLimitSeconds, learnGap, NEW_RHYTHM } from '../judgement/silence.ts';
import { DEVICES_PER_YIELD } from '../judgement/steps.ts';
import { type Device, hasLiveSelfRent, OTHER } from '../model/device.ts';
import type { Absence, DeviceCounts, Fleet, FleetDevice, LeftDevice, ListingFacts } from '../model/fleet.ts';
import { type GroupSettings, groupOf } from '../model/group.ts';
import { SILENT_PROBLEMS } from '../model/problem.ts';
import type { Rhythm } from '../model/rhythm.ts';
import type { DeviceMemory, Memory } from '../model/snapshot.ts';

/** Number of consecutive complete listings without a device after which it is removed. */
const CONFIRMATIONS = 2;

/** The same for a suspect loss, after which the list is more likely to be wrong. */
const SUSPECT_CONFIRMATIONS = 3;

/** A loss is suspect if it is more than this share of the fleet and more than this number of devices. */
const SUSPECT_SHARE = 0.2;
const SUSPECT_COUNT = 5;

/** A heartbeat further ahead of the API's own clock than this is no usable instant. */
const FUTURE_LIMIT_MILLISECONDS = 5 * 60 * 1000;

/** A device list as it was read. */
type ListedFleet = {
  readonly devices: ReadonlyMap<string, Device>;
  readonly reported: number;
  /** The clock of the API at the listing, in milliseconds since 1970. */
  readonly apiTime: number;
  /** The uptime of this machine at the listing, in milliseconds. */
  readonly uptime: number;
  readonly listing: Omit<ListingFacts, 'suspect'>;
};

type SettleOptions = {
  readonly groups: GroupSettings;
  /** Heartbeat age above which each device is silent (`silence.after`); undefined where each has its learned limit. */
  readonly silentAfterSeconds: number | undefined;
  /** Milliseconds without a list that are no outage of the API. */
  readonly freshFor: number;
  /** Polls failed before the first list of this process. */
  readonly beganInOutage: boolean;
  /** Maximum milliseconds between two listings of a device; after a longer time its state in between is unknown. */
  readonly lifetime: number;
  /** Maximum milliseconds for which a device is kept that no list shows, although none confirms that it is gone. */
  readonly staleAfter: number;
  readonly yieldToEventLoop: () => Promise<void>;
};

/**
 * Returns the fleet after a listing, and the number of devices that left it. Devices that the list lacks stay as they were
 * until later listings confirm that they are gone.
 *
 * @param remembered facts from before a restart, for devices that this process has not listed yet; the time since then
 *   is not counted, because the state of a device in it is unknown
 */
export async function mergeFleet(
  previous: Fleet | undefined,
  listed: ListedFleet,
  remembered: Pick<Memory, 'devices' | 'left'>,
  options: SettleOptions,
): Promise<{ readonly fleet: Fleet; readonly removed: number }> {
  const { lifetime, staleAfter, yieldToEventLoop } = options;
  const { apiTime, uptime, reported, listing } = listed;
  const moment = momentOf(previous, listed, options);
  const known = previous?.devices ?? new Map<string, FleetDevice>();
  let steps = 0;
  const isTimeToYield = (): boolean => {
    steps += 1;
    return steps % DEVICES_PER_YIELD === 0;
  };

  const absences = new Map<string, Absence>();
  for (const id of known.keys()) {
    if (!listed.devices.has(id)) absences.set(id, absenceOf(id, previous, listed));
    if (isTimeToYield()) await yieldToEventLoop();
  }
  const isLoss = isSuspectLoss(absences.values(), known.size);
  const absent = new Map<string, Absence>();
  const leaving = new Map<string, LeftDevice>();
  for (const [id, absence] of absences) {
    const updated = isLoss ? { ...absence, suspect: absence.completeListings > 0 } : absence;
    const entry = known.get(id);
    if (!isGone(updated, uptime, staleAfter)) absent.set(id, updated);
    else if (entry !== undefined) leaving.set(id, leftDevice(entry, updated.seenAt, apiTime));
  }
  const suspect = [...absent.values()].some((absence) => absence.suspect);

  const devices = new Map<string, FleetDevice>();
  const counts = noCounts();
  const liveSelfRents: string[] = [];
  const changed: string[] = [];
  const keep = (entry: FleetDevice): void => {
    devices.set(entry.device.id, entry);
    if (hasLiveSelfRent(entry.device)) liveSelfRents.push(entry.device.id);
    count(counts, entry.device);
  };

  let hasNewDevices = false;
  for (const [id, before] of known) {
    const device = listed.devices.get(id);
    if (device !== undefined) {
      const elapsed = uptime - lastSeen(previous, id);
      const entry = mergeDevice(before, device, moment, elapsed <= lifetime ? elapsed : undefined);
      keep(entry);
      if (hasChanged(before, entry)) changed.push(id);
    } else if (absent.has(id)) keep(before);
    if (isTimeToYield()) await yieldToEventLoop();
  }
  for (const device of listed.devices.values()) {
    if (isTimeToYield()) await yieldToEventLoop();
    if (devices.has(device.id)) continue;
    hasNewDevices = true;
    changed.push(device.id);
    keep(newDevice(device, moment, remembered.devices.get(device.id)));
  }

  const fleet: Fleet = {
    devices: hasNewDevices ? new Map([...devices].toSorted(byId)) : devices,
    counts,
    liveSelfRents,
    changed,
    absent,
    left: mergeLeft(previous?.left ?? remembered.left, leaving, listed),
    reported,
    apiTime,
    uptime,
    listing: { ...listing, suspect },
  };
  return { fleet, removed: absences.size - absent.size };
}

function byId([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** Returns the absence of a known device that the list lacks. */
function absenceOf(
  id: string,
  previous: Fleet | undefined,
  { apiTime, uptime, listing }: ListedFleet,
): Absence {
  const before = previous?.absent.get(id);
  return {
    seenAt: before?.seenAt ?? previous?.apiTime ?? apiTime,
    seenUptime: before?.seenUptime ?? previous?.uptime ?? uptime,
    listings: (before?.listings ?? 0) + 1,
    // An incomplete listing may have hidden the device, and proves nothing.
    completeListings: (before?.completeListings ?? 0) + (listing.complete ? 1 : 0),
    suspect: before?.suspect ?? false,
  };
}

/** Tells whether complete listings lack so many of the known devices, or all, that they have to be confirmed. */
function isSuspectLoss(absences: Iterable<Absence>, known: number): boolean {
  let lost = 0;
  for (const { completeListings } of absences) if (completeListings > 0) lost += 1;
  return lost > 0 && (lost === known || (lost > SUSPECT_COUNT && lost > known * SUSPECT_SHARE));
}

/**
 * Tells whether an absent device is removed: complete listings agree that it is gone, or it was not seen for so long that
 * nothing that is known of it can be trusted. The latter bounds how long it stays if listings are never complete. A single
 * listing proves nothing, however long it is since the one before.
 */
function isGone(absence: Absence, uptime: number, staleAfter: number): boolean {
  const { seenUptime, listings, completeListings, suspect } = absence;
  const isForgotten = listings > 1 && uptime - seenUptime > staleAfter;
  return completeListings >= (suspect ? SUSPECT_CONFIRMATIONS : CONFIRMATIONS) || isForgotten;
}

/** Maximum number of devices that left, and time for which they are remembered. */
const MAX_LEFT = 1_000;
const LEFT_MILLISECONDS = 24 * 3_600_000;

function leftDevice(entry: FleetDevice, lastListedAt: number, removedAt: number): LeftDevice {
  const { device, group } = entry;
  return { label: device.label, group, lastListedAt, removedAt, wasSilent: entry.silent };
}

/** Returns the newest devices that left within a day and are not listed again; the same object if nothing changed. */
function mergeLeft(
  before: ReadonlyMap<string, LeftDevice>,
  leaving: ReadonlyMap<string, LeftDevice>,
  { devices, apiTime }: ListedFleet,
): ReadonlyMap<string, LeftDevice> {
  const isRemembered = ([id, { removedAt }]: readonly [string, LeftDevice]): boolean =>
    apiTime - removedAt <= LEFT_MILLISECONDS && !devices.has(id);
  const kept = [...before].filter(isRemembered);
  if (kept.length === before.size && leaving.size === 0) return before;
  return new Map([...kept, ...leaving].slice(-MAX_LEFT));
}

/** Returns when a device was last seen, by the uptime of this machine. */
function lastSeen(previous: Fleet | undefined, id: string): number {
  return previous?.absent.get(id)?.seenUptime ?? previous?.uptime ?? Number.NaN;
}

/** The facts that all devices of a list have in common. */
type PollMoment = Pick<SettleOptions, 'groups' | 'silentAfterSeconds' | 'lifetime'> & {
  /** The clock of the API, in milliseconds since 1970. */
  readonly apiTime: number;
  /** Seconds in which the API was down until this list; 0 if it was not. */
  readonly outage: number;
};

function momentOf(
  previous: Fleet | undefined,
  { apiTime, uptime }: ListedFleet,
  { groups, silentAfterSeconds, lifetime, freshFor, beganInOutage }: SettleOptions,
): PollMoment {
  const elapsed = previous === undefined ? 0 : uptime - previous.uptime;
  const began = beganInOutage ? Number.POSITIVE_INFINITY : 0;
  const outage = previous === undefined ? began : Math.max(0, elapsed - freshFor) / 1000;
  return { groups, silentAfterSeconds, lifetime, apiTime, outage };
}

/**
 * Returns a device that was known before; the time since it was last seen counts for the status that it had then.
 *
 * @param elapsed milliseconds since then, by no clock that is set; undefined where that is too long for anything to be known
 */
function mergeDevice(
  before: FleetDevice,
  listed: Device,
  moment: PollMoment,
  elapsed: number | undefined,
): FleetDevice {
  const { apiTime, groups } = moment;
  const device = elapsed === undefined ? listed : newestOf(before, listed, apiTime, moment.lifetime);
  const isSameStatus = before.device.rentalStatus === device.rentalStatus;
  const silence = mergeSilence(before, device, moment);
  return {
    device,
    group: groupOf(device.label, groups),
    ...silence,
    backAt: silence.silent ? undefined : backAt(before, device, moment),
    rentalStatusSince: isSameStatus ? before.rentalStatusSince : device.rentalStatus && apiTime,
    rentalStatusBeginSeen: isSameStatus ? before.rentalStatusBeginSeen : elapsed !== undefined,
    ...addSeconds(before, device, (elapsed ?? 0) / 1000),
    rotationStoppedAt: rotationStop(before, device, apiTime),
  };
}

/** Time for which the end of a silence is shown. */
const BACK_MILLISECONDS = 3_600_000;

/**
 * Returns the heartbeat that ended the last silence of a device that is not silent, for as long as that is shown. After an
 * outage of the API it is unknown which one that was.
 */
function backAt(
  before: FleetDevice,
  { lastHeartbeatAt = Number.NaN }: Device,
  { apiTime, outage }: PollMoment,
): number | undefined {
  if (before.silent)
    return outage === 0 && lastHeartbeatAt > (before.device.lastHeartbeatAt ?? 0)
      ? lastHeartbeatAt
      : undefined;
  const isShown = before.backAt !== undefined && apiTime - before.backAt <= BACK_MILLISECONDS;
  return isShown ? before.backAt : undefined;
}

/** Returns the facts about the heartbeats of a device that was known before. */
function mergeSilence(before: FleetDevice, device: Device, moment: PollMoment): Silence {
  const { apiTime, outage } = moment;
  const age = heartbeatAge(device.lastHeartbeatAt, apiTime);
  const gap = ((device.lastHeartbeatAt ?? Number.NaN) - (before.device.lastHeartbeatAt ?? Number.NaN)) / 1000;
  const isSame = gap === 0;
  // A gap with an outage in it says nothing of the device.
  const learns = gap > 0 && outage === 0 && before.outageSeconds === 0;
  // Another version of the app may report in another rhythm.
  const rhythmBefore = before.device.appVersion === device.appVersion ? before.rhythm : NEW_RHYTHM;
  const rhythm = learns ? learnGap(rhythmBefore, gap) : rhythmBefore;
  const known = isSame ? before.outageSeconds : 0;
  const isExcused = outage > 0 && !(isSame && before.silent);
  return silenceOf(device, age, rhythm, moment, (limit) =>
    isExcused ? outageWithin(age ?? 0, known, outage, limit) : known,
  );
}

/**
 * Returns the part of a heartbeat age in which the device could not report, in seconds. After an outage as long as its
 * limit it has all of its limit to report again, once: where good polls stay rare, the time around them adds up.
 */
function outageWithin(age: number, known: number, outage: number, limit: number): number {
  return outage >= limit && known < limit ? age : Math.min(age, known + outage);
}

type Silence = Pick<
  FleetDevice,
  'heartbeatAgeSeconds' | 'outageSeconds' | 'rhythm' | 'silenceLimitSeconds' | 'silent'
>;

function silenceOf(
  { setupStatus }: Device,
  age: number | undefined,
  rhythm: Rhythm,
  { silentAfterSeconds }: PollMoment,
  outageFor: (limit: number) => number,
): Silence {
  const limit = silentAfterSeconds ?? learnedLimitSeconds(rhythm);
  const outage = outageFor(limit);
  const silent = age !== undefined && age - outage > limit && isSetUp(setupStatus);
  return {
    heartbeatAgeSeconds: age,
    outageSeconds: outage,
    rhythm,
    silenceLimitSeconds: limit,
    silent,
  };
}

/**
 * Returns the newer description of a device: a listed one whose heartbeat is older is an old copy, as of a replica that
 * lags. After `lifetime` milliseconds without a newer heartbeat it is believed, with the newest heartbeat that was seen.
 */
function newestOf(before: FleetDevice, listed: Device, apiTime: number, lifetime: number): Device {
  if (!isHeartbeatOlder(before, listed)) return listed;
  const { device } = before;
  const isRecent = apiTime - (device.lastHeartbeatAt ?? 0) <= lifetime;
  return isRecent ? device : { ...listed, lastHeartbeatAt: device.lastHeartbeatAt };
}

/** Tells whether a listed heartbeat is older than the known one, if that was usable. */
function isHeartbeatOlder({ device, heartbeatAgeSeconds }: FleetDevice, listed: Device): boolean {
  if (heartbeatAgeSeconds === undefined || listed.lastHeartbeatAt === undefined) return false;
  return listed.lastHeartbeatAt < (device.lastHeartbeatAt ?? 0);
}

/**
 * Tells whether a list is an old copy, as of a cache or of a replica that lags: most of its heartbeats are older than those
 * that are known, or several are and none is newer.
 */
export function isStaleCopy(previous: Fleet, devices: ReadonlyMap<string, Device>): boolean {
  let [compared, older, others] = [0, 0, 0];
  for (const [id, entry] of previous.devices) {
    const listed = devices.get(id);
    if (listed === undefined || entry.heartbeatAgeSeconds === undefined) continue;
    compared += 1;
    if (isHeartbeatOlder(entry, listed)) older += 1;
    else if (listed.lastHeartbeatAt !== entry.device.lastHeartbeatAt) others += 1;
  }
  return older > compared / 2 || (older > 1 && others === 0);
}

function hasChanged(before: FleetDevice, entry: FleetDevice): boolean {
  return before.device.rentalStatus !== entry.device.rentalStatus;
}

/** Returns a device that this process sees for the first time; what is remembered of it goes on. */
function newDevice(device: Device, moment: PollMoment, memory: DeviceMemory | undefined): FleetDevice {
  const { apiTime, groups, outage } = moment;
  const { rentalStatus, rotationStatus, lastHeartbeatAt } = device;
  const since = memory?.rentalStatusSince;
  // A beginning in the future comes from a clock that was wrong then, or is now.
  const goesOn = memory?.rentalStatus === rentalStatus && since !== undefined && since <= apiTime;
  const age = heartbeatAge(lastHeartbeatAt, apiTime);
  const problem = memory?.problem;
  const wasSilent =
    problem !== undefined && SILENT_PROBLEMS.has(problem.problem) && problem.since === lastHeartbeatAt;
  const hadStopped = problem?.problem === 'rotation_stopped' && isRotationStopped(rotationStatus);
  return {
    device,
    group: groupOf(device.label, groups),
    ...silenceOf(device, age, memory?.rhythm ?? NEW_RHYTHM, moment, (limit) =>
      wasSilent ? 0 : outageWithin(age ?? 0, 0, outage, limit),
    ),
    backAt: undefined,
    rentalStatusSince: goesOn ? since : rentalStatus && apiTime,
    rentalStatusBeginSeen: false,
    rentalStatusSeconds: rentalStatus === undefined ? {} : { [rentalStatus]: 0 },
    soldSilentSeconds: rentalStatus === 'sold' ? 0 : undefined,
    rotationStoppedAt: hadStopped ? problem.since : undefined,
  };
}

/** Adds the time since the last list to the status that the device had then, and begins the present one at 0. */
function addSeconds(
  { rentalStatusSeconds, soldSilentSeconds, silent, device: { rentalStatus: before } }: FleetDevice,
  { rentalStatus: present }: Device,
  seconds: number,
): Pick<FleetDevice, 'rentalStatusSeconds' | 'soldSilentSeconds'> {
  let spent = rentalStatusSeconds;
  if (before !== undefined) spent = { ...spent, [before]: (spent[before] ?? 0) + seconds };
  if (present !== undefined && spent[present] === undefined) spent = { ...spent, [present]: 0 };
  const soldSilent = before === 'sold' && silent ? seconds : 0;
  const isKnown = soldSilentSeconds !== undefined || present === 'sold';
  return {
    rentalStatusSeconds: spent,
    soldSilentSeconds: isKnown ? (soldSilentSeconds ?? 0) + soldSilent : undefined,
  };
}

/** Returns when the rotation was seen to stop, by the clock of the API; undefined while it is active or unknown. */
function rotationStop(before: FleetDevice, { rotationStatus }: Device, apiTime: number): number | undefined {
  if (!isRotationStopped(rotationStatus)) return undefined;
  return before.device.rotationStatus === ACTIVE ? apiTime : before.rotationStoppedAt;
}

const ACTIVE = 'active';

function isRotationStopped(status: Device['rotationStatus']): boolean {
  return status !== undefined && status !== ACTIVE;
}

function heartbeatAge(lastHeartbeatAt: number | undefined, apiTime: number): number | undefined {
  if (lastHeartbeatAt === undefined || lastHeartbeatAt - apiTime > FUTURE_LIMIT_MILLISECONDS)
    return undefined;
  return Math.max(0, apiTime - lastHeartbeatAt) / 1000;
}

type MutableCounts = { -readonly [Rental in keyof DeviceCounts]: Record<keyof DeviceCounts[Rental], number> };

function noCounts(): MutableCounts {
  const none = { listed: 0, not_listed: 0, other: 0 };
  return { sold: { ...none }, self_rented: { ...none }, idle: { ...none }, other: { ...none } };
}

function count(counts: MutableCounts, { rentalStatus, marketplaceStatus }: Device): void {
  counts[rentalStatus ?? OTHER][marketplaceStatus ?? OTHER] += 1;
}
