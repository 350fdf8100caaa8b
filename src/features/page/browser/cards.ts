import type { FleetPhone } from '../../../fleet/document.ts';
import { compareTexts, type PhoneEntry } from '../../../fleet/phones.ts';
import type { Target } from '../../../fleet/targets.ts';
import { countText, PROBLEM_WORDS } from '../../../fleet/words.ts';
import type { Problem } from '../../../model/problem.ts';

/*
 * The wall: a card for each group of an account, and in it a cell for each phone.
 */

/** What a cell shows, the costliest first: what is wrong with a phone, else what it is rented for. With a mark beside the colour. */
export const CELLS = {
  sold_offline: { title: 'sold and offline', mark: '!' },
  rented_away: { title: 'self-rented, offline or without tunnel', mark: '×' },
  offline: { title: 'offline', mark: '?' },
  worked_on: { title: 'in maintenance', mark: '' },
  sold: { title: 'sold', mark: '' },
  self_rented: { title: 'self-rented', mark: '•' },
  idle: { title: 'idle', mark: '' },
  off: { title: 'out of use', mark: '–' },
} as const;

export type CellState = keyof typeof CELLS;

export const CELL_STATES = Object.keys(CELLS).filter((name): name is CellState => name in CELLS);

/** The others are shown by their rental status. */
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
  in_maintenance: 'worked_on',
};

const TO_VISIT: ReadonlySet<CellState> = new Set(['sold_offline', 'rented_away', 'offline']);

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
  readonly problem: Problem | undefined;
  readonly state: CellState;
  /** Its state is another one than at the poll before. */
  readonly isChanged: boolean;
  /** The view does not select it, but others of its card. */
  readonly isDim: boolean;
};

export type WallCard = {
  readonly account: string;
  /** Empty for the phones of an account without a group. */
  readonly group: string;
  /** In the order of the names. */
  readonly cells: readonly WallCell[];
  /** Cells by what they show. */
  readonly counts: ReadonlyMap<CellState, number>;
  /** Phones to visit: sold, rented or idle ones that do not work. */
  readonly toVisit: number;
  /** Number of its phones that the view selects; with none, it is dim as a whole. */
  readonly selected: number;
  /** Weight of what is wrong, most important first. */
  readonly cost: readonly number[];
};

/** Says what a cell is: `rack-01/slot-04: Tunnel down`. */
export function cellText({ name, problem, state }: WallCell): string {
  return `${name}: ${problem === undefined ? CELLS[state].title : PROBLEM_WORDS[problem].title}`;
}

/** The phones of a card, in the order of their names. */
export type PhoneGroup = { readonly key: string; readonly entries: readonly PhoneEntry[] };

/** @param entries in the order of their names */
export function groupPhones(entries: readonly PhoneEntry[]): readonly PhoneGroup[] {
  const groups = new Map<string, PhoneEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry.phone);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return Array.from(groups, ([key, own]) => ({ key, entries: own }));
}

/**
 * Returns the cards, the costliest first, then in natural order. A card that is as before is the same object.
 *
 * @param before the cards as they were drawn
 * @param isNew the phones are of another poll than those cards
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
  const selected = entries.reduce((sum, entry) => sum + Number(isSelected(entry)), 0);
  const isUniform = selected === 0 || selected === entries.length;
  if (before !== undefined && !isNew && isUniform && selected === before.selected) return before;
  const old = before?.cells ?? [];
  const cells = entries.map((entry, index) => {
    const known = old[index]?.key === entry.key ? old[index] : old.find(({ key }) => key === entry.key);
    return cellOf(entry, !isUniform && !isSelected(entry), known, isNew);
  });
  const counts = new Map<CellState, number>();
  for (const { state } of cells) counts.set(state, (counts.get(state) ?? 0) + 1);
  const count = (state: CellState): number => counts.get(state) ?? 0;
  const cents = entries.reduce(
    (sum, { phone }) => sum + (phone.problem === 'sold_offline' ? (phone.priceCentsPerDay ?? 0) : 0),
    0,
  );
  const isSame =
    before !== undefined &&
    old.length === cells.length &&
    cells.every((cell, index) => cell === old[index]) &&
    selected === before.selected &&
    cents === before.cost[0];
  if (isSame) return before;
  const { account = '', group = '' } = entries[0]?.phone ?? {};
  const wrong = [count('sold_offline'), count('rented_away'), count('offline')];
  const toVisit = wrong.reduce((sum, each) => sum + each, 0);
  return { account, group, cells, counts, toVisit, selected, cost: [cents, ...wrong] };
}

function cellOf(
  { key, name, phone }: PhoneEntry,
  isDim: boolean,
  before: WallCell | undefined,
  isNew: boolean,
): WallCell {
  const { problem } = phone;
  const state = cellStateOf(phone);
  const isChanged = before !== undefined && (isNew ? before.state !== state : before.isChanged);
  const isSame =
    before?.name === name &&
    before.problem === problem &&
    before.state === state &&
    before.isChanged === isChanged &&
    before.isDim === isDim;
  return isSame ? before : { key, name, problem, state, isChanged, isDim };
}

function compareCards(one: WallCard, other: WallCard): number {
  const at = one.cost.findIndex((weight, index) => weight !== other.cost[index]);
  return (
    (other.cost[at] ?? 0) - (one.cost[at] ?? 0) ||
    Number(one.group === '') - Number(other.group === '') ||
    compareTexts(one.group, other.group) ||
    compareTexts(one.account, other.account)
  );
}

/**
 * Names the phones of a card: its group; without one, the account if it has no other card, else the phones to visit.
 */
export function cardTarget({ account, group, cells }: WallCard, isAlone: boolean): Target {
  const accounts = [account];
  if (group !== '') return { title: group, scope: { accounts, groups: [group] } };
  if (isAlone) return { title: `all phones of ${account}`, scope: { accounts } };
  const devices = cells
    .filter(({ state }) => TO_VISIT.has(state))
    .map(({ key }) => key.slice(account.length + 1));
  return { title: countText(devices.length, 'phone', 'phones'), scope: { accounts, devices } };
}
