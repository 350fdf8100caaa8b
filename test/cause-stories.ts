import { causesAfter, causesOfAccount } from '../src/judgement/causes.ts';
import { learnedLimitSeconds, learnGap, NEW_RHYTHM } from '../src/judgement/silence.ts';
import { step } from '../src/judgement/step.ts';
import { type Account, type NamedAccount, NEW_ACCOUNT } from '../src/model/account.ts';
import { type CauseKind, type Causes, NO_CAUSES } from '../src/model/cause.ts';
import type { Device } from '../src/model/device.ts';
import { DEFAULT_GROUPS, groupOf } from '../src/model/group.ts';
import type { ListedDevice, Observation } from '../src/model/observation.ts';
import type { Rhythm } from '../src/model/rhythm.ts';
import { between, createRandom, deriveSeed, pick, type Random } from '../src/simulator/random.ts';
import { decodeState, encodeState } from '../src/state/codec.ts';
import { finish } from '../src/steps.ts';
import {
  answerAtNoon,
  bareDevice,
  NOON,
  type ShownCause,
  STEP_SETTINGS,
  shownCauses,
  tunnelOf,
} from './builders.ts';

/*
 * Stories of fleets whose phones fail, each from a seed alone, told to the exporter list by list: real observations are
 * folded by `step`, and the limits are those that the real rule learns. A second judge beside incidents.ts, written without
 * a look at the search. Times are seconds since the story begins.
 */

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const FOREVER = Number.POSITIVE_INFINITY;

/** Seconds between two lists. */
const POLL = 30;

/** A phone as it is, and as the API shows it. */
type Phone = {
  readonly id: string;
  readonly account: string;
  /** Where it stands, whatever its label says. */
  readonly rack: string;
  readonly host: string | undefined;
  readonly beats: Beats;
  /** Times in which it sends no heartbeat. */
  readonly dark: (readonly [from: number, until: number])[];
  /** A version that it shows from a time on. */
  update: { readonly at: number; readonly version: string } | undefined;
  nextBeat: number;
  rhythm: Rhythm;
  listed: ListedDevice;
};

/** Seconds between two heartbeats, the share by which they vary, and the share that is lost. */
type Beats = { readonly every: number; readonly jitter: number; readonly lost: number };

type Name = `${CauseKind} ${string}`;

/** A cause that happened, and the phones that it silenced. */
type Truth = { readonly name: Name; readonly phones: ReadonlySet<Phone> };

type World = {
  readonly size: number;
  readonly random: Random;
  readonly phones: readonly Phone[];
};

/** What happens in a fleet. */
type Story = {
  readonly truths: readonly Truth[];
  /** Names that are no cause of their own, and that nobody would call wrong. */
  readonly alsoRight?: readonly Name[];
  /** Phones that are dark for ever return at this time, within some minutes. */
  readonly backWithin?: number;
  /** Times in which polls fail. */
  readonly apiDown?: readonly (readonly [from: number, until: number])[];
  /** The exporter does not run in this time. Without its state file it knows nothing afterwards. */
  readonly stopped?: { readonly from: number; readonly until: number; readonly keepsState: boolean };
  /** Least length of the story. */
  readonly lasts?: number;
};

type Options = {
  readonly perRack?: readonly [number, number];
  readonly accounts?: number;
  /** Each rack holds one model. */
  readonly modelsByRack?: boolean;
  readonly withoutGroups?: boolean;
  /** Share of the phones that have a tunnel. */
  readonly rented?: number;
  /** Share of the phones whose rhythm is unknown. */
  readonly unknown?: number;
  /** Share of the phones that fail by themselves, a day. */
  readonly failures?: number;
  readonly flapping?: number;
};

type Kind = { readonly options?: Options; readonly tell: (world: World) => Story };

// Choosing phones.

const valuesOf = {
  group: (phone: Phone) => groupOf(phone.listed.device.label, DEFAULT_GROUPS),
  tunnel_host: (phone: Phone) => phone.host ?? '',
  account: (phone: Phone) => phone.account,
  app_version: (phone: Phone) => phone.listed.device.appVersion,
  model: (phone: Phone) => phone.listed.device.model,
} as const satisfies Record<CauseKind, (phone: Phone) => string>;

const KINDS_OF_VALUES = ['group', 'tunnel_host', 'account', 'app_version', 'model'] as const;

function oneOf<Choice>(random: Random, choices: readonly Choice[]): Choice {
  const [first, ...others] = choices;
  if (first === undefined) throw new RangeError('nothing to choose from');
  return pick(random, [first, ...others]);
}

/** Returns the rack or another property of a phone that was chosen at random. */
function anyRack({ random, phones }: World): string {
  return oneOf(random, phones).rack;
}

type Hit = {
  /** Returns when a phone fails; at 0 by default, within two seconds. */
  readonly at?: () => number;
  /** Share of the phones that are hit. */
  readonly share?: number;
  readonly until?: () => number;
};

