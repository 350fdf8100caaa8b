import type { FleetPhone } from '../fleet/document.ts';
import type { MaintenanceTarget } from '../fleet/maintenance.ts';
import { compareTexts, type PhoneEntry } from '../fleet/phones.ts';
import { countText, PROBLEM_WORDS } from '../fleet/words.ts';
import type { Problem } from '../model/problem.ts';

/*
 * The wall: a card for each group of an account, and in it a cell for each phone.
 */

/** What a cell shows, the costliest first: what is wrong with a phone, else what it is rented for. With a mark beside the colour. */
export const CELLS = {
  sold_silent: { title: 'sold and silent', mark: '!' },
  rented_away: { title: 'self-rented, silent or without tunnel', mark: '×' },
  silent: { title: 'silent', mark: '?' },
  in_maintenance: { title: 'in maintenance', mark: '' },
  sold: { title: 'sold', mark: '' },
  self_rented: { title: 'self-rented', mark: '•' },
  idle: { title: 'idle', mark: '' },
  off: { title: 'does not work for you', mark: '–' },
} as const;

export type CellState = keyof typeof CELLS;

export const CELL_STATES = Object.keys(CELLS).filter((name): name is CellState => name in CELLS);

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
  readonly away: number;
  /** The view selects none of its phones. */
  readonly isDim: boolean;
  /** Weight of what is wrong, most important first. */
  readonly cost: readonly number[];
};

/** Says what a cell is: `rack-01/slot-04: Tunnel down`. */
export function cellText({ name, problem, state }: WallCell): string {
  return `${name}: ${problem === undefined ? CELLS[state].title : PROBLEM_WORDS[problem].title}`;
}

/**
 * Returns the cards, the costliest first, then in natural order. A card that is as before is the same object.
 *
 * @param entries in the order of their names
 * @param before the cards as they were drawn
 * @param isNew the entries are of another poll than those cards
 */
export function cardsOf(
  entries: readonly PhoneEntry[],
  isSelected: (entry: PhoneEntry) => boolean,
  before: readonly WallCard[],
  isNew: boolean,
): readonly WallCard[] {
  const known = new Map(before.map((card) => [keyOf(card), card]));
  const groups = new Map<string, PhoneEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry.phone);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return Array.from(groups, ([key, own]) => {
    const old = known.get(key);
    const card = cardOf(own, isSelected, old?.cells ?? [], isNew);
    const isSame =
      old?.cells.length === card.cells.length &&
      card.cells.every((cell, index) => cell === old.cells[index]) &&
      card.isDim === old.isDim &&
      card.cost[0] === old.cost[0];
    return isSame ? old : card;
  }).sort(compareCards);
}

export function keyOf({ account, group }: Pick<WallCard, 'account' | 'group'>): string {
  return `${account}\n${group}`;
}

function cardOf(
  entries: readonly PhoneEntry[],
  isSelected: (entry: PhoneEntry) => boolean,
  before: readonly WallCell[],
  isNew: boolean,
): WallCard {
  const isCardDim = !entries.some(isSelected);
  const cells = entries.map((entry, index): WallCell => {
    const { key, name, phone } = entry;
    const old = before[index]?.key === key ? before[index] : before.find((cell) => cell.key === key);
    const { problem } = phone;
    const state = cellStateOf(phone);
    const isChanged = old !== undefined && (isNew ? old.state !== state : old.isChanged);
    const isDim = !isCardDim && !isSelected(entry);
    const isSame =
      old?.name === name &&
      old.problem === problem &&
      old.state === state &&
      old.isChanged === isChanged &&
      old.isDim === isDim;
    return isSame ? old : { key, name, problem, state, isChanged, isDim };
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
    isDim: isCardDim,
    cost: [cents, count('sold_silent'), count('rented_away'), count('silent')],
  };
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
