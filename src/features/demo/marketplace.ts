import { createRandom, deriveSeed } from '../../base/random.ts';
import { HOUR } from '../../model/time.ts';
import {
  centsPerHour,
  changePhone,
  createSimulatedPhone,
  deviceItem,
  FACT_CHANGES,
  type FactChanges,
  hasTunnel,
  type PhoneChange,
  type PhonePatch,
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

export type Marketplace = Readonly<ReturnType<typeof createMarketplace>>;

const SETTLEMENT_EVERY = 4 * HOUR;
const PAYOUT_STREAM = 301;

/**
 * Fractions of a cent: one cent per hour earns one fraction per millisecond. With whole numbers, the sum does not depend
 * on the steps. A year of 100,000 phones stays below 2^53, because settling removes whole cents.
 */
const FRACTIONS_PER_CENT = 3_600_000;

/** A recurring event. `occur` is called at its time and returns the time of the next one. */
type RecurringEvent = { at: number; readonly occur: (at: number) => number };

/**
 * Creates a hoster's phones and money on the simulated marketplace. Equal options and times give equal results, whatever the
 * steps. Instants are milliseconds since 1970.
 */
export function createMarketplace(options: MarketplaceOptions) {
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
  const change = (simulated: SimulatedPhone, to: PhoneChange, at: number): void => {
    const before = centsPerHour(simulated);
    changePhone(simulated, to, at);
    const added = centsPerHour(simulated) - before;
    rate += added;
    pendingFractions -= added * (at - now);
  };

  const edit = (deviceIds: readonly string[], editsOf: (before: PhonePatch) => PhonePatch): void => {
    for (const deviceId of deviceIds) {
      const simulated = phones.get(deviceId);
      if (simulated === undefined) throw new RangeError(`There is no phone ${deviceId} on this marketplace.`);
      change(simulated, { edits: editsOf(simulated.edits) }, now);
    }
  };

  /** Returns the changes of one fact about a phone. Their stream of random numbers is independent of other events. */
  const changesOf = (simulated: SimulatedPhone, fact: FactChanges, stream: number): RecurringEvent => {
    const { next, durationMilliseconds } = fact;
    let changes = 0;
    const nextRandom = () => createRandom(deriveSeed(seed, simulated.natural.seed, stream, changes));
    const first = nextRandom();
    return {
      // The current state started some time before the simulation.
      at: startAt + Math.round(durationMilliseconds(simulated.natural, first) * first()),
      occur: (at) => {
        changes += 1;
        const random = nextRandom();
        change(simulated, { natural: { ...simulated.natural, ...next(simulated.natural, random) } }, at);
        return at + durationMilliseconds(simulated.natural, random);
      },
    };
  };
  const ready = listed.filter(({ phone }) => lively && isReady(phone));
  const facts = Object.values(FACT_CHANGES);
  const changes = ready.flatMap((each) => facts.map((fact, stream) => changesOf(each, fact, stream)));
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
    /** Advances time to an instant. An earlier one has no effect. */
    advance: (to: number): void => {
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
    devices: (page: number, limit: number) => ({
      items: listed.slice((page - 1) * limit, page * limit).map((simulated) => deviceItem(simulated, now)),
      total: listed.length,
      page,
      limit,
      totalPages: Math.ceil(listed.length / limit),
    }),
    /** Returns the tunnel of a phone; undefined while it has none. */
    tunnel: (deviceId: string) => {
      const simulated = phones.get(deviceId);
      if (simulated === undefined || !hasTunnel(simulated)) return undefined;
      return simulated.phone.tunnel === 'broken' ? 'broken' : tunnelItem(simulated.phone);
    },
    /** "Balance" in the API document; whole cents. */
    balance: () => ({
      availableCents: available,
      pendingCents: pending(),
      totalCents: available + pending(),
    }),
    /** Returns the current phones in the order of creation. */
    phones: (): readonly Phone[] => listed.map(({ phone }) => phone),
    /**
     * Changes phones from now on. Edited values stop changing by themselves until `release`.
     *
     * @throws a RangeError for an unknown device id
     */
    edit: (deviceIds: readonly string[], patch: PhonePatch): void =>
      edit(deviceIds, (before) => ({ ...before, ...patch })),
    /** Reverts the edits of phones. */
    release: (deviceIds: readonly string[]): void => edit(deviceIds, () => ({})),
    /** Removes phones from the marketplace. */
    archive: (deviceIds: readonly string[]): void => {
      // An archived phone earns nothing.
      edit(deviceIds, (before) => ({ ...before, rentalStatus: 'idle' }));
      for (const deviceId of deviceIds) phones.delete(deviceId);
      listed = [...phones.values()];
    },
  };
}
