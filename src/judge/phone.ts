import type { Device } from '../model/device.ts';
import { type DepartedDevice, type FleetDevice, NO_PROPERTIES, type Properties } from '../model/fleet.ts';
import { type GroupSettings, groupOf } from '../model/group.ts';
import { CLOCK_TOLERANCE } from '../model/heartbeat.ts';
import { MUTED } from '../model/muted.ts';
import type { ListedDevice } from '../model/observation.ts';
import { HOUR } from '../model/time.ts';
import type { Spell } from '../model/times.ts';
import { isHeartbeatOlder, isOldDescription } from './absence.ts';
import { PATIENT_LIMIT } from './first-day.ts';
import { firstSpells, spellsAfter } from './last-day.ts';
import {
  type Excuse,
  type Gap,
  heartbeatStateAfter,
  NEW_HEARTBEAT_STATE,
  NEW_RHYTHM,
  usableAge,
} from './offline.ts';
import type { MutedSince } from './problems.ts';
import { timesAfter } from './times.ts';

/** Inputs that all devices of a list share. */
export type ListContext = {
  readonly groups: GroupSettings;
  /** Returns the properties of a device; undefined to keep the known ones. */
  readonly propertiesOf: ((id: string, label: string) => Properties) | undefined;
  /** Heartbeat age above which each device is offline; undefined if thresholds are learned. */
  readonly offlineAfterSeconds: number | undefined;
  /** Phones that get more time before they are offline. */
  readonly withMoreTime: ReadonlySet<string>;
  /** The API's clock at the list, in milliseconds since 1970, and the correction of its pages' times. */
  readonly apiTime: number;
  readonly clockShift: number;
  /** Seconds in which the API was down until this list; 0 if it was not. */
  readonly outage: number;
  /** Seconds by which the API's clock has jumped ahead since the last list; 0 if it has not. */
  readonly clockJump: number;
  /** Milliseconds since the last list; undefined if unknown or too long to count as observed. */
  readonly elapsed: number | undefined;
  /** Milliseconds after which an older description of a device is accepted. */
  readonly lifetime: number;
  readonly mutedSince: MutedSince;
};

/**
 * Returns a device after a list showed it.
 *
 * @param before undefined the first time it is listed
 * @param elapsed milliseconds since it was last seen; undefined if its state in between is unknown
 * @param excuse reason why its rhythm is not learned from the time since then
 * @param departed what was kept about it, if it left and returned
 */
export function afterListing(
  before: FleetDevice | undefined,
  { device: listed, listedAt }: ListedDevice,
  context: ListContext,
  { elapsed, excuse }: { readonly elapsed: number | undefined } & Pick<Gap, 'excuse'>,
  departed?: DepartedDevice,
): FleetDevice {
  const { apiTime, groups } = context;
  const seenAt = listedAt + context.clockShift;
  const device = before === undefined ? listed : newestOf(before, listed, context);
  const group = groupOf(device.label, groups);
  const isMuted = context.mutedSince({ device, group }) !== undefined;
  const mutedAt = isMuted ? apiTime : before?.mutedAt;
  const now = { device, listedAt: seenAt, mutedAt };
  const gap = gapBetween(before, now, context, excuse);
  const age = usableAge(device.lastHeartbeatAt, seenAt);
  const known = before ?? { ...NEW_HEARTBEAT_STATE, rhythm: departed?.rhythm ?? NEW_RHYTHM };
  const heartbeat = heartbeatStateAfter(known, gap, device, age, {
    fixed: context.offlineAfterSeconds,
    least: context.withMoreTime.has(device.id) ? PATIENT_LIMIT : 0,
  });
  const isSameStatus = before !== undefined && before.device.rentalStatus === device.rentalStatus;
  return {
    device,
    group,
    properties: context.propertiesOf?.(device.id, device.label) ?? before?.properties ?? NO_PROPERTIES,
    listedAt: seenAt,
    heartbeatAgeSeconds: heartbeat.heartbeatAgeSeconds,
    outageSeconds: heartbeat.outageSeconds,
    rhythm: heartbeat.rhythm,
    offlineAfterSeconds: heartbeat.offlineAfterSeconds,
    offline: heartbeat.offline,
    backAt: heartbeat.offline || before === undefined ? undefined : backAt(before, device, context),
    mutedAt,
    rentalStatusSince: isSameStatus
      ? notAfter(before.rentalStatusSince, apiTime)
      : device.rentalStatus && apiTime,
    rentalStatusBeginSeen: isSameStatus ? before.rentalStatusBeginSeen : elapsed !== undefined,
    times: timesAfter(
      before,
      departed?.times,
      {
        device,
        listedAt: seenAt,
        offline: heartbeat.offline,
        outageSeconds: heartbeat.outageSeconds,
        offlineAfterSeconds: heartbeat.offlineAfterSeconds,
        isMuted,
      },
      { elapsed, hasReported: gap.beat === 'new' },
      apiTime,
    ),
    spells:
      before === undefined
        ? firstSpells(apiTime)
        : spellsAfter(before.spells, spellOf(heartbeat.offline, isMuted), apiTime),
    rotationStoppedAt: rotationStop(before, device, apiTime),
  };
}

