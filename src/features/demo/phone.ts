import {
  between,
  createRandom,
  deriveSeed,
  hexDigits,
  pickWeighted,
  type Random,
} from '../../base/random.ts';
import type { MARKETPLACE_STATUSES, RENTAL_STATUSES, SETUP_STATUSES } from '../../model/device.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';
import { isReady, type Phone, type RotationItem, type TunnelState } from './phones.ts';

/** "Device" of the API document, in its order of fields. An `undefined` field is omitted. */
export type DeviceItem = {
  readonly deviceId: string;
  readonly model: string;
  readonly brand: string;
  readonly label: string;
  readonly setupStatus: (typeof SETUP_STATUSES)[number];
  readonly appVersion: string;
  readonly lastHeartbeatAt: string;
  readonly rentalStatus: (typeof RENTAL_STATUSES)[number];
  readonly marketplaceStatus: (typeof MARKETPLACE_STATUSES)[number];
  readonly selfRent:
    | { readonly status: string; readonly rentalId: string }
    | null
    | undefined
    | Readonly<Record<string, never>>;
  readonly rotation: RotationItem | null | undefined;
};

/** Facts about a phone that change by themselves, each at its own times. */
export const CHANGING_FACTS = ['online', 'rentalStatus', 'tunnel'] as const;

export type ChangingFact = (typeof CHANGING_FACTS)[number];

type Facts = Pick<Phone, ChangingFact>;

/** Changes of a phone by a script: everything but its identity. */
export type PhonePatch = Partial<Omit<Phone, 'deviceId' | 'seed'>>;

/** A phone and its state in the simulation. */
export type SimulatedPhone = {
  phone: Phone;
  /** Facts without edits; they differ from `phone` in the pinned facts only. */
  facts: Facts;
  /** Facts that a script has set. */
  pinned: ReadonlySet<ChangingFact>;
  /** While online, a heartbeat is sent at this instant and every interval after it. */
  beatsFrom: number;
  /** The last heartbeat of an offline phone. */
  lastBeatAt: number;
  /** Number of self-rents, and the rental id of the last one. */
  selfRents: number;
  rentalId: string;
};

const HEARTBEAT_STREAM = 201;
const RENTAL_STREAM = 202;

/** Creates the state of a phone at `now`. Its last heartbeat is recent, or some time ago if it is offline. */
export function createSimulatedPhone(phone: Phone, now: number): SimulatedPhone {
  const random = createRandom(deriveSeed(phone.seed, HEARTBEAT_STREAM));
  const lastBeatAt = now - between(random, 0, phone.heartbeatIntervalMilliseconds - 1);
  const offlineFor = isReady(phone) ? between(random, 0, HOUR) : between(random, 0, 30 * DAY);
  return {
    phone,
    facts: { online: phone.online, rentalStatus: phone.rentalStatus, tunnel: phone.tunnel },
    pinned: new Set(),
    beatsFrom: lastBeatAt,
    lastBeatAt: phone.online ? lastBeatAt : lastBeatAt - offlineFor,
    selfRents: 0,
    rentalId: rentalIdOf(phone, 0),
  };
}

/** Applies changed facts, except pinned ones. */
export function applyChanges(simulated: SimulatedPhone, facts: Facts, at: number): void {
  simulated.facts = facts;
  const { pinned, phone } = simulated;
  const changes: Facts = {
    online: pinned.has('online') ? phone.online : facts.online,
    rentalStatus: pinned.has('rentalStatus') ? phone.rentalStatus : facts.rentalStatus,
    tunnel: pinned.has('tunnel') ? phone.tunnel : facts.tunnel,
  };
  patchPhone(simulated, changes, at);
}

/** Applies a script's changes and pins the facts among them. */
export function editPhone(simulated: SimulatedPhone, patch: PhonePatch, at: number): void {
  simulated.pinned = new Set([...simulated.pinned, ...CHANGING_FACTS.filter((fact) => fact in patch)]);
  patchPhone(simulated, patch, at);
}

/** Returns pinned facts to the values without edits. */
export function releasePhone(simulated: SimulatedPhone, at: number): void {
  simulated.pinned = new Set();
  patchPhone(simulated, simulated.facts, at);
}

/** Changes a phone at an instant, and keeps its heartbeats and rentals consistent. */
function patchPhone(simulated: SimulatedPhone, patch: PhonePatch, at: number): void {
  const before = simulated.phone;
  const lastBeatAt = lastHeartbeatAt(simulated, at);
  simulated.phone = { ...before, ...patch };
  simulated.lastBeatAt = lastBeatAt;
  if (simulated.phone.online) simulated.beatsFrom = before.online ? lastBeatAt : at;
  if (simulated.phone.rentalStatus === 'self_rented' && before.rentalStatus !== 'self_rented') {
    simulated.selfRents += 1;
    simulated.rentalId = rentalIdOf(simulated.phone, simulated.selfRents);
  }
}

