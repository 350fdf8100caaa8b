import { definePart } from '../../judge/part.ts';
import type { Account } from '../../model/account.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';

/*
 * What did an account look like over time? A few numbers every ten minutes, for pictures. A time that nobody saw has no row.
 */

/** Numbers of devices, of which each but `listed` counts a device at most once, and the available balance. */
export const HISTORY_COLUMNS = [
  'listed',
  'sold_online',
  'sold_offline',
  'self_rented',
  'idle',
  'offline',
  'maintenance',
  'balance_cents',
] as const;

type Column = (typeof HISTORY_COLUMNS)[number];

/**
 * What the first list, and the first balance, of an interval showed: the beginning of the interval by the clock of the API, in
 * milliseconds since 1970, then a number for each column, null where it is unknown. A row is short in the state file, of which
 * a month takes 50 kB.
 */
export type HistoryRow = readonly [at: number, ...values: readonly (number | null)[]];

/** Between two rows of the last two days, and of the last 31, in milliseconds. */
export const STEP = 10 * MINUTE;
const FINE = 2 * DAY;
const KEPT = 31 * DAY;

/** The history of an account, the oldest row first. */
export const HISTORY = definePart<readonly HistoryRow[]>({
  name: 'history',
  create: () => [],
  *update(rows, { observation, after }) {
    const { at = 0, money } = after;
    if (observation.kind === 'list') return historyAfter(rows, at, 'listed', () => countsOf(after));
    const cents = observation.kind === 'balance' ? money?.balance.availableCents : undefined;
    return cents === undefined
      ? rows
      : historyAfter(rows, at, 'balance_cents', () => new Map([['balance_cents', cents]]));
  },
});

/** Returns the value of a column; null where it is unknown. */
export function cellOf(row: HistoryRow, column: Column): number | null {
  return row[1 + HISTORY_COLUMNS.indexOf(column)] ?? null;
}

/**
 * Returns the history after a poll; the same one where its interval has been seen.
 *
 * @param column one that the values have
 */
function historyAfter(
  before: readonly HistoryRow[],
  at: number,
  column: Column,
  values: () => ReadonlyMap<Column, number>,
): readonly HistoryRow[] {
  const now = Math.floor(at / STEP) * STEP;
  const known = before.findLast((row) => row[0] === now);
  if (known !== undefined && cellOf(known, column) !== null) return before;
  // Rows of the future are of a clock that was set back since.
  const past = before.filter(([start]) => start < now && start > now - KEPT);
  const kept = past.filter((row, index) => {
    const next = past[index + 1];
    return row[0] > now - FINE || next === undefined || hourOf(next) !== hourOf(row);
  });
  const seen = values();
  const row = HISTORY_COLUMNS.map((each) => seen.get(each) ?? (known && cellOf(known, each)) ?? null);
  return [...kept, [now, ...row]];
}

/** Returns the end of the hour to which a row belongs. The last one of an hour stands for it. */
export function hourOf([at]: HistoryRow): number {
  return Math.ceil(at / HOUR) * HOUR;
}

/** Counts the devices of an account. */
function countsOf({ fleet, judgement }: Account): ReadonlyMap<Column, number> {
  const counts = new Map<Column, number>(HISTORY_COLUMNS.map((column) => [column, 0]));
  counts.delete('balance_cents');
  const count = (column: Column): unknown => counts.set(column, (counts.get(column) ?? 0) + 1);
  for (const [id, { device, offline }] of fleet?.devices ?? []) {
    const { rentalStatus } = device;
    count('listed');
    if (judgement?.problems.get(id)?.problem === 'in_maintenance') count('maintenance');
    else if (offline) count(rentalStatus === 'sold' ? 'sold_offline' : 'offline');
    else if (rentalStatus === 'sold') count('sold_online');
    else if (rentalStatus === 'self_rented' || rentalStatus === 'idle') count(rentalStatus);
  }
  return counts;
}
