import { causesAfter } from '../src/judgement/causes.ts';
import { judgeDevices } from '../src/judgement/problems.ts';
import { learnedLimitSeconds, learnGap, NEW_RHYTHM } from '../src/judgement/silence.ts';
import { type NamedAccount, NEW_ACCOUNT } from '../src/model/account.ts';
import { type CauseKind, type Causes, NO_CAUSES } from '../src/model/cause.ts';
import type { FleetDevice } from '../src/model/fleet.ts';
import { DEFAULT_GROUPS, groupOf } from '../src/model/group.ts';
import type { Rhythm } from '../src/model/rhythm.ts';
import type { Tunnels } from '../src/model/tunnel.ts';
import { createPhone, NASTY_LABELS } from '../src/simulator/phones.ts';
import {
  between,
  createRandom,
  deriveSeed,
  pick,
  pickWeighted,
  type Random,
} from '../src/simulator/random.ts';
import { finish } from '../src/steps.ts';
import {
  answerAtNoon,
  bareDevice,
  fleetOf,
  NOON,
  PROBLEM_SETTINGS,
  shownCauses,
  tunnelOf,
} from './builders.ts';
import { type Heartbeats, PATTERNS, type PatternName } from './rhythms.ts';

/*
 * Incidents in simulated fleets, each from a seed alone, played poll by poll, and how well their causes are named. Times
 * are seconds since the incident began.
 */

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const POLL_SECONDS = 30;

/** A simulated device. */
type Phone = {
  readonly id: string;
  readonly account: string;
  readonly label: string;
  /** What it really shares, whatever its label says. */
  readonly place: string;
  readonly hub: string;
  readonly carrier: number;
  readonly model: string;
  readonly appVersion: string;
  readonly host: string | undefined;
  readonly isSold: boolean;
  readonly beats: Heartbeats;
  /** When its heartbeats began. */
  beganAt: number;
  rhythm: Rhythm;
  limit: number;
  /** Times in which it sends no heartbeat. */
  readonly outages: (readonly [from: number, until: number])[];
  lastBeat: number;
  nextBeat: number;
};

/** A cause, by what it is named. */
type Name = `${CauseKind} ${string}`;

/** A cause that happened, and the devices that it silenced. */
type Struck = { readonly name: Name; readonly devices: ReadonlySet<Phone> };

/** What happens in a fleet. */
type Story = {
  readonly struck: readonly Struck[];
  /** When the last device has failed and counts as silent. */
  readonly settledAt: number;
  /** The exporter starts at this time; before the incident by default. */
  readonly startsAt?: number;
  readonly endsAt: number;
};

type World = {
  readonly phones: readonly Phone[];
  readonly places: readonly string[];
  readonly random: Random;
};

/** How the fleets of a generator look. */
type Style = {
  /** Devices of a place. */
  readonly perPlace: readonly [number, number];
  readonly label: (place: number, slot: number, random: Random) => string;
  /** Share of the labels that are wrong, are spelled otherwise or have no separator. */
  readonly oddLabels: number;
  /** Share of the devices of a place that are of one model, bought together. */
  readonly inBatches: number;
  readonly withTunnel: number;
  readonly patterns: readonly [PatternName, ...PatternName[]];
};

const two = (number: number): string => String(number).padStart(2, '0');

export const STYLES = {
  mixed: {
    perPlace: [6, 40],
    label: (place, slot) => `rack-${two(place)}/slot-${slot}`,
    oddLabels: 0.06,
    inBatches: 0,
    withTunnel: 0.2,
    patterns: ['each 5 s', 'each 30 s', 'each minute', 'each minute', 'each 2 min', 'each 5 min'],
  },
  /** Models that stand in one place each, and irregular heartbeats. */
  batches: {
    perPlace: [4, 70],
    label: (place, slot, random) =>
      pick(random, [
        `R${place}/${slot}`,
        `R${place} / phone ${slot}`,
        `R${place}/hub${1 + (slot % 4)}/${slot}`,
        `R${place}/${slot}`,
      ]),
    oddLabels: 0.04,
    inBatches: 0.9,
    withTunnel: 0.5,
    patterns: [
      'each 10 s',
      'each minute, 5 % lost',
      'each minute of the clock',
      'each 90 s',
      'gamma gaps, mean a minute',
      'dozes for 12 min',
    ],
  },
  /** The analysis was not adapted to this one. */
  unseen: {
    perPlace: [5, 28],
    label: (place, slot) => `${place % 2 === 0 ? 'Nord' : 'Süd'} ${Math.ceil(place / 2)}/${two(slot)}`,
    oddLabels: 0.08,
    inBatches: 0.4,
    withTunnel: 0.35,
    patterns: [
      'each minute, lost in bursts',
      'each minute, jitter of 20 %',
      'five in 10 s, each 5 min',
      'each 2 min',
      'log-normal gaps, median a minute',
      'dozes for 15 min',
    ],
  },
} as const satisfies Readonly<Record<string, Style>>;