/** Returns the last heartbeat at or before `now`, in milliseconds since 1970. */
export function lastHeartbeatAt({ phone, beatsFrom, lastBeatAt }: SimulatedPhone, now: number): number {
  if (!phone.online) return lastBeatAt;
  const interval = phone.heartbeatIntervalMilliseconds;
  return beatsFrom + Math.floor((now - beatsFrom) / interval) * interval;
}

/** Returns the present earnings of a phone. */
export function centsPerHour({ phone }: SimulatedPhone): number {
  return phone.rentalStatus === 'sold' && !phone.archived ? phone.centsPerHour : 0;
}

/** Returns true if the tunnel can be read ("Availability rule"). */
export function hasTunnel({ phone }: SimulatedPhone): boolean {
  return phone.rentalStatus === 'self_rented' && phone.tunnel !== 'missing' && !phone.archived;
}

/** Returns the phone as the device list shows it at `now`. */
export function deviceItem(simulated: SimulatedPhone, now: number): DeviceItem {
  const { phone } = simulated;
  return {
    deviceId: phone.deviceId,
    model: phone.model,
    brand: phone.brand,
    label: phone.label,
    setupStatus: phone.setupStatus,
    appVersion: phone.appVersion,
    lastHeartbeatAt: new Date(lastHeartbeatAt(simulated, now)).toISOString(),
    rentalStatus: phone.rentalStatus,
    marketplaceStatus: phone.marketplaceStatus,
    selfRent:
      phone.rentalStatus === 'self_rented'
        ? { status: phone.selfRentStatus, rentalId: simulated.rentalId }
        : phone.noSelfRent,
    rotation: phone.rotation,
  };
}

function rentalIdOf(phone: Phone, selfRents: number): string {
  return hexDigits(createRandom(deriveSeed(phone.seed, RENTAL_STREAM, selfRents)), 24);
}

/** Returns a duration between half and one and a half of the mean. */
const around = (mean: number, random: Random): number => Math.round(mean * (0.5 + random()));

/**
 * Mean durations that keep the mix of `createFleet`: a cycle of 10 hours is 2 hours idle and then either sold (three times
 * in four) or self-rented.
 */
const RENTAL_MEANS = { idle: 2 * HOUR, sold: 8.5 * HOUR, self_rented: 6.5 * HOUR } as const;

/** Next value of each fact, and the duration of that value. */
export const FACT_CHANGES: Readonly<
  Record<
    ChangingFact,
    {
      readonly next: (phone: Phone, facts: Facts, random: Random) => Facts;
      readonly durationMilliseconds: (facts: Facts, random: Random) => number;
    }
  >
> = {
  /** A phone goes offline about once a day, mostly for minutes, sometimes for hours. */
  online: {
    next: (_phone, facts) => ({ ...facts, online: !facts.online }),
    durationMilliseconds: (facts, random) => {
      if (facts.online) return around(20 * HOUR, random);
      return random() < 0.8 ? around(20 * MINUTE, random) : around(4 * HOUR, random);
    },
  },
  /** Idle time follows each rental. Phones that are not listed can only be self-rented. */
  rentalStatus: {
    next: (phone, facts, random) => ({ ...facts, rentalStatus: nextRental(phone, facts, random) }),
    durationMilliseconds: (facts, random) => around(RENTAL_MEANS[facts.rentalStatus], random),
  },
  /** Changes all the time, but shows only while the phone is self-rented. */
  tunnel: {
    next: (_phone, facts, random) => ({ ...facts, tunnel: nextTunnel(facts, random) }),
    durationMilliseconds: (facts, random) =>
      facts.tunnel === 'up' ? around(8 * HOUR, random) : between(random, 2 * MINUTE, 25 * MINUTE),
  },
};

function nextRental(phone: Phone, facts: Facts, random: Random): Facts['rentalStatus'] {
  if (facts.rentalStatus !== 'idle') return 'idle';
  return phone.marketplaceStatus === 'listed' && random() < 0.75 ? 'sold' : 'self_rented';
}

function nextTunnel(facts: Facts, random: Random): TunnelState {
  if (facts.tunnel !== 'up') return 'up';
  return pickWeighted<TunnelState>(random, [
    [2, 'down'],
    [1, 'missing'],
  ]);
}
