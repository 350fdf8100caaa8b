import { createRandom, deriveSeed } from '../../base/random.ts';
import { HOUR } from '../../model/time.ts';
import { type DeviceListPage, deviceListPage, type ListQuery } from './device-list.ts';
import {
  applyChanges,
  CHANGING_FACTS,
  type ChangingFact,
  centsPerHour,
  createSimulatedPhone,
  editPhone,
  FACT_CHANGES,
  hasTunnel,
  type PhonePatch,
  releasePhone,
  type SimulatedPhone,
} from './phone.ts';
import { isReady, type Phone } from './phones.ts';
import { type TunnelItem, tunnelItem } from './tunnel.ts';

export type MarketplaceOptions = {
  readonly seed: number;
  /** The fleet, in the order of creation; usually from `createFleet`. */
  readonly phones: readonly Phone[];
  /** Beginning of the simulation, in milliseconds since 1970. */
  readonly startAt: number;
  /** False: nothing but heartbeats changes without an edit. By default true. */
  readonly lively?: boolean;
  readonly availableCents?: number;
  readonly pendingCents?: number;
};

/** "Balance" of the API document; whole cents. */
type BalanceItem = {
  readonly availableCents: number;
  readonly pendingCents: number;
  readonly totalCents: number;
};

/** Changes of the account by a script. */
type AccountPatch = Partial<Pick<BalanceItem, 'availableCents' | 'pendingCents'>> & {
  /** A suspended account gets 403 HOSTER_BANNED. */
  readonly suspended?: boolean;
};

/**
 * A hoster's phones and money on the simulated marketplace. Equal options and times give equal results, in whatever steps
 * time advances. Instants are milliseconds since 1970.
 */
export type Marketplace = {
  readonly now: () => number;
  /** Moves time to an instant; an earlier one changes nothing. */
  readonly advance: (to: number) => void;
  readonly devices: (query: ListQuery) => DeviceListPage;
  /** Returns the tunnel of a phone; undefined while it has none. */
  readonly tunnel: (deviceId: string) => TunnelItem | 'broken' | undefined;
  readonly balance: () => BalanceItem;
  readonly isSuspended: () => boolean;
  /** Returns the present phones, with archived ones, in the order of creation. */
  readonly phones: () => readonly Phone[];
  /**
   * Changes phones from now on. An edited `online`, `rentalStatus` or `tunnel` no longer changes by itself until `release`.
   * Archive a phone to remove it. Throws a RangeError for an unknown device id.
   *
   * @param at of a change to `online` that happened earlier; now by default
   */
  readonly edit: (deviceIds: readonly string[], patch: PhonePatch, at?: number) => void;
  /** Lets edited phones change by themselves again. */
  readonly release: (deviceIds: readonly string[]) => void;
  /** Adds a phone as the last of the fleet. Throws a RangeError if its device id exists. */
  readonly add: (phone: Phone) => void;
  readonly editAccount: (patch: AccountPatch) => void;
};

const SETTLEMENT_EVERY = 4 * HOUR;
const PAYOUT_STREAM = 301;

export function createMarketplace(options: MarketplaceOptions): Marketplace {
  const { seed, startAt, lively = true } = options;
  const { availableCents = 125_000, pendingCents = 8_200 } = options;
  const events = createEventQueue();
  const ledger = createLedger(startAt, availableCents, pendingCents);
  const phones = new Map<string, SimulatedPhone>();
  let now = startAt;
  let suspended = false;
  /** Phones that are not archived, in the order of creation. */
  let listed: readonly SimulatedPhone[] = [];
  const updateListed = (): void => {
    listed = [...phones.values()].filter(({ phone }) => !phone.archived);
  };

  /** Keeps the ledger's rate in step. The ledger has to be up to the instant of the change. */
  const change = (simulated: SimulatedPhone, act: () => void): void => {
    const before = centsPerHour(simulated);
    act();
    ledger.changeRate(centsPerHour(simulated) - before);
  };

  /** Changes phones now. */
  const update = (deviceIds: readonly string[], act: (simulated: SimulatedPhone) => void): void => {
    for (const deviceId of deviceIds) {
      const simulated = phones.get(deviceId);
      if (simulated === undefined) throw new RangeError(`There is no phone ${deviceId} on this marketplace.`);
      change(simulated, () => act(simulated));
    }
    updateListed();
  };

  /** Schedules all changes of one fact of one phone. Each has random numbers of its own, independent of other events. */
  const scheduleChanges = (simulated: SimulatedPhone, fact: ChangingFact): void => {
    const stream = CHANGING_FACTS.indexOf(fact);
    const { next, durationMilliseconds } = FACT_CHANGES[fact];
    let changes = 0;
    const nextRandom = () => createRandom(deriveSeed(seed, simulated.phone.seed, stream, changes));
    const first = nextRandom();
    events.add({
      // The present state began some time before the simulation.
      at: now + Math.round(durationMilliseconds(simulated.facts, first) * first()),
      occur: (at) => {
        changes += 1;
        const random = nextRandom();
        const facts = next(simulated.phone, simulated.facts, random);
        ledger.accrue(at);
        change(simulated, () => applyChanges(simulated, facts, at));
        return at + durationMilliseconds(facts, random);
      },
    });
  };

  const add = (phone: Phone): void => {
    if (phones.has(phone.deviceId)) throw new RangeError(`There is already a phone ${phone.deviceId}.`);
    const simulated = createSimulatedPhone(phone, now);
    phones.set(phone.deviceId, simulated);
    ledger.changeRate(centsPerHour(simulated));
    if (lively && isReady(phone)) for (const fact of CHANGING_FACTS) scheduleChanges(simulated, fact);
  };

  for (const phone of options.phones) add(phone);
  updateListed();
  if (lively) scheduleMoney(events, ledger, seed, now);

  return {
    now: () => now,
    advance: (to) => {
      if (to <= now) return;
      events.runUntil(to);
      now = to;
      ledger.accrue(to);
    },
    devices: (query) => deviceListPage(listed, query, now),
    tunnel: (deviceId) => {
      const simulated = phones.get(deviceId);
      if (simulated === undefined || !hasTunnel(simulated)) return undefined;
      return simulated.phone.tunnel === 'broken' ? 'broken' : tunnelItem(simulated.phone);
    },
    balance: () => ledger.balance(),
    isSuspended: () => suspended,
    phones: () => Array.from(phones.values(), ({ phone }) => phone),
    edit: (deviceIds, patch, at = now) => update(deviceIds, (simulated) => editPhone(simulated, patch, at)),
    release: (deviceIds) => update(deviceIds, (simulated) => releasePhone(simulated, now)),
    add: (phone) => {
      add(phone);
      updateListed();
    },
    editAccount: ({ suspended: wanted = suspended, ...money }) => {
      suspended = wanted;
      ledger.set(money);
    },
  };
}

