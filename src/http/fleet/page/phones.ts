import type { FleetPhone } from '../document.ts';
import type { Finding } from '../finding.ts';
import { parseInstant } from './time.ts';
import { type Column, findings, type Show, type State, type View } from './view.ts';

/** A phone with what the table looks for again and again. */
export type Entry = {
  readonly phone: FleetPhone;
  /** Unique among all accounts. */
  readonly key: string;
  /** What a person calls it: its label, or its id where it has none. */
  readonly name: string;
  /** Everything that is searched, in lower case. */
  readonly searched: string;
};

/** The phones of a document, ready to be searched and sorted. */
export type Phones = {
  readonly entries: readonly Entry[];
  /** By a column, ascending; what has nothing there comes last either way. */
  readonly ordered: (column: Column, descending: boolean) => readonly Entry[];
};

const RANKS = new Map<Finding | undefined, number>(findings().map((finding, rank) => [finding, rank]));

/** More than the age of any heartbeat, in seconds. */
const LONGEST_SECONDS = 1e10;

/** Numbers within texts count as numbers: slot 9 comes before slot 10. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function preparePhones(phones: readonly FleetPhone[]): Phones {
  const entries = phones.map(entryOf);
  const byName = entries.toSorted((one, other) => collator.compare(one.name, other.name));
  const orders = new Map<Column, Order>([['phone', { known: byName, unknown: [] }]]);
  return {
    entries,
    ordered: (column, descending) => {
      const order = orders.get(column) ?? orderBy(byName, column);
      orders.set(column, order);
      return [...(descending ? order.known.toReversed() : order.known), ...order.unknown];
    },
  };
}

/** The phones of a view, in its order. */
export function select(phones: Phones, { query, show, account, sort, descending }: View): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return phones
    .ordered(sort, descending)
    .filter(
      ({ phone, searched }) =>
        (account === undefined || phone.account === account) &&
        isShown(phone, show) &&
        words.every((word) => searched.includes(word)),
    );
}

/** Whether a phone is among those of a choice. */
export function isShown(phone: FleetPhone, show: Show): boolean {
  if (show === 'all') return true;
  if (show === 'attention') return phone.finding !== undefined;
  return isState(show) ? STATE_TESTS[show](phone) : phone.finding === show;
}

function isState(show: State | Finding): show is State {
  return Object.hasOwn(STATE_TESTS, show);
}

const STATE_TESTS: Readonly<Record<State, (phone: FleetPhone) => boolean>> = {
  online: ({ online }) => online === true,
  offline: ({ online }) => online === false,
  sold: ({ rentalStatus }) => rentalStatus === 'sold',
  self_rented: ({ rentalStatus }) => rentalStatus === 'self_rented',
  idle: ({ rentalStatus }) => rentalStatus === 'idle',
  listed: ({ marketplaceStatus }) => marketplaceStatus === 'listed',
  not_listed: ({ marketplaceStatus }) => marketplaceStatus === 'not_listed',
};

function entryOf(phone: FleetPhone): Entry {
  const { account, id, label, brand, model, appVersion } = phone;
  return {
    phone,
    key: `${account}/${id}`,
    name: label.trim() || id,
    searched: `${label}\n${id}\n${brand} ${model}\n${appVersion}\n${account}`.toLowerCase(),
  };
}

type Order = { readonly known: readonly Entry[]; readonly unknown: readonly Entry[] };

/** Equal ones stay in the order of their names, since sorting is stable. */
function orderBy(byName: readonly Entry[], column: Column): Order {
  const keyed = byName.map((entry) => ({ entry, value: sortValueOf(entry, column) }));
  const known = keyed.filter(({ value }) => value !== undefined);
  known.sort((one, other) => compare(one.value, other.value));
  return {
    known: known.map(({ entry }) => entry),
    unknown: keyed.filter(({ value }) => value === undefined).map(({ entry }) => entry),
  };
}

function compare(one: string | number | undefined, other: string | number | undefined): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}

/** What a column sorts by; undefined and the empty text come last. */
function sortValueOf({ phone, name }: Entry, column: Column): string | number | undefined {
  switch (column) {
    case 'phone':
      return name;
    case 'account':
      return phone.account;
    case 'finding':
      return findingOrder(phone);
    case 'rental':
      return phone.rentalStatus === undefined ? undefined : rentalOrder(phone);
    case 'marketplace':
      return phone.marketplaceStatus;
    case 'heartbeat':
      return phone.heartbeatAgeSeconds;
    case 'tunnel':
      return phone.tunnel === undefined ? undefined : tunnelWord(phone.tunnel);
    case 'rotation':
      return phone.rotationStatus;
    case 'setup':
      return phone.setupStatus;
    case 'model':
      return `${phone.brand} ${phone.model}`.trim() || undefined;
  }
}

/** Findings in which the heartbeat is what counts. */
const SILENT: readonly (Finding | undefined)[] = ['sold_silent', 'self_rented_silent', 'silent', 'given_up'];

/** What costs most first, and among silent ones who has been so for longest. */
function findingOrder({ finding, heartbeatAgeSeconds = 0 }: FleetPhone): number | undefined {
  const rank = RANKS.get(finding);
  if (rank === undefined || !SILENT.includes(finding)) return rank;
  return rank - heartbeatAgeSeconds / LONGEST_SECONDS;
}

/** By status, and within one by how long it lasts. */
function rentalOrder({ rentalStatus, rentalStatusSince }: FleetPhone): string {
  return `${rentalStatus} ${parseInstant(rentalStatusSince) ?? 0}`;
}

/** What is said of a tunnel in one word. */
export function tunnelWord({ live, uptimeStatus }: NonNullable<FleetPhone['tunnel']>): string {
  return live ? (uptimeStatus ?? 'unknown') : 'none';
}
