import type { Device, Devices } from '../model/device.ts';
import type { Absence, Fleet, FleetDevice, ListingFacts, Neighbour, Phones } from '../model/reading.ts';
import type { RentalStatus } from '../model/status.ts';
import { SLICE_STEPS, type SlicedWork } from '../slices.ts';
import { isSuspectLoss, leaves, longer, present, suspected } from './absence.ts';
import { type Joint, join, type Sequence } from './join.ts';
import { Packer, packPhones } from './pack.ts';
import { summarise } from './summary.ts';

/** A heartbeat further ahead of the API's own clock than this is no usable instant. */
const FUTURE_LIMIT_MILLISECONDS = 5 * 60 * 1000;

const NO_SECONDS: Readonly<Record<RentalStatus, number>> = { sold: 0, self_rented: 0, idle: 0, other: 0 };

/** What a listing of the devices says. */
export type ListedFleet = {
  /** The phones that this process looks after. */
  readonly devices: Devices;
  /** All others, each once, in the order of their ids. */
  readonly neighbours: readonly Neighbour[];
  readonly reported: number;
  readonly listing: Omit<ListingFacts, 'suspect'>;
};

export type SettledFleet = {
  readonly fleet: Fleet;
  /** Number of phones that left it, those of other shards among them. */
  readonly removed: number;
};

/**
 * The fleet after a listing: the phones that it shows, and those known ones that it lacks and that stay for the time
 * being. What is known of the latter stays as it is. Whether a loss is suspect, the phones of all shards tell together,
 * so that each shard comes to the same answer as a process that looks after all of them.
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
  const known = previous ?? NO_FLEET;
  const settling = new Settling(previous, listed, apiTime, longestGap);
  yield* join(known.devices, listed.devices, settling);
  const neighbours: Neighbour[] = [];
  yield* join(known.neighbours, listed.neighbours, {
    idOf: ofPhone,
    settle: (_, neighbour) => neighbour,
    keep: (neighbour) => neighbours.push(neighbour),
    miss: (id) => settling.miss(id),
  });
  const { absences } = settling;
  const isLoss = isSuspectLoss(absences.values(), known.devices.length + known.neighbours.length);
  const { absent, gone, suspect } = yield* judge(absences, isLoss, apiTime, longestGap);
  const { reported, listing } = listed;
  const devices = settling.packed();
  const staying = gone.size === 0 ? devices : yield* packPhones(without(devices, gone, ofEntry));
  const others = gone.size === 0 ? neighbours : [...without(neighbours, gone, ofPhone)];
  const fleet: Fleet = {
    devices: staying,
    neighbours: others,
    summary: yield* summarise(staying, others),
    absent,
    reported,
    apiTime,
    listing: { ...listing, suspect },
  };
  return { fleet, removed: gone.size };
}

type Judged = {
  /** Those that stay for the time being. */
  readonly absent: ReadonlyMap<string, Absence>;
  readonly gone: ReadonlySet<string>;
  readonly suspect: boolean;
};

function* judge(
  absences: ReadonlyMap<string, Absence>,
  isLoss: boolean,
  apiTime: number,
  longestGap: number,
): SlicedWork<Judged> {
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
  return { absent, gone, suspect };
}

const NO_FLEET: { readonly devices: Sequence<FleetDevice>; readonly neighbours: readonly Neighbour[] } = {
  devices: [],
  neighbours: [],
};

const ofEntry = ({ device }: FleetDevice): string => device.id;
const ofPhone = ({ id }: Neighbour): string => id;

function* without<Known extends object>(
  known: Iterable<Known>,
  gone: ReadonlySet<string>,
  idOf: (known: Known) => string,
): Generator<Known> {
  for (const each of known) if (!gone.has(idOf(each))) yield each;
}

/** Settles the phones that this process looks after. A class: see docs/decisions/0019. */
class Settling implements Joint<FleetDevice, Device> {
  readonly absences = new Map<string, Absence>();
  readonly idOf = ofEntry;
  readonly #previous: Fleet | undefined;
  readonly #listed: ListedFleet;
  readonly #apiTime: number;
  readonly #longestGap: number;
  readonly #packer: Packer;

  constructor(previous: Fleet | undefined, listed: ListedFleet, apiTime: number, longestGap: number) {
    this.#previous = previous;
    this.#listed = listed;
    this.#apiTime = apiTime;
    this.#longestGap = longestGap;
    this.#packer = new Packer(listed.devices.length, previous?.devices);
  }

  settle(before: FleetDevice | undefined, device: Device): FleetDevice {
    const elapsed = this.#apiTime - this.#lastSight(device.id).seenAt;
    const observedSeconds = elapsed > 0 && elapsed <= this.#longestGap ? elapsed / 1000 : 0;
    return settleDevice(before, device, this.#apiTime, observedSeconds);
  }

  keep(phone: FleetDevice): void {
    this.#packer.push(phone);
  }

  miss(id: string): void {
    this.absences.set(id, longer(this.#lastSight(id), this.#listed.listing.complete));
  }

  packed(): Phones {
    return this.#packer.packed();
  }

  #lastSight(id: string): Absence {
    return this.#previous?.absent.get(id) ?? present(this.#previous?.apiTime ?? this.#apiTime);
  }
}

/** The time since the phone was last seen counts for the status that it had then. */
function settleDevice(
  before: FleetDevice | undefined,
  device: Device,
  apiTime: number,
  observedSeconds: number,
): FleetDevice {
  const { rentalStatus } = device.state;
  const unchanged = before !== undefined && before.device.state.rentalStatus === rentalStatus;
  return {
    device,
    heartbeatAgeSeconds: heartbeatAge(device.lastHeartbeatAt, apiTime),
    rentalStatusSince: unchanged ? before.rentalStatusSince : rentalStatus && apiTime,
    rentalStatusSeconds: addSeconds(before, observedSeconds),
  };
}

function addSeconds(
  before: FleetDevice | undefined,
  seconds: number,
): Readonly<Record<RentalStatus, number>> {
  if (before === undefined) return NO_SECONDS;
  const { rentalStatusSeconds, device } = before;
  const { rentalStatus } = device.state;
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
