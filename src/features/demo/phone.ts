import {
  between,
  createRandom,
  deriveSeed,
  hexDigits,
  pickWeighted,
  type Random,
} from '../../base/random.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';
import { isReady, type Phone } from './phones.ts';

export type PhonePatch = Partial<Omit<Phone, 'deviceId' | 'seed'>>;

export type SimulatedPhone = {
  /** The phone without edits. */
  natural: Phone;
  /** Changes made by a script. */
  edits: PhonePatch;
  phone: Phone;
  /** First heartbeat while online. Others follow at regular intervals. */
  beatsFrom: number;
  /** The last heartbeat of an offline phone. */
  lastBeatAt: number;
  selfRents: number;
};

const HEARTBEAT_STREAM = 201;
const RENTAL_STREAM = 202;

/** Creates the state of a phone at `now`. An offline phone's last heartbeat is older. */
export function createSimulatedPhone(phone: Phone, now: number): SimulatedPhone {
  const random = createRandom(deriveSeed(phone.seed, HEARTBEAT_STREAM));
  const beatsFrom = now - between(random, 0, phone.heartbeatIntervalMilliseconds - 1);
  const offlineFor = isReady(phone) ? between(random, 0, HOUR) : between(random, 0, 30 * DAY);
  return { natural: phone, edits: {}, phone, beatsFrom, lastBeatAt: beatsFrom - offlineFor, selfRents: 0 };
}

/** New values of a phone without edits, or new edits, which hide those values. */
export type PhoneChange = Partial<Pick<SimulatedPhone, 'natural' | 'edits'>>;

/** Changes a phone at an instant, and keeps its heartbeats and rentals consistent. */
export function changePhone(simulated: SimulatedPhone, change: PhoneChange, at: number): void {
  const before = simulated.phone;
  const lastBeatAt = lastHeartbeatAt(simulated, at);
  Object.assign(simulated, change);
  simulated.phone = { ...simulated.natural, ...simulated.edits };
  const { online, rentalStatus } = simulated.phone;
  if (before.online && !online) simulated.lastBeatAt = lastBeatAt;
  if (!before.online && online) simulated.beatsFrom = at;
  if (before.rentalStatus !== 'self_rented' && rentalStatus === 'self_rented') simulated.selfRents += 1;
}

/** Returns the last heartbeat at or before `now`, in milliseconds since 1970. */
export function lastHeartbeatAt({ phone, beatsFrom, lastBeatAt }: SimulatedPhone, now: number): number {
  if (!phone.online) return lastBeatAt;
  const interval = phone.heartbeatIntervalMilliseconds;
  return beatsFrom + Math.floor((now - beatsFrom) / interval) * interval;
}

export function centsPerHour({ phone }: SimulatedPhone): number {
  return phone.rentalStatus === 'sold' ? phone.centsPerHour : 0;
}

/** Reports whether the tunnel can be read ("Availability rule"). */
export function hasTunnel({ phone }: SimulatedPhone): boolean {
  return phone.rentalStatus === 'self_rented' && phone.tunnel !== 'missing';
}

/** Returns the phone as the device list shows it at `now`: "Device" in the API document, with its order of fields. */
export function deviceItem(simulated: SimulatedPhone, now: number) {
  const { phone, selfRents } = simulated;
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
        ? {
            status: phone.selfRentStatus,
            rentalId: hexDigits(createRandom(deriveSeed(phone.seed, RENTAL_STREAM, selfRents)), 24),
          }
        : phone.noSelfRent,
    rotation: phone.rotation,
  };
}

/** Returns a duration between half and one and a half of the mean. */
const around = (mean: number, random: Random): number => Math.round(mean * (0.5 + random()));

/**
 * Mean durations that keep the mix of `createFleet`: a cycle of 10 hours is 2 hours idle and then either sold (three times
 * out of four) or self-rented.
 */
const RENTAL_MEANS = { idle: 2 * HOUR, sold: 8.5 * HOUR, self_rented: 6.5 * HOUR } as const;

export type FactChanges = {
  readonly next: (phone: Phone, random: Random) => PhonePatch;
  /** Returns how long a phone keeps its value. */
  readonly durationMilliseconds: (phone: Phone, random: Random) => number;
};

/** The changes of each fact. None depends on another fact. */
export const FACT_CHANGES: Readonly<Record<'online' | 'rentalStatus' | 'tunnel', FactChanges>> = {
  /** A phone goes offline about once a day, mostly for minutes, sometimes for hours. */
  online: {
    next: ({ online }) => ({ online: !online }),
    durationMilliseconds: ({ online }, random) => {
      if (online) return around(20 * HOUR, random);
      return random() < 0.8 ? around(20 * MINUTE, random) : around(4 * HOUR, random);
    },
  },
  /** Idle time follows each rental. Phones that are not listed can only be self-rented. */
  rentalStatus: {
    next: ({ rentalStatus, marketplaceStatus }, random) => {
      if (rentalStatus !== 'idle') return { rentalStatus: 'idle' };
      const isSold = marketplaceStatus === 'listed' && random() < 0.75;
      return { rentalStatus: isSold ? 'sold' : 'self_rented' };
    },
    durationMilliseconds: ({ rentalStatus }, random) => around(RENTAL_MEANS[rentalStatus], random),
  },
  /** It always changes, but is visible only while the phone is self-rented. */
  tunnel: {
    next: ({ tunnel }, random) => ({
      tunnel: tunnel === 'up' ? pickWeighted(random, { down: 2, missing: 1 }) : 'up',
    }),
    durationMilliseconds: ({ tunnel }, random) =>
      tunnel === 'up' ? around(8 * HOUR, random) : between(random, 2 * MINUTE, 25 * MINUTE),
  },
};

const TUNNEL_STREAM = 101;

/**
 * Returns a phone's tunnel: "Self-rent tunnel" in the API document, with ports as text. Only its uptime changes: it is down
 * while the phone is offline.
 */
export function tunnelItem(phone: Phone) {
  const random = createRandom(deriveSeed(phone.seed, TUNNEL_STREAM));
  const port = between(random, 2_000, 6_000) * 10;
  const tunnelId = hexDigits(random, 24);
  return {
    tunnelId,
    status: random() < 0.97 ? 'enabled' : 'disabled',
    host: `gate-${String(between(random, 1, 12)).padStart(2, '0')}.tunnels.example.net`,
    socks5Port: String(port),
    httpsPort: String(port + 1),
    transparentSocks5Port: String(port + 2),
    uptimeStatus: phone.tunnel === 'up' && phone.online ? 'up' : 'down',
    credentials: credentialItems(phone, random),
  };
}

/** Returns one to four credentials, with names that must not appear in a log. The first is active; each other has an even chance. */
function credentialItems(phone: Phone, random: Random) {
  const phoneCreatedAt = Number.parseInt(phone.deviceId.slice(0, 8), 16) * 1_000 || 0;
  return Array.from({ length: between(random, 1, 4) }, (_, index) => {
    const suffix = `${hexDigits(random, 12)}-${index}`;
    const createdAt = phoneCreatedAt + between(random, 1, 360 * DAY);
    const updatedAt = createdAt + between(random, 0, 20 * DAY);
    return {
      credentialId: `canary-credential-${suffix}`,
      username: `canary-user-${suffix}`,
      password: `canary-password-${hexDigits(random, 24)}`,
      label: `canary-label-${suffix}`,
      status: index === 0 || random() < 0.5 ? 'active' : 'disabled',
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
    };
  });
}
