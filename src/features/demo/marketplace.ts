import { createRandom, deriveSeed } from '../../base/random.ts';
import { HOUR } from '../../model/time.ts';
import {
  CHANGING_FACTS,
  centsPerHour,
  changePhone,
  createSimulatedPhone,
  deviceItem,
  editPhone,
  FACT_CHANGES,
  hasTunnel,
  type PhonePatch,
  releasePhone,
  type SimulatedPhone,
  tunnelItem,
} from './phone.ts';
import { isReady, type Phone } from './phones.ts';

export type MarketplaceOptions = {
  readonly seed: number;
  /** The fleet, in the order of creation; usually from `createFleet`. */
  readonly phones: readonly Phone[];
  /** Start of the simulation, in milliseconds since 1970. */
  readonly startAt: number;
  /** If false, only heartbeats change without an edit. True by default. */
  readonly lively?: boolean;
};

type DeviceListPage = Readonly<Record<'total' | 'page' | 'limit' | 'totalPages', number>> & {
  readonly items: readonly ReturnType<typeof deviceItem>[];
};

/** "Balance" in the API document; whole cents. */
type BalanceItem = Readonly<Record<'availableCents' | 'pendingCents' | 'totalCents', number>>;

/**
 * A hoster's phones and money on the simulated marketplace. Equal options and times give equal results, whatever the steps.
 * Instants are milliseconds since 1970.
 */
export type Marketplace = {
  /** Advances time to an instant. An earlier one has no effect. */
  readonly advance: (to: number) => void;
  readonly devices: (page: number, limit: number) => DeviceListPage;
  /** Returns the tunnel of a phone; undefined while it has none. */
  readonly tunnel: (deviceId: string) => ReturnType<typeof tunnelItem> | 'broken' | undefined;
  readonly balance: () => BalanceItem;
  /** Returns the current phones in the order of creation. */
  readonly phones: () => readonly Phone[];
  /**
   * Changes phones from now on. Edited values stop changing by themselves until `release`. Throws a RangeError for an
   * unknown device id.
   */
  readonly edit: (deviceIds: readonly string[], patch: PhonePatch) => void;
  /** Reverts the edits of phones. */
  readonly release: (deviceIds: readonly string[]) => void;
  /** Removes phones from the marketplace. */
  readonly archive: (deviceIds: readonly string[]) => void;
};

const SETTLEMENT_EVERY = 4 * HOUR;
const PAYOUT_STREAM = 301;

/**
 * Fractions of a cent: one cent per hour earns one fraction per millisecond. With whole numbers, the sum does not depend
 * on the steps. A year of 100,000 phones stays below 2^53, because settling removes whole cents.
 */
const FRACTIONS_PER_CENT = 3_600_000;

/** A recurring event. `occur` is called at its time and returns the time of the next one. */
type RecurringEvent = { at: number; readonly occur: (at: number) => number };