/** Lets phones fail, but for those that had failed before. */
function hit(
  { random, phones }: World,
  name: Name,
  isMeant: (phone: Phone) => boolean,
  { at = () => 2 * random(), share = 1, until = () => FOREVER }: Hit = {},
): Truth {
  const meant = phones.filter((phone) => isMeant(phone) && !isDark(phone, 0));
  const struck = shuffled(random, meant).slice(0, Math.round(share * meant.length));
  for (const phone of struck) phone.dark.push([at(), until()]);
  return { name, phones: new Set(struck) };
}

function hitRack(world: World, rack: string, options?: Hit): Truth {
  return hit(world, `group ${rack}`, (phone) => phone.rack === rack, options);
}

function hitValue(world: World, kind: Exclude<CauseKind, 'group'>, value: string, options?: Hit): Truth {
  return hit(world, `${kind} ${value}`, (phone) => valuesOf[kind](phone) === value, options);
}

function hitAny(world: World, kind: Exclude<CauseKind, 'group'>, options?: Hit): Truth {
  const { random, phones } = world;
  const withValue = phones.filter((phone) => valuesOf[kind](phone) !== '');
  return hitValue(world, kind, valuesOf[kind](oneOf(random, withValue)), options);
}

function racksOf(phones: readonly Phone[]): readonly string[] {
  return [...new Set(phones.map(({ rack }) => rack))];
}

function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

function isDark({ dark }: Phone, time: number): boolean {
  return dark.some(([from, until]) => from <= time && time < until);
}

/** Returns random times between two. */
function within({ random }: World, from: number, until: number): () => number {
  return () => from + random() * (until - from);
}

const told = (...truths: readonly Truth[]): Story => ({ truths });

// The stories.

