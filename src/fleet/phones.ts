import { isSetUp } from '../model/device.ts';
import { addTo, keysOf } from '../model/enums.ts';
import { MUTED_PROBLEM } from '../model/muted.ts';
import { isMuted, offlineProblemOf, PROBLEMS, type Problem } from '../model/problem.ts';
import type { FleetAccount, FleetExporter, FleetPhone, FleetTotals } from './document.ts';
import { parseTime } from './freshness.ts';

/* The phones of a document: their names, their order, and how many there are. */

export type PhoneEntry = {
  readonly phone: FleetPhone;
  /** Unique among all accounts. */
  readonly key: string;
  /** The label, or the id if there is none. If several phones of the account share the label, the end of the id follows. */
  readonly name: string;
};

/** The phones of a document, ready to be searched and sorted. */
export type PhoneIndex = {
  readonly entries: readonly PhoneEntry[];
  /** The positions of the entries, in the order of their names. */
  readonly places: readonly number[];
  /** Sorted by a column. Phones without a value come last in either direction. */
  readonly ordered: (column: TableColumn, descending: boolean) => readonly PhoneEntry[];
};

const RANKS = new Map<Problem | undefined, number>(PROBLEMS.map((problem, rank) => [problem, rank]));

/** Greater than any heartbeat age, in seconds. */
const MAX_SECONDS = 1e10;

/** Sorts numbers in texts by value: slot 9 before slot 10. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const compareTexts = collator.compare;

/** @param before an earlier index, whose names and order are reused for the same phones: sorting 10,000 is slow */
export function indexPhones(phones: readonly FleetPhone[], before?: PhoneIndex): PhoneIndex {
  // No closure refers to `before`: `ordered` would keep all earlier indexes in memory.
  const isKnown = isNamedAs(before, phones);
  const names = isKnown ? before.entries.map(({ name }) => name) : namesOf(phones);
  const entries = phones.map((phone, place): PhoneEntry => {
    return { phone, key: `${phone.account}/${phone.id}`, name: names[place] ?? '' };
  });
  const places = isKnown
    ? before.places
    : Array.from(names.keys()).sort((one, other) => compareTexts(names[one] ?? '', names[other] ?? ''));
  const byName = places.flatMap((place) => entries[place] ?? []);
  const orders = new Map<TableColumn, Order>([['phone', { known: byName, unknown: [] }]]);
  return {
    entries,
    places,
    ordered: (column, descending) => {
      const order = orders.get(column) ?? orderBy(byName, column);
      orders.set(column, order);
      const known = descending ? [...order.known].reverse() : order.known;
      return order.unknown.length === 0 ? known : [...known, ...order.unknown];
    },
  };
}

/** Reports whether phones have the same accounts, ids and labels as an index's, and therefore the same names. */
function isNamedAs(before: PhoneIndex | undefined, phones: readonly FleetPhone[]): before is PhoneIndex {
  return (
    before?.entries.length === phones.length &&
    before.entries.every(({ phone: { account, id, label } }, place) => {
      const phone = phones[place];
      return phone?.id === id && phone.label === label && phone.account === account;
    })
  );
}

/** Number of characters of the id that are shown next to a label that several phones share. */
const ID_END = 6;

function namesOf(phones: readonly FleetPhone[]): readonly string[] {
  const keys = phones.map(({ account, label }) => `${account}\n${label.trim()}`);
  const labelled = new Map<string, string[]>();
  for (const [place, { id }] of phones.entries()) addTo(labelled, keys[place] ?? '', id);
  return phones.map(({ id, label: text }, place) => {
    const label = text.trim();
    const ids = labelled.get(keys[place] ?? '') ?? [];
    if (label === '') return id;
    if (ids.length < 2) return label;
    const isEndUnique = new Set(ids.map((each) => each.slice(-ID_END))).size === ids.length;
    return `${label} · ${isEndUnique ? id.slice(-ID_END) : id}`;
  });
}

type Order = { readonly known: readonly PhoneEntry[]; readonly unknown: readonly PhoneEntry[] };

/** Sorting is stable, so equal values stay in name order. */
function orderBy(byName: readonly PhoneEntry[], column: TableColumn): Order {
  const keyed = byName.map((entry) => ({ entry, value: SORT_VALUES[column](entry) }));
  const known = keyed.filter(({ value }) => value !== undefined);
  known.sort((one, other) => compare(one.value, other.value));
  return {
    known: known.map(({ entry }) => entry),
    unknown: keyed.filter(({ value }) => value === undefined).map(({ entry }) => entry),
  };
}

function compare(one: SortValue, other: SortValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}

type SortValue = string | number | undefined;

/** The columns of the table in order, each with the value that phones are sorted by; undefined for none. */
const SORT_VALUES = {
  phone: ({ name }: PhoneEntry): SortValue => name,
  account: ({ phone }: PhoneEntry): SortValue => phone.account,
  problem: ({ phone }: PhoneEntry): SortValue => problemOrder(phone),
  rental: ({ phone }: PhoneEntry): SortValue => phone.rentalStatus && rentalOrder(phone),
  marketplace: ({ phone }: PhoneEntry): SortValue => phone.marketplaceStatus,
  heartbeat: ({ phone }: PhoneEntry): SortValue => phone.heartbeatAgeSeconds,
  tunnel: ({ phone }: PhoneEntry): SortValue => phone.tunnel && tunnelWord(phone.tunnel),
  rotation: ({ phone }: PhoneEntry): SortValue => phone.rotationStatus,
  setup: ({ phone }: PhoneEntry): SortValue => phone.setupStatus,
  model: ({ phone: { brand, model } }: PhoneEntry): SortValue => `${brand} ${model}`.trim() || undefined,
  tags: ({ phone }: PhoneEntry): SortValue => tagsText(phone) || undefined,
};

