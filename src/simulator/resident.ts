import type { MARKETPLACE_STATUSES, RENTAL_STATUSES, SETUP_STATUSES } from '../model/status.ts';
import type { Phone, RotationItem } from './fleet.ts';
import { isAlive, LIVING_FACTS, type Life, type LivingFact } from './life.ts';
import { between, createRandom, deriveSeed, hexDigits } from './random.ts';

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
  readonly selfRent: SelfRentItem | null | undefined | Readonly<Record<string, never>>;
  readonly rotation: RotationItem | null | undefined;
};

export type SelfRentItem = { readonly status: string; readonly rentalId: string };

/** What a script may change about a phone: everything but its identity. */
export type PhonePatch = Partial<Omit<Phone, 'deviceId' | 'seed'>>;

/** A phone in the world: the phone as it is now, and what time adds to it. */
export type Resident = {
  phone: Phone;
  /** What life alone would have made of it; differs from `phone` only in the facts that a script has pinned. */
  life: Life;
  pins: ReadonlySet<LivingFact>;
  /** An online phone beats at this instant and every interval after it. */
  beatsFrom: number;
  /** The last beat of a phone that is silent. */
  lastBeatAt: number;
  /** How often it was self-rented, and the rental of the last time: each is another one. */
  selfRentals: number;
  rentalId: string;
};

const HEARTBEAT_STREAM = 201;
const RENTAL_STREAM = 202;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A phone that comes into the world at `now`: its last heartbeat is recent, or some time ago if it is silent. */
export function settleIn(phone: Phone, now: number): Resident {
  const random = createRandom(deriveSeed(phone.seed, HEARTBEAT_STREAM));
  const lastBeatAt = now - between(random, 0, phone.heartbeatIntervalMilliseconds - 1);
  const silentFor = isAlive(phone) ? between(random, 0, HOUR) : between(random, 0, 30 * DAY);
  return {
    phone,
    life: { online: phone.online, rentalStatus: phone.rentalStatus, tunnel: phone.tunnel },
    pins: new Set(),
    beatsFrom: lastBeatAt,
    lastBeatAt: phone.online ? lastBeatAt : lastBeatAt - silentFor,
    selfRentals: 0,
    rentalId: rentalIdFor(phone, 0),
  };
}

/** Changes a phone at an instant, keeping its heartbeats and its rentals in step. */
export function change(resident: Resident, patch: PhonePatch, at: number): void {
  const before = resident.phone;
  const lastBeatAt = lastHeartbeatAt(resident, at);
  resident.phone = { ...before, ...patch };
  resident.lastBeatAt = lastBeatAt;
  if (resident.phone.online) resident.beatsFrom = before.online ? lastBeatAt : at;
  if (resident.phone.rentalStatus === 'self_rented' && before.rentalStatus !== 'self_rented') {
    resident.selfRentals += 1;
    resident.rentalId = rentalIdFor(resident.phone, resident.selfRentals);
  }
}

/** Lets life go on. A pinned fact does not show it until it is released. */
export function live(resident: Resident, life: Life, at: number): void {
  resident.life = life;
  change(resident, unpinned(resident), at);
}

/** A script's change: the living facts in it stay as they are, whatever life does, until they are released. */
export function edit(resident: Resident, patch: PhonePatch, at: number): void {
  resident.pins = new Set([...resident.pins, ...LIVING_FACTS.filter((fact) => fact in patch)]);
  change(resident, patch, at);
}

/** Gives the pinned facts back to life. */
export function release(resident: Resident, at: number): void {
  resident.pins = new Set();
  change(resident, resident.life, at);
}

function unpinned({ life, pins, phone }: Resident): Life {
  return {
    online: pins.has('online') ? phone.online : life.online,
    rentalStatus: pins.has('rentalStatus') ? phone.rentalStatus : life.rentalStatus,
    tunnel: pins.has('tunnel') ? phone.tunnel : life.tunnel,
  };
}

/** The last heartbeat at or before `now`, in milliseconds since 1970. */
export function lastHeartbeatAt({ phone, beatsFrom, lastBeatAt }: Resident, now: number): number {
  if (!phone.online) return lastBeatAt;
  const interval = phone.heartbeatIntervalMilliseconds;
  return beatsFrom + Math.floor((now - beatsFrom) / interval) * interval;
}

/** What the phone earns at the moment, in cents per hour. */
export function earns({ phone }: Resident): number {
  return phone.rentalStatus === 'sold' && !phone.archived ? phone.centsPerHour : 0;
}

/** Whether the hoster has a live rental of his own whose tunnel can be read ("Availability rule"). */
export function hasTunnel({ phone }: Resident): boolean {
  return phone.rentalStatus === 'self_rented' && phone.tunnel !== 'missing' && !phone.archived;
}

/** The phone as the device list shows it at `now`. */
export function deviceItem(resident: Resident, now: number): DeviceItem {
  const { phone } = resident;
  return {
    deviceId: phone.deviceId,
    model: phone.model,
    brand: phone.brand,
    label: phone.label,
    setupStatus: phone.setupStatus,
    appVersion: phone.appVersion,
    lastHeartbeatAt: new Date(lastHeartbeatAt(resident, now)).toISOString(),
    rentalStatus: phone.rentalStatus,
    marketplaceStatus: phone.marketplaceStatus,
    selfRent:
      phone.rentalStatus === 'self_rented'
        ? { status: phone.selfRentStatus, rentalId: resident.rentalId }
        : phone.noSelfRent,
    rotation: phone.rotation,
  };
}

function rentalIdFor(phone: Phone, selfRentals: number): string {
  return hexDigits(createRandom(deriveSeed(phone.seed, RENTAL_STREAM, selfRentals)), 24);
}