export const STORIES = {
  'marketplace, all phones': {
    tell: (world) => told(...accountsOf(world).map((name) => hitValue(world, 'account', name))),
  },
  'marketplace, all phones within 3 min': {
    tell: (world) => {
      const at = within(world, 0, 3 * MINUTE);
      return told(...accountsOf(world).map((name) => hitValue(world, 'account', name, { at })));
    },
  },
  'account of several': { options: { accounts: 3 }, tell: (world) => told(hitAny(world, 'account')) },
  'account, rack after rack': {
    options: { accounts: 2 },
    tell: (world) => {
      const account = oneOf(world.random, world.phones).account;
      const racks = shuffled(world.random, racksOf(world.phones.filter((each) => each.account === account)));
      const delay = between(world.random, 20, 90);
      const begins = new Map(
        racks.map((rack, index) => [rack, index * Math.min(delay, HOUR / racks.length)]),
      );
      const struck = new Set<Phone>();
      for (const [rack, from] of begins)
        for (const phone of hitRack(world, rack, { at: () => from + world.random() }).phones)
          struck.add(phone);
      return {
        truths: [{ name: `account ${account}`, phones: struck }],
        alsoRight: racks.map((rack): Name => `group ${rack}`),
      };
    },
  },
  'rack, whole': { tell: (world) => told(hitRack(world, anyRack(world))) },
  'rack, whole, irregular beats': {
    options: { failures: 0.05, flapping: 0.02 },
    tell: (world) => told(hitRack(world, anyRack(world))),
  },
  'rack, 60 to 80 %': {
    tell: (world) => told(hitRack(world, anyRack(world), { share: 0.6 + 0.2 * world.random() })),
  },
  'rack, 80 to 95 %': {
    tell: (world) => told(hitRack(world, anyRack(world), { share: 0.8 + 0.15 * world.random() })),
  },
  'three racks within 10 min': {
    tell: (world) => {
      const racks = shuffled(world.random, racksOf(world.phones)).slice(0, 3);
      return told(
        ...racks.map((rack) => {
          const from = world.random() * 10 * MINUTE;
          return hitRack(world, rack, { at: () => from + 2 * world.random() });
        }),
      );
    },
  },
  'rack dies within 10 to 30 min': {
    tell: (world) => {
      const at = within(world, 0, between(world.random, 10, 30) * MINUTE);
      return told(hitRack(world, anyRack(world), { at }));
    },
  },
  'rack dies over 1 to 4 h': {
    tell: (world) => {
      const at = within(world, 0, between(world.random, 1, 4) * HOUR);
      return told(hitRack(world, anyRack(world), { at }));
    },
  },
  'rack, in two waves': {
    tell: (world) => {
      const later = between(world.random, 10, 40) * MINUTE;
      return told(
        hitRack(world, anyRack(world), { at: () => (world.random() < 0.5 ? 0 : later) + world.random() }),
      );
    },
  },
  'tunnel host': { options: { rented: 0.5 }, tell: (world) => told(hitAny(world, 'tunnel_host')) },
  'app version, sudden': {
    tell: (world) => told(hitAny(world, 'app_version', { at: within(world, 0, MINUTE) })),
  },
  'app version fails over 2 h': {
    tell: (world) => told(hitAny(world, 'app_version', { at: within(world, 0, 2 * HOUR) })),
  },
  'app version, rolled out over 2 h': {
    tell: (world) => {
      const version = '9.0.1';
      const truth = hit(world, `app_version ${version}`, () => world.random() < 0.3, {
        at: within(world, MINUTE, 2 * HOUR),
      });
      // The phone reports the new version once or twice.
      for (const phone of truth.phones) {
        const diesAt = phone.dark.at(-1)?.[0] ?? 0;
        phone.update = { at: diesAt - between(world.random, 1, 2) * phone.beats.every, version };
      }
      return told(truth);
    },
  },
  model: { tell: (world) => told(hitAny(world, 'model', { at: within(world, 0, 40) })) },
  'model, each rack holds one': {
    options: { modelsByRack: true },
    tell: (world) => told(hitAny(world, 'model', { at: within(world, 0, 40) })),
  },
  'rack, each holds one model': {
    options: { modelsByRack: true },
    tell: (world) => told(hitRack(world, anyRack(world))),
  },
  'rack and app version at once': {
    tell: (world) =>
      told(hitRack(world, anyRack(world)), hitAny(world, 'app_version', { at: within(world, 0, MINUTE) })),
  },
  'rack and model within 5 min': {
    tell: (world) => {
      const later = between(world.random, 0, 5) * MINUTE;
      return told(
        hitRack(world, anyRack(world)),
        hitAny(world, 'model', { at: within(world, later, later + 30) }),
      );
    },
  },
  'rack, back one by one': {
    tell: (world) => ({ ...told(hitRack(world, anyRack(world))), backWithin: 45 * MINUTE }),
  },
  'account, back one by one': {
    tell: (world) => ({ ...told(hitAny(world, 'account')), backWithin: 30 * MINUTE }),
  },
  'rack of few phones': {
    options: { perRack: [3, 6] },
    tell: (world) => told(hitRack(world, anyRack(world))),
  },
  'phones without groups: model': {
    options: { withoutGroups: true },
    tell: (world) => told(hitAny(world, 'model')),
  },
  'rack, rhythms unknown': { options: { unknown: 1 }, tell: (world) => told(hitRack(world, anyRack(world))) },
  'rack, some rhythms unknown': {
    options: { unknown: 0.3 },
    tell: (world) => told(hitRack(world, anyRack(world))),
  },
  'rack, exporter restarts amid it': {
    tell: (world) => {
      const from = between(world.random, 1, 8) * MINUTE;
      const until = from + between(world.random, 1, 8) * MINUTE;
      return { ...told(hitRack(world, anyRack(world))), stopped: { from, until, keepsState: true } };
    },
  },
  'rack, exporter starts amid it': {
    tell: (world) => {
      const until = between(world.random, 12, 90) * MINUTE;
      return {
        ...told(hitRack(world, anyRack(world))),
        stopped: { from: -FOREVER, until, keepsState: false },
      };
    },
  },
  'rack fails while the API is down': {
    tell: (world) => {
      const from = -between(world.random, 0, 4) * MINUTE;
      return {
        ...told(hitRack(world, anyRack(world))),
        apiDown: [[from, from + between(world.random, 2, 20) * MINUTE]],
      };
    },
  },
  'marketplace down, and all return': {
    tell: ({ random, phones }) => {
      const until = between(random, 4, 30) * MINUTE;
      for (const phone of phones) phone.dark.push([0, until + random() * 20]);
      return { ...told(), apiDown: [[0, until]], lasts: until + 40 * MINUTE };
    },
  },
  'hiccup of an account, 1 to 6 min': {
    options: { accounts: 2 },
    tell: (world) => {
      const until = between(world.random, 60, 360);
      return told(hitAny(world, 'account', { until: () => until + world.random() * 20 }));
    },
  },
  'hub: a third of a rack': {
    tell: (world) => {
      hitRack(world, anyRack(world), { share: 0.34 });
      return { ...told(), lasts: HOUR };
    },
  },
  'carrier: a third of all phones': {
    tell: (world) => {
      hit(world, 'account ', () => world.random() < 0.33, { at: within(world, 0, 30) });
      return { ...told(), lasts: HOUR };
    },
  },
  'all phones restart within an hour': {
    tell: ({ random, phones }) => {
      for (const { dark } of phones) {
        const from = random() * HOUR;
        dark.push([from, from + between(random, 40, 330)]);
      }
      return { ...told(), lasts: 1.5 * HOUR };
    },
  },
  'each fails by itself': { options: { failures: 0.2 }, tell: () => ({ ...told(), lasts: 2 * HOUR }) },
  'many flap': { options: { flapping: 0.1 }, tell: () => ({ ...told(), lasts: 2 * HOUR }) },
} as const satisfies Readonly<Record<string, Kind>>;

export type StoryName = keyof typeof STORIES;

