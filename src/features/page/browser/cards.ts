import type { FleetPhone } from '../../../fleet/document.ts';
import { compareTexts, isMutedOffline, type PhoneEntry } from '../../../fleet/phones.ts';
import { isUrgent, problemTitle } from '../../../fleet/words.ts';
import { addTo, keysOf } from '../../../model/enums.ts';
import { MUTED_PROBLEM } from '../../../model/muted.ts';
import type { Problem } from '../../../model/problem.ts';
import { say } from '../../../text/say.ts';

/* The wall: a card for each group of an account, with a cell for each phone. */

/** The states of a cell, costliest first, with the mark next to its colour. */
export const CELLS = {
  sold_offline: '!',
  rented_away: '×',
  offline: '?',
  muted: '',
  sold: '',
  self_rented: '•',
  idle: '',
  off: '–',
} as const;

export type CellState = keyof typeof CELLS;

export const CELL_STATES = keysOf(CELLS);

export function cellTitle(state: CellState): string {
  return say(`cell-${state}`);
}

/** Phones with other problems, or none, are shown by their rental status. */
const STATES_OF_PROBLEMS: Readonly<Partial<Record<Problem, CellState>>> = {
  sold_offline: 'sold_offline',
  self_rented_offline: 'rented_away',
  tunnel_missing: 'rented_away',
  tunnel_down: 'rented_away',
  tunnel_without_login: 'rented_away',
  offline: 'offline',
  heartbeat_unreadable: 'offline',
  not_set_up: 'off',
  not_listed: 'off',
  given_up: 'off',
  [MUTED_PROBLEM]: 'muted',
};

export function cellStateOf({ problem, rentalStatus }: FleetPhone): CellState {
  const state = problem && STATES_OF_PROBLEMS[problem];
  if (state !== undefined) return state;
  return rentalStatus === 'sold' || rentalStatus === 'self_rented' || rentalStatus === 'idle'
    ? rentalStatus
    : 'off';
}

export type WallCell = {
  readonly key: string;
  readonly name: string;
  /** The number at the end of its name, such as 4 for `rack-01/slot-04`; '' if there is none. */
  readonly slot: string;
  readonly problem: Problem | undefined;
  readonly state: CellState;
  /** Its state if it were not muted; undefined if all is well. */
  readonly behind: CellState | undefined;
  /** Its state changed with the last poll. */
  readonly isChanged: boolean;
  /** The view selects other phones of its card. */
  readonly isDim: boolean;
};

export type WallCard = {
  readonly account: string;
  /** Empty for an account's phones without a group. */
  readonly group: string;
  /** In name order. */
  readonly cells: readonly WallCell[];
  readonly counts: ReadonlyMap<CellState, number>;
  readonly needAttention: number;
  /** Phones in maintenance that are offline. */
  readonly mutedOffline: number;
  /** Number of selected phones. If there are none, the whole card is dim. */
  readonly selected: number;
  /** Weights of its problems, most important first. */
  readonly cost: readonly number[];
};

/** Describes a cell: `rack-01/slot-04: Tunnel down`, or `rack-03/slot-02: In maintenance, offline`. */
export function cellText({ name, problem, state, behind }: WallCell): string {
  const title = problem === undefined ? cellTitle(state) : problemTitle(problem);
  return `${name}: ${title}${behind === undefined ? '' : `, ${cellTitle(behind)}`}`;
}

/** Says how many phones of a card are well, not in use, and in maintenance: `20 OK, 3 in maintenance, 1 of them offline`. */
export function cardText({ cells, counts, needAttention, mutedOffline }: WallCard): string {
  const [off, muted] = [counts.get('off') ?? 0, counts.get('muted') ?? 0];
  const well = needAttention > 0 ? 0 : cells.length - off - muted;
  return [
    ...(well === 0 ? [] : [say('page-card-ok', { count: well })]),
    ...(off === 0 || needAttention > 0 ? [] : [say('page-card-off', { count: off })]),
    ...(muted === 0 ? [] : [say('count-muted', { count: muted })]),
    ...(mutedOffline === 0 ? [] : [say('page-card-muted-offline', { count: mutedOffline })]),
  ].join(', ');
}

/** The phones of a card, in name order. */
export type PhoneGroup = { readonly key: string; readonly entries: readonly PhoneEntry[] };

