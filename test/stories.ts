import { between, pick, type Random } from '../src/base/random.ts';
import { DEFAULT_GROUPS, groupOf } from '../src/model/group.ts';
import { anyOf, darken, type FleetOptions, FOREVER, isDark, type StoryPhone } from './story-fleets.ts';
import { HOUR, MINUTE, SECOND } from './watch.ts';

/*
 * Stories of fleets whose phones fail: which fail when, and what they share. Times are milliseconds since noon, when a story
 * begins.
 */

/** A cause, by what it is named. */
export type Name = `${StoryKind} ${string}`;

/** A cause that happened, and the phones that it took offline. */
export type Truth = { readonly name: Name; readonly phones: ReadonlySet<StoryPhone> };

type World = { readonly phones: readonly StoryPhone[]; readonly random: Random };

/** A time from which on a phone shows another version. */
type Update = { readonly phone: StoryPhone; readonly at: number; readonly version: string };

/** Events in a fleet, and in its surroundings. */
export type Story = {
  readonly truths: readonly Truth[];
  /** Names that are no cause of their own, and that nobody would call wrong. */
  readonly alsoRight?: readonly Name[];
  /** Phones that are dark for ever return at the end, within this time. */
  readonly backWithin?: number;
  readonly updates?: readonly Update[];
  /** The time in which polls fail. */
  readonly apiDown?: { readonly from: number; readonly until: number };
  /** The exporter does not run in this time. Without its state file it knows nothing afterwards. */
  readonly stopped?: { readonly from: number; readonly until: number; readonly keepsState: boolean };
  /** Least length of the story. */
  readonly lasts?: number;
  /** It takes hours, and is polled each minute. */
  readonly isSlow?: boolean;
};

type Kind = { readonly options?: FleetOptions; readonly create: (world: World) => Story };

/** Readers of the value that a phone has of each kind, by what the API shows. */
export const VALUES = {
  group: ({ device }: StoryPhone) => groupOf(device.label, DEFAULT_GROUPS),
  tunnel_host: ({ device, tunnel }: StoryPhone) =>
    device.rentalStatus === 'self_rented' ? (tunnel?.host ?? '') : '',
  account: ({ account }: StoryPhone) => account,
  app_version: ({ device }: StoryPhone) => device.appVersion,
  model: ({ device }: StoryPhone) => device.model,
  carrier: ({ tags }: StoryPhone) => tags.get('carrier') ?? '',
  hub: ({ tags }: StoryPhone) => tags.get('hub') ?? '',
  owner: ({ tags }: StoryPhone) => tags.get('owner') ?? '',
} as const;

type StoryKind = keyof typeof VALUES;

export const STORY_KINDS = Object.keys(VALUES).filter((kind): kind is StoryKind => kind in VALUES);

type Hit = {
  /** Returns when a phone fails; by default, within some seconds of the beginning, as is usual of the kind of cause. */
  readonly at?: (phone: StoryPhone) => number;
  /** Share of the phones that are hit; by default, all but a few. */
  readonly share?: number;
  readonly until?: (phone: StoryPhone) => number;
};

/** Lets phones fail, but for those that had failed before. */
function hit(world: World, name: Name, isMeant: (phone: StoryPhone) => boolean, options: Hit = {}): Truth {
  const { random, phones } = world;
  const { at = () => 2 * SECOND * random(), until = () => FOREVER } = options;
  const { share = pick(random, [1, 1, 0.97, 0.94]) } = options;
  const meant = phones.filter((phone) => isMeant(phone) && !isDark(phone, 0));
  const struck = shuffled(random, meant).slice(0, Math.round(share * meant.length));
  for (const phone of struck) darken(phone, at(phone), until(phone));
  return { name, phones: new Set(struck) };
}

function hitRack(world: World, options?: Hit, rack = anyOf(world.random, world.phones).rack): Truth {
  return hit(world, `group ${rack}`, (phone) => phone.rack === rack, options);
}

function hitValue(world: World, kind: Exclude<StoryKind, 'group'>, value: string, options?: Hit): Truth {
  return hit(world, `${kind} ${value}`, (phone) => VALUES[kind](phone) === value, options);
}

function hitAny(world: World, kind: Exclude<StoryKind, 'group'>, options?: Hit): Truth {
  const values = world.phones.map(VALUES[kind]).filter((value) => value !== '');
  return hitValue(world, kind, anyOf(world.random, values), options);
}

function hitAccounts(world: World, options?: Hit): readonly Truth[] {
  const accounts = new Set(world.phones.map(VALUES.account));
  return Array.from(accounts, (name) => hitValue(world, 'account', name, options));
}