export const STORY_NAMES: readonly StoryName[] = Object.keys(STORIES).filter(
  (name): name is StoryName => name in STORIES,
);

export const STORY_SIZES = [12, 40, 300, 1_000] as const;

// The fleets.

function accountsOf({ phones }: Pick<World, 'phones'>): readonly string[] {
  return [...new Set(phones.map(({ account }) => account))];
}

/** Sizes of racks, by the size of the fleet. */
function rackSizes(size: number): readonly [number, number] {
  if (size <= 12) return [4, 6];
  if (size <= 40) return [5, 12];
  return size < 10_000 ? [8, 40] : [16, 60];
}

function createFleet(size: number, options: Options, random: Random): readonly Phone[] {
  const accounts = options.accounts ?? pick(random, [1, 1, 1, 2, 3]);
  const models = Array.from(
    { length: size <= 12 ? between(random, 2, 3) : between(random, 3, 9) },
    (_, index) => ({
      name: `Model ${String.fromCharCode(65 + index)}`,
      beats: {
        every: pick(random, [15, 20, 30, 45, 60, 60, 90, 120, 180, 240, 300]),
        jitter: pick(random, [0.02, 0.05, 0.1]),
        lost: pick(random, [0.005, 0.02, 0.04]),
      },
    }),
  );
  const shares: readonly number[] = pick<readonly number[]>(random, [
    [0.7, 0.2, 0.1],
    [0.5, 0.5],
    [0.4, 0.3, 0.2, 0.1],
  ]);
  const hosts = Array.from({ length: Math.ceil(size / 80) + 1 }, (_, index) => `gw${index + 1}.example.net`);
  const rented = options.rented ?? pick(random, [0, 0.3, 0.6]);
  const isByRack = options.modelsByRack ?? random() < 0.2;
  const phones: Phone[] = [];
  for (let number = 1; phones.length < size; number += 1) {
    const account = `owner-${1 + Math.floor((phones.length * accounts) / size)}`;
    const [low, high] = options.perRack ?? rackSizes(size);
    // A rack stands in one account.
    const room = Math.ceil((Number(account.slice(6)) * size) / accounts - phones.length);
    const count = Math.max(1, Math.min(between(random, low, high), room));
    const ofRack = oneOf(random, models);
    for (let slot = 1; slot <= count && phones.length < size; slot += 1) {
      const { name: model, beats } = isByRack ? ofRack : oneOf(random, models);
      const rack = `hall ${number}`;
      const isRented = random() < rented;
      const device = bareDevice({
        id: `p${phones.length}`,
        label: labelOf(rack, number, slot, options, random),
        model,
        appVersion: versionOf(shares, random()),
        setupStatus: random() < 0.02 ? 'draft' : 'complete',
        rentalStatus: isRented ? 'self_rented' : pick(random, ['sold', 'sold', 'idle']),
        marketplaceStatus: 'listed',
        rentalId: isRented ? `r${phones.length}` : undefined,
      });
      phones.push({
        id: device.id,
        account,
        rack,
        host: isRented ? oneOf(random, hosts) : undefined,
        beats,
        dark: [],
        update: undefined,
        nextBeat: 0,
        rhythm: random() < (options.unknown ?? 0) ? NEW_RHYTHM : learned(beats, between(random, 0, 2)),
        listed: { device, listedAt: 0 },
      });
    }
  }
  return phones;
}

function labelOf(rack: string, number: number, slot: number, options: Options, random: Random): string {
  const odds = random();
  if (options.withoutGroups === true || odds < 0.02) return `phone ${number}-${slot}`;
  if (odds < 0.04) return `hall ${between(random, 1, number + 1)}/${slot}`;
  return `${rack}/${slot}`;
}

function versionOf(shares: readonly number[], odds: number): string {
  let left = odds;
  for (const [index, share] of shares.entries()) {
    left -= share;
    if (left < 0) return `8.${index}`;
  }
  return '8.0';
}

const LEARNED = new Map<string, Rhythm>();

/** Returns what polls learn of heartbeats within two days. */
function learned(beats: Beats, seed: number): Rhythm {
  const key = JSON.stringify([beats, seed]);
  const known = LEARNED.get(key);
  if (known !== undefined) return known;
  const random = createRandom(deriveSeed(beats.every, Math.round(1_000 * beats.lost), seed));
  let rhythm = NEW_RHYTHM;
  let [last, next] = [0, beatAfter(0, beats, random)];
  for (let time = POLL; time < 2 * DAY; time += POLL) {
    let shown = last;
    while (next <= time) {
      shown = next;
      next = beatAfter(next, beats, random);
    }
    if (shown > last) rhythm = learnGap(rhythm, shown - last);
    last = shown;
  }
  LEARNED.set(key, rhythm);
  return rhythm;
}

function beatAfter(time: number, { every, jitter, lost }: Beats, random: Random): number {
  let next = time;
  do next += every * (1 + jitter * (2 * random() - 1));
  while (random() < lost);
  return next;
}

