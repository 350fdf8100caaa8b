import type { FleetPhone } from '../../../fleet/document.ts';
import {
  type PhoneEntry,
  phoneState,
  TABLE_COLUMNS,
  type TableColumn,
  tagOf,
  tagsText,
} from '../../../fleet/phones.ts';
import type { PhoneTarget } from '../../../fleet/targets.ts';
import { phonesText } from '../../../fleet/words.ts';
import { addTo, keysOf, recordOf } from '../../../model/enums.ts';
import { needsAttention, PROBLEMS, type Problem } from '../../../model/problem.ts';
import { foldText } from '../../../model/text.ts';
import { say } from '../../../text/say.ts';
import { CELL_STATES, cellStateOf } from './cards.ts';

type Predicate = (phone: FleetPhone) => boolean;

/** The states that phones are selected by. */
const STATES = {
  online: ({ online }) => online,
  offline: (phone) => phoneState(phone) === 'offline',
  sold: ({ rentalStatus }) => rentalStatus === 'sold',
  self_rented: ({ rentalStatus }) => rentalStatus === 'self_rented',
  idle: ({ rentalStatus }) => rentalStatus === 'idle',
  listed: ({ marketplaceStatus }) => marketplaceStatus === 'listed',
  unlisted: ({ marketplaceStatus }) => marketplaceStatus === 'not_listed',
} satisfies Readonly<Record<string, Predicate>>;

export type StateFilter = keyof typeof STATES;

export const STATE_FILTERS = keysOf(STATES);

/** A selection of phones: all, those with any problem, with one problem, or in one state. */
export type Filter = 'all' | 'attention' | Problem | StateFilter;

const FILTERS: Readonly<Record<Filter, Predicate>> = {
  all: () => true,
  attention: ({ problem }) => needsAttention(problem),
  ...recordOf(PROBLEMS, (problem) => (phone: FleetPhone) => phone.problem === problem),
  // `offline` is a problem too, which the state includes.
  ...STATES,
};

/** The parts of a view that select phones by a name: each reports whether a phone has it. */
const NAMES = {
  account: ({ account }, name) => account === name,
  group: ({ group }, name) => group === name,
  /** A tag and its value, such as `carrier=Kyivstar`. */
  tag: (phone, name) => {
    const [tag = ''] = name.split('=');
    return tagOf(phone, tag) === name.slice(tag.length + 1);
  },
  /** `id` of a common cause. */
  cause: ({ cause }, name) => cause === name,
  /** State of the cells on the wall. */
  cell: (phone, name) => cellStateOf(phone) === name,
} satisfies Readonly<Record<string, (phone: FleetPhone, name: string) => boolean>>;

const NAMED = keysOf(NAMES);

/** The view of the phones. It is stored in the address's fragment, so it can be bookmarked. */
export type TableView = {
  readonly query: string;
  readonly show: Filter;
  readonly sort: TableColumn;
  readonly descending: boolean;
  /** `key` of the phone that is open; undefined if none is. */
  readonly phone: string | undefined;
  /** Undefined for all phones. */
} & Readonly<Record<keyof typeof NAMES, string | undefined>>;

/** Parses a fragment. Invalid parts are ignored. */
export function parseView(fragment: string): TableView {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const sort = fields.get('sort') ?? '';
  const descending = sort.startsWith('-');
  const column = TABLE_COLUMNS.find((name) => name === (descending ? sort.slice(1) : sort));
  return {
    query: fields.get('q') ?? '',
    show: keysOf(FILTERS).find((name) => name === fields.get('show')) ?? 'all',
    ...recordOf(NAMED, (name) => fields.get(name) || undefined),
    cell: CELL_STATES.find((name) => name === fields.get('cell')),
    sort: column ?? 'problem',
    descending: column !== undefined && descending,
    phone: fields.get('phone') || undefined,
  };
}

export const DEFAULT_VIEW = parseView('');

