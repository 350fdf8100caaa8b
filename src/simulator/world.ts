import { type Agenda, createAgenda } from './agenda.ts';
import type { Phone } from './fleet.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { isAlive, LIFE, LIVING_FACTS, type LivingFact } from './life.ts';
import { createRandom, deriveSeed } from './random.ts';
import { earns, hasTunnel, live, type Resident, settleIn } from './resident.ts';
import { type TunnelItem, tunnelItem } from './tunnel.ts';

export type WorldOptions = {
  readonly seed: number;
  /** The fleet, in the order of creation; usually from `createFleet`. */
  readonly phones: readonly Phone[];
  /** When this world begins, in milliseconds since 1970. */
  readonly startAt: number;
  /** False: only heartbeats move, everything else stays as it is until it is edited. By default true. */
  readonly lively?: boolean;
  readonly availableCents?: number;
  readonly pendingCents?: number;
};

/** The one mutable thing of the simulator; only the functions of this file change the fleet in it. */
export type World = {
  readonly seed: number;
  readonly lively: boolean;
  readonly agenda: Agenda;
  readonly ledger: Ledger;
  readonly residents: Map<string, Resident>;
  /** The residents that are not archived, in the order of creation. */
  listed: readonly Resident[];
  now: number;
  suspended: boolean;
};

const HOUR = 3_600_000;
const SETTLEMENT_EVERY = 4 * HOUR;
const PAYOUT_STREAM = 301;

/** A world at its beginning. */
export function createWorld(options: WorldOptions): World {
  const { seed, startAt, lively = true, availableCents = 125_000, pendingCents = 8_200 } = options;
  const world: World = {
    seed,
    lively,
    agenda: createAgenda(),
    ledger: createLedger(startAt, availableCents, pendingCents),
    residents: new Map(),
    listed: [],
    now: startAt,
    suspended: false,
  };
  for (const phone of options.phones) addPhone(world, phone);
  relist(world);
  if (lively) planMoney(world);
  return world;
}

/** Lets everything happen until an instant; one that is past already changes nothing. */
export function advance(world: World, to: number): void {
  if (to <= world.now) return;
  world.agenda.runUntil(to);
  world.now = to;
  world.ledger.accrue(to);
}

/** The tunnel of a phone, or undefined while it has none that can be read. */
export function tunnelOf(world: World, deviceId: string): TunnelItem | undefined {
  const resident = world.residents.get(deviceId);
  return resident !== undefined && hasTunnel(resident) ? tunnelItem(resident.phone) : undefined;
}

/** One more phone, now, as the last of the fleet. It is listed after `relist`. */
export function addPhone(world: World, phone: Phone): void {
  if (world.residents.has(phone.deviceId))
    throw new RangeError(`There is already a phone ${phone.deviceId}.`);
  const resident = settleIn(phone, world.now);
  world.residents.set(phone.deviceId, resident);
  world.ledger.changeRate(earns(resident));
  if (world.lively && isAlive(phone)) for (const fact of LIVING_FACTS) planLife(world, resident, fact);
}

/** Looks again at who is archived. */
export function relist(world: World): void {
  world.listed = [...world.residents.values()].filter(({ phone }) => !phone.archived);
}

/** Does something to residents, now, that may change what they earn and whether they are listed. */
export function touch(world: World, deviceIds: readonly string[], act: (resident: Resident) => void): void {
  for (const deviceId of deviceIds) {
    const resident = world.residents.get(deviceId);
    if (resident === undefined) throw new RangeError(`There is no phone ${deviceId} on this marketplace.`);
    keepingRate(world, resident, () => act(resident));
  }
  relist(world);
}

/** The ledger has accrued up to the instant of the change before the rate changes. */
function keepingRate(world: World, resident: Resident, act: () => void): void {
  const before = earns(resident);
  act();
  world.ledger.changeRate(earns(resident) - before);
}

/** One living fact of one phone, for ever. Each turn has random numbers of its own, so no other event disturbs it. */
function planLife(world: World, resident: Resident, fact: LivingFact): void {
  const stream = LIVING_FACTS.indexOf(fact);
  let turns = 0;
  const randomOfTurn = () => createRandom(deriveSeed(world.seed, resident.phone.seed, stream, turns));
  const first = randomOfTurn();
  world.agenda.add({
    // The phone is found in the middle of its present stay.
    at: world.now + Math.round(LIFE[fact].staysMilliseconds(resident.life, first) * first()),
    occur: (at) => {
      turns += 1;
      const random = randomOfTurn();
      const life = LIFE[fact].turn(resident.phone, resident.life, random);
      world.ledger.accrue(at);
      keepingRate(world, resident, () => live(resident, life, at));
      return at + LIFE[fact].staysMilliseconds(life, random);
    },
  });
}

/** What was earned becomes available every four hours; most of what is available is paid out about once a day. */
function planMoney(world: World): void {
  const random = createRandom(deriveSeed(world.seed, PAYOUT_STREAM));
  world.agenda.add({
    at: world.now + SETTLEMENT_EVERY,
    occur: (at) => {
      world.ledger.accrue(at);
      world.ledger.settle();
      return at + SETTLEMENT_EVERY;
    },
  });
  const untilPayout = () => Math.round((12 + 12 * random()) * HOUR);
  world.agenda.add({
    at: world.now + untilPayout(),
    occur: (at) => {
      world.ledger.payOut(0.6 + 0.35 * random());
      return at + untilPayout();
    },
  });
}
