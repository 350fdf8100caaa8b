import { compareIds, type Device } from '../model/device.ts';
import type { Absence, Fleet, FleetDevice, ListingFacts } from '../model/reading.ts';
import type { RentalStatus } from '../model/status.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import { isSuspectLoss, leaves, longer, present, suspected } from './absence.ts';

/** A heartbeat further ahead of the API's own clock than this is no usable instant. */
const FUTURE_LIMIT_MILLISECONDS = 5 * 60 * 1000;

const NO_SECONDS: Readonly<Record<RentalStatus, number>> = { sold: 0, self_rented: 0, idle: 0, other: 0 };

/** What a listing of the devices says. */
export type ListedFleet = {
  /** Each phone once, in the order of their ids. */
  readonly devices: readonly Device[];
  readonly reported: number;
  readonly listing: Omit<ListingFacts, 'suspect'>;
};

export type SettledFleet = {
  readonly fleet: Fleet;
  /** Number of phones that left it. */
  readonly removed: number;
};

/**
 * The fleet after a listing: the phones that it shows, and those known ones that it lacks and that stay for the time
 * being. What is known of the latter stays as it is.
 *
 * @param apiTime the clock of the API at the listing, in milliseconds since 1970
 * @param longestGap milliseconds without a sight of a phone after which nobody can vouch for what it does
 */
export function* settleFleet(
  previous: Fleet | undefined,
  listed: ListedFleet,
  apiTime: number,
  longestGap: number,
): SlicedWork<SettledFleet> {
  const { devices, absences } = yield* join(previous, listed, apiTime, longestGap);
  const isLoss = isSuspectLoss(absences.values(), previous?.devices.length ?? 0);
  const absent = new Map<string, Absence>();
  const gone = new Set<string>();
  let suspect = false;
  for (const [id, known] of absences) {
    const absence = isLoss ? suspected(known) : known;
    if (leaves(absence, apiTime, longestGap)) gone.add(id);
    else {
      absent.set(id, absence);
      suspect ||= absence.suspect;
    }
    if ((gone.size + absent.size) % SLICE_STEPS === 0) yield;
  }
  const { reported, listing } = listed;
  const fleet: Fleet = {
    devices: gone.size === 0 ? devices : yield* without(devices, gone),
    absent,
    reported,
    apiTime,
    listing: { ...listing, suspect },
  };
  return { fleet, removed: gone.size };
}

type Joined = { readonly devices: readonly FleetDevice[]; readonly absences: ReadonlyMap<string, Absence> };

/** Everything that is listed or known, and which of it is not listed: two lists in order, read side by side. */
function* join(
  previous: Fleet | undefined,
  listed: ListedFleet,
  apiTime: number,
  longestGap: number,
): SlicedWork<Joined> {
  const known = previous?.devices ?? [];
  const lastSight = (id: string): Absence =>
    previous?.absent.get(id) ?? present(previous?.apiTime ?? apiTime);
  const devices: FleetDevice[] = [];
  const absences = new Map<string, Absence>();
  for (let fromKnown = 0, fromListed = 0; fromKnown < known.length || fromListed < listed.devices.length; ) {
    const before = known[fromKnown];
    const device = listed.devices[fromListed];
    const order = compareIds(before?.device.id, device?.id);
    if (device !== undefined && order >= 0) {
      const elapsed = apiTime - lastSight(device.id).seenAt;
      const observedSeconds = elapsed > 0 && elapsed <= longestGap ? elapsed / 1000 : 0;
      devices.push(settleDevice(order === 0 ? before : undefined, device, apiTime, observedSeconds));
    } else if (before !== undefined) {
      devices.push(before);
      absences.set(before.device.id, longer(lastSight(before.device.id), listed.listing.complete));
    }
    if (order <= 0) fromKnown += 1;
    if (order >= 0) fromListed += 1;
    if (devices.length % SLICE_STEPS === 0) yield;
  }
  return { devices, absences };
}

function* without(
  devices: readonly FleetDevice[],
  gone: ReadonlySet<string>,
): SlicedWork<readonly FleetDevice[]> {
  const staying: FleetDevice[] = [];
  for (const [index, entry] of devices.entries()) {
    if (!gone.has(entry.device.id)) staying.push(entry);
    if (index % SLICE_STEPS === 0) yield;
  }
  return staying;
}

/** The time since the phone was last seen counts for the status that it had then. */
function settleDevice(
  before: FleetDevice | undefined,
  device: Device,
  apiTime: number,
  observedSeconds: number,
): FleetDevice {
  const unchanged = before !== undefined && before.device.rentalStatus === device.rentalStatus;
  return {
    device,
    heartbeatAgeSeconds: heartbeatAge(device.lastHeartbeatAt, apiTime),
    rentalStatusSince: unchanged ? before.rentalStatusSince : device.rentalStatus && apiTime,
    rentalStatusSeconds: addSeconds(before, observedSeconds),
  };
}

function addSeconds(
  before: FleetDevice | undefined,
  seconds: number,
): Readonly<Record<RentalStatus, number>> {
  if (before === undefined) return NO_SECONDS;
  const { rentalStatusSeconds, device } = before;
  const { rentalStatus } = device;
  if (rentalStatus === undefined || seconds === 0) return rentalStatusSeconds;
  const { sold, self_rented, idle, other } = rentalStatusSeconds;
  // Spelled out, since a copy with a computed key costs as much as all the rest of settling a phone.
  return {
    sold: rentalStatus === 'sold' ? sold + seconds : sold,
    self_rented: rentalStatus === 'self_rented' ? self_rented + seconds : self_rented,
    idle: rentalStatus === 'idle' ? idle + seconds : idle,
    other: rentalStatus === 'other' ? other + seconds : other,
  };
}

function heartbeatAge(lastHeartbeatAt: number | undefined, apiTime: number): number | undefined {
  if (lastHeartbeatAt === undefined || lastHeartbeatAt - apiTime > FUTURE_LIMIT_MILLISECONDS)
    return undefined;
  return Math.max(0, apiTime - lastHeartbeatAt) / 1000;
}