/** A model fails within 40 s, and a version within two minutes. */
const hitModel = (world: World): Truth => hitAny(world, 'model', { at: within(world, 0, 40 * SECOND) });
const hitVersion = (world: World, from = 0): Truth =>
  hitAny(world, 'app_version', { at: within(world, from, from + 118 * SECOND) });

function racksOf({ random, phones }: World): readonly string[] {
  return shuffled(random, [...new Set(phones.map(({ rack }) => rack))]);
}

function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** Returns random times between two. */
function within({ random }: World, from: number, until: number): () => number {
  return () => from + random() * (until - from);
}

const storyOf = (...truths: readonly Truth[]): Story => ({ truths });

/** Nothing that phones share explains what happens. */
const unexplained = (lasts: number): Story => ({ truths: [], lasts, isSlow: true });

const rackWithin = (low: number, high: number): Kind => ({
  create: (world) => {
    const at = within(world, 0, between(world.random, low, high) * MINUTE);
    return { ...storyOf(hitRack(world, { at })), isSlow: low >= 60 };
  },
});

const rackShare = (low: number, high: number): Kind => ({
  create: (world) => storyOf(hitRack(world, { share: low + (high - low) * world.random() })),
});

/** A share of a rack fails now, and the rest at a later time. */
const rackInTwoWaves = (low: number, high: number): Kind => ({
  create: (world) => {
    const { random } = world;
    const share = low + random() * (high - low);
    const later = between(random, 5, 60) * MINUTE;
    const at = () => (random() < share ? random() * SECOND : later + random() * 20 * SECOND);
    return storyOf(hitRack(world, { at, share: 1 }));
  },
});

const rackWith = (options: FleetOptions, rest: (world: World) => Partial<Story> = () => ({})): Kind => ({
  options,
  create: (world) => ({ ...storyOf(hitRack(world)), ...rest(world) }),
});

const byThemselves = (options: FleetOptions): Kind => ({ options, create: () => unexplained(1.25 * HOUR) });

/** The rack works again now and then. */
const rackThatFlaps = (outagesFrom: (random: Random) => (phone: StoryPhone) => void): Kind => ({
  create: (world) => {
    const rack = hitRack(world, { share: 1, at: () => -1, until: () => -1 });
    const addOutages = outagesFrom(world.random);
    for (const phone of rack.phones) addOutages(phone);
    return { truths: [rack], lasts: 1.5 * HOUR, isSlow: true };
  },
});

const RACKS = {
  rack: rackWith({}),
  'rack, irregular phones beside it': rackWith({ failures: 0.05, flapping: 0.02 }),
  'rack of 3 to 7 phones': rackWith({
    perRack: (_, random) => {
      const count = between(random, 3, 7);
      return [count, count];
    },
  }),
  'uplink of a site': rackWith({
    perRack: (size, random) => {
      const count = Math.ceil(size / between(random, 2, 4));
      return [count, count];
    },
  }),
  'rack, each holds one model': rackWith({ modelsByRack: true }),
  'rack, labels without separator': rackWith({ plainLabels: (random) => 0.4 * random() }),
  'rack of quick and dozing phones': rackWith({
    patterns: ['each 30 s', 'each minute', 'dozes for 12 min', 'each 5 min'],
  }),
  'rack, rhythms unknown': rackWith({ unknown: 1 }),
  'rack, some rhythms unknown': rackWith({ unknown: 0.3 }),
  'rack, 60 to 80 %': rackShare(0.6, 0.8),
  'rack, 80 to 95 %': rackShare(0.8, 0.95),
  'rack, most now and the rest later': rackInTwoWaves(0.8, 0.93),
  'rack, in two waves': rackInTwoWaves(0.4, 0.75),
  'rack, over 5 to 15 min': rackWithin(5, 15),
  'rack, over 15 to 40 min': rackWithin(15, 40),
  'rack, over 1 to 4 h': rackWithin(60, 240),
  'two or three racks within 10 min': {
    create: (world) => {
      const { random } = world;
      const delay = pick(random, [0, 0, 30, 120, 300]) * SECOND;
      const racks = racksOf(world).slice(0, between(random, 2, 3));
      const at = (index: number) => () => index * delay + random() * SECOND;
      return storyOf(...racks.map((rack, index) => hitRack(world, { at: at(index) }, rack)));
    },
  },
  'hub, then its rack': {
    create: (world) => {
      const { random, phones } = world;
      const { rack, hub } = anyOf(random, phones);
      const later = between(random, 10, 60) * MINUTE;
      const at = (phone: StoryPhone) => (phone.hub === hub ? 0 : later) + random() * SECOND;
      return storyOf(hitRack(world, { at, share: 1 }, rack));
    },
  },
  'rack, back one by one': rackWith({}, () => ({ backWithin: 45 * MINUTE })),
  'rack, flapping power': rackThatFlaps((random) => {
    const on = between(random, 4, 15) * MINUTE;
    return (phone) => {
      for (let from = 0; from < 1.5 * HOUR; from += 30 * MINUTE + on)
        darken(phone, from + random() * SECOND, from + 30 * MINUTE);
    };
  }),
  'rack, flapping uplink': rackThatFlaps((random) => (phone) => {
    for (let from = random() * 20 * SECOND; from < 1.5 * HOUR; ) {
      const until = from + between(random, 15, 60) * MINUTE;
      darken(phone, from, until);
      from = until + between(random, 1, 3) * MINUTE;
    }
  }),
} satisfies Readonly<Record<string, Kind>>;

