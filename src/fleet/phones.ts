import { offlineProblemOf, PROBLEMS, type Problem } from '../model/problem.ts';
import type { FleetAccount, FleetDocument, FleetMovement, FleetPhone, FleetTotals } from './document.ts';
import { parseTime } from './freshness.ts';

/*
 * The phones of a document: their names, their order, and how many there are.
 */

/** A phone with its name. */
export type PhoneEntry = {
  readonly phone: FleetPhone;
  /** Unique among all accounts. */
  readonly key: string;
  /** The label, or the id without one. A label that several phones of the account have is followed by the end of the id. */
  readonly name: string;
};

/** The phones of a document, ready to be searched and sorted. */
export type PhoneIndex = {
  readonly entries: readonly PhoneEntry[];
  /** The places of the entries in the order of their names. */
  readonly places: readonly number[];
  /** Sorted by a column; phones without a value come last in either direction. */
  readonly ordered: (column: TableColumn, descending: boolean) => readonly PhoneEntry[];
};

const RANKS = new Map<Problem | undefined, number>(PROBLEMS.map((problem, rank) => [problem, rank]));

/** Above any heartbeat age, in seconds. */
const MAX_SECONDS = 1e10;

/** Sorts numbers in texts by value: slot 9 before slot 10. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const compareTexts = collator.compare;

/** @param before an earlier index, whose names and order are reused for the same phones: sorting 10,000 is slow */
export function indexPhones(phones: readonly FleetPhone[], before?: PhoneIndex): PhoneIndex {
  // No closure refers to `before`: `ordered` would keep all earlier indexes in memory.
  const isKnown = isNamedAs(before, phones);
  const entries = isKnown ? namedAs(before, phones) : withNames(phones);
  const names = entries.map(({ name }) => name);
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

/** Reports whether phones have the same accounts, ids and labels as those of an index, and so the same names. */
function isNamedAs(before: PhoneIndex | undefined, phones: readonly FleetPhone[]): before is PhoneIndex {
  return (
    before?.entries.length === phones.length &&
    before.entries.every(({ phone: { account, id, label } }, place) => {
      const phone = phones[place];
      return phone?.id === id && phone.label === label && phone.account === account;
    })
  );
}

function namedAs(before: PhoneIndex, phones: readonly FleetPhone[]): readonly PhoneEntry[] {
  return phones.map((phone, place) => entryOf(phone, before.entries[place]?.name ?? ''));
}

/** Characters of an id that are shown beside a label that several phones have. */
const ID_END = 6;

function withNames(phones: readonly FleetPhone[]): readonly PhoneEntry[] {
  const keys = phones.map(({ account, label }) => `${account}\n${label.trim()}`);
  const labelled = new Map<string, string[]>();
  for (const [place, key] of keys.entries()) {
    const id = phones[place]?.id ?? '';
    const ids = labelled.get(key);
    if (ids === undefined) labelled.set(key, [id]);
    else ids.push(id);
  }
  return phones.map((phone, place) => {
    const { id } = phone;
    const label = phone.label.trim();
    const ids = labelled.get(keys[place] ?? '') ?? [];
    if (label === '') return entryOf(phone, id);
    if (ids.length < 2) return entryOf(phone, label);
    const isEndUnique = new Set(ids.map((each) => each.slice(-ID_END))).size === ids.length;
    return entryOf(phone, `${label} · ${isEndUnique ? id.slice(-ID_END) : id}`);
  });
}

function entryOf(phone: FleetPhone, name: string): PhoneEntry {
  return { phone, key: `${phone.account}/${phone.id}`, name };
}

type Order = { readonly known: readonly PhoneEntry[]; readonly unknown: readonly PhoneEntry[] };

/** Sorting is stable, so equal values stay in the order of names. */
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

/** The columns of the table in their order, each with the value by which phones are sorted; undefined for none. */
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

export const TABLE_COLUMNS = Object.keys(SORT_VALUES).filter(
  (name): name is TableColumn => name in SORT_VALUES,
);

/** Returns the value of a tag of a phone; a tag may be called `constructor`. */
export function tagOf({ tags = {} }: Pick<FleetPhone, 'tags'>, name: string): string | undefined {
  return Object.entries(tags).find(([tag]) => tag === name)?.[1];
}

/** Writes the tags of a phone: `carrier Kyivstar · owner Anna`. */
export function tagsText({ tags = {} }: Pick<FleetPhone, 'tags'>): string {
  return Object.entries(tags)
    .map(([tag, value]) => `${tag} ${value}`)
    .join(' · ');
}

export type PhoneState = 'online' | 'offline' | 'not_set_up' | 'in_maintenance';

/** Returns the one state of a phone. A phone that is set up and has no readable heartbeat counts as offline. */
export function phoneState({ online, problem }: FleetPhone): PhoneState {
  if (online) return 'online';
  return problem === 'not_set_up' || problem === 'in_maintenance' ? problem : 'offline';
}

/** Reports whether a phone is offline, and not given up. */
export function isOffline({ problem }: FleetPhone): boolean {
  return offlineProblemOf(problem) !== undefined;
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

/** A group of an account. */
export type GroupCount = {
  readonly account: string;
  readonly group: string;
  readonly offline: number;
};

/** Lists the groups of each account, those with most offline phones first. Phones without a group are left out. */
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

/** Adds up the totals of several accounts. Online, offline, not set up and in maintenance add up to all phones. */
export function sumTotals(accounts: readonly FleetAccount[]) {
  const known = accounts.flatMap(({ totals }) => totals ?? []);
  const sum = (of: (totals: FleetTotals) => number): number => known.reduce((all, each) => all + of(each), 0);
  return {
    phones: sum(({ phones }) => phones),
    online: sum(({ online }) => online),
    offline: sum(({ offline }) => offline),
    notSetUp: sum(({ problems }) => problems.not_set_up),
    inMaintenance: sum(({ problems }) => problems.in_maintenance),
    sold: sum(({ sold }) => sold),
    selfRented: sum(({ selfRented }) => selfRented),
    idle: sum(({ idle }) => idle),
    /** Number of accounts with totals. */
    accounts: known.length,
  };
}

/** The money of all accounts with one currency. */
export type CurrencyBalance = {
  readonly currency: string | undefined;
  readonly availableCents: number;
  readonly pendingCents: number | undefined;
  /** Observed since the local midnight; undefined while nothing is known. */
  readonly today: FleetMovement | undefined;
  /** The same since the start of the month. */
  readonly month: FleetMovement | undefined;
};

/** Adds up balances by currency, in the order of the accounts. Accounts without an available balance are left out. */
export function sumBalances({
  accounts,
  observed,
}: Pick<FleetDocument, 'accounts' | 'observed'>): readonly CurrencyBalance[] {
  const balances = new Map<string | undefined, CurrencyBalance>();
  for (const { name, currency, balance } of accounts) {
    if (balance?.availableCents === undefined) continue;
    const before = balances.get(currency);
    const own = observed.find(({ account }) => account === name);
    const pending = [before?.pendingCents, balance.pendingCents].filter((cents) => cents !== undefined);
    balances.set(currency, {
      currency,
      availableCents: (before?.availableCents ?? 0) + balance.availableCents,
      pendingCents: pending.length === 0 ? undefined : pending.reduce((sum, cents) => sum + cents, 0),
      today: sumMovements(before?.today, own?.today),
      month: sumMovements(before?.month, own?.month),
    });
  }
  return [...balances.values()];
}

function sumMovements(
  one: FleetMovement | undefined,
  other: FleetMovement | undefined,
): FleetMovement | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    increaseCents: one.increaseCents + other.increaseCents,
    decreaseCents: one.decreaseCents + other.decreaseCents,
    since: [one.since ?? '', other.since ?? ''].sort()[0],
  };
}
