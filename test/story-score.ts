import { type CauseKind, groupAccount, groupValue, shownValue } from '../src/model/cause.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import { type ShownCause, shownCauses } from './builders.ts';
import { type Name, STORY_KINDS, type Story, type Truth, VALUES } from './stories.ts';
import { FOREVER, isDark, type StoryPhone } from './story-fleets.ts';
import { MINUTE } from './watch.ts';

/*
 * The score of the names that a daemon shows in a story. Times are milliseconds since noon, when the story begins.
 */

/** The score of one story, or of many. */
export type Score = {
  /** Names that lasted two polls: of a cause of five phones or more that happened, of a smaller one, and of none. */
  right: number;
  small: number;
  readonly wrong: string[];
  /** Causes of five or more phones that lasted, and those among them that were not named in time. */
  needed: number;
  readonly missed: string[];
  /** Offline phones with the value of those that were named, at the end, and how many of them carried a name. */
  offline: number;
  carried: number;
  /** Milliseconds from the poll at which most phones of a cause were offline to its name. */
  readonly delays: number[];
  /** Largest number of times that wider causes took a shown one over. */
  takeovers: number;
  /** Times that a name vanished and returned while its cause lasted. */
  flickers: number;
  /** Polls that showed a value twice, a phone twice, or a phone that reports. */
  violations: number;
};

export function emptyScore(): Score {
  return {
    ...{ right: 0, small: 0, wrong: [], needed: 0, missed: [], offline: 0, carried: 0, delays: [] },
    ...{ takeovers: 0, flickers: 0, violations: 0 },
  };
}

/** Adds the score of a story to the sum of many. */
export function addScore(sum: Score, { wrong, missed, delays, ...one }: Score): void {
  for (const key of ['right', 'small', 'needed', 'offline', 'carried', 'flickers', 'violations'] as const)
    sum[key] += one[key];
  sum.takeovers = Math.max(sum.takeovers, one.takeovers);
  sum.wrong.push(...wrong);
  sum.missed.push(...missed);
  sum.delays.push(...delays);
}

/** Share of the names that are of a cause that happened. Those of fewer than five phones count only if they are wrong. */
export function precisionOf({ right, wrong }: Pick<Score, 'right' | 'wrong'>): number {
  return right + wrong.length === 0 ? 1 : right / (right + wrong.length);
}

/** Share of all names that are of a cause that happened. */
export function precisionOfAll({ right, small, wrong }: Score): number {
  return precisionOf({ right: right + small, wrong });
}

/** Share of the needed causes that were named. */
export function recallOf({ needed, missed }: Score): number {
  return needed === 0 ? 1 : 1 - missed.length / needed;
}

/** A cause that happened, over its life. */
type Watched = Truth & {
  /** Its phones, without those of other causes, and the phones that have its value according to the API. */
  readonly alone: readonly StoryPhone[];
  own: ReadonlySet<StoryPhone>;
  /** Polls until the end of the story: its offline phones, and its present name. */
  readonly polls: Poll[];
  namedAt: number | undefined;
  /** Polls at which it has to be named, or a little later. */
  neededPolls: number;
  /** Its offline phones with its value at the last of these polls, and those among them that were named. */
  due: number;
  carried: number;
};

type Poll = {
  readonly time: number;
  readonly offline: number;
  /** Undefined without a name; `back` while half of its phones are. */
  readonly name: Name | 'back' | undefined;
};

/** A name that a poll shows, and the causes that it means. */
type Named = {
  readonly id: string;
  /** With its account, if it is the group of one. */
  readonly name: Name;
  /** Without it: a rack that holds phones of several accounts. */
  readonly plainName: Name;
  readonly kind: CauseKind;
  readonly ids: ReadonlySet<string>;
  readonly meant: Set<Watched>;
};

/** A name over its life. */
type Shown = { readonly name: Name; polls: number; isRight: boolean; isSmall: boolean };

/** Share of the offline phones of a cause that have to be known before its name is due, and the time to find it. */
const KNOWN_SHARE = 0.9;
const IN_TIME = 2 * MINUTE;

/** Polls that a cause has to last, since two have to agree, with so many phones, and such a share of those of its value. */
const NEEDED_POLLS = 3;
const NEEDED_PHONES = 5;
const NEEDED_SHARE = 0.6;