/** Returns a device after a list that misses it without confirming its removal. */
export function afterAbsence(entry: FleetDevice, apiTime: number): FleetDevice {
  const spells = spellsAfter(entry.spells, 'unknown', apiTime, entry.listedAt);
  return spells === entry.spells ? entry : { ...entry, spells };
}

/**
 * Returns the gap of a device between two lists.
 *
 * Example: lists at 14:00:00 and 14:00:30 show heartbeats at 13:59:10 and 14:00:10. The beat is new, after 60 s. If the device
 * was muted at 13:59:30, the gap has the excuse `muted`.
 */
function gapBetween(
  before: FleetDevice | undefined,
  { device, listedAt, mutedAt }: Pick<FleetDevice, 'device' | 'listedAt' | 'mutedAt'>,
  { outage, clockJump }: ListContext,
  known: Excuse | undefined,
): Gap {
  const { lastHeartbeatAt } = device;
  const heartbeatBefore = before?.device.lastHeartbeatAt;
  const seconds = ((lastHeartbeatAt ?? Number.NaN) - (heartbeatBefore ?? Number.NaN)) / 1000;
  // No device can report in time that a clock skipped. A heartbeat by the new clock counts as is.
  const wasTimed = before !== undefined && !isAhead(before.device, before.listedAt);
  let excuse = known;
  if (before !== undefined && before.outageSeconds > 0) excuse = 'outage';
  else if (clockJump > 0 || isAhead(device, listedAt)) excuse = 'clock';
  else if (mutedAt !== undefined && mutedAt >= (heartbeatBefore ?? 0)) excuse = 'muted';
  return {
    beat: seconds === 0 ? 'same' : seconds > 0 ? 'new' : 'unknown',
    seconds: seconds > 0 ? seconds : 0,
    outageSeconds: outage + (wasTimed ? clockJump : 0),
    excuse,
    isNewVersion: before !== undefined && isOtherVersion(before.device, device),
  };
}

function isOtherVersion({ appVersion: known }: Device, { appVersion }: Device): boolean {
  return known !== '' && appVersion !== '' && known !== appVersion;
}

function spellOf(offline: boolean, isMuted: boolean): Spell['state'] | undefined {
  if (!offline) return undefined;
  return isMuted ? MUTED : 'offline';
}

/** Returns an instant, or now if it is later: an instant in the future comes from a wrong clock. */
export function notAfter(instant: number | undefined, now: number): number | undefined {
  return instant === undefined ? undefined : Math.min(instant, now);
}

/** Reports whether a heartbeat is ahead of the clock of its list, because the clock was set in between. */
function isAhead({ lastHeartbeatAt }: Device, listedAt: number): boolean {
  return lastHeartbeatAt !== undefined && lastHeartbeatAt - listedAt > CLOCK_TOLERANCE;
}

/** Returns the newer description of a device, with its newest heartbeat. */
function newestOf(before: FleetDevice, listed: Device, { apiTime, lifetime }: ListContext): Device {
  const { device } = before;
  // A heartbeat in the future comes from a clock that has been set back since.
  if (isAhead(device, apiTime)) return listed;
  if (isOldDescription(before, listed.lastHeartbeatAt, apiTime, lifetime)) return device;
  const isOlder = isHeartbeatOlder(before, listed.lastHeartbeatAt);
  return isOlder ? { ...listed, lastHeartbeatAt: device.lastHeartbeatAt } : listed;
}

/** Time for which a device is shown as back. */
const BACK_MILLISECONDS = HOUR;

/** Returns the heartbeat with which an online device came back, as long as it is shown. Unknown after an API outage. */
function backAt(
  before: FleetDevice,
  { lastHeartbeatAt = Number.NaN }: Device,
  { apiTime, outage }: ListContext,
): number | undefined {
  if (before.offline)
    return outage === 0 && lastHeartbeatAt > (before.device.lastHeartbeatAt ?? 0)
      ? lastHeartbeatAt
      : undefined;
  const isShown = before.backAt !== undefined && apiTime - before.backAt <= BACK_MILLISECONDS;
  return isShown ? before.backAt : undefined;
}

const ACTIVE = 'active';

/** Returns when a list first showed that rotation had stopped, by the API's clock; undefined if active or unknown. */
function rotationStop(
  before: FleetDevice | undefined,
  { rotationStatus }: Device,
  apiTime: number,
): number | undefined {
  if (rotationStatus === undefined || rotationStatus === ACTIVE) return undefined;
  return before?.device.rotationStatus === ACTIVE ? apiTime : notAfter(before?.rotationStoppedAt, apiTime);
}