/** Makes pending money available every four hours, and pays most of it out about once a day. */
function scheduleMoney(events: EventQueue, ledger: Ledger, seed: number, now: number): void {
  const random = createRandom(deriveSeed(seed, PAYOUT_STREAM));
  events.add({
    at: now + SETTLEMENT_EVERY,
    occur: (at) => {
      ledger.accrue(at);
      ledger.settle();
      return at + SETTLEMENT_EVERY;
    },
  });
  const untilPayout = () => Math.round((12 + 12 * random()) * HOUR);
  events.add({
    at: now + untilPayout(),
    occur: (at) => {
      ledger.payOut(0.6 + 0.35 * random());
      return at + untilPayout();
    },
  });
}

/** A hoster's money: earned money is pending, becomes available when it is settled, and leaves when it is paid out. */
type Ledger = {
  /** Earns at the present rate up to an instant (milliseconds since 1970); an earlier one changes nothing. */
  readonly accrue: (to: number) => void;
  /** Adds to the rate, in cents per hour. */
  readonly changeRate: (centsPerHour: number) => void;
  readonly settle: () => void;
  readonly payOut: (share: number) => void;
  readonly set: (change: Partial<Pick<BalanceItem, 'availableCents' | 'pendingCents'>>) => void;
  readonly balance: () => BalanceItem;
};

/**
 * Fractions of a cent: one cent per hour earns one of them per millisecond. Whole numbers, so that the sum is the same in
 * one step or in many. A year of 100,000 phones stays below 2^53, because settling carries whole cents away.
 */
const FRACTIONS_PER_CENT = 3_600_000;

function createLedger(startAt: number, availableCents: number, pendingCents: number): Ledger {
  let available = availableCents;
  let pendingFractions = pendingCents * FRACTIONS_PER_CENT;
  let rate = 0;
  let accruedUntil = startAt;
  const pending = () => Math.floor(pendingFractions / FRACTIONS_PER_CENT);
  return {
    accrue: (to) => {
      if (to <= accruedUntil) return;
      pendingFractions += rate * (to - accruedUntil);
      accruedUntil = to;
    },
    changeRate: (added) => {
      rate += added;
    },
    settle: () => {
      available += pending();
      pendingFractions %= FRACTIONS_PER_CENT;
    },
    payOut: (share) => {
      available -= Math.floor(available * share);
    },
    set: (change) => {
      available = change.availableCents ?? available;
      if (change.pendingCents !== undefined) pendingFractions = change.pendingCents * FRACTIONS_PER_CENT;
    },
    balance: () => ({
      availableCents: available,
      pendingCents: pending(),
      totalCents: available + pending(),
    }),
  };
}

/** A recurring event. `occur` is called at its time and returns the time of the next one. */
type RecurringEvent = { at: number; readonly occur: (at: number) => number };

/** Events by time. */
type EventQueue = {
  readonly add: (event: RecurringEvent) => void;
  /** Lets all events until `to` occur, in the order of time; simultaneous ones in a fixed order. */
  readonly runUntil: (to: number) => void;
};

/** A binary heap: `heap[n]` is not later than `heap[2n + 1]` and `heap[2n + 2]`. */
function createEventQueue(): EventQueue {
  const heap: RecurringEvent[] = [];
  return {
    add: (event) => {
      heap.push(event);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!swapIfLater(heap, parent, index)) return;
        index = parent;
      }
    },
    runUntil: (to) => {
      for (let next = heap[0]; next !== undefined && next.at <= to; next = heap[0]) {
        next.at = next.occur(next.at);
        siftDown(heap);
      }
    },
  };
}

function siftDown(heap: RecurringEvent[]): void {
  let index = 0;
  for (;;) {
    const lower = 2 * index + 1;
    const child = isLater(heap[lower], heap[lower + 1]) ? lower + 1 : lower;
    if (!swapIfLater(heap, index, child)) return;
    index = child;
  }
}

function isLater(one: RecurringEvent | undefined, other: RecurringEvent | undefined): boolean {
  return one !== undefined && other !== undefined && one.at > other.at;
}

function swapIfLater(heap: RecurringEvent[], upper: number, lower: number): boolean {
  const above = heap[upper];
  const below = heap[lower];
  if (above === undefined || below === undefined || above.at <= below.at) return false;
  heap[upper] = below;
  heap[lower] = above;
  return true;
}