/** Creates a story of a kind, by letting devices fail. */
type Kind = {
  readonly tell: (world: World) => Story;
  readonly perPlace?: (size: number, random: Random) => number;
  readonly patterns?: readonly [PatternName, ...PatternName[]];
  /** Share of the labels without a separator, of up to. */
  readonly plainLabels?: number;
  readonly failuresPerDay?: number;
};

type Hit = {
  /** When a device fails. */
  readonly at?: (phone: Phone) => number;
  readonly survivors?: number;
  readonly until?: (phone: Phone) => number;
};

const FOREVER = 10 * DAY;

/** Lets the devices with a property fail. */
function hit({ phones, random }: World, target: Target, { at, survivors, until }: Hit = {}): Struck {
  const share = survivors ?? pick(random, [0, 0, 0.03, 0.06]);
  const devices = new Set<Phone>();
  for (const phone of phones) {
    if (!target.includes(phone) || random() < share || isDown(phone, 0)) continue;
    phone.outages.push([at?.(phone) ?? random() * target.seconds, until?.(phone) ?? FOREVER]);
    devices.add(phone);
  }
  return { name: target.name, devices };
}

/** Devices that one cause silences, within some seconds. */
type Target = {
  readonly name: Name;
  readonly seconds: number;
  readonly includes: (phone: Phone) => boolean;
};

const placeTarget = (wanted: string): Target => ({
  name: `group ${wanted}`,
  seconds: 1,
  includes: ({ place }) => place === wanted,
});
const versionTarget = (wanted: string): Target => ({
  name: `app_version ${wanted}`,
  seconds: 118,
  includes: ({ appVersion }) => appVersion === wanted,
});
const modelTarget = (wanted: string): Target => ({
  name: `model ${wanted}`,
  seconds: 40,
  includes: ({ model }) => model === wanted,
});
const hostTarget = (wanted: string | undefined): Target => ({
  name: `tunnel_host ${wanted}`,
  seconds: 5,
  includes: ({ host }) => host === wanted,
});
const accountTarget = (wanted: string): Target => ({
  name: `account ${wanted}`,
  seconds: 5,
  includes: ({ account }) => account === wanted,
});

const anyPlace = ({ places, random }: World): Target => placeTarget(pickFrom(random, places));
const anyVersion = ({ phones, random }: World): Target => versionTarget(pickFrom(random, phones).appVersion);

/** A story in which all is over some time after it has settled. */
function told({ random }: World, ...struck: readonly Struck[]): Story {
  const settledAt = settledTime(struck);
  const endsAt = settledAt + between(random, 5, 30) * MINUTE;
  for (const { devices } of struck)
    for (const { outages } of devices)
      for (const [index, [from, until]] of outages.entries())
        if (until === FOREVER) outages[index] = [from, endsAt + random() * 60];
  return { struck, settledAt, endsAt: endsAt + 10 * MINUTE };
}

function settledTime(struck: readonly Struck[]): number {
  let settledAt = 0;
  for (const { devices } of struck)
    for (const { outages, limit } of devices)
      settledAt = Math.max(settledAt, (outages.at(-1)?.[0] ?? 0) + limit);
  return settledAt;
}

/** A story in which no property explains what happens. */
function unexplained(hours: number): Story {
  return { struck: [], settledAt: 0, endsAt: hours * HOUR };
}

const over =
  (random: Random, seconds: number): (() => number) =>
  () =>
    random() * seconds;

/** A rack of which a share fails now, and the rest at a later time. */
function inTwoWaves(world: World, low: number, high: number): Story {
  const { random } = world;
  const share = low + random() * (high - low);
  const later = between(random, 5, 60) * MINUTE;
  const at = (): number => (random() < share ? random() : later + random() * 20);
  return told(world, hit(world, anyPlace(world), { at, survivors: 0 }));
}