export type TableColumn = keyof typeof SORT_VALUES;

export const TABLE_COLUMNS = keysOf(SORT_VALUES);

/** A phone with the tags that a feature may add. */
type Tagged = Pick<FleetPhone, 'id'> & { readonly tags?: Readonly<Record<string, string>> | undefined };

/** Returns the value of a phone's tag. A tag may be called `constructor`. */
export function tagOf({ tags = {} }: Tagged, name: string): string | undefined {
  return Object.entries(tags).find(([tag]) => tag === name)?.[1];
}

/** Writes the tags of a phone: `carrier Kyivstar · owner Anna`. */
export function tagsText({ tags = {} }: Tagged): string {
  return Object.entries(tags)
    .map(([tag, value]) => `${tag} ${value}`)
    .join(' · ');
}

/** Lists the names of the tags that a feature may add. */
export function tagNames(
  exporter: Pick<FleetExporter, 'version'> & { readonly tags?: readonly string[] | undefined },
): readonly string[] {
  return exporter.tags ?? [];
}

type PhoneState = 'online' | 'offline' | 'not_set_up' | 'muted';

/** Returns the state of a phone. One that is set up but has no readable heartbeat counts as offline. */
export function phoneState({ online, problem }: FleetPhone): PhoneState {
  if (online) return 'online';
  if (isMuted(problem)) return 'muted';
  return problem === 'not_set_up' ? problem : 'offline';
}

/** Reports whether a phone is offline, and not given up. */
export function isOffline({ problem }: FleetPhone): boolean {
  return offlineProblemOf(problem) !== undefined;
}

export function isMutedOffline({ problem, offlineAfterReason }: FleetPhone): boolean {
  return isMuted(problem) && offlineAfterReason !== undefined;
}

/** Reports whether a phone is online, muted or not. One that was never set up has never been online. */
export function isReporting(phone: FleetPhone): boolean {
  const { online, problem, setupStatus } = phone;
  return online || (isMuted(problem) && isSetUp(setupStatus) && !isMutedOffline(phone));
}

/** Most expensive problem first; among offline phones, the longest offline first. */
function problemOrder(phone: FleetPhone): number | undefined {
  const { problem, heartbeatAgeSeconds = 0 } = phone;
  const rank = RANKS.get(problem);
  if (rank === undefined || phoneState(phone) !== 'offline') return rank;
  return rank - heartbeatAgeSeconds / MAX_SECONDS;
}

/** By status, then by its start. */
function rentalOrder({ rentalStatus, rentalStatusSince }: FleetPhone): string {
  return `${rentalStatus} ${parseTime(rentalStatusSince) ?? 0}`;
}

export function tunnelWord({ live, uptimeStatus }: NonNullable<FleetPhone['tunnel']>): string {
  return live ? (uptimeStatus ?? 'unknown') : 'none';
}

export type GroupCount = {
  readonly account: string;
  readonly group: string;
  readonly offline: number;
};

/** Lists the groups of each account, those with the most offline phones first. Phones without a group are left out. */
export function countGroups(phones: readonly FleetPhone[]): readonly GroupCount[] {
  const counts = new Map<string, GroupCount>();
  for (const phone of phones) {
    const { account, group } = phone;
    if (group === '') continue;
    const key = `${account}\n${group}`;
    const offline = (counts.get(key)?.offline ?? 0) + Number(phoneState(phone) === 'offline');
    counts.set(key, { account, group, offline });
  }
  return [...counts.values()].sort(
    (one, other) => other.offline - one.offline || collator.compare(one.group, other.group),
  );
}

/** Reports whether the phones of any account are known. */
export function hasNumbers(accounts: readonly FleetAccount[]): boolean {
  return accounts.some(({ totals }) => totals !== undefined);
}

/**
 * Adds up the numbers of several accounts, and counts the accounts that have numbers. Online, offline, not set up and muted add
 * up to all phones.
 */
export function sumTotals(accounts: readonly FleetAccount[]) {
  const known = accounts.flatMap(({ totals }) => totals ?? []);
  const sum = (of: (totals: FleetTotals) => number): number => known.reduce((all, each) => all + of(each), 0);
  return {
    phones: sum(({ phones }) => phones),
    online: sum(({ online }) => online),
    offline: sum(({ offline }) => offline),
    notSetUp: sum(({ problems }) => problems.not_set_up),
    muted: sum(({ problems }) => problems[MUTED_PROBLEM]),
    sold: sum(({ sold }) => sold),
    selfRented: sum(({ selfRented }) => selfRented),
    idle: sum(({ idle }) => idle),
    soldOffline: sum(({ problems }) => problems.sold_offline),
    accounts: known.length,
  };
}
