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
import { needsAttention, PROBLEMS, type Problem } from '../../../model/problem.ts';
import { foldText } from '../../../model/text.ts';
import { say } from '../../../text/say.ts';
import { CELL_STATES, type CellState, cellStateOf } from './cards.ts';

export type StateFilter = 'online' | 'offline' | 'sold' | 'self_rented' | 'idle' | 'listed' | 'unlisted';

/** The states that phones are selected by. */
const STATES: Readonly<Record<StateFilter, (phone: FleetPhone) => boolean>> = {
  online: ({ online }) => online,
  offline: (phone) => phoneState(phone) === 'offline',
  sold: ({ rentalStatus }) => rentalStatus === 'sold',
  self_rented: ({ rentalStatus }) => rentalStatus === 'self_rented',
  idle: ({ rentalStatus }) => rentalStatus === 'idle',
  listed: ({ marketplaceStatus }) => marketplaceStatus === 'listed',
  unlisted: ({ marketplaceStatus }) => marketplaceStatus === 'not_listed',
};

function isState(name: string): name is StateFilter {
  return name in STATES;
}

export const STATE_FILTERS = Object.keys(STATES).filter(isState);

/** A selection of phones: all, those with any problem, with one problem, or in one state. */
export type Filter = 'all' | 'attention' | Problem | StateFilter;

/** The view of the phones. It is stored in the address's fragment, so it can be bookmarked. */
export type TableView = {
  readonly query: string;
  readonly show: Filter;
  /** Undefined for all accounts. */
  readonly account: string | undefined;
  /** `id` of a common cause; undefined for all phones. */
  readonly cause: string | undefined;
  /** Undefined for all groups. */
  readonly group: string | undefined;
  /** A tag and its value, such as `carrier=Kyivstar`; undefined for all phones. */
  readonly tag: string | undefined;
  /** State of the cells on the wall; undefined for all phones. */
  readonly cell: CellState | undefined;
  readonly sort: TableColumn;
  readonly descending: boolean;
  /** `key` of the phone that is open; undefined if none is. */
  readonly phone: string | undefined;
};

export const DEFAULT_VIEW: TableView = {
  query: '',
  show: 'all',
  account: undefined,
  group: undefined,
  tag: undefined,
  cause: undefined,
  cell: undefined,
  sort: 'problem',
  descending: false,
  phone: undefined,
};

const FILTERS: readonly Filter[] = ['all', 'attention', ...STATE_FILTERS, ...PROBLEMS];

/** Parses a fragment. Invalid parts are ignored. */
export function parseView(fragment: string): TableView {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const sort = fields.get('sort') ?? '';
  const descending = sort.startsWith('-');
  const column = TABLE_COLUMNS.find((name) => name === (descending ? sort.slice(1) : sort));
  return {
    query: fields.get('q') ?? DEFAULT_VIEW.query,
    show: FILTERS.find((name) => name === fields.get('show')) ?? DEFAULT_VIEW.show,
    account: fields.get('account') || DEFAULT_VIEW.account,
    group: fields.get('group') || DEFAULT_VIEW.group,
    tag: fields.get('tag') || DEFAULT_VIEW.tag,
    cause: fields.get('cause') || DEFAULT_VIEW.cause,
    cell: CELL_STATES.find((name) => name === fields.get('cell')),
    sort: column ?? DEFAULT_VIEW.sort,
    descending: column !== undefined && descending,
    phone: fields.get('phone') || DEFAULT_VIEW.phone,
  };
}

/** Returns the fragment of a view, with `#` and without defaults. */
export function fragmentOf(view: TableView): string {
  const { query, show, account, group, tag, cause, cell, sort, descending, phone } = view;
  const fields = new URLSearchParams();
  if (query !== DEFAULT_VIEW.query) fields.set('q', query);
  if (show !== DEFAULT_VIEW.show) fields.set('show', show);
  for (const [name, value] of Object.entries({ account, group, tag, cause, cell }))
    if (value !== undefined) fields.set(name, value);
  if (sort !== DEFAULT_VIEW.sort || descending) fields.set('sort', `${descending ? '-' : ''}${sort}`);
  if (phone !== undefined) fields.set('phone', phone);
  return `#${fields}`;
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
  const { query, show, account, group, tag, cause, cell } = view;
  const isShown = filterOf(show);
  const [tagName = ''] = tag?.split('=') ?? [];
  const words = foldText(query).split(/\s+/).filter(Boolean);
  return ({ phone }) =>
    (account === undefined || phone.account === account) &&
    (group === undefined || phone.group === group) &&
    (tag === undefined || tagOf(phone, tagName) === tag.slice(tagName.length + 1)) &&
    (cause === undefined || phone.cause === cause) &&
    (cell === undefined || cellStateOf(phone) === cell) &&
    isShown(phone) &&
    (words.length === 0 || isFound(phone, words));
}

/** The searchable texts of phones, without case and accents. Every key press searches all of them. */
const searchTexts = new WeakMap<FleetPhone, string>();

function isFound(phone: FleetPhone, words: readonly string[]): boolean {
  const text = searchTextOf(phone);
  return words.every((word) => text.includes(word));
}

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
  const ranks: readonly PhoneEntry[][] = [[], [], []];
  for (const entry of entries) ranks[rankOf(entry)]?.push(entry);
  return ranks.flat();
}

export function countShown(entries: readonly PhoneEntry[], show: Filter): number {
  const isShown = filterOf(show);
  return entries.reduce((count, { phone }) => count + Number(isShown(phone)), 0);
}

function filterOf(show: Filter): (phone: FleetPhone) => boolean {
  if (show === 'all') return () => true;
  if (show === 'attention') return ({ problem }) => needsAttention(problem);
  return isState(show) ? STATES[show] : ({ problem }) => problem === show;
}