export const KINDS = {
  'rack, sudden': { tell: (world) => told(world, hit(world, anyPlace(world))) },
  'two or three racks': {
    tell: (world) => {
      const { random, places } = world;
      const chosen = new Set(Array.from({ length: between(random, 2, 3) }, () => pickFrom(random, places)));
      const delay = pick(random, [0, 0, 30, 120]);
      const struck = [...chosen].map((place, index) =>
        hit(world, placeTarget(place), { at: () => index * delay + random() }),
      );
      return told(world, ...struck);
    },
  },
  'hub of 3 to 7': {
    tell: (world) => told(world, hit(world, anyPlace(world))),
    perPlace: (_, random) => between(random, 3, 7),
  },
  'uplink of a site': {
    tell: (world) => told(world, hit(world, anyPlace(world))),
    perPlace: (size, random) => Math.ceil(size / between(random, 2, 4)),
  },
  model: {
    tell: (world) => told(world, hit(world, modelTarget(pickFrom(world.random, world.phones).model))),
  },
  'app version, within 2 min': { tell: (world) => told(world, hit(world, anyVersion(world))) },
  'app version, over 2 h': {
    tell: (world) => told(world, hit(world, anyVersion(world), { at: over(world.random, 2 * HOUR) })),
  },
  'tunnel host': {
    tell: (world) => {
      const tunnels = world.phones.filter(({ host }) => host !== undefined);
      if (tunnels.length === 0) return unexplained(1);
      return told(world, hit(world, hostTarget(pickFrom(world.random, tunnels).host)));
    },
  },
  account: {
    tell: (world) => told(world, hit(world, accountTarget(pickFrom(world.random, world.phones).account))),
  },
  'rack, exporter started later': {
    tell: (world) => {
      const { random } = world;
      const story = told(world, hit(world, anyPlace(world)));
      // Without a state file, the rhythms of silent devices are unknown.
      if (random() < 0.5) {
        for (const phone of world.phones) {
          phone.limit = learnedLimitSeconds(NEW_RHYTHM);
          if (isDown(phone, 1)) phone.rhythm = NEW_RHYTHM;
        }
      }
      return { ...story, settledAt: settledTime(story.struck), startsAt: settledTime(story.struck) + 30 };
    },
  },
  'rack, over 5 to 15 min': {
    tell: (world) => {
      const seconds = between(world.random, 5, 15) * MINUTE;
      return told(world, hit(world, anyPlace(world), { at: over(world.random, seconds) }));
    },
  },
  'rack, over 15 to 40 min': {
    tell: (world) => {
      const seconds = between(world.random, 15, 40) * MINUTE;
      return told(world, hit(world, anyPlace(world), { at: over(world.random, seconds) }));
    },
  },
  'rack, 80 to 95 %': {
    tell: (world) => told(world, hit(world, anyPlace(world), { survivors: 0.05 + 0.15 * world.random() })),
  },
  'rack, most now and the rest later': { tell: (world) => inTwoWaves(world, 0.8, 0.93) },
  'rack, in two waves': { tell: (world) => inTwoWaves(world, 0.4, 0.75) },
  'hub, then its rack': {
    tell: (world) => {
      const { random, phones } = world;
      const target = anyPlace(world);
      const hub = phones.find((phone) => target.includes(phone))?.hub;
      const later = between(random, 10, 60) * MINUTE;
      const at = (phone: Phone): number => (phone.hub === hub ? random() : later + random());
      return told(world, hit(world, target, { at, survivors: 0 }));
    },
  },
  'rack and version at once': {
    tell: (world) => {
      const { random } = world;
      const delay = pick(random, [0, between(random, 1, 120)]);
      const rack = hit(world, anyPlace(world));
      return told(world, rack, hit(world, anyVersion(world), { at: () => delay + random() * 118 }));
    },
  },
  'rack, labels without separator': {
    tell: (world) => told(world, hit(world, anyPlace(world))),
    plainLabels: 0.4,
  },
  'rack of quick and dozing phones': {
    tell: (world) => told(world, hit(world, anyPlace(world))),
    patterns: ['each 30 s', 'each minute', 'dozes for 12 min', 'each 5 min'],
  },
  'rack, flapping power': {
    tell: (world) => {
      const { random } = world;
      const rack = hit(world, anyPlace(world), { survivors: 0, until: () => 30 * MINUTE });
      const settledAt = settledTime([rack]);
      const on = between(random, 4, 15) * MINUTE;
      for (const { outages } of rack.devices)
        for (let begin = 30 * MINUTE + on; begin < 2 * HOUR; begin += 30 * MINUTE + on)
          outages.push([begin, begin + 30 * MINUTE]);
      return { struck: [rack], settledAt, endsAt: 2 * HOUR };
    },
  },
  'rack, flapping uplink': {
    tell: (world) => {
      const { random } = world;
      const rack = hit(world, anyPlace(world), { survivors: 0, until: () => 1 });
      const settledAt = settledTime([rack]);
      for (const { outages } of rack.devices) {
        for (let begin = random() * 20; begin < 2 * HOUR; ) {
          const end = begin + between(random, 15, 60) * MINUTE;
          outages.push([begin, end]);
          begin = end + between(random, 1, 3) * MINUTE;
        }
      }
      return { struck: [rack], settledAt, endsAt: 2 * HOUR };
    },
  },
  'rack, back one by one': {
    tell: (world) => {
      const { random } = world;
      const rack = hit(world, anyPlace(world));
      const settledAt = settledTime([rack]);
      const backAt = settledAt + 10 * MINUTE;
      for (const { outages } of rack.devices) {
        const [from] = outages.pop() ?? [0];
        outages.push([from, backAt + random() * 30 * MINUTE]);
      }
      return { struck: [rack], settledAt, endsAt: backAt + 40 * MINUTE };
    },
  },
  'hub inside a rack': {
    tell: (world) => {
      const { phones, random } = world;
      const hubs = new Set(phones.map(({ hub }) => hub));
      const hub = pickFrom(random, [...hubs]);
      const place = phones.find((phone) => phone.hub === hub)?.place;
      const own = phones.filter((phone) => phone.place === place);
      if (own.filter((phone) => phone.hub === hub).length > 0.5 * own.length) return unexplained(1);
      for (const phone of own) if (phone.hub === hub) phone.outages.push([random(), FOREVER]);
      return unexplained(1.5);
    },
    perPlace: (_, random) => between(random, 12, 40),
  },
  carrier: {
    tell: ({ phones, random }) => {
      const carrier = between(random, 0, 2);
      for (const phone of phones)
        if (phone.carrier === carrier) phone.outages.push([random() * 20, between(random, 40, 60) * MINUTE]);
      return unexplained(1.5);
    },
  },
  reboots: {
    tell: ({ phones, random }) => {
      for (const { outages } of phones) {
        const from = random() * HOUR;
        outages.push([from, from + between(random, 60, 300)]);
      }
      return unexplained(1.5);
    },
  },
  maintenance: {
    tell: ({ phones, places, random }) => {
      // One place after the other; half of the devices of each are off for a while.
      for (const [index, place] of places.slice(0, 12).entries()) {
        for (const phone of phones) {
          if (phone.place !== place || random() < 0.5) continue;
          const from = (index * 5 + 10 * random()) * MINUTE;
          phone.outages.push([from, from + between(random, 4, 20) * MINUTE]);
        }
      }
      return unexplained(2);
    },
  },
  '1 % a day fail by themselves': { tell: () => unexplained(2), failuresPerDay: 0.01 },
  '5 % a day fail by themselves': { tell: () => unexplained(2), failuresPerDay: 0.05 },
  '20 % a day fail by themselves': { tell: () => unexplained(2), failuresPerDay: 0.2 },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;
export type StyleName = keyof typeof STYLES;

export const KIND_NAMES: readonly KindName[] = Object.keys(KINDS).filter(
  (name): name is KindName => name in KINDS,
);

export const FLEET_SIZES = [12, 20, 50, 100, 250, 500, 1_000, 2_500] as const;

function pickFrom<Choice>(random: Random, choices: readonly Choice[]): Choice {
  const [first, ...others] = choices;
  if (first === undefined) throw new RangeError('nothing to pick from');
  return pick(random, [first, ...others]);
}

function isDown({ outages }: Phone, time: number): boolean {
  return outages.some(([from, until]) => from <= time && time < until);
}

/** Time after which a rhythm is known. */
const KNOWN_SECONDS = 7 * 3_600;

/** Rhythms that polls learn of each pattern. */
function learnedRhythm(pattern: PatternName, random: Random): Rhythm {
  const beats = PATTERNS[pattern](random);
  let rhythm = NEW_RHYTHM;
  let last = beats.next(0);
  let next = last;
  for (let poll = POLL_SECONDS; poll < KNOWN_SECONDS; poll += POLL_SECONDS) {
    let shown = last;
    while (next <= poll) {
      shown = next;
      next = beats.next(next);
    }
    if (shown > last) rhythm = learnGap(rhythm, shown - last);
    last = shown;
  }
  return rhythm;
}

function createPhones(size: number, style: Style, kind: Kind, random: Random): readonly Phone[] {
  const patterns = kind.patterns ?? [pick(random, style.patterns)];
  const mixed = pick(random, [true, false, false]) ? style.patterns : patterns;
  const rhythms = new Map(
    mixed.map((name) => [name, Array.from({ length: 3 }, () => learnedRhythm(name, random))]),
  );
  const accounts = pick(random, [1, 1, 2, 3]);
  const perPlace = kind.perPlace?.(size, random);
  const fleetSeed = between(random, 0, 1_000_000);
  const plain = (kind.plainLabels ?? 0) * random();
  const phones: Phone[] = [];
  for (let place = 1; phones.length < size; place += 1) {
    const limit = Math.ceil(size / 3);
    const count = perPlace ?? Math.min(between(random, ...style.perPlace), limit);
    const perHub = between(random, 3, 7);
    for (let slot = 1; slot <= count && phones.length < size; slot += 1) {
      const index = phones.length;
      const wrong = between(random, 1, Math.max(place, 2));
      const label = pickWeighted(random, [
        [100 * (1 - style.oddLabels), style.label(place, slot, random)],
        [25 * style.oddLabels, pick(random, NASTY_LABELS)],
        [25 * style.oddLabels, style.label(wrong, slot, random)],
        [25 * style.oddLabels, style.label(place, slot, random).toUpperCase()],
        [25 * style.oddLabels, style.label(place, slot, random).replaceAll('/', ' ')],
      ]);
      const { model, appVersion } = createPhone(fleetSeed, index);
      const batch = createPhone(fleetSeed, place).model;
      const pattern = pickFrom(random, mixed);
      const rhythm = pickFrom(random, rhythms.get(pattern) ?? []);
      phones.push({
        id: `phone-${index}`,
        account: `account-${Math.floor((index * accounts) / size)}`,
        label: random() < plain ? label.replaceAll('/', ' ') : label,
        place: groupOf(style.label(place, slot, random), DEFAULT_GROUPS),
        hub: `${place} ${Math.floor(slot / perHub)}`,
        carrier: between(random, 0, 2),
        model: random() < style.inBatches ? batch : model,
        appVersion,
        host:
          random() < style.withTunnel
            ? `gate-${between(random, 1, Math.min(12, Math.ceil(size / 50)))}.example.net`
            : undefined,
        isSold: random() < 0.6,
        beats: PATTERNS[pattern](random),
        rhythm,
        limit: learnedLimitSeconds(rhythm),
        outages: [],
        beganAt: 0,
        lastBeat: 0,
        nextBeat: 0,
      });
    }
  }
  return phones;
}

/** Lets devices fail at any time, for 20 minutes to a day. */
function failByThemselves(phones: readonly Phone[], perDay: number, endsAt: number, random: Random): void {
  for (const { outages } of phones) {
    const from = -DAY + random() * (DAY + endsAt);
    if (random() < (perDay * (DAY + endsAt)) / DAY)
      outages.push([from, from + between(random, 20 * MINUTE, DAY)]);
  }
}

/** A name that was shown. */
type Shown = {
  readonly name: Name;
  readonly isRight: boolean;
  readonly isSmall: boolean;
  /** Number of polls that showed it. */
  polls: number;
};

/** What was named in one incident. */
export type Outcome = {
  /** Names that two polls showed. */
  readonly shown: readonly Shown[];
  /** Causes of five devices or more, with four fifths of their value silent, and how many of them were named. */
  readonly needed: number;
  readonly named: number;
  /** Devices of those, and those that carried the name. */
  readonly devices: number;
  readonly carried: number;
  /** Seconds from the poll at which four fifths were silent to the one that showed the name. */
  readonly delays: readonly number[];
  /** Times that a name was shown again while most of its devices were silent all the time. */
  readonly flickers: number;
  /** Polls that showed a value twice, a device twice, or a device that was not silent. */
  readonly violations: number;
};

/** Plays an incident. */
export function playIncident(
  name: KindName,
  size: number,
  seed: number,
  styleName: StyleName = 'mixed',
): Outcome {
  const kind: Kind = KINDS[name];
  const style: Style = STYLES[styleName];
  const random = createRandom(deriveSeed(seed, size, KIND_NAMES.indexOf(name), styleName.length));
  const phones = createPhones(size, style, kind, random);
  const places = [...new Set(phones.map(({ place }) => place))];
  const perDay = kind.failuresPerDay ?? pick(random, [0, 0.01, 0.05]);
  failByThemselves(phones, perDay, 3 * HOUR, random);
  const story = kind.tell({ phones, places, random });
  const startsAt = story.startsAt ?? -5 * MINUTE;
  for (const phone of phones) begin(phone, startsAt, random);
  return watch(phones, story, startsAt);
}

/** Interval of polls over whole days. Each silence lasts for several of them, so that no coincidence is missed. */
const LONG_POLL_SECONDS = 5 * MINUTE;

/** Plays a day in which devices fail by themselves, and returns the number of causes that were named. */
export function playQuietDay(size: number, seed: number): number {
  const random = createRandom(deriveSeed(seed, size));
  const style = STYLES[pick<StyleName>(random, ['mixed', 'batches', 'unseen'])];
  const phones = createPhones(size, style, KINDS['rack, sudden'], random);
  failByThemselves(phones, pick(random, [0.01, 0.05, 0.2]), DAY, random);
  for (const phone of phones) begin(phone, 0, random);
  const named = new Set<string>();
  for (const { causes } of pollFleet(phones, 0, DAY, LONG_POLL_SECONDS))
    for (const { id } of shownCauses(causes)) named.add(id);
  return named.size;
}

/** Ways in which a part of a fleet may have fallen silent. */
export const SILENCES = ['each alone', 'places at once', 'places one after the other'] as const;

/** Returns a fleet of which a share has fallen silent. */
export function silentFleet(
  size: number,
  share: number,
  silence: (typeof SILENCES)[number],
): readonly NamedAccount[] {
  const random = createRandom(deriveSeed(size));
  const phones = createPhones(size, STYLES.mixed, KINDS['rack, sudden'], random);
  const places = new Map<string, number | undefined>();
  for (const { place } of phones)
    if (!places.has(place)) places.set(place, random() < share ? random() * 5 * DAY : undefined);
  const silentFor = ({ place }: Phone): number | undefined => {
    if (silence === 'each alone') return random() < share ? random() * 5 * DAY : undefined;
    const since = places.get(place);
    return since === undefined || silence === 'places at once' ? since && 0 : since + random() * 2 * HOUR;
  };
  for (const phone of phones) {
    const since = silentFor(phone);
    phone.lastBeat = since === undefined ? -random() * 60 : -HOUR - since - random() * 60;
  }
  const names = [...new Set(phones.map(({ account }) => account))];
  return names.map((name) =>
    polled({ name, account: { ...NEW_ACCOUNT, tunnels: tunnelsOf(phones, name) } }, phones, 0),
  );
}

/** Sets the last heartbeat before a time. */
function begin(phone: Phone, time: number, random: Random): void {
  const outage = phone.outages.find(([from, until]) => from <= time && time < until);
  phone.beganAt = Math.min(time, outage?.[0] ?? time) - 1_800 * (1 + random());
  phone.lastBeat = phone.beganAt;
  phone.nextBeat = beatAfter(phone, phone.beganAt);
  // After the last heartbeat before an outage, nothing is simulated until the exporter starts.
  advance(phone, outage === undefined ? time : outage[0]);
  if (outage !== undefined) phone.nextBeat = Math.max(phone.nextBeat, beatAfter(phone, time));
}

function beatAfter({ beats, beganAt }: Phone, time: number): number {
  return beganAt + beats.next(time - beganAt);
}

function advance(phone: Phone, time: number): void {
  while (phone.nextBeat <= time) {
    if (!isDown(phone, phone.nextBeat)) phone.lastBeat = phone.nextBeat;
    phone.nextBeat = beatAfter(phone, phone.nextBeat);
  }
}

/** Polls the accounts of a fleet one after the other. */
function* pollFleet(
  phones: readonly Phone[],
  startsAt: number,
  endsAt: number,
  interval = POLL_SECONDS,
): Generator<Poll> {
  const names = [...new Set(phones.map(({ account }) => account))];
  let causes = NO_CAUSES;
  let accounts: readonly NamedAccount[] = names.map((name) => ({
    name,
    account: { ...NEW_ACCOUNT, tunnels: tunnelsOf(phones, name) },
  }));
  for (let time = startsAt; time <= endsAt; time += interval) {
    for (const phone of phones) advance(phone, time);
    for (const name of names) {
      accounts = accounts.map((account) => (account.name === name ? polled(account, phones, time) : account));
      causes = finish(causesAfter(accounts, causes));
    }
    yield { time, causes, accounts };
  }
}

type Poll = {
  readonly time: number;
  readonly causes: Causes;
  readonly accounts: readonly NamedAccount[];
};

function tunnelsOf(phones: readonly Phone[], account: string): Tunnels {
  return new Map(
    phones
      .filter((phone) => phone.account === account && phone.host !== undefined)
      .map(({ id, host }) => [id, answerAtNoon(tunnelOf({ host: host ?? '' }))]),
  );
}

function polled({ name, account }: NamedAccount, phones: readonly Phone[], time: number): NamedAccount {
  const entries: [string, FleetDevice][] = [];
  for (const phone of phones) if (phone.account === name) entries.push([phone.id, entryOf(phone, time)]);
  const devices = new Map(entries);
  const fleet = { ...fleetOf(), devices, apiTime: NOON + time * 1000 };
  const judgement = finish(judgeDevices(fleet, undefined, account.judgement, PROBLEM_SETTINGS));
  return { name, account: { ...account, fleet, judgement } };
}

function entryOf(phone: Phone, time: number): FleetDevice {
  const { id, label, model, appVersion, isSold, rhythm, limit, lastBeat } = phone;
  const age = time - lastBeat;
  return {
    device: bareDevice({
      id,
      label,
      model,
      appVersion,
      setupStatus: 'complete',
      rentalStatus: isSold ? 'sold' : 'idle',
      marketplaceStatus: 'listed',
      lastHeartbeatAt: NOON + Math.round(lastBeat * 1000),
    }),
    group: groupOf(label, DEFAULT_GROUPS),
    listedAt: NOON + Math.round(time * 1000),
    heartbeatAgeSeconds: age,
    outageSeconds: 0,
    rhythm,
    silenceLimitSeconds: limit,
    silent: age > limit,
    maintainedAt: undefined,
    rentalStatusSince: NOON,
    rentalStatusBeginSeen: false,
    times: { firstListedAt: 0, column: undefined, milliseconds: {}, interruptions: 0 },
    spells: [],
    rotationStoppedAt: undefined,
    backAt: undefined,
  };
}

/** A cause that happened, while it is watched. */
type Watched = Struck & {
  /** Devices with the value, by what the API shows. */
  readonly own: readonly Phone[];
  /** Devices that no other cause explains. */
  readonly count: number;
  silencedAt: number | undefined;
  namedAt: number | undefined;
  /** The name that was shown last, and whether most of its devices were back since. */
  lastId: string | undefined;
  wasBack: boolean;
};

function watch(phones: readonly Phone[], { struck, settledAt, endsAt }: Story, startsAt: number): Outcome {
  const watched = struck.map((one): Watched => {
    const beside = struck.filter((other) => other !== one);
    const count = [...one.devices].filter(
      (phone) => !beside.some(({ devices }) => devices.has(phone)),
    ).length;
    const own = phones.filter((phone) => namesOf(phone).includes(one.name));
    return {
      ...one,
      own,
      count,
      silencedAt: undefined,
      namedAt: undefined,
      lastId: undefined,
      wasBack: false,
    };
  });
  const shown = new Map<string, Shown>();
  const outcome = { needed: 0, named: 0, devices: 0, carried: 0, flickers: 0, violations: 0 };
  let isJudged = watched.length === 0;
  for (const { time, causes } of pollFleet(phones, startsAt, endsAt)) {
    if (!isConsistent(causes, phones, time)) outcome.violations += 1;
    const current = new Map<Watched, string>();
    const exact = new Map<Watched, string>();
    for (const { id, cause } of shownCauses(causes)) {
      const name: Name = `${cause.kind} ${cause.value}`;
      const meant = watched.find((one) => isSame(one, name, phones));
      if (meant !== undefined) current.set(meant, id);
      if (meant?.name === name) exact.set(meant, id);
      const known = shown.get(id);
      if (known === undefined)
        shown.set(id, { name, isRight: meant !== undefined, isSmall: (meant?.count ?? 5) < 5, polls: 1 });
      else known.polls += 1;
    }
    for (const one of watched) {
      const silent = one.own.filter(
        (phone) => one.devices.has(phone) && time - phone.lastBeat > phone.limit,
      ).length;
      const isOut = silent >= 0.8 * one.own.length;
      if (isOut) one.silencedAt ??= time;
      if (silent <= 0.5 * one.own.length) one.wasBack = true;
      const id = current.get(one);
      if (id !== undefined) one.namedAt ??= time;
      const same = exact.get(one);
      if (same === undefined || same === one.lastId) continue;
      if (one.lastId !== undefined && !one.wasBack) outcome.flickers += 1;
      one.wasBack = false;
      one.lastId = same;
    }
    if (isJudged || time < settledAt + 2 * POLL_SECONDS) continue;
    isJudged = true;
    for (const one of watched) {
      const silent = one.own.filter((phone) => one.devices.has(phone) && time - phone.lastBeat > phone.limit);
      if (one.count < 5 || silent.length < 5 || silent.length < 0.8 * one.own.length) continue;
      outcome.needed += 1;
      const id = current.get(one);
      if (id === undefined) continue;
      outcome.named += 1;
      outcome.devices += silent.length;
      const carried = new Set(shownCauses(causes).flatMap(({ deviceIds }) => [...deviceIds.values()].flat()));
      outcome.carried += silent.filter((phone) => carried.has(phone.id)).length;
    }
  }
  const delays = watched.flatMap(({ count, silencedAt, namedAt }) =>
    count < 5 || silencedAt === undefined || namedAt === undefined ? [] : [namedAt - silencedAt],
  );
  return { ...outcome, shown: [...shown.values()].filter(({ polls }) => polls >= 2), delays };
}

function isConsistent(causes: Causes, phones: readonly Phone[], time: number): boolean {
  const shown = shownCauses(causes);
  const names = shown.map(({ cause }) => `${cause.kind} ${cause.value}`);
  const ids = shown.flatMap(({ deviceIds }) => [...deviceIds.values()].flat());
  const explained = new Set(ids);
  const awake = phones.some((phone) => explained.has(phone.id) && time - phone.lastBeat <= phone.limit);
  return new Set(names).size === names.length && explained.size === ids.length && !awake;
}

/**
 * Tells whether a name says the same as a cause that happened: another spelling of it, or a value whose devices are those
 * that were struck, but for a tenth, as where each site has an account of its own.
 */
function isSame(
  { name, devices: struck, own: wanted }: Watched,
  other: Name,
  phones: readonly Phone[],
): boolean {
  if (other.toLowerCase() === name.toLowerCase()) return true;
  const own = phones.filter((phone) => namesOf(phone).includes(other));
  const alike = (devices: ReadonlySet<Phone>): boolean => {
    const common = own.filter((phone) => devices.has(phone)).length;
    return common >= 0.9 * (own.length + devices.size - common);
  };
  return alike(struck) || alike(new Set(wanted));
}

function namesOf({ account, label, appVersion, model, host }: Phone): readonly Name[] {
  return [
    `group ${groupOf(label, DEFAULT_GROUPS)}`,
    `tunnel_host ${host}`,
    `account ${account}`,
    `app_version ${appVersion}`,
    `model ${model}`,
  ];
}

/** Sums over many incidents. */
export type Score = {
  right: number;
  wrong: number;
  needed: number;
  named: number;
  devices: number;
  carried: number;
  flickers: number;
  violations: number;
  readonly delays: number[];
};

export function emptyScore(): Score {
  return {
    right: 0,
    wrong: 0,
    needed: 0,
    named: 0,
    devices: 0,
    carried: 0,
    flickers: 0,
    violations: 0,
    delays: [],
  };
}

/** Adds an outcome. Each name that two polls showed counts; those of a cause of fewer than five devices only if wrong. */
export function addOutcome(score: Score, outcome: Outcome): void {
  for (const { isRight, isSmall } of outcome.shown) {
    if (isRight && !isSmall) score.right += 1;
    if (!isRight) score.wrong += 1;
  }
  score.needed += outcome.needed;
  score.named += outcome.named;
  score.devices += outcome.devices;
  score.carried += outcome.carried;
  score.flickers += outcome.flickers;
  score.violations += outcome.violations;
  score.delays.push(...outcome.delays);
}

/** Share of the names that are of a cause that happened. */
export function precisionOf({ right, wrong }: Score): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

/** Share of the needed causes that were named. */
export function recallOf({ named, needed }: Score): number {
  return needed === 0 ? 1 : named / needed;
}
