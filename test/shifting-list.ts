import type { ApiResponse } from '../src/api/response.ts';
import type { DevicePage } from '../src/api/schemas.ts';
import { between, createRandom, hexDigits, pick } from '../src/base/random.ts';
import type { Device } from '../src/model/device.ts';
import { bareDevice, NOON } from './builders.ts';

const STATUSES = ['sold', 'self_rented', 'idle'] as const;

/** Maximum size of the fleet, as a multiple of its first size. */
const LARGEST_SHARE = 1.3;

export type ShiftingListOptions = {
  readonly seed: number;
  /** Number of phones at first. */
  readonly size: number;
  readonly pageSize: number;
  /** Newest heartbeat first, newest phone first, or by rental status and then the newest phone first. */
  readonly order: 'heartbeat' | 'creation' | 'status';
  /** Every phone beats once in so many milliseconds, each in a rhythm of its own by up to this share. */
  readonly heartbeatMilliseconds: number;
  readonly heartbeatSpread: number;
  /** Milliseconds between reading one page and the next. */
  readonly pageMilliseconds: number;
  /** Events a second over all phones: changes of a status, new phones, and removals. */
  readonly statusChanges: number;
  readonly comings: number;
  readonly goings: number;
};

type Phone = {
  readonly id: string;
  readonly createdAt: number;
  readonly interval: number;
  status: (typeof STATUSES)[number];
  beatAt: number;
};

/** A device list that keeps changing while its pages are read. */
export type ShiftingList = {
  readonly now: () => number;
  readonly pass: (milliseconds: number) => void;
  /** Reads a page, which takes time. */
  readonly read: (number: number) => ApiResponse<DevicePage>;
  readonly ids: () => ReadonlySet<string>;
  /** Takes a share of the phones away at once. */
  readonly lose: (share: number) => void;
  /** Adds phones until there are as many as at first. */
  readonly restock: () => void;
};

export function createShiftingList(options: ShiftingListOptions): ShiftingList {
  const { order, pageSize, heartbeatMilliseconds, heartbeatSpread } = options;
  const random = createRandom(options.seed);
  let now = 0;
  let phones: readonly Phone[] = [];
  let sorted: readonly Phone[] | undefined;
  const spread = heartbeatMilliseconds * heartbeatSpread;
  const add = (): void => {
    const interval = between(random, heartbeatMilliseconds - spread, heartbeatMilliseconds + spread);
    const beatAt = now - Math.floor(random() * interval);
    const phone = {
      id: hexDigits(random, 8),
      createdAt: now,
      interval,
      status: pick(random, STATUSES),
      beatAt,
    };
    phones = [phone, ...phones];
  };
  const restock = (): void => {
    while (phones.length < options.size) add();
    sorted = undefined;
  };
  restock();

  const happens = (perSecond: number, milliseconds: number): number => {
    const expected = (perSecond * milliseconds) / 1000;
    return Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    sorted = undefined;
    for (const phone of phones) {
      const beats = Math.floor((now - phone.beatAt) / phone.interval);
      phone.beatAt += beats * phone.interval;
    }
    for (let left = happens(options.statusChanges, milliseconds); left > 0; left -= 1) {
      const phone = phones[Math.floor(random() * phones.length)];
      if (phone !== undefined) phone.status = pick(random, STATUSES);
    }
    for (let left = happens(options.comings, milliseconds); left > 0; left -= 1) {
      // A fleet that wandered off to any size would be another one to read.
      if (phones.length < options.size * LARGEST_SHARE) add();
    }
    for (let left = happens(options.goings, milliseconds); left > 0; left -= 1) {
      phones = phones.toSpliced(Math.floor(random() * phones.length), 1);
    }
  };

  return {
    now: () => NOON + now,
    pass,
    read: (number) => {
      pass(options.pageMilliseconds);
      sorted ??= arrange(phones, order);
      const devices = sorted.slice((number - 1) * pageSize, number * pageSize).map(deviceOf);
      const total = phones.length;
      const totalPages = Math.ceil(total / pageSize);
      return {
        value: { devices, rejected: 0, faulty: false, total, page: number, limit: pageSize, totalPages },
        apiTime: NOON + now,
      };
    },
    ids: () => new Set(phones.map(({ id }) => id)),
    lose: (share) => {
      phones = phones.filter(() => random() >= share);
      sorted = undefined;
    },
    restock,
  };
}

function arrange(phones: readonly Phone[], order: ShiftingListOptions['order']): readonly Phone[] {
  if (order === 'creation') return phones;
  if (order === 'heartbeat') return phones.toSorted((one, other) => other.beatAt - one.beatAt);
  return phones.toSorted((one, other) => STATUSES.indexOf(one.status) - STATUSES.indexOf(other.status));
}

function deviceOf({ id, status, beatAt }: Phone): Device {
  return bareDevice({ id, rentalStatus: status, lastHeartbeatAt: NOON + beatAt });
}