/** Returns the fragment of a view, with `#` and without defaults. */
export function fragmentOf(view: TableView): string {
  const { query, show, sort, descending, phone } = view;
  const isSorted = sort !== DEFAULT_VIEW.sort || descending;
  const fields = {
    q: query,
    show: show === 'all' ? '' : show,
    ...recordOf(NAMED, (name) => view[name]),
    sort: isSorted ? `${descending ? '-' : ''}${sort}` : '',
    phone,
  };
  const chosen = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return `#${new URLSearchParams(chosen)}`;
}

/** Returns the fragment that selects phones by a part of the view. */
export function linkTo(part: Partial<TableView>): string {
  return fragmentOf({ ...DEFAULT_VIEW, ...part });
}

/** Returns the view of a fragment. A fragment that only opens a phone keeps the rest of the view. */
export function viewAfter(before: TableView, fragment: string): TableView {
  const next = parseView(fragment);
  const isPhoneAlone = next.phone !== undefined && fragmentOf(next) === linkTo({ phone: next.phone });
  return isPhoneAlone ? { ...before, phone: next.phone } : next;
}

/** Returns the fragment of the phones that a view selects, without their order. */
export function selectionOf(view: TableView): string {
  return linkTo({ ...view, sort: DEFAULT_VIEW.sort, descending: false, phone: undefined });
}

/** Reports whether a view selects all phones. */
export function isWhole(view: TableView): boolean {
  return selectionOf(view) === linkTo({});
}

/** Returns the selected phones as a target: a whole group or account by name, other phones one by one. */
export function selectionTarget(view: TableView, selected: readonly PhoneEntry[]): PhoneTarget {
  const { account, group } = view;
  const accounts = account === undefined ? {} : { accounts: [account] };
  const isByName = !isWhole(view) && selectionOf(view) === linkTo({ account, group });
  if (isByName && group !== undefined) return { title: group, scope: { ...accounts, groups: [group] } };
  if (isByName) return { title: say('all-phones-of', { account: account ?? '' }), scope: accounts };
  const [first] = selected;
  const title = selected.length === 1 && first !== undefined ? first.name : phonesText(selected.length);
  return { title, scope: { ...accounts, devices: selected.map(({ phone }) => phone.id) } };
}

/** Returns a function that reports whether a view selects a phone. */
export function selectorOf(view: TableView): (entry: PhoneEntry) => boolean {
  const words = foldText(view.query).split(/\s+/).filter(Boolean);
  return ({ phone }) =>
    NAMED.every((part) => view[part] === undefined || NAMES[part](phone, view[part])) &&
    FILTERS[view.show](phone) &&
    words.every((word) => searchTextOf(phone).includes(word));
}

/** The searchable texts of phones, without case and accents. Every key press searches all of them. */
const searchTexts = new WeakMap<FleetPhone, string>();

function searchTextOf(phone: FleetPhone): string {
  const { account, id, label, brand, model, appVersion } = phone;
  const text =
    searchTexts.get(phone) ??
    [label, id, `${brand} ${model}`, appVersion, account, tagsText(phone)].map(foldText).join('\n');
  searchTexts.set(phone, text);
  return text;
}

/** Puts phones whose name equals the query first, those with the same accents before others. */
export function exactFirst(entries: readonly PhoneEntry[], query: string): readonly PhoneEntry[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return entries;
  const folded = foldText(wanted);
  const rankOf = ({ name, phone }: PhoneEntry): number => {
    if (name.toLowerCase() === wanted || phone.id.toLowerCase() === wanted) return 0;
    return searchTextOf(phone).startsWith(`${folded}\n`) ? 1 : 2;
  };
  const ranked = new Map<number, PhoneEntry[]>();
  for (const entry of entries) addTo(ranked, rankOf(entry), entry);
  return [0, 1, 2].flatMap((rank) => ranked.get(rank) ?? []);
}

/** Returns how many phones each filter selects. */
export function countFiltered(entries: readonly PhoneEntry[]): Readonly<Record<Filter, number>> {
  return recordOf(keysOf(FILTERS), (show) => entries.filter(({ phone }) => FILTERS[show](phone)).length);
}
