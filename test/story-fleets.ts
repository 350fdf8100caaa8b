import { between, deriveSeed, pick, pickWeighted, type Random } from '../src/base/random.ts';
import { explainLimit, NEW_RHYTHM } from '../src/judge/offline.ts';
import type { StepSettings } from '../src/judge/step.ts';
import { groupValue } from '../src/model/cause.ts';
import { NO_PROPERTIES, type Properties } from '../src/model/fleet.ts';
import { DEFAULT_GROUPS, groupOf } from '../src/model/group.ts';
import { healthyDevice, NOON, propertiesBy, tunnelOf } from './builders.ts';
import { NASTY_LABELS } from './nasty-labels.ts';
import { beatsOf, learnedOf, PATTERNS, type Pattern, type PatternName, regular } from './rhythms.ts';
import { DAY, type FarmPhone, farmPhone, HOUR, MINUTE, SECOND } from './watch.ts';

/*
 * Fleets of stories, each from a seed alone: what their phones share, what their labels say, and which of them fail by
 * themselves. Times are milliseconds since noon, when a story begins.
 */

/** A phone, and what it really shares with others, whatever its label says. */
export type StoryPhone = FarmPhone & {
  /** Its group; with its account where accounts share names. */
  readonly rack: string;
  readonly hub: string;
  readonly carrier: number;
  /** What the owner's file says of it. */
  readonly tags: Properties;
};

export const FOREVER = Number.POSITIVE_INFINITY;

/** Texts by their weights. */
type Weights = Readonly<Record<string, number>>;

/** The look of the fleets of a style. */
type Style = {
  /** Fewest and most phones of a rack. */
  readonly perRack: readonly [number, number];
  readonly label: (rack: number, slot: number, random: Random) => string;
  /** Share of the labels that are wrong, are spelled otherwise or have no separator. */
  readonly oddLabels: number;
  readonly models: (size: number, random: Random) => Weights;
  /** Shares of the phones of a rack that are of one model, bought together. */
  readonly inBatches: readonly number[];
  readonly versions: readonly Weights[];
  /** Shares of the phones that are self-rented, and have a tunnel. */
  readonly rented: readonly number[];
  readonly patterns: readonly Pattern[];
  /** All phones of a model beat alike. */
  readonly beatsByModel: boolean;
  /** Seconds of heartbeats that are known. */
  readonly knownFor: number;
};

const two = (number: number): string => String(number).padStart(2, '0');
const patternsOf = (...names: readonly PatternName[]) => names.map((name): Pattern => PATTERNS[name]);

/** Few models are common. */
const MARKET: Weights = {
  ...{ 'SM-A546B': 9, 'SM-A156B': 9, 'SM-G991B': 8, 'SM-S911B': 8, 'Redmi Note 12': 9, 'Redmi 13C': 9 },
  ...{ 'Mi 11 Lite 5G': 8, 'Pixel 6a': 5, 'Pixel 7a': 5, 'Pixel 8': 4, 'moto g54 5G': 5, 'moto g84 5G': 5 },
  ...{ CPH2465: 4, 'Nord CE 3': 4, 'A78 5G': 3, Reno8: 2, 'P30 lite': 3 },
};

const USUAL = {
  models: () => MARKET,
  versions: [{ '2.14.1': 70, '2.14.0': 18, '2.13.5': 9, '2.15.0-beta.2': 3 }],
  beatsByModel: false,
  knownFor: 7 * 3_600,
} as const;