type Scorer = {
  /** Takes what a poll shows. */
  readonly take: (time: number, snapshot: Snapshot) => void;
  /** Reads the phones' values again. */
  readonly readValues: () => void;
  readonly score: () => Score;
};

/**
 * Creates the score of a story.
 *
 * @param endsAt time from which on the phones return that were dark for ever
 */
export function createScorer(phones: readonly StoryPhone[], story: Story, endsAt: number): Scorer {
  const inUse = phones.filter((phone) => phone.device.setupStatus === 'complete' && !isDark(phone, -1));
  let holders = createHolders(inUse);
  const ownOf = ({ name, phones: struck }: Truth): ReadonlySet<StoryPhone> =>
    new Set([...holders(name)].filter((phone) => struck.has(phone) || !isStruck(phone)));
  const isStruck = (phone: StoryPhone) => story.truths.some(({ phones: struck }) => struck.has(phone));
  const watched = story.truths.map((truth): Watched => {
    const isAlone = (phone: StoryPhone) =>
      story.truths.every((each) => each === truth || !each.phones.has(phone));
    const alone = [...truth.phones].filter(isAlone);
    const polls = { polls: [], namedAt: undefined, neededPolls: 0, due: 0, carried: 0 };
    return { ...truth, alone, own: ownOf(truth), ...polls };
  });
  const shown = new Map<string, Shown>();
  const takeovers = new Map<string, number>();
  let before: readonly ShownCause[] = [];
  let violations = 0;
  return {
    readValues: () => {
      holders = createHolders(inUse);
      for (const one of watched) one.own = ownOf(one);
    },
    take: (time, snapshot) => {
      const causes = shownCauses(snapshot.causes);
      countTakeovers(takeovers, before, causes);
      before = causes;
      const named = causes.map((cause) => readCause(cause, watched, holders));
      addTogether(named, watched, holders);
      const isOffline = (id: string): boolean =>
        snapshot.accounts.some(({ known }) => known.fleet?.devices.get(id)?.offline === true);
      const ids = named.flatMap((each) => [...each.ids]);
      const isTwice =
        new Set(named.map(({ name }) => name)).size < named.length || new Set(ids).size < ids.length;
      if (isTwice || !ids.every(isOffline)) violations += 1;
      for (const { id, name, plainName, meant } of named) {
        const known = shown.get(id) ?? { name, polls: 0, isRight: false, isSmall: true };
        known.polls += 1;
        known.isRight ||= meant.size > 0 || [name, plainName].some((each) => story.alsoRight?.includes(each));
        known.isSmall &&= [...meant].every(({ alone }) => alone.length < NEEDED_PHONES);
        shown.set(id, known);
      }
      for (const one of watched) {
        if (named.some(({ meant }) => meant.has(one))) one.namedAt ??= time;
        if (time <= endsAt) watch(one, time, named, isOffline);
      }
    },
    score: () => ({
      ...{ ...scoreOf([...shown.values()], watched), violations },
      takeovers: Math.max(0, ...takeovers.values()),
    }),
  };
}

function scoreOf(shown: readonly Shown[], watched: readonly Watched[]) {
  const lasting = shown.filter(({ polls }) => polls >= 2);
  const needed = watched.filter(({ neededPolls }) => neededPolls >= NEEDED_POLLS);
  const named = needed.filter(({ namedAt }) => namedAt !== undefined);
  const delayOf = (one: Watched): number => (one.namedAt ?? FOREVER) - knownAt(one);
  return {
    right: lasting.filter(({ isRight, isSmall }) => isRight && !isSmall).length,
    small: lasting.filter(({ isRight, isSmall }) => isRight && isSmall).length,
    wrong: lasting.flatMap(({ isRight, name }) => (isRight ? [] : [name])),
    needed: needed.length,
    missed: needed.filter((one) => delayOf(one) > IN_TIME).map(({ name }) => name),
    offline: named.reduce((sum, { due }) => sum + due, 0),
    carried: named.reduce((sum, { carried }) => sum + carried, 0),
    delays: named.map(delayOf),
    flickers: watched.reduce((sum, { polls }) => sum + flickersOf(polls.map(({ name }) => name)), 0),
  };
}