/** Lets phones fail that have nothing to do with the story, some of them days before it. */
function failByThemselves(phones: readonly Phone[], options: Options, lasts: number, random: Random): void {
  const perDay = options.failures ?? pick(random, [0, 0.01, 0.03]);
  const flapping = options.flapping ?? pick(random, [0, 0, 0.01]);
  for (const { dark } of phones) {
    if (random() < 0.01) dark.push([-between(random, 1, 9) * DAY, FOREVER]);
    const from = -DAY + random() * (DAY + lasts);
    if (random() < (perDay * (DAY + lasts)) / DAY)
      dark.push([from, from + between(random, 20, 1_440) * MINUTE]);
    if (random() >= flapping) continue;
    for (let at = -HOUR + random() * HOUR; at < lasts; ) {
      const until = at + between(random, 5, 25) * MINUTE;
      dark.push([at, until]);
      at = until + between(random, 3, 20) * MINUTE;
    }
  }
}

// Telling a story.

/** What the names of one story, or of many, were worth. */
export type Told = {
  /** Names that lasted two polls: of a cause that happened, and others. */
  right: number;
  readonly wrong: string[];
  /** Causes of five phones or more, those that were named in time, and the others. */
  needed: number;
  readonly missed: string[];
  /** Seconds from the poll that showed most phones of a cause as silent to its name. */
  readonly delays: number[];
  /** Largest number of times that a shown cause changed its value, and that wider ones took it over. */
  valueChanges: number;
  takeovers: number;
  /** Times that a name vanished and returned while its cause lasted. */
  flickers: number;
  /** Polls that showed a value twice, a phone twice, or a phone that reports. */
  violations: number;
};

export function playStory(name: StoryName, size: number, seed: number): Told {
  const kind: Kind = STORIES[name];
  const { options = {} } = kind;
  const random = createRandom(deriveSeed(seed, size, STORY_NAMES.indexOf(name), 7));
  const phones = createFleet(size, options, random);
  failByThemselves(phones, options, 3 * HOUR, random);
  const story = kind.tell({ size, random, phones });
  const failed = story.truths.flatMap(({ phones: own }) => Array.from(own, failureOf));
  const silentAt = Math.max(0, ...failed) + 30 * MINUTE;
  const endsAt = Math.max(silentAt, story.lasts ?? 0, (story.stopped?.until ?? 0) + 20 * MINUTE);
  const backWithin = story.backWithin ?? 2 * MINUTE;
  const struck = new Set(story.truths.flatMap((truth) => [...truth.phones]));
  for (const { dark } of struck)
    for (const [index, [from, until]] of dark.entries())
      if (until === FOREVER && from >= 0) dark[index] = [from, endsAt + random() * backWithin];
  const judge = createJudge(phones, story, endsAt);
  for (const polled of pollFleet(phones, story, endsAt + backWithin + 10 * MINUTE, random))
    judge.take(polled);
  return judge.result();
}

function failureOf({ dark }: Phone): number {
  return dark.findLast(([from]) => from >= 0)?.[0] ?? 0;
}

/** Plays days without a common cause, and returns the names that were shown. */
export function playQuietDays(size: number, days: number, seed: number): readonly string[] {
  const random = createRandom(deriveSeed(seed, size, days, 11));
  const options = { failures: pick(random, [0.01, 0.03, 0.1]), flapping: pick(random, [0, 0.01, 0.03]) };
  const phones = createFleet(size, options, random);
  failByThemselves(phones, options, days * DAY, random);
  for (const { dark } of phones) {
    for (let from = random() * DAY; from < days * DAY; from += DAY * (0.5 + random()))
      dark.push([from, from + between(random, 1, 6) * MINUTE]);
  }
  const names = new Map<string, string>();
  for (const { causes } of pollFleet(phones, { truths: [] }, days * DAY, random, 4 * POLL))
    for (const { id, cause } of shownCauses(causes)) names.set(id, `${cause.kind} ${cause.value}`);
  return [...names.values()];
}

/** What a poll of all accounts shows. */
type Polled = { readonly time: number; readonly causes: Causes; readonly silent: ReadonlySet<string> };

