import type { FleetDevice } from '../model/fleet.ts';
import type {
  Maintenance,
  MaintenanceScope,
  MaintenanceWindow,
  MaintenanceWord,
} from '../model/maintenance.ts';
import type { WordObservation } from '../model/observation.ts';

/*
 * Which phones does the owner work on? A phone in maintenance keeps its facts and has no problem; it votes for no cause, and
 * its gaps teach nothing.
 */

/** A window that recurs, with the calendar that says when. */
export type Recurring = MaintenanceWindow & {
  /** Returns the last start of the window up to an instant and later than another; undefined without one. */
  readonly lastStart: (upTo: number, laterThan: number) => number | undefined;
};

/** Number of lists after which a phone that reports again is back. */
const BACK_LISTS = 2;

/** What covers phones now. */
export type Cover = {
  /** Returns what covers a phone; undefined if it is not in maintenance. */
  readonly of: (entry: Pick<FleetDevice, 'device' | 'group'>) => Holding | undefined;
  /** Everything that holds, whether it covers a phone or not. */
  readonly holding: readonly Matcher[];
};

/** A window or a word that holds. */
type Holding = Omit<Maintenance, 'devices' | 'silent'>;

/** Nothing is worked on. */
export const NO_COVER: Cover = { of: () => undefined, holding: [] };

/** Returns what holds at an instant. Of several that cover a phone, the one that ends last counts. */
export function coverAt(windows: readonly Recurring[], words: readonly MaintenanceWord[], at: number): Cover {
  if (windows.length === 0 && words.length === 0) return NO_COVER;
  const matchers = [
    ...windows.flatMap((window) => holdingOfWindow(window, at)),
    ...words.filter(({ until }) => until > at).map(holdingOfWord),
  ].toSorted((one, other) => other.holding.until - one.holding.until);
  if (matchers.length === 0) return NO_COVER;
  return {
    of: (entry) => matchers.find(({ matches }) => matches(entry))?.holding,
    holding: matchers,
  };
}

type Matcher = {
  readonly holding: Holding;
  readonly matches: (entry: Pick<FleetDevice, 'device' | 'group'>) => boolean;
};

function holdingOfWindow(window: Recurring, at: number): readonly Matcher[] {
  const { name, scope, durationMilliseconds } = window;
  const since = window.lastStart(at, at - durationMilliseconds);
  if (since === undefined) return [];
  const until = since + durationMilliseconds;
  return [
    {
      holding: {
        ...{ id: name, source: 'configured', since, until, untilBack: false },
        ...{ reason: '', by: '', scope },
      },
      matches: matcherOf(scope),
    },
  ];
}

function holdingOfWord({
  id,
  scope,
  reason,
  by,
  startedAt,
  until,
  untilBack,
  away,
}: MaintenanceWord): Matcher {
  const isMeant = matcherOf(scope);
  return {
    holding: { id, source: 'requested', since: startedAt, until, untilBack, reason, by, scope },
    matches: (entry) => isMeant(entry) && !(untilBack && (away.get(entry.device.id) ?? 0) >= BACK_LISTS),
  };
}

/** Returns a function that tells whether a phone is meant. */
export function matcherOf({ groups, devices }: MaintenanceScope): Matcher['matches'] {
  if (groups.length === 0 && devices.length === 0) return () => true;
  const inGroups = new Set(groups);
  const named = new Set(devices);
  return ({ device, group }) => inGroups.has(group) || named.has(device.id) || named.has(device.label);
}

/** Tells whether an account is meant. */
export function isOfAccount({ accounts }: MaintenanceScope, name: string): boolean {
  return accounts.length === 0 || accounts.includes(name);
}

/** Returns the words after one was said, said again, or ended. */
export function wordsWith(
  words: readonly MaintenanceWord[],
  said: WordObservation,
): readonly MaintenanceWord[] {
  const [id, added] = said.kind === 'word' ? [said.word.id, [said.word]] : [said.id, []];
  return [...words.filter((word) => word.id !== id), ...added];
}

/** Returns a word that is said again: it holds until the later end. Phones that were back are covered again. */
export function extended(
  { id, startedAt, until, away }: MaintenanceWord,
  again: MaintenanceWord,
): MaintenanceWord {
  const notBack = new Map([...away].filter(([, lists]) => lists < BACK_LISTS));
  return { ...again, id, startedAt, until: Math.max(until, again.until), away: notBack };
}

/** Returns the words after a list: those that ended are gone, and phones that were away and report are back. */
export function wordsAfter(
  words: readonly MaintenanceWord[],
  devices: ReadonlyMap<string, FleetDevice>,
  at: number,
): readonly MaintenanceWord[] {
  if (words.length === 0) return words;
  return words
    .filter(({ until }) => until > at)
    .map((word) => (word.untilBack ? withBack(word, devices) : word))
    .filter((word) => !word.untilBack || !areBack(word, devices));
}

function withBack(word: MaintenanceWord, devices: ReadonlyMap<string, FleetDevice>): MaintenanceWord {
  const isMeant = matcherOf(word.scope);
  const away = new Map(word.away);
  for (const [id, entry] of devices) {
    const known = away.get(id);
    if (known === undefined && !(entry.silent && isMeant(entry))) continue;
    if ((known ?? 0) >= BACK_LISTS) continue;
    away.set(id, entry.silent ? 0 : (known ?? 0) + 1);
  }
  for (const id of word.away.keys()) if (!devices.has(id)) away.delete(id);
  return { ...word, away };
}

/** Tells whether each device that is meant was away and is back. */
function areBack({ scope, away }: MaintenanceWord, devices: ReadonlyMap<string, FleetDevice>): boolean {
  const isMeant = matcherOf(scope);
  const meant = [...devices].filter(([, entry]) => isMeant(entry));
  return meant.length > 0 && meant.every(([id]) => (away.get(id) ?? 0) >= BACK_LISTS);
}

/** Returns what holds, with how many phones each covers. A phone that several cover counts for each of them. */
export function countCovered(
  { holding }: Cover,
  devices: ReadonlyMap<string, FleetDevice>,
): readonly Maintenance[] {
  return holding.map(({ holding: each, matches }) => {
    const covered = [...devices.values()].filter(matches);
    return { ...each, devices: covered.length, silent: covered.filter(({ silent }) => silent).length };
  });
}