const EXPORTER = {
  'rack, exporter restarts amid it': rackWith({}, ({ random }) => {
    const from = between(random, 1, 8) * MINUTE;
    return { stopped: { from, until: from + between(random, 1, 8) * MINUTE, keepsState: true } };
  }),
  'rack, exporter is off meanwhile': rackWith({}, ({ random }) => ({
    stopped: { from: 0, until: between(random, 12, 90) * MINUTE, keepsState: true },
  })),
  'rack, exporter starts without state': rackWith({}, ({ random }) => ({
    stopped: { from: -FOREVER, until: between(random, 12, 90) * MINUTE, keepsState: false },
  })),
  'rack, while the API is down': rackWith({}, ({ random }) => {
    const from = -between(random, 0, 4) * MINUTE;
    return { apiDown: { from, until: from + between(random, 2, 20) * MINUTE } };
  }),
  'marketplace down, and all return': {
    create: ({ random, phones }) => {
      const until = between(random, 4, 30) * MINUTE;
      for (const phone of phones) darken(phone, 0, until + random() * 20 * SECOND);
      return { ...unexplained(until + 40 * MINUTE), apiDown: { from: 0, until }, isSlow: false };
    },
  },
} satisfies Readonly<Record<string, Kind>>;

const WIDER = {
  model: { create: (world) => storyOf(hitModel(world)) },
  'model, each rack holds one': {
    options: { modelsByRack: true },
    create: (world) => storyOf(hitModel(world)),
  },
  'model, phones without groups': {
    options: { plainLabels: () => 1 },
    create: (world) => storyOf(hitModel(world)),
  },
  'app version, within 2 min': { create: (world) => storyOf(hitVersion(world)) },
  'app version, over 2 h': {
    create: (world) => ({
      ...storyOf(hitAny(world, 'app_version', { at: within(world, 0, 2 * HOUR) })),
      isSlow: true,
    }),
  },
  'app version, rolled out over 2 h': {
    create: (world) => {
      const version = '9.0.1';
      const updates: Update[] = [];
      const at = (phone: StoryPhone): number => {
        const diesAt = within(world, 10 * MINUTE, 2 * HOUR)();
        updates.push({ phone, at: diesAt - between(world.random, 1, 2) * MINUTE, version });
        return diesAt;
      };
      const isMeant = () => world.random() < 0.3;
      const truth = hit(world, `app_version ${version}`, isMeant, { at, share: 1 });
      return { ...storyOf(truth), updates, isSlow: true };
    },
  },
  'tunnel host': { options: { rented: 0.5 }, create: (world) => storyOf(hitAny(world, 'tunnel_host')) },
  'marketplace, all phones': { create: (world) => storyOf(...hitAccounts(world)) },
  'marketplace, all phones within 3 min': {
    create: (world) => storyOf(...hitAccounts(world, { at: within(world, 0, 3 * MINUTE) })),
  },
  'account of several': { options: { accounts: 3 }, create: (world) => storyOf(hitAny(world, 'account')) },
  'account, back one by one': {
    create: (world) => ({ ...storyOf(hitAny(world, 'account')), backWithin: 30 * MINUTE }),
  },
  'account, rack after rack': {
    options: { accounts: 2 },
    create: (world) => {
      const racks = racksOf(world);
      const delay = Math.min(between(world.random, 20, 90) * SECOND, HOUR / racks.length);
      const at = ({ rack }: StoryPhone) => racks.indexOf(rack) * delay + world.random() * SECOND;
      const alsoRight = racks.map((rack): Name => `group ${rack}`);
      return { ...storyOf(hitAny(world, 'account', { at, share: 1 })), alsoRight };
    },
  },
  'hiccup of an account, 1 to 6 min': {
    options: { accounts: 2 },
    create: (world) => {
      const back = between(world.random, 60, 360) * SECOND;
      return storyOf(hitAny(world, 'account', { until: within(world, back, back + 20 * SECOND), share: 1 }));
    },
  },
  'rack and version at once': {
    create: (world) => {
      const delay = pick(world.random, [0, between(world.random, 1, 120)]) * SECOND;
      return storyOf(hitRack(world), hitVersion(world, delay));
    },
  },
  'rack and model within 5 min': {
    create: (world) => {
      const later = between(world.random, 0, 5) * MINUTE;
      const at = within(world, later, later + 30 * SECOND);
      return storyOf(hitRack(world), hitAny(world, 'model', { at }));
    },
  },
} satisfies Readonly<Record<string, Kind>>;

