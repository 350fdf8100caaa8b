import {
  between,
  createRandom,
  deriveSeed,
  hexDigits,
  pick,
  pickWeighted,
  type Random,
} from '../../base/random.ts';
import type { MARKETPLACE_STATUSES, RENTAL_STATUSES, SETUP_STATUSES } from '../../model/device.ts';

/** A phone on the simulated marketplace: its fields in the API, and its behaviour. An `undefined` field is omitted. */
export type Phone = {
  /** 24 hexadecimal digits, ascending in the order of creation. */
  readonly deviceId: string;
  readonly brand: string;
  readonly model: string;
  readonly label: string;
  readonly appVersion: string;
  readonly setupStatus: (typeof SETUP_STATUSES)[number];
  readonly rentalStatus: (typeof RENTAL_STATUSES)[number];
  readonly marketplaceStatus: (typeof MARKETPLACE_STATUSES)[number];
  /** `selfRent.status` while self-rented. */
  readonly selfRentStatus: string;
  /** `selfRent` while the phone is not self-rented; the API document leaves it open. */
  readonly noSelfRent: null | undefined | Readonly<Record<string, never>>;
  /** The document shows no status other than `active`. */
  readonly rotation: { readonly status: string; readonly intervalInMs: number } | null | undefined;
  /** State of the tunnel while the phone is self-rented; `missing` gives a 404, and `broken` a 500. */
  readonly tunnel: 'up' | 'down' | 'missing' | 'broken';
  /** It sends heartbeats. */
  readonly online: boolean;
  readonly heartbeatIntervalMilliseconds: number;
  /** Earnings while it is sold, as a whole number. */
  readonly centsPerHour: number;
  readonly seed: number;
};

const BRANDS = { samsung: 34, Xiaomi: 26, Google: 14, motorola: 10, OnePlus: 8, OPPO: 5, HUAWEI: 3 };

const MODELS: Readonly<Record<keyof typeof BRANDS, readonly [string, ...string[]]>> = {
  samsung: ['SM-A546B', 'SM-A156B', 'SM-G991B', 'SM-S911B'],
  Xiaomi: ['Redmi Note 12', 'Redmi 13C', 'Mi 11 Lite 5G'],
  Google: ['Pixel 6a', 'Pixel 7a', 'Pixel 8'],
  motorola: ['moto g54 5G', 'moto g84 5G'],
  OnePlus: ['CPH2465', 'Nord CE 3'],
  OPPO: ['A78 5G', 'Reno8'],
  HUAWEI: ['P30 lite'],
};

/** 2023-01-01T00:00:00Z, with one more phone every minute. */
const FIRST_CREATED_SECONDS = 1_672_531_200;
const CREATED_EVERY_SECONDS = 60;

/** Reports whether a phone can be rented. The few others are idle and not listed. */
export const isReady = (phone: Pick<Phone, 'setupStatus'>): boolean =>
  phone.setupStatus === 'complete' || phone.setupStatus === 'active';

/** Creates a fleet in the order of creation. A smaller fleet is the start of a larger one with the same seed. */
export function createFleet({ seed, size }: { readonly seed: number; readonly size: number }): Phone[] {
  return Array.from({ length: size }, (_, index) => createPhone(seed, index));
}

export function createPhone(seed: number, index: number): Phone {
  const phoneSeed = deriveSeed(seed, index);
  const random = createRandom(phoneSeed);
  const brand = pickWeighted(random, BRANDS);
  return {
    deviceId: deviceIdFor(seed, index),
    brand,
    model: pick(random, MODELS[brand]),
    label: labelFor(index, random),
    appVersion: pickWeighted(random, { '2.14.1': 70, '2.14.0': 18, '2.13.5': 9, '2.15.0-beta.2': 3 }),
    ...statesFor(random),
    selfRentStatus: pickWeighted(random, { active: 94, expiring: 4, provisioning: 2 }),
    noSelfRent: pick(random, [null, undefined, {}]),
    rotation: rotationFor(random),
    tunnel: pickWeighted(random, { up: 96, down: 2, missing: 2 }),
    heartbeatIntervalMilliseconds: between(random, 29_000, 31_000),
    centsPerHour: between(random, 4, 16),
    seed: phoneSeed,
  };
}

/** Like a MongoDB object id: seconds since 1970, five bytes of the machine, a counter of three bytes. */
function deviceIdFor(seed: number, index: number): string {
  const seconds = (FIRST_CREATED_SECONDS + index * CREATED_EVERY_SECONDS).toString(16).padStart(8, '0');
  const machine = hexDigits(createRandom(deriveSeed(seed, -1)), 10);
  return seconds + machine + (index % 2 ** 24).toString(16).padStart(6, '0');
}

/** About 60 % sold, 15 % self-rented, the rest idle; most listed, most online. */
function statesFor(
  random: Random,
): Pick<Phone, 'setupStatus' | 'rentalStatus' | 'marketplaceStatus' | 'online'> {
  const setupStatus = pickWeighted(random, {
    complete: 64,
    active: 30,
    incomplete: 2,
    awaiting_agent: 2,
    awaiting_device_details: 1,
    draft: 1,
  });
  if (!isReady({ setupStatus })) {
    const online = setupStatus === 'incomplete';
    return { setupStatus, rentalStatus: 'idle', marketplaceStatus: 'not_listed', online };
  }
  return {
    setupStatus,
    rentalStatus: pickWeighted(random, { sold: 64, self_rented: 16, idle: 20 }),
    marketplaceStatus: random() < 0.95 ? 'listed' : 'not_listed',
    online: random() < 0.95,
  };
}

function rotationFor(random: Random): Phone['rotation'] {
  const intervalInMs = pick(random, [120_000, 300_000, 600_000, 1_800_000]);
  const status = pickWeighted(random, { active: 82, paused: 6, rotating: 2, none: 5, omitted: 5 });
  if (status === 'none') return null;
  return status === 'omitted' ? undefined : { status, intervalInMs };
}

const PLACES = ['attic', 'cupboard', 'garage', 'hallway', 'office', 'shop'] as const;

/** Returns the label of phone number `index`: its place. */
function labelFor(index: number, random: Random): string {
  const rack = String(Math.floor(index / 24) + 1).padStart(2, '0');
  const slot = String((index % 24) + 1).padStart(2, '0');
  if (between(random, 1, 10) <= 8) return `rack-${rack}/slot-${slot}`;
  return `${pick(random, PLACES)} ${rack}-${slot}`;
}
