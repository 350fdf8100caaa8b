import { afterAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { listDevices } from '../../src/api/device-list.ts';
import type { ApiResponse } from '../../src/api/response.ts';
import type { DevicePage } from '../../src/api/schemas.ts';
import { between, createRandom, hexDigits, pick } from '../../src/base/random.ts';
import { finish } from '../../src/base/steps.ts';
import { step } from '../../src/judge/step.ts';
import { NEW_ACCOUNT } from '../../src/model/account.ts';
import type { Device } from '../../src/model/device.ts';
import { bareDevice, NOON, STEP_SETTINGS } from '../builders.ts';
import { never } from '../never.ts';

/** Number of listings over all models. `LISTINGS=1000000` in the environment takes minutes and prints its figures. */
const LISTINGS = Number(process.env['LISTINGS'] ?? 5_400);

const INTERVAL = 30_000;
const STALE_AFTER = STEP_SETTINGS.staleAfterMilliseconds;

/** Time between two pages: 20 ms, as with parallel requests, 200 ms or a second. The list changes meanwhile. */
const PACES = { calm: 20, brisk: 200, wild: 1_000 } as const;

const STEADY = { comings: 0, goings: 0 };
/** A phone comes and one goes every few minutes, or every half minute: many times what a hoster does. */
const CHANGING = { comings: 0.004, goings: 0.004 };
const BUSY = { comings: 0.03, goings: 0.03 };

type Model = {
  readonly name: string;
  readonly list: Omit<ShiftingListOptions, 'seed'>;
  readonly losses: number;
};

const FLEETS = { steady: STEADY, changing: CHANGING, busy: BUSY } as const;

const MODELS: readonly Model[] = (['heartbeat', 'creation', 'status'] as const).flatMap((order) =>
  Object.entries(PACES).flatMap(([pace, pageMilliseconds]) =>
    Object.entries(FLEETS).map(([fleet, flow]) => ({
      name: `${fleet} fleet by ${order}, ${pace}`,
      list: {
        ...{ size: 30, pageSize: 6, order, pageMilliseconds, ...flow },
        ...{ heartbeatMilliseconds: INTERVAL, heartbeatSpread: fleet === 'steady' ? 0 : 0.03 },
        statusChanges: pageMilliseconds / 2_000,
      },
      // A loss of some phones at once, now and then.
      losses: fleet === 'steady' ? 0 : 0.002,
    })),
  ),
);

/** Figures of many listings. A reading is a listing that did not fail. */
type Figures = {
  readonly passes: readonly number[];
  readonly complete: number;
  readonly failed: number;
  /** Phones that left the fleet although they were still there. */
  readonly falseRemovals: number;
  /** Most readings in a row that did not have a phone that was there all the time. */
  readonly longestAbsence: number;
  /** Phones that left because they were gone, and most readings in which one was still shown. */
  readonly removals: number;
  readonly longestStay: number;
};

async function simulate({ list: options, losses }: Model, listings: number, seed: number): Promise<Figures> {
  const list = createShiftingList({ ...options, seed });
  const random = createRandom(seed + 1);
  const passes = [0, 0, 0];
  const absences = new Map<string, number>();
  const stays = new Map<string, number>();
  let [complete, failed, falseRemovals, longestAbsence, removals, longestStay] = [0, 0, 0, 0, 0, 0];
  let account = NEW_ACCOUNT;
  let listedAt: number | undefined;
  let expectedPages = 1;
  for (let listing = 0; listing < listings; listing += 1) {
    if (random() < losses) list.lose(0.4);
    if (random() < losses) list.restock();
    const startedAt = list.now();
    const before = list.ids();
    const fails = random() < 0.01;
    const devicePage: ApiClient['devicePage'] = async (number) => {
      if (fails && number === 2) throw new Error('no answer');
      return list.read(number);
    };
    const answer = await listDevices({ devicePage }, never, {
      expectedPages,
      budgetMilliseconds: 0.8 * INTERVAL,
      clock: { monotonic: list.now },
      inconsistent: () => {},
    }).catch(() => undefined);
    const after = list.ids();
    if (answer === undefined) {
      failed += 1;
      expectedPages = 1;
    } else {
      const { devices, total, ...facts } = answer.value;
      const elapsed = listedAt === undefined ? undefined : list.now() - listedAt;
      listedAt = list.now();
      const observation = {
        kind: 'list',
        times: { elapsed, dueIn: INTERVAL, slack: INTERVAL },
        devices,
        reported: total,
        apiTime: answer.apiTime,
        listing: facts,
      } as const;
      const previous = account.fleet;
      account = finish(step(account, observation, STEP_SETTINGS));
      expectedPages = facts.pages;
      passes[facts.passes - 1] = (passes[facts.passes - 1] ?? 0) + 1;
      complete += facts.complete ? 1 : 0;

      const shown = new Set(account.fleet?.devices.keys());
      for (const id of previous?.devices.keys() ?? []) {
        if (shown.has(id)) continue;
        if (after.has(id)) falseRemovals += 1;
        else removals += 1;
        stays.delete(id);
      }
      for (const id of shown) {
        if (after.has(id)) continue;
        const stay = (stays.get(id) ?? 0) + 1;
        stays.set(id, stay);
        longestStay = Math.max(longestStay, stay);
      }
      for (const id of after) {
        if (!before.has(id)) continue;
        const absence = shown.has(id) ? 0 : (absences.get(id) ?? 0) + 1;
        absences.set(id, absence);
        longestAbsence = Math.max(longestAbsence, absence);
      }
    }
    list.pass(INTERVAL - (list.now() - startedAt));
  }
  return { passes, complete, failed, falseRemovals, longestAbsence, removals, longestStay };
}

describe('the listing guard', () => {
  const listings = Math.ceil(LISTINGS / MODELS.length);
  const all: Record<string, Figures> = {};

  it.each(MODELS.map((model, index) => [model.name, model, index] as const))(
    'removes no present device in a %s',
    async (name, model, index) => {
      const figures = await simulate(model, listings, index);
      all[name] = figures;
      expect(figures.falseRemovals).toBe(0);
      expect(figures.longestAbsence).toBeLessThanOrEqual(2);
      expect(figures.longestStay).toBeLessThanOrEqual(STALE_AFTER / INTERVAL + 2);
    },
  );

  it('is tried with many listings that need several passes and many removals', () => {
    const several = Object.values(all).flatMap(({ passes }) => passes.slice(1));
    expect(several.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(LISTINGS / 10);
    expect(Object.values(all).reduce((sum, { removals }) => sum + removals, 0)).toBeGreaterThan(
      LISTINGS / 10,
    );
  });

  afterAll(() => {
    if (process.env['LISTINGS'] !== undefined) console.table(all);
  });
});

const STATUSES = ['sold', 'self_rented', 'idle'] as const;

/** Maximum size of the fleet, as a multiple of its first size. */
const LARGEST_SHARE = 1.3;

type ShiftingListOptions = {
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
type ShiftingList = {
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

function createShiftingList(options: ShiftingListOptions): ShiftingList {
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