/** @param entries in name order */
export function groupPhones(entries: readonly PhoneEntry[]): readonly PhoneGroup[] {
  const groups = new Map<string, PhoneEntry[]>();
  for (const entry of entries) {
    addTo(groups, keyOf(entry.phone), entry);
  }
  return Array.from(groups, ([key, own]) => ({ key, entries: own }));
}

/**
 * Returns the cards, costliest first, then in natural order. An unchanged card is the same object as before.
 *
 * @param before the cards that are drawn now
 * @param isNew the phones are from a newer poll than those cards
 */
export function cardsOf(
  groups: readonly PhoneGroup[],
  isSelected: (entry: PhoneEntry) => boolean,
  before: readonly WallCard[],
  isNew: boolean,
): readonly WallCard[] {
  const known = new Map(before.map((card) => [keyOf(card), card]));
  return groups
    .map(({ key, entries }) => cardOf(entries, isSelected, known.get(key), isNew))
    .sort(compareCards);
}

export function keyOf({ account, group }: Pick<WallCard, 'account' | 'group'>): string {
  return `${account}\n${group}`;
}

function cardOf(
  entries: readonly PhoneEntry[],
  isSelected: (entry: PhoneEntry) => boolean,
  before: WallCard | undefined,
  isNew: boolean,
): WallCard {
  const selected = entries.filter(isSelected).length;
  const isUniform = selected === 0 || selected === entries.length;
  if (before !== undefined && !isNew && isUniform && selected === before.selected) return before;
  const old = before?.cells ?? [];
  const cells = entries.map((entry, place) => {
    const known = old[place]?.key === entry.key ? old[place] : old.find(({ key }) => key === entry.key);
    return cellOf(entry, !isUniform && !isSelected(entry), known, isNew);
  });
  const phones = entries.map(({ phone }) => phone);
  const sold = phones.filter(({ problem }) => problem === 'sold_offline');
  const cents = sold.reduce((sum, { priceCentsPerDay = 0 }) => sum + priceCentsPerDay, 0);
  const isSame =
    selected === before?.selected &&
    cents === before.cost[0] &&
    cells.length === old.length &&
    cells.every((cell, place) => cell === old[place]);
  if (isSame) return before;
  const counts = new Map<CellState, number>();
  for (const { state } of cells) counts.set(state, (counts.get(state) ?? 0) + 1);
  const wrong = (['sold_offline', 'rented_away', 'offline'] as const).map((state) => counts.get(state) ?? 0);
  const { account = '', group = '' } = phones[0] ?? {};
  const needAttention = phones.filter(({ problem }) => isUrgent(problem)).length;
  const mutedOffline = phones.filter(isMutedOffline).length;
  return { account, group, cells, counts, needAttention, mutedOffline, selected, cost: [cents, ...wrong] };
}

function cellOf(
  { key, name, phone }: PhoneEntry,
  isDim: boolean,
  before: WallCell | undefined,
  isNew: boolean,
): WallCell {
  const { problem, rentalStatus } = phone;
  const state = cellStateOf(phone);
  const wouldBe: CellState = rentalStatus === 'sold' ? 'sold_offline' : 'offline';
  const behind = isMutedOffline(phone) ? wouldBe : undefined;
  const isChanged = before !== undefined && (isNew ? before.state !== state : before.isChanged);
  const isSame =
    before?.name === name &&
    before.problem === problem &&
    before.state === state &&
    before.behind === behind &&
    before.isChanged === isChanged &&
    before.isDim === isDim;
  if (isSame) return before;
  const slot = SLOT.exec(name)?.[1] ?? '';
  return { key, name, slot, problem, state, behind, isChanged, isDim };
}

/** Up to three digits at the end of a name, without leading zeros. */
const SLOT = /(?:^|\D)0*(\d{1,3})\D?$/;

function compareCards(one: WallCard, other: WallCard): number {
  const at = one.cost.findIndex((weight, index) => weight !== other.cost[index]);
  return (
    (other.cost[at] ?? 0) - (one.cost[at] ?? 0) ||
    Number(one.group === '') - Number(other.group === '') ||
    compareTexts(one.group, other.group) ||
    compareTexts(one.account, other.account)
  );
}