export function createMarketplace(options: MarketplaceOptions): Marketplace {
  const { seed, startAt, lively = true } = options;
  const phones = new Map(
    options.phones.map((phone) => [phone.deviceId, createSimulatedPhone(phone, startAt)]),
  );
  let listed: readonly SimulatedPhone[] = [...phones.values()];
  let now = startAt;
  // Earned money is first pending, then available after settlement, until it is paid out.
  let available = 125_000;
  let pendingFractions = 8_200 * FRACTIONS_PER_CENT;
  const pending = (): number => Math.floor(pendingFractions / FRACTIONS_PER_CENT);
  /** Income of all phones together, in cents per hour. */
  let rate = listed.reduce((sum, simulated) => sum + centsPerHour(simulated), 0);

  /** Changes a phone at an instant. The new rate applies from `now`, so the earnings up to the instant are corrected. */
  const change = (simulated: SimulatedPhone, at: number, act: () => void): void => {
    const before = centsPerHour(simulated);
    act();
    const added = centsPerHour(simulated) - before;
    rate += added;
    pendingFractions -= added * (at - now);
  };

  const update = (deviceIds: readonly string[], act: (simulated: SimulatedPhone) => void): void => {
    for (const deviceId of deviceIds) {
      const simulated = phones.get(deviceId);
      if (simulated === undefined) throw new RangeError(`There is no phone ${deviceId} on this marketplace.`);
      change(simulated, now, () => act(simulated));
    }
  };

  /** Returns the changes of one fact about a phone, with random numbers independent of other events. */
  const changesOf = (simulated: SimulatedPhone, fact: (typeof CHANGING_FACTS)[number]): RecurringEvent => {
    const stream = CHANGING_FACTS.indexOf(fact);
    const { next, durationMilliseconds } = FACT_CHANGES[fact];
    let changes = 0;
    const nextRandom = () => createRandom(deriveSeed(seed, simulated.natural.seed, stream, changes));
    const first = nextRandom();
    return {
      // The current state started some time before the simulation.
      at: startAt + Math.round(durationMilliseconds(simulated.natural, first) * first()),
      occur: (at) => {
        changes += 1;
        const random = nextRandom();
        change(simulated, at, () => changePhone(simulated, next(simulated.natural, random), at));
        return at + durationMilliseconds(simulated.natural, random);
      },
    };
  };
  const ready = listed.filter(({ phone }) => lively && isReady(phone));
  const changes = ready.flatMap((each) => CHANGING_FACTS.map((fact) => changesOf(each, fact)));
  const firstOf = (events: readonly RecurringEvent[]): number =>
    events.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
  let nextChangeAt = firstOf(changes);

  const payments: RecurringEvent[] = [];
  if (lively) {
    const random = createRandom(deriveSeed(seed, PAYOUT_STREAM));
    const untilPayout = () => Math.round((12 + 12 * random()) * HOUR);
    payments.push(
      {
        at: startAt + SETTLEMENT_EVERY,
        occur: (at) => {
          available += pending();
          pendingFractions %= FRACTIONS_PER_CENT;
          return at + SETTLEMENT_EVERY;
        },
      },
      {
        // Most of the money, about once a day.
        at: startAt + untilPayout(),
        occur: (at) => {
          available -= Math.floor(available * (0.6 + 0.35 * random()));
          return at + untilPayout();
        },
      },
    );
  }

  /** Runs all due events. Phones change independently, so the order does not matter. */
  const run = (events: readonly RecurringEvent[], until: number): void => {
    for (const event of events) while (event.at <= until) event.at = event.occur(event.at);
  };

  return {
    advance: (to) => {
      while (now < to) {
        const until = Math.min(to, firstOf(payments));
        if (nextChangeAt <= until) {
          run(changes, until);
          nextChangeAt = firstOf(changes);
        }
        pendingFractions += rate * (until - now);
        now = until;
        run(payments, now);
      }
    },
    devices: (page, limit) => ({
      items: listed.slice((page - 1) * limit, page * limit).map((simulated) => deviceItem(simulated, now)),
      total: listed.length,
      page,
      limit,
      totalPages: Math.ceil(listed.length / limit),
    }),
    tunnel: (deviceId) => {
      const simulated = phones.get(deviceId);
      if (simulated === undefined || !hasTunnel(simulated)) return undefined;
      return simulated.phone.tunnel === 'broken' ? 'broken' : tunnelItem(simulated.phone);
    },
    balance: () => ({
      availableCents: available,
      pendingCents: pending(),
      totalCents: available + pending(),
    }),
    phones: () => listed.map(({ phone }) => phone),
    edit: (deviceIds, patch) => update(deviceIds, (simulated) => editPhone(simulated, patch, now)),
    release: (deviceIds) => update(deviceIds, (simulated) => releasePhone(simulated, now)),
    archive: (deviceIds) => {
      // An archived phone earns nothing.
      update(deviceIds, (simulated) => editPhone(simulated, { rentalStatus: 'idle' }, now));
      for (const deviceId of deviceIds) phones.delete(deviceId);
      listed = [...phones.values()];
    },
  };
}