/** Polls the accounts of a fleet, together or one after the other. */
function* pollFleet(
  phones: readonly Phone[],
  { apiDown = [], stopped }: Story,
  endsAt: number,
  random: Random,
  every = POLL,
): Generator<Polled> {
  const together = random() < 0.5;
  const startsAt = stopped?.from === -FOREVER ? stopped.until : -4 * MINUTE;
  let causes = NO_CAUSES;
  let accounts = accountsOf({ phones }).map((name) => ({ name, account: accountWithTunnels(phones, name) }));
  let lastList: number | undefined;
  for (const phone of phones) begin(phone, startsAt, random);
  const isFresh = stopped?.keepsState === false;
  for (let time = startsAt; time <= endsAt; time += every) {
    for (const phone of phones) advance(phone, time, random);
    if (stopped !== undefined && stopped.from <= time && time < stopped.until) {
      if (lastList !== undefined) ({ accounts, causes } = restarted(accounts, causes));
      lastList = undefined;
      continue;
    }
    const isDown = apiDown.some(([from, until]) => from <= time && time < until);
    const elapsed = lastList === undefined ? undefined : (time - lastList) * 1_000;
    for (const { name } of [...accounts]) {
      const observation = isDown ? failureAt(time) : listAt(phones, name, time, elapsed, every);
      accounts = accounts.map((each) =>
        each.name === name ? { name, account: finish(step(each.account, observation, STEP_SETTINGS)) } : each,
      );
      if (lastList === undefined && !isDown && time === startsAt && !isFresh)
        accounts = accounts.map((each) => (each.name === name ? withRhythms(each, phones) : each));
      if (together && name !== accounts.at(-1)?.name) continue;
      causes = finish(causesAfter(accounts, causes));
      const found = causes;
      accounts = accounts.map((each) => ({
        name: each.name,
        account: { ...each.account, causes: causesOfAccount(found, each.name) },
      }));
    }
    if (!isDown) lastList = time;
    yield { time, causes, silent: silentIds(accounts) };
  }
}

function silentIds(accounts: readonly NamedAccount[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { account } of accounts)
    for (const [id, { silent }] of account.fleet?.devices ?? []) if (silent) ids.add(id);
  return ids;
}

function accountWithTunnels(phones: readonly Phone[], name: string): Account {
  const own = phones.filter(({ account, host }) => account === name && host !== undefined);
  return {
    ...NEW_ACCOUNT,
    tunnels: new Map(own.map(({ id, host }) => [id, answerAtNoon(tunnelOf({ host: host ?? '' }))])),
  };
}

/** Returns an account that has known its phones for days. */
function withRhythms({ name, account }: NamedAccount, phones: readonly Phone[]): NamedAccount {
  if (account.fleet === undefined) return { name, account };
  const rhythms = new Map(phones.map(({ id, rhythm }) => [id, rhythm]));
  const devices = new Map(
    Array.from(account.fleet.devices, ([id, entry]) => {
      const rhythm = rhythms.get(id) ?? NEW_RHYTHM;
      const silenceLimitSeconds = learnedLimitSeconds(rhythm);
      const silent = entry.silent || (entry.heartbeatAgeSeconds ?? 0) > silenceLimitSeconds;
      return [id, { ...entry, rhythm, silenceLimitSeconds, silent }] as const;
    }),
  );
  return { name, account: { ...account, fleet: { ...account.fleet, devices } } };
}

/** Returns what a state file carries over a restart. */
function restarted(
  accounts: readonly NamedAccount[],
  causes: Causes,
): { readonly accounts: NamedAccount[]; readonly causes: Causes } {
  const saved = accounts.map(({ name, account }) => ({
    identity: { name, apiUrl: `https://${name}.example.com/` },
    goneAt: undefined,
    account,
  }));
  const text = [...encodeState({ accounts: saved, causes }, { host: '', pid: 1, program: '' }, NOON)].join(
    '',
  );
  const decoded = decodeState(text);
  if ('refusal' in decoded) throw new Error(decoded.refusal);
  return {
    accounts: decoded.accounts.map(({ identity: { name }, account }) => ({ name, account })),
    causes: decoded.causes,
  };
}

function failureAt(time: number): Observation {
  return {
    kind: 'failure',
    elapsed: undefined,
    collector: 'devices',
    reason: 'timeout',
    at: NOON + time * 1_000,
  };
}

function listAt(
  phones: readonly Phone[],
  name: string,
  time: number,
  elapsed: number | undefined,
  every: number,
): Observation {
  const apiTime = NOON + time * 1_000;
  const devices = new Map<string, ListedDevice>();
  for (const phone of phones)
    if (phone.account === name) devices.set(phone.id, { device: phone.listed.device, listedAt: apiTime });
  return {
    kind: 'list',
    times: { elapsed, dueIn: every * 1_000, slack: every * 1_000 },
    devices,
    reported: devices.size,
    apiTime,
    listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false },
  };
}

/** Sets the last heartbeat before a time. */
function begin(phone: Phone, time: number, random: Random): void {
  const failedAt = Math.min(
    time,
    ...phone.dark.filter(([from, until]) => from <= time && time < until).map(([from]) => from),
  );
  phone.nextBeat = failedAt - phone.beats.every * (1 + random());
  while (phone.nextBeat <= failedAt) beat(phone, random);
  phone.nextBeat = Math.max(phone.nextBeat, time + phone.beats.every * random());
}

function advance(phone: Phone, time: number, random: Random): void {
  while (phone.nextBeat <= time) {
    if (isDark(phone, phone.nextBeat)) phone.nextBeat = beatAfter(phone.nextBeat, phone.beats, random);
    else beat(phone, random);
  }
}