const UNEXPLAINED = {
  'hub inside a rack': {
    options: { perRack: () => [12, 40] },
    create: ({ random, phones }) => {
      const { rack, hub } = anyOf(random, phones);
      const own = phones.filter((phone) => phone.rack === rack);
      const struck = own.filter((phone) => phone.hub === hub);
      if (struck.length <= 0.5 * own.length)
        for (const phone of struck) darken(phone, random() * SECOND, FOREVER);
      return unexplained(HOUR);
    },
  },
  'carrier: a third of all phones': {
    create: ({ random, phones }) => {
      const failed = between(random, 0, 2);
      const until = pick(random, [40 * MINUTE, FOREVER]);
      for (const phone of phones)
        if (phone.carrier === failed)
          darken(phone, random() * 20 * SECOND, until + between(random, 0, 20) * MINUTE);
      return unexplained(HOUR);
    },
  },
  'all phones restart within an hour': {
    create: ({ random, phones }) => {
      for (const phone of phones) {
        const from = random() * HOUR;
        darken(phone, from, from + between(random, 40, 330) * SECOND);
      }
      return unexplained(1.25 * HOUR);
    },
  },
  'half of rack after rack is in maintenance': {
    create: (world) => {
      const { random, phones } = world;
      for (const [index, rack] of racksOf(world).slice(0, 12).entries()) {
        for (const phone of phones) {
          if (phone.rack !== rack || random() < 0.5) continue;
          const from = (index * 5 + 10 * random()) * MINUTE;
          darken(phone, from, from + between(random, 4, 20) * MINUTE);
        }
      }
      return unexplained(1.5 * HOUR);
    },
  },
  '1 % a day fail by themselves': byThemselves({ failures: 0.01 }),
  '5 % a day fail by themselves': byThemselves({ failures: 0.05 }),
  '20 % a day fail by themselves': byThemselves({ failures: 0.2 }),
  'many come and go': byThemselves({ flapping: 0.1 }),
} satisfies Readonly<Record<string, Kind>>;

/** The owner's file says carrier, hub and owner of each phone. */
const tagged = (create: Kind['create'], options: FleetOptions = {}): Kind => ({
  options: { ...options, tagged: true },
  create,
});

const TAGGED = {
  'tags: carrier': tagged((world) =>
    storyOf(hitAny(world, 'carrier', { at: within(world, 0, 20 * SECOND) })),
  ),
  'tags: carrier, within 4 min': tagged((world) =>
    storyOf(hitAny(world, 'carrier', { at: within(world, 0, 4 * MINUTE) })),
  ),
  'tags: carrier, and a rack within 10 min': tagged((world) => {
    const later = between(world.random, 0, 10) * MINUTE;
    const carrier = hitAny(world, 'carrier', { at: within(world, later, later + 20 * SECOND) });
    return storyOf(hitRack(world), carrier);
  }),
  'tags: rack': tagged((world) => storyOf(hitRack(world))),
  'tags: rack, over 5 to 15 min': tagged(rackWithin(5, 15).create),
  'tags: hub of a rack': tagged((world) => storyOf(hitAny(world, 'hub')), { perRack: () => [12, 40] }),
  'tags: model': tagged((world) => storyOf(hitModel(world))),
  'tags: marketplace, all phones': tagged((world) => storyOf(...hitAccounts(world))),
  'tags: 5 % a day fail by themselves': tagged(() => unexplained(1.25 * HOUR), { failures: 0.05 }),
  'tags: many come and go': tagged(() => unexplained(1.25 * HOUR), { flapping: 0.1 }),
} satisfies Readonly<Record<string, Kind>>;

const KINDS = { ...RACKS, ...EXPORTER, ...WIDER, ...UNEXPLAINED, ...TAGGED };

export type StoryName = keyof typeof KINDS;

export const STORIES: Readonly<Record<StoryName, Kind>> = KINDS;

export const STORY_NAMES: readonly StoryName[] = Object.keys(KINDS).filter(
  (name): name is StoryName => name in KINDS,
);
