import { causesAfter } from '../../src/alerts/causes.ts';
import { between, createRandom, deriveSeed } from '../../src/base/random.ts';
import type { StepSettings } from '../../src/judge/step.ts';
import type { NamedAccount } from '../../src/model/account.ts';
import { type Causes, NO_CAUSES } from '../../src/model/cause.ts';
import { propertiesBy } from '../../test/builders.ts';
import { playQuietDays, playStory, watchStory } from '../../test/play.ts';
import { STORY_NAMES } from '../../test/stories.ts';
import {
  createFleet,
  darken,
  FOREVER,
  STYLE_NAMES,
  type StoryPhone,
  type StyleName,
} from '../../test/story-fleets.ts';
import {
  addScore,
  emptyScore,
  precisionOf,
  precisionOfAll,
  recallOf,
  type Score,
} from '../../test/story-score.ts';
import { DAY, HOUR, MINUTE } from '../../test/watch.ts';
import { median } from '../measure.ts';
import type { Bar, Figure, Scenario } from '../report.ts';

/** Stories of each kind and style, by the size of the fleet. The largest fleets are of one style or two, in turn. */
const SEEDS: ReadonlyMap<number, number> = new Map([
  [12, 6],
  [20, 6],
  [50, 6],
  [100, 3],
  [250, 2],
  [500, 1],
  [1_000, 1 / 2],
  [2_500, 1 / 4],
]);

/** Days of fleets in which phones fail by themselves, and in which each phone restarts as well. */
const QUIET = [
  { kind: 'alone', phones: 500, days: 1, seeds: 200 },
  { kind: 'restarting', phones: 400, days: 2, seeds: 100 },
] as const;

/** Ways in which a part of a fleet may have fallen offline. */
const PATTERNS = ['each alone', 'racks at once', 'racks one after the other'] as const;

/** Milliseconds that a poll of 10,000 devices may take, by the share of them that is offline. */
const LIMITS = [
  { share: 0.01, atMost: 3 },
  { share: 0.1, atMost: 10 },
  { share: 0.7, atMost: 30 },
] as const;

/** The same of devices with eight tags each. */
const MAX_WITH_TAGS = 100;

/** Milliseconds that a step may take at 10,000 devices. */
const LONGEST_STEP = 10;

export const causes: Scenario = {
  name: 'causes',
  title: `Common causes in stories of ${STORY_NAMES.length} kinds, told of farms of ${STYLE_NAMES.length} styles, poll by poll: precision and recall of names that two polls show; time of a poll`,
  async *run({ rounds }) {
    for (const style of STYLE_NAMES) yield* figuresOf(style);
    for (const { kind, phones, days, seeds } of QUIET) {
      let wrong = 0;
      for (let seed = 0; seed < seeds; seed += 1)
        wrong += (await playQuietDays(kind, phones, days, seed)).length;
      yield {
        ...{ name: `phones fail by themselves, ${kind}: names`, phones, value: wrong },
        ...{ unit: `in ${days * seeds} days`, bar: { atMost: 0 } },
      };
    }
    for (const phones of [1_000, 10_000, 100_000]) {
      for (const { share, atMost } of LIMITS)
        for (const pattern of PATTERNS)
          yield* timesOf(
            `${share * 100} % offline, ${pattern}`,
            await offlineFleet(phones, share, pattern),
            phones,
            rounds,
            phones === 10_000 ? atMost : undefined,
          );
    }
    for (const { share } of LIMITS)
      for (const pattern of PATTERNS)
        yield* timesOf(
          `${share * 100} % offline, ${pattern}, eight tags`,
          await offlineFleet(10_000, share, pattern, eightTags),
          10_000,
          rounds,
          MAX_WITH_TAGS,
        );
  },
};

/** Tells how many stories of a kind, style and size are played: where less than one is, those of other styles are. */
function seedsOf(size: number, kind: number, style: number): number {
  const seeds = SEEDS.get(size) ?? 0;
  return seeds >= 1 ? seeds : Number((kind + style) % (1 / seeds) === 0);
}

async function* figuresOf(style: StyleName): AsyncGenerator<Figure> {
  const all = emptyScore();
  const ofSizes = new Map([...SEEDS.keys()].map((size) => [size, emptyScore()] as const));
  for (const [index, kind] of STORY_NAMES.entries()) {
    const score = emptyScore();
    for (const [size, ofSize] of ofSizes) {
      for (let seed = 0; seed < seedsOf(size, index, STYLE_NAMES.indexOf(style)); seed += 1) {
        const one = await playStory(kind, size, seed, style);
        for (const each of [score, ofSize, all]) addScore(each, one);
      }
    }
    const name = `${style}, ${kind}`;
    yield { name: `${name}: wrong names`, phones: 0, value: score.wrong.length, unit: 'names' };
    if (score.needed === 0) continue;
    yield figureOf(`${name}: precision`, 0, precisionOf(score));
    yield figureOf(`${name}: recall`, 0, recallOf(score));
  }
  for (const [size, score] of ofSizes) {
    yield figureOf(`${style}: precision`, size, precisionOf(score));
    const bar = style === 'halls' ? { atLeast: size < 50 ? 0.9 : 0.95 } : undefined;
    yield figureOf(`${style}: recall`, size, recallOf(score), bar);
  }
  yield* sumsOf(style, all, [...ofSizes.values()]);
}