function beat(phone: Phone, random: Random): void {
  const { update, nextBeat } = phone;
  const shown: Partial<Device> = { lastHeartbeatAt: NOON + Math.round(nextBeat * 1_000) };
  const device = { ...phone.listed.device, ...shown };
  phone.listed = {
    device:
      update !== undefined && nextBeat >= update.at ? { ...device, appVersion: update.version } : device,
    listedAt: 0,
  };
  phone.nextBeat = beatAfter(nextBeat, phone.beats, random);
}

// Judging names.

/** A cause that happened, over its life. */
type Watched = Truth & {
  /** Polls until the end of the cause: its silent phones, and its present name. */
  readonly polls: { readonly time: number; readonly silent: number; readonly name: Name | undefined }[];
  namedAt: number | undefined;
  /** Polls at which it has to be named, or a little later. */
  neededPolls: number;
};

/** A shown name over its life. */
type Shown = {
  readonly name: Name;
  readonly polls: number;
  readonly isRight: boolean;
  readonly changes: number;
};

/** Share of the silent phones of a cause that have to be known before its name is due, and seconds to find it. */
const KNOWN_SHARE = 0.9;
const IN_TIME = 2 * MINUTE;

/** Polls that a cause has to last: two have to agree. */
const NEEDED_POLLS = 3;

function createJudge(phones: readonly Phone[], { truths, alsoRight = [] }: Story, endsAt: number) {
  const inUse = phones.filter((each) => each.listed.device.setupStatus === 'complete' && !isDark(each, -1));
  const watched = truths.map(
    (truth): Watched => ({ ...truth, polls: [], namedAt: undefined, neededPolls: 0 }),
  );
  const shown = new Map<string, Shown>();
  let before: readonly ShownCause[] = [];
  const takeovers = new Map<string, number>();
  let violations = 0;
  return {
    take: ({ time, causes, silent }: Polled): void => {
      const causesNow = shownCauses(causes);
      countTakeovers(takeovers, before, causesNow);
      before = causesNow;
      const named = causesNow.map(({ id, cause, deviceIds }) => {
        const name: Name = `${cause.kind} ${cause.value}`;
        const meant = meantBy(phonesWith(inUse, cause.kind, cause.value), name, watched, inUse);
        return { id, name, kind: cause.kind, meant, ids: [...deviceIds.values()].flat() };
      });
      for (const one of watched) addTogether(one, named, inUse);
      const ids = named.flatMap((each) => each.ids);
      const isTwice =
        new Set(named.map(({ name }) => name)).size < named.length || new Set(ids).size < ids.length;
      if (isTwice || ids.some((id) => !silent.has(id))) violations += 1;
      for (const { id, name, meant } of named) {
        const known = shown.get(id) ?? { name, polls: 0, isRight: false, changes: 0 };
        shown.set(id, {
          name,
          polls: known.polls + 1,
          isRight: known.isRight || meant.length > 0 || alsoRight.includes(name),
          changes: known.changes + Number(known.name !== name),
        });
      }
      for (const one of watched) {
        const alone = [...one.phones].filter(
          (phone) =>
            silent.has(phone.id) && !watched.some((other) => other !== one && other.phones.has(phone)),
        );
        if (named.some(({ meant }) => meant.includes(one))) one.namedAt ??= time;
        if (time > endsAt) continue;
        const own = ownOf(one, inUse).filter(
          (phone) => !watched.some((other) => other !== one && other.phones.has(phone)),
        );
        const due = alone.filter((phone) => own.includes(phone)).length;
        if (due >= 5 && due >= 0.6 * own.length) one.neededPolls += 1;
        const explains = (each: { readonly ids: readonly string[] }): boolean => {
          const explained = new Set(each.ids);
          return 2 * alone.filter(({ id }) => explained.has(id)).length > alone.length;
        };
        one.polls.push({ time, silent: alone.length, name: named.find(explains)?.name });
      }
    },
    result: (): Told => {
      const lasting = [...shown.values()].filter(({ polls }) => polls >= 2);
      const needed = watched.filter(({ neededPolls }) => neededPolls >= NEEDED_POLLS);
      const delays = needed.map((one) => (one.namedAt ?? FOREVER) - knownAt(one));
      const sequences = watched.map(({ polls }) => polls.map(({ name }) => name));
      return {
        right: lasting.filter(({ isRight }) => isRight).length,
        wrong: lasting.flatMap(({ isRight, name }) => (isRight ? [] : [name])),
        needed: needed.length,
        missed: needed.flatMap(({ name }, index) => ((delays[index] ?? FOREVER) <= IN_TIME ? [] : [name])),
        delays: delays.filter((delay) => delay < FOREVER),
        valueChanges: Math.max(0, ...[...shown.values()].map(({ changes }) => changes)),
        takeovers: Math.max(0, ...takeovers.values()),
        flickers: sequences.reduce((sum, names) => sum + flickersOf(names), 0),
        violations,
      };
    },
  };
}