const STYLES = {
  mixed: {
    ...USUAL,
    perRack: [6, 40],
    label: (rack, slot) => `rack-${two(rack)}/slot-${slot}`,
    oddLabels: 0.06,
    inBatches: [0],
    rented: [0.2],
    patterns: patternsOf('each 5 s', 'each 30 s', 'each minute', 'each minute', 'each 2 min', 'each 5 min'),
  },
  /** Models that stand in one rack each, and irregular heartbeats. */
  batches: {
    ...USUAL,
    perRack: [4, 70],
    label: (rack, slot, random) =>
      pick(random, [
        `R${rack}/${slot}`,
        `R${rack} / phone ${slot}`,
        `R${rack}/hub${1 + (slot % 4)}/${slot}`,
        `R${rack}/${slot}`,
      ]),
    oddLabels: 0.04,
    inBatches: [0.9],
    rented: [0.5],
    patterns: patternsOf(
      ...(['each 10 s', 'each minute, 5 % lost', 'each minute of the clock', 'each 90 s'] as const),
      ...(['gamma gaps, mean a minute', 'dozes for 12 min'] as const),
    ),
  },
  /** The analysis was not adapted to this one. */
  unseen: {
    ...USUAL,
    perRack: [5, 28],
    label: (rack, slot) => `${rack % 2 === 0 ? 'Nord' : 'Süd'} ${Math.ceil(rack / 2)}/${two(slot)}`,
    oddLabels: 0.08,
    inBatches: [0.4],
    rented: [0.35],
    patterns: patternsOf(
      ...([
        'each minute, lost in bursts',
        'each minute, jitter of 20 %',
        'five in 10 s, each 5 min',
      ] as const),
      ...(['each 2 min', 'log-normal gaps, median a minute', 'dozes for 15 min'] as const),
    ),
  },
  /** By somebody who had not read the analysis: few models, each with a rhythm of its own, and versions in equal parts. */
  halls: {
    perRack: [8, 40],
    label: (rack, slot) => `hall ${rack}/${slot}`,
    oddLabels: 0.04,
    models: (size, random) => {
      const count = size <= 12 ? between(random, 2, 3) : between(random, 3, 9);
      return Object.fromEntries(Array.from({ length: count }, (_, index) => [`Model ${index}`, 1]));
    },
    inBatches: [0, 0, 0, 0, 1],
    versions: [
      { '8.0': 7, '8.1': 2, '8.2': 1 },
      { '8.0': 5, '8.1': 5 },
      { '8.0': 4, '8.1': 3, '8.2': 2, '8.3': 1 },
    ],
    rented: [0, 0.3, 0.6],
    patterns: [15, 20, 30, 45, 60, 60, 90, 120, 180, 240, 300].flatMap((every) => [
      ...[regular(every, 0.005, 0.05), regular(every, 0.02, 0.1), regular(every, 0.04, 0.02)],
    ]),
    beatsByModel: true,
    knownFor: 2 * 86_400,
  },
} as const satisfies Readonly<Record<string, Style>>;

export type StyleName = keyof typeof STYLES;

export const STYLE_NAMES: readonly StyleName[] = Object.keys(STYLES).filter(
  (name): name is StyleName => name in STYLES,
);

/** Differences of the fleet of a story from others of its style. */
export type FleetOptions = {
  readonly perRack?: (size: number, random: Random) => readonly [number, number];
  readonly accounts?: number;
  /** The racks of each account are numbered from 1. */
  readonly sharedNames?: boolean;
  /** Each rack holds one model. */
  readonly modelsByRack?: boolean;
  /** Share of the labels without a separator. */
  readonly plainLabels?: (random: Random) => number;
  readonly rented?: number;
  readonly patterns?: readonly PatternName[];
  /** Share of the phones whose rhythm is unknown. */
  readonly unknown?: number;
  /** Share of the phones that fail by themselves, a day, and of those that come and go. */
  readonly failures?: number;
  readonly flapping?: number;
  /** The owner's file says carrier, hub and owner of each phone. */
  readonly tagged?: boolean;
};

export function anyOf<Choice>(random: Random, choices: readonly Choice[]): Choice {
  const [first, ...others] = choices;
  if (first === undefined) throw new RangeError('nothing to choose from');
  return pick(random, [first, ...others]);
}

/** Creates the phones of a fleet. */
export function createFleet(
  size: number,
  styleName: StyleName,
  options: FleetOptions,
  random: Random,
): readonly StoryPhone[] {
  const style: Style = STYLES[styleName];
  const accounts = options.accounts ?? pick(random, [1, 1, 1, 2, 3]);
  const models = style.models(size, random);
  const versions = anyOf(random, style.versions);
  const inBatches = options.modelsByRack ? 1 : anyOf(random, style.inBatches);
  const rented = options.rented ?? anyOf(random, style.rented);
  const plain = options.plainLabels?.(random) ?? 0;
  const patternFor = createPatterns(style, options, random);
  const hosts = Math.min(12, Math.ceil(size / 80) + 1);
  const seed = between(random, 0, 1_000_000);
  const phones: StoryPhone[] = [];
  const firstOf = new Map<string, number>();
  for (let number = 1; phones.length < size; number += 1) {
    const [low, high] = options.perRack?.(size, random) ?? style.perRack;
    const count = Math.min(between(random, low, high), options.perRack ? size : Math.ceil(size / 3));
    const batch = pickWeighted(random, models);
    const perHub = between(random, 3, 7);
    for (let slot = 1; slot <= count && phones.length < size; slot += 1) {
      const index = phones.length;
      const model = random() < inBatches ? batch : pickWeighted(random, models);
      const pattern = patternFor(model);
      const isUnknown = random() < (options.unknown ?? 0);
      const rhythm = isUnknown ? NEW_RHYTHM : learnedOf(pattern, between(random, 1, 3), style.knownFor);
      const beginsAt = NOON - (20 + 20 * random()) * MINUTE;
      const isRented = random() < rented;
      const account = `account-${1 + Math.floor((index * accounts) / size)}`;
      if (!firstOf.has(account)) firstOf.set(account, number);
      const shown = options.sharedNames ? number - (firstOf.get(account) ?? number) + 1 : number;
      const device = healthyDevice({
        ...{
          id: `phone-${index}`,
          model,
          appVersion: pickWeighted(random, versions),
          marketplaceStatus: 'listed',
        },
        label: labelOf(style, shown, slot, plain, random),
        setupStatus: random() < 0.02 ? 'draft' : 'complete',
        rentalStatus: isRented ? 'self_rented' : pick(random, ['sold', 'sold', 'idle']),
        selfRentStatus: isRented ? 'active' : undefined,
      });
      const hub = `${number} ${Math.floor(slot / perHub)}`;
      const phone = farmPhone(account, device, beatsOf(pattern, deriveSeed(seed, index), beginsAt, rhythm));
      const tunnel = tunnelOf({ host: `gate-${between(random, 1, hosts)}.example.net` });
      const group = groupOf(style.label(shown, slot, random), DEFAULT_GROUPS);
      const rack = options.sharedNames ? groupValue(group, account) : group;
      const carrier = between(random, 0, 2);
      const owner = `owner ${deriveSeed(seed, index) % 4}`;
      const tags: Properties = options.tagged
        ? new Map(Object.entries({ carrier: `carrier ${carrier}`, hub, owner }))
        : NO_PROPERTIES;
      phones.push({ ...phone, tunnel, rack, hub, carrier, tags });
    }
  }
  return phones;
}