function* sumsOf(style: StyleName, all: Score, ofSizes: readonly Score[]): Generator<Figure> {
  const { carried, offline, flickers, violations } = all;
  const delays = Float64Array.from(all.delays, (milliseconds) => milliseconds / 1_000).sort();
  // In other styles, some properties can't be told apart. In halls, most phones of a small fleet share a model.
  const isBarred = style === 'mixed' || style === 'halls';
  const bar = (atLeast: number, isMet = isBarred): Bar | undefined => (isMet ? { atLeast } : undefined);
  // All sizes weigh the same, though more stories are played of small fleets.
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const strict = bar(0.98, style === 'mixed');
  yield figureOf(`${style}, all: precision`, 0, mean(ofSizes.map(precisionOf)), strict);
  yield figureOf(
    `${style}, all: precision with small causes`,
    0,
    mean(ofSizes.map(precisionOfAll)),
    bar(0.98),
  );
  yield figureOf(`${style}, all: recall`, 0, mean(ofSizes.map(recallOf)), bar(0.95));
  yield figureOf(`${style}, all: offline phones with the name`, 0, carried / offline);
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
  ] as const) {
    const value = delays[Math.floor(share * delays.length)] ?? Number.NaN;
    yield { name: `${style}: from nine tenths offline to the name, ${name}`, phones: 0, value, unit: 's' };
  }
  const atMost = { phones: 0, unit: 'at most', bar: { atMost: 1 } };
  yield { name: `${style}: wider causes that take one over in turn`, value: all.takeovers, ...atMost };
  yield { name: `${style}: names that vanish and return`, phones: 0, value: flickers, unit: 'names' };
  const none = { phones: 0, unit: 'polls', bar: { atMost: 0 } };
  yield { name: `${style}: polls with a value or phone twice`, value: violations, ...none };
}

function figureOf(name: string, phones: number, value: number, bar?: Bar): Figure {
  return { name, phones, value, unit: 'ratio', ...(bar && { bar }) };
}

function* timesOf(
  name: string,
  accounts: readonly NamedAccount[],
  phones: number,
  rounds: number,
  atMost: number | undefined,
): Generator<Figure> {
  const sums: number[] = [];
  let causes = NO_CAUSES;
  const longests: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = track(
      accounts.map((account) => polledAt(account, round)),
      causes,
    );
    causes = result.causes;
    sums.push(result.sum);
    longests.push(result.longest);
  }
  yield {
    name: `${name}: a poll`,
    phones,
    value: median(sums),
    unit: 'ms',
    ...(atMost !== undefined && { bar: { atMost } }),
  };
  yield {
    name: `${name}: longest step`,
    phones,
    value: median(longests),
    unit: 'ms',
    ...(atMost !== undefined && { bar: { atMost: LONGEST_STEP } }),
  };
}

/** Returns an account with a list that was polled anew. */
function polledAt({ name, account }: NamedAccount, apiTime: number): NamedAccount {
  return { name, account: { ...account, fleet: account.fleet && { ...account.fleet, apiTime } } };
}

/** Returns the accounts of a fleet of which a share has fallen offline. */
async function offlineFleet(
  size: number,
  share: number,
  pattern: (typeof PATTERNS)[number],
  propertiesOf: (phones: readonly StoryPhone[]) => StepSettings['propertiesOf'] = () =>
    propertiesBy(new Map()),
): Promise<readonly NamedAccount[]> {
  const random = createRandom(deriveSeed(size));
  const phones = createFleet(size, 'mixed', { accounts: 2 }, random);
  const draw = (): number | undefined => (random() < share ? random() * 5 * DAY : undefined);
  const racks = new Map(phones.map(({ rack }) => [rack, 0]));
  const since = new Map([...racks.keys()].map((rack) => [rack, draw()]));
  for (const phone of phones) {
    const ofRack = since.get(phone.rack);
    const together = ofRack && (pattern === 'racks at once' ? 0 : ofRack + random() * 2 * HOUR);
    const before = pattern === 'each alone' ? draw() : together;
    if (before !== undefined) darken(phone, -HOUR - before - random() * MINUTE, FOREVER);
  }
  const farm = await watchStory(phones, { together: true, settings: { propertiesOf: propertiesOf(phones) } });
  return farm.snapshot().accounts.map(({ name, known }) => ({ name, account: known }));
}

/** Returns a file with eight tags of each phone, of 2 to 256 values. */
function eightTags(phones: readonly StoryPhone[]): StepSettings['propertiesOf'] {
  const random = createRandom(8);
  const names = Array.from({ length: 8 }, (_, index) => `tag_${index + 1}`);
  const tagsOfPhone = () =>
    new Map(names.map((name, index) => [name, `value ${between(random, 1, 2 ** (index + 1))}`]));
  return propertiesBy(new Map(phones.map(({ device: { id } }) => [id, tagsOfPhone()])));
}

type Tracked = { readonly causes: Causes; readonly sum: number; readonly longest: number };

/** Tracks the causes of a poll, and returns the milliseconds of all steps and of the longest one. */
function track(accounts: readonly NamedAccount[], before: Causes): Tracked {
  const steps = causesAfter(accounts, before);
  let sum = 0;
  let longest = 0;
  for (;;) {
    const startedAt = performance.now();
    const step = steps.next();
    const spent = performance.now() - startedAt;
    sum += spent;
    longest = Math.max(longest, spent);
    if (step.done === true) return { causes: step.value, sum, longest };
  }
}