/** Counts, by the id of each cause, how often in a row the cause of its phones was taken over by another one. */
function countTakeovers(
  takeovers: Map<string, number>,
  before: readonly ShownCause[],
  after: readonly ShownCause[],
): void {
  for (const { id, deviceIds } of before) {
    if (after.some((cause) => cause.id === id)) continue;
    const ids = [...deviceIds.values()].flat();
    for (const wider of after) {
      const explained = new Set([...wider.deviceIds.values()].flat());
      if (2 * ids.filter((each) => explained.has(each)).length <= ids.length) continue;
      takeovers.set(wider.id, Math.max(takeovers.get(wider.id) ?? 0, (takeovers.get(id) ?? 0) + 1));
    }
  }
}

function phonesWith(phones: readonly Phone[], kind: CauseKind, value: string): readonly Phone[] {
  return phones.filter((phone) => valuesOf[kind](phone) === value);
}

/** Returns the phones in use that have the value of a cause, by what the API shows. */
function ownOf({ name }: Truth, inUse: readonly Phone[]): readonly Phone[] {
  const kind = KINDS_OF_VALUES.find((each) => name.startsWith(`${each} `)) ?? 'account';
  return phonesWith(inUse, kind, name.slice(kind.length + 1));
}

/**
 * Returns the causes that a name means: the one that is called so; one whose phones are those with this value, but for a
 * tenth; or several, as racks that make up an account.
 */
function meantBy(
  own: readonly Phone[],
  name: Name,
  watched: readonly Watched[],
  inUse: readonly Phone[],
): readonly Watched[] {
  const meant = watched.filter(
    (one) => one.name === name || isAlike(own, one.phones) || isAlike(own, new Set(ownOf(one, inUse))),
  );
  if (meant.length > 0) return meant;
  const within = watched.filter(
    ({ phones }) => own.filter((phone) => phones.has(phone)).length >= 0.9 * phones.size,
  );
  return isAlike(own, new Set(within.flatMap((one) => [...one.phones]))) ? within : [];
}

/** Adds a cause to the names of one kind that mean it together, as racks that hold one model, or all accounts. */
function addTogether(
  one: Watched,
  named: { readonly name: Name; readonly kind: CauseKind; meant: readonly Watched[] }[],
  inUse: readonly Phone[],
): void {
  for (const kind of KINDS_OF_VALUES) {
    const inside = named.filter((each) => {
      if (each.kind !== kind) return false;
      const own = phonesWith(inUse, kind, each.name.slice(kind.length + 1));
      return own.filter((phone) => one.phones.has(phone)).length >= 0.9 * own.length;
    });
    const own = inside.flatMap((each) => phonesWith(inUse, kind, each.name.slice(kind.length + 1)));
    if (!isAlike(own, one.phones)) continue;
    for (const each of inside) if (!each.meant.includes(one)) each.meant = [...each.meant, one];
  }
}

function isAlike(own: readonly Phone[], others: ReadonlySet<Phone>): boolean {
  const common = own.filter((phone) => others.has(phone)).length;
  return common > 0 && common >= 0.9 * (own.length + others.size - common);
}

/** Returns the time at which nine tenths of the phones of a cause were known to be silent. */
function knownAt({ polls }: Watched): number {
  const most = Math.max(...polls.map(({ silent }) => silent));
  return polls.find(({ silent }) => silent >= KNOWN_SHARE * most)?.time ?? FOREVER;
}

function flickersOf(names: readonly (Name | undefined)[]): number {
  const runs = names.filter((name, index) => index === 0 || name !== names[index - 1]);
  return runs.filter((name, index) => name === undefined && index > 0 && runs[index - 1] === runs[index + 1])
    .length;
}

/** Returns what nothing was told of. */
export function nothingTold(): Told {
  return {
    right: 0,
    wrong: [],
    needed: 0,
    missed: [],
    delays: [],
    valueChanges: 0,
    takeovers: 0,
    flickers: 0,
    violations: 0,
  };
}

/** Adds what one story told to the sum of many. */
export function addTold(sum: Told, told: Told): void {
  sum.right += told.right;
  sum.wrong.push(...told.wrong);
  sum.needed += told.needed;
  sum.missed.push(...told.missed);
  sum.delays.push(...told.delays);
  sum.valueChanges = Math.max(sum.valueChanges, told.valueChanges);
  sum.takeovers = Math.max(sum.takeovers, told.takeovers);
  sum.flickers += told.flickers;
  sum.violations += told.violations;
}

export function precisionOfTold({ right, wrong }: Told): number {
  return right + wrong.length === 0 ? 1 : right / (right + wrong.length);
}

export function recallOfTold({ needed, missed }: Told): number {
  return needed === 0 ? 1 : 1 - missed.length / needed;
}