/** Finds the tags of these phones, as the owner's file has them. */
export function tagsOfStory(phones: readonly StoryPhone[]): StepSettings['propertiesOf'] {
  return propertiesBy(new Map(phones.map(({ device: { id }, tags }) => [id, tags])));
}

/** Returns a function that chooses the pattern of a phone of a model. */
function createPatterns(
  { patterns, beatsByModel }: Style,
  { patterns: names }: FleetOptions,
  random: Random,
): (model: string) => Pattern {
  const byModel = new Map<string, Pattern>();
  const isMixed = random() < 1 / 3;
  const only = anyOf(random, patterns);
  return (model) => {
    if (names !== undefined) return anyOf(random, patternsOf(...names));
    if (!beatsByModel) return isMixed ? anyOf(random, patterns) : only;
    const pattern = byModel.get(model) ?? anyOf(random, patterns);
    byModel.set(model, pattern);
    return pattern;
  };
}

function labelOf(style: Style, rack: number, slot: number, plain: number, random: Random): string {
  const label = style.label(rack, slot, random);
  const odd = 25 * style.oddLabels;
  const labels = {
    usual: label,
    nasty: pick(random, NASTY_LABELS),
    another: style.label(between(random, 1, Math.max(rack, 2)), slot, random),
    upperCase: label.toUpperCase(),
    withBlanks: label.replaceAll('/', ' '),
  };
  const weights = { usual: 100 - 4 * odd, nasty: odd, another: odd, upperCase: odd, withBlanks: odd };
  const shown = labels[pickWeighted(random, weights)];
  return random() < plain ? shown.replaceAll('/', ' ') : shown;
}

/** Lets a phone not beat between two times. */
export function darken({ outages }: FarmPhone, from: number, until: number): void {
  outages.push({ from: NOON + Math.round(from), until: NOON + Math.round(until) });
}

export function isDark({ outages }: FarmPhone, time: number): boolean {
  return outages.some(({ from, until }) => from <= NOON + time && NOON + time < until);
}

/** Returns the milliseconds after which a phone that fails is offline. */
export function limitOf({ beats }: FarmPhone): number {
  return explainLimit(beats.learned(0)).limitSeconds * SECOND;
}

/** Lets phones fail that have nothing to do with a story, some of them days before it. */
export function failByThemselves(
  phones: readonly FarmPhone[],
  { failures, flapping }: FleetOptions,
  lasts: number,
  random: Random,
): void {
  const perDay = failures ?? pick(random, [0, 0.01, 0.05]);
  const comeAndGo = flapping ?? pick(random, [0, 0, 0.01]);
  for (const phone of phones) {
    if (random() < 0.01) darken(phone, -between(random, 1, 9) * DAY, FOREVER);
    const from = -DAY + random() * (DAY + lasts);
    if (random() < (perDay * (DAY + lasts)) / DAY)
      darken(phone, from, from + between(random, 20, 1_440) * MINUTE);
    if (random() >= comeAndGo) continue;
    for (let at = -HOUR + random() * HOUR; at < lasts; ) {
      const until = at + between(random, 5, 25) * MINUTE;
      darken(phone, at, until);
      at = until + between(random, 3, 20) * MINUTE;
    }
  }
}
