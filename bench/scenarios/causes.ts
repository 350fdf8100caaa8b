import { causesAfter } from '../../src/judgement/causes.ts';
import type { NamedAccount } from '../../src/model/account.ts';
import { type Causes, NO_CAUSES } from '../../src/model/cause.ts';
import {
  addTold,
  nothingTold,
  playQuietDays,
  playStory,
  precisionOfTold,
  recallOfTold,
  STORY_NAMES,
  STORY_SIZES,
  type Told,
} from '../../test/cause-stories.ts';
import {
  addOutcome,
  emptyScore,
  FLEET_SIZES,
  KIND_NAMES,
  playIncident,
  playQuietDay,
  precisionOf,
  recallOf,
  type Score,
  SILENCES,
  STYLES,
  type StyleName,
  silentFleet,
} from '../../test/incidents.ts';
import { median } from '../measure.ts';
import type { Bar, Figure, Scenario } from '../report.ts';

/** Incidents of each kind, size and style. */
const SEEDS = 6;

/** Days of fleets in which devices fail by themselves. */
const QUIET_DAYS = 200;
const QUIET_PHONES = 500;

/** Stories of each kind and size, and pairs of days in which devices fail by themselves, of the other generator. */
const STORY_SEEDS = 4;
const QUIET_STORIES = 100;

/** Milliseconds that a poll of 10,000 devices may take, by the share of them that is silent. */
const LIMITS = [
  { share: 0.01, atMost: 3 },
  { share: 0.1, atMost: 10 },
  { share: 0.7, atMost: 30 },
] as const;

/** Milliseconds that a step may take at 10,000 devices. */
const LONGEST_STEP = 10;

export const causes: Scenario = {
  name: 'causes',
  title: `Common causes in ${KIND_NAMES.length * FLEET_SIZES.length * SEEDS} incidents of each style and in ${STORY_NAMES.length * STORY_SIZES.length * STORY_SEEDS} stories of another generator, poll by poll: precision and recall of names that two polls show; time of a poll`,
  async *run({ rounds }) {
    const isStyle = (name: string): name is StyleName => name in STYLES;
    for (const style of Object.keys(STYLES).filter(isStyle)) yield* figuresOf(style);
    yield* figuresOfStories();
    let wrong = 0;
    for (let seed = 0; seed < QUIET_DAYS; seed += 1) wrong += playQuietDay(QUIET_PHONES, seed);
    yield {
      name: 'devices fail by themselves: names',
      phones: QUIET_PHONES,
      value: wrong,
      unit: `in ${QUIET_DAYS} days`,
      bar: { atMost: 0 },
    };
    for (const phones of [1_000, 10_000, 100_000]) {
      for (const { share, atMost } of LIMITS)
        for (const silence of SILENCES)
          yield* timesOf(
            `${share * 100} % silent, ${silence}`,
            silentFleet(phones, share, silence),
            phones,
            rounds,
            phones === 10_000 ? atMost : undefined,
          );
    }
  },
};

function* figuresOf(style: StyleName): Generator<Figure> {
  const all = emptyScore();
  const ofSizes = new Map(FLEET_SIZES.map((size) => [size, emptyScore()] as const));
  for (const kind of KIND_NAMES) {
    const score = emptyScore();
    for (const [size, ofSize] of ofSizes) {
      for (let seed = 0; seed < SEEDS; seed += 1) {
        const outcome = playIncident(kind, size, seed, style);
        for (const each of [score, ofSize, all]) addOutcome(each, outcome);
      }
    }
    const name = `${style}, ${kind}`;
    yield { name: `${name}: wrong names`, phones: 0, value: score.wrong, unit: 'names' };
    if (score.needed === 0) continue;
    yield figureOf(`${name}: precision`, 0, precisionOf(score));
    yield figureOf(`${name}: recall`, 0, recallOf(score));
  }
  for (const [size, score] of ofSizes) {
    yield figureOf(`${style}: precision`, size, precisionOf(score));
    yield figureOf(`${style}: recall`, size, recallOf(score));
  }
  yield* sumsOf(style, all);
}

function* sumsOf(style: StyleName, all: Score): Generator<Figure> {
  const { carried, devices, delays, flickers, violations } = all;
  const late = Float64Array.from(delays).sort();
  // In other styles, some properties can't be told apart.
  const isBarred = style === 'mixed';
  yield figureOf(`${style}, all: precision`, 0, precisionOf(all), isBarred ? { atLeast: 0.98 } : undefined);
  yield figureOf(`${style}, all: recall`, 0, recallOf(all), isBarred ? { atLeast: 0.95 } : undefined);
  yield figureOf(`${style}, all: silent devices with the name`, 0, carried / devices);
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
  ] as const) {
    const value = late[Math.floor(share * late.length)] ?? Number.NaN;
    yield { name: `${style}: from four fifths silent to the name, ${name}`, phones: 0, value, unit: 's' };
  }
  yield { name: `${style}: names that vanish and return`, phones: 0, value: flickers, unit: 'names' };
  yield {
    name: `${style}: polls with a value or device twice`,
    phones: 0,
    value: violations,
    unit: 'polls',
    bar: { atMost: 0 },
  };
}

function* figuresOfStories(): Generator<Figure> {
  const all = nothingTold();
  const ofSizes = new Map<number, Told>(STORY_SIZES.map((size) => [size, nothingTold()]));
  for (const kind of STORY_NAMES) {
    const told = nothingTold();
    for (const [size, ofSize] of ofSizes) {
      for (let seed = 0; seed < STORY_SEEDS; seed += 1) {
        const one = playStory(kind, size, seed);
        for (const each of [told, ofSize, all]) addTold(each, one);
      }
    }
    const name = `stories, ${kind}`;
    yield { name: `${name}: wrong names`, phones: 0, value: told.wrong.length, unit: 'names' };
    if (told.needed === 0) continue;
    yield figureOf(`${name}: precision`, 0, precisionOfTold(told));
    yield figureOf(`${name}: recall`, 0, recallOfTold(told));
  }
  for (const [size, told] of ofSizes) {
    yield figureOf('stories: precision', size, precisionOfTold(told));
    yield figureOf('stories: recall', size, recallOfTold(told), { atLeast: size === 12 ? 0.9 : 0.95 });
  }
  yield figureOf('stories, all: precision', 0, precisionOfTold(all), { atLeast: 0.98 });
  yield figureOf('stories, all: recall', 0, recallOfTold(all), { atLeast: 0.95 });
  const changes = Math.max(all.valueChanges, all.takeovers);
  yield {
    name: 'stories: changes of the value of a cause',
    phones: 0,
    value: changes,
    unit: 'at most',
    bar: { atMost: 1 },
  };
  yield { name: 'stories: names that vanish and return', phones: 0, value: all.flickers, unit: 'names' };
  yield {
    name: 'stories: polls with a value or device twice',
    phones: 0,
    value: all.violations,
    unit: 'polls',
    bar: { atMost: 0 },
  };
  let wrong = 0;
  for (let seed = 0; seed < QUIET_STORIES; seed += 1) wrong += playQuietDays(400, 2, seed).length;
  yield {
    name: 'stories: devices fail by themselves: names',
    phones: 400,
    value: wrong,
    unit: `in ${2 * QUIET_STORIES} days`,
    bar: { atMost: 0 },
  };
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
