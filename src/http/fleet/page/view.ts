import type { Finding } from '../finding.ts';
import { FINDING_WORDS } from './words.ts';

/** Which phones can be chosen by what they are. */
export const STATES = ['online', 'offline', 'sold', 'self_rented', 'idle', 'listed', 'not_listed'] as const;

export type State = (typeof STATES)[number];

/** Everything, all that needs a hand, one finding, or one state. */
export type Show = 'all' | 'attention' | Finding | State;

/** The columns of the table, in their order. */
export const COLUMNS = [
  'phone',
  'account',
  'finding',
  'rental',
  'marketplace',
  'heartbeat',
  'tunnel',
  'rotation',
  'setup',
  'model',
] as const;

export type Column = (typeof COLUMNS)[number];

/** What a person chose to see of the table. It is kept in the fragment of the address, so that it can be bookmarked. */
export type View = {
  readonly query: string;
  readonly show: Show;
  /** Undefined for all accounts. */
  readonly account: string | undefined;
  readonly sort: Column;
  readonly descending: boolean;
};

export const DEFAULT_VIEW: View = {
  query: '',
  show: 'all',
  account: undefined,
  sort: 'finding',
  descending: false,
};

const SHOWS: readonly Show[] = ['all', 'attention', ...STATES, ...findings()];

/** The view that a fragment means; what can't be understood is as if it were not there. */
export function parseView(fragment: string): View {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const sort = fields.get('sort') ?? '';
  const descending = sort.startsWith('-');
  const column = COLUMNS.find((name) => name === (descending ? sort.slice(1) : sort));
  return {
    query: fields.get('q') ?? DEFAULT_VIEW.query,
    show: SHOWS.find((name) => name === fields.get('show')) ?? DEFAULT_VIEW.show,
    account: fields.get('account') || DEFAULT_VIEW.account,
    sort: column ?? DEFAULT_VIEW.sort,
    descending: column !== undefined && descending,
  };
}

/** The fragment of a view, with `#`; only what is not as always stands in it. */
export function fragmentOf({ query, show, account, sort, descending }: View): string {
  const fields = new URLSearchParams();
  if (query !== DEFAULT_VIEW.query) fields.set('q', query);
  if (show !== DEFAULT_VIEW.show) fields.set('show', show);
  if (account !== undefined) fields.set('account', account);
  if (sort !== DEFAULT_VIEW.sort || descending) fields.set('sort', `${descending ? '-' : ''}${sort}`);
  return `#${fields}`;
}

/** The words of a choice. */
export const STATE_TITLES: Readonly<Record<State, string>> = {
  online: 'Online',
  offline: 'Offline',
  sold: 'Sold',
  self_rented: 'Self-rented',
  idle: 'Idle',
  listed: 'Listed',
  not_listed: 'Not listed',
};

/** The findings, what costs most first. */
export function findings(): readonly Finding[] {
  return Object.keys(FINDING_WORDS).filter(isFinding);
}

function isFinding(word: string): word is Finding {
  return Object.hasOwn(FINDING_WORDS, word);
}
