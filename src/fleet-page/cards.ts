import type { FleetPhone } from '../fleet/document.ts';
import type { MaintenanceTarget } from '../fleet/maintenance.ts';
import { compareTexts, type PhoneEntry } from '../fleet/phones.ts';
import { countText, PROBLEM_WORDS } from '../fleet/words.ts';
import type { Problem } from '../model/problem.ts';

/*
 * The wall: a card for each group of an account, and in it a cell for each phone.
 */

/** What a cell shows, the costliest first: what is wrong with a phone, else what it is rented for. */
export const CELL_STATES = [
  'sold_silent',
  'rented_away',
  'silent',
  'in_maintenance',
  'sold',
  'self_rented',
  'idle',
  'off',
] as const;

export type CellState = (typeof CELL_STATES)[number];

export const CELL_TITLES: Readonly<Record<CellState, string>> = {
  sold_silent: 'sold and silent',
  rented_away: 'self-rented, silent or without tunnel',
  silent: 'silent',
  in_maintenance: 'in maintenance',
  sold: 'sold',
  self_rented: 'self-rented',
  idle: 'idle',
  off: 'does not work for you',
};

/** The others are shown by their rental status. */
const STATES_OF_PROBLEMS: Readonly<Partial<Record<Problem, CellState>>> = {
  sold_silent: 'sold_silent',
  self_rented_silent: 'rented_away',
  tunnel_missing: 'rented_away',
  tunnel_down: 'rented_away',
  tunnel_without_login: 'rented_away',
  silent: 'silent',
  heartbeat_unreadable: 'silent',
  not_set_up: 'off',
  not_listed: 'off',
  given_up: 'off',
  in_maintenance: 'in_maintenance',
};

const AWAY: ReadonlySet<CellState> = new Set(['sold_silent', 'rented_away', 'silent']);

export function cellStateOf({ problem, rentalStatus }: FleetPhone): CellState {
  const state = problem && STATES_OF_PROBLEMS[problem];
  if (state !== undefined) return state;
  return rentalStatus === 'sold' || rentalStatus === 'self_rented' || rentalStatus === 'idle'
    ? rentalStatus
    : 'off';
}

export type WallCell = {
  readonly key: string;
  readonly state: CellState;
  /** The phone and what is with it: `rack-01/slot-04: Tunnel down`. */
  readonly title: string;
  /** Its state is another one than at the poll before. */
  readonly isChanged: boolean;
  /** The view does not select it. */
  readonly isDim: boolean;
};

export type WallCard = {
  readonly account: string;
  /** Empty for the phones of an account without a group. */
  readonly group: string;
  /** In the order of the names. */
  readonly cells: readonly WallCell[];
  readonly away: number;
  readonly isDim: boolean;
  /** Weight of what is wrong, most important first. */
  readonly cost: readonly number[];
};

/** The state of each phone, by its key. */
export type CellStates = ReadonlyMap<string, CellState>;

export function cellStatesOf(entries: readonly PhoneEntry[]): CellStates {
  return new Map(entries.map(({ key, phone }) => [key, cellStateOf(phone)]));
}

/**
 * Returns the cards, the costliest first, then in natural order. A card that is as before is the same object.
 *
 * @param entries in the order of their names
 * @param before the states at the poll before, and the cards as they were drawn
 */
export function cardsOf(
  entries: readonly PhoneEntry[],
  isSelected: (entry: PhoneEntry) => boolean,
  before: { readonly states: CellStates; readonly cards: readonly WallCard[] },
): readonly WallCard[] {
  const known = new Map(before.cards.map((card) => [keyOf(card), card]));
  const groups = new Map<string, PhoneEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry.phone);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return Array.from(groups, ([key, own]) => {
    const card = cardOf(own, isSelected, before.states);
    const old = known.get(key);
    return old !== undefined && isSame(old, card) ? old : card;
  }).sort(compareCards);
}

export function keyOf({ account, group }: Pick<WallCard, 'account' | 'group'>): string {
  return `${account}\n${group}`;
}

function cardOf(
  entries: readonly PhoneEntry[],
  isSelected: (entry: PhoneEntry) => boolean,
  states: CellStates,
): WallCard {
  const cells = entries.map((entry): WallCell => {
    const { key, name, phone } = entry;
    const state = cellStateOf(phone);
    const before = states.get(key);
    return {
      key,
      state,
      title: `${name}: ${phone.problem === undefined ? CELL_TITLES[state] : PROBLEM_WORDS[phone.problem].title}`,
      isChanged: before !== undefined && before !== state,
      isDim: !isSelected(entry),
    };
  });
  const count = (state: CellState): number => cells.filter((cell) => cell.state === state).length;
  const cents = entries.reduce(
    (sum, { phone }) => sum + (phone.problem === 'sold_silent' ? (phone.priceCentsPerDay ?? 0) : 0),
    0,
  );
  const { account = '', group = '' } = entries[0]?.phone ?? {};
  return {
    account,
    group,
    cells,
    away: cells.filter(({ state }) => AWAY.has(state)).length,
    isDim: cells.every(({ isDim }) => isDim),
    cost: [cents, count('sold_silent'), count('rented_away'), count('silent')],
  };
}

function isSame(one: WallCard, other: WallCard): boolean {
  return (
    one.cells.length === other.cells.length &&
    one.cost.every((weight, index) => weight === other.cost[index]) &&
    one.cells.every((cell, index) => {
      const { key, state, title, isChanged, isDim } = other.cells[index] ?? {};
      return (
        cell.key === key &&
        cell.state === state &&
        cell.title === title &&
        cell.isChanged === isChanged &&
        cell.isDim === isDim
      );
    })
  );
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
 * Names the phones of a card: its group; without one, the account if it has no other card, else the phones that are away.
 */
export function cardTarget({ account, group, cells }: WallCard, isAlone: boolean): MaintenanceTarget {
  const accounts = [account];
  if (group !== '') return { title: group, scope: { accounts, groups: [group] } };
  if (isAlone) return { title: `all phones of ${account}`, scope: { accounts } };
  const devices = cells
    .filter(({ state }) => AWAY.has(state))
    .map(({ key }) => key.slice(account.length + 1));
  return { title: countText(devices.length, 'phone', 'phones'), scope: { accounts, devices } };
}