/** Notes a poll of a cause that happened. */
function watch(
  one: Watched,
  time: number,
  named: readonly Named[],
  isOffline: (id: string) => boolean,
): void {
  const offline = one.alone.filter(({ device }) => isOffline(device.id));
  const due = offline.filter((phone) => one.own.has(phone));
  if (due.length >= NEEDED_PHONES && due.length >= NEEDED_SHARE * one.own.size) one.neededPolls += 1;
  const carriedBy = ({ ids }: Named, phones: readonly StoryPhone[]): number =>
    phones.filter(({ device }) => ids.has(device.id)).length;
  one.due = due.length;
  one.carried = named.reduce((sum, each) => sum + carriedBy(each, due), 0);
  const isBack = 2 * due.length <= one.own.size;
  const name = named.find((each) => 2 * carriedBy(each, offline) > offline.length)?.name;
  one.polls.push({ time, offline: offline.length, name: isBack ? 'back' : name });
}

/** Returns the time at which nine tenths of the phones of a cause were known to be offline. */
function knownAt({ polls }: Watched): number {
  const most = Math.max(...polls.map(({ offline }) => offline));
  return polls.find(({ offline }) => offline >= KNOWN_SHARE * most)?.time ?? FOREVER;
}

function flickersOf(names: readonly Poll['name'][]): number {
  const runs = names.filter((name, index) => index === 0 || name !== names[index - 1]);
  return runs.filter((name, index) => {
    const earlier = index === 0 ? 'back' : runs[index - 1];
    return name === undefined && earlier !== 'back' && earlier === runs[index + 1];
  }).length;
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

/** Returns the phones in use that have the value of a name, by what the API shows. */
type Holders = (name: Name) => ReadonlySet<StoryPhone>;

function createHolders(inUse: readonly StoryPhone[]): Holders {
  const known = new Map<Name, ReadonlySet<StoryPhone>>();
  return (name) => {
    const kind = STORY_KINDS.find((each) => name.startsWith(`${each} `)) ?? 'account';
    const value = name.slice(kind.length + 1);
    const shownBy = (phone: StoryPhone): string => {
      const own = VALUES[kind](phone);
      return kind === 'group' && value.includes('\n') ? groupValue(own, phone.account) : own;
    };
    const own = known.get(name) ?? new Set(inUse.filter((phone) => shownBy(phone) === value));
    known.set(name, own);
    return own;
  };
}

/**
 * Reads what a shown cause means: the cause that is called so; one whose phones are those with this value, but for a tenth; or
 * several, as racks that make up an account.
 */
function readCause(
  { id, cause, deviceIds }: ShownCause,
  watched: readonly Watched[],
  holders: Holders,
): Named {
  const kind = STORY_KINDS.find((each) => each === cause.kind) ?? 'account';
  const plainName: Name = `${kind} ${kind === 'group' ? shownValue(cause) : cause.value}`;
  const name: Name = groupAccount(cause) === undefined ? plainName : `${kind} ${cause.value}`;
  const own = holders(name);
  const means = (one: Watched): boolean =>
    one.name === name ||
    one.name === plainName ||
    isAlike(own, one.phones) ||
    isAlike(own, holders(one.name));
  const within = watched.filter(({ phones }) => commonOf(own, phones) >= 0.9 * phones.size);
  const isAll = isAlike(own, new Set(within.flatMap(({ phones }) => [...phones])));
  const meant = watched.some(means) ? watched.filter(means) : isAll ? within : [];
  const ids = new Set([...deviceIds.values()].flat());
  return { id, name, plainName, kind: cause.kind, ids, meant: new Set(meant) };
}

/** Adds a cause to the names of one kind that mean it together, as racks that hold one model, or all accounts. */
function addTogether(named: readonly Named[], watched: readonly Watched[], holders: Holders): void {
  for (const one of watched) {
    for (const kind of STORY_KINDS) {
      const inside = named.filter(
        ({ kind: other, name }) =>
          other === kind && commonOf(holders(name), one.phones) >= 0.9 * holders(name).size,
      );
      const own = new Set(inside.flatMap(({ name }) => [...holders(name)]));
      if (isAlike(own, one.phones)) for (const { meant } of inside) meant.add(one);
    }
  }
}

function commonOf(some: ReadonlySet<StoryPhone>, others: ReadonlySet<StoryPhone>): number {
  let common = 0;
  for (const phone of some) common += Number(others.has(phone));
  return common;
}

function isAlike(some: ReadonlySet<StoryPhone>, others: ReadonlySet<StoryPhone>): boolean {
  const common = commonOf(some, others);
  return common > 0 && common >= 0.9 * (some.size + others.size - common);
}
