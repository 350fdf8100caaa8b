import type { FleetMovement } from '../../fleet/document.ts';
import { definePart } from '../../judge/part.ts';
import type { Account } from '../../model/account.ts';
import { isOnline } from '../../model/problem.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';

/*
 * The history of an account for charts: a few numbers every ten minutes. An interval without data has no row.
 */

/**
 * Numbers of devices, the available balance, and the sums of its observed movements. Besides `listed`, at most one column
 * counts a device.
 */
export const HISTORY_COLUMNS = [
  'listed',
  'sold_online',
  'sold_offline',
  'self_rented',
  'idle',
  'offline',
  'maintenance',
  'balance_cents',
  'increase_cents',
  'decrease_cents',
] as const;

type HistoryColumn = (typeof HISTORY_COLUMNS)[number];

/**
 * The first list and the first balance of an interval: the start of the interval by the clock of the API, in milliseconds since
 * 1970, then a number for each column, null if unknown. A month of rows takes 50 kB in the state file.
 */
export type HistoryRow = readonly [at: number, ...values: readonly (number | null)[]];

/** Interval of the rows of the last two days, in milliseconds. */
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
    if (money === undefined || cents === undefined) return rows;
    const { increaseCents, decreaseCents } = money.observed.available;
    return historyAfter(
      rows,
      at,
      'balance_cents',
      () =>
        new Map([
          ['balance_cents', cents],
          ['increase_cents', increaseCents],
          ['decrease_cents', decreaseCents],
        ]),
    );
  },
});

/** Returns the value of a column; null if unknown. */
export function cellOf(row: HistoryRow, column: HistoryColumn): number | null {
  return row[1 + HISTORY_COLUMNS.indexOf(column)] ?? null;
}

/**
 * Returns the history after a poll; the same one if it already has the interval.
 *
 * @param column a column of the values
 */
function historyAfter(
  before: readonly HistoryRow[],
  at: number,
  column: HistoryColumn,
  values: () => ReadonlyMap<HistoryColumn, number>,
): readonly HistoryRow[] {
  const now = Math.floor(at / STEP) * STEP;
  const known = before.findLast((row) => row[0] === now);
  if (known !== undefined && cellOf(known, column) !== null) return before;
  // Rows in the future are from a clock that was set back.
  const past = before.filter(([start]) => start < now && start > now - KEPT);
  const kept = past.filter((row, index) => {
    const next = past[index + 1];
    return row[0] > now - FINE || next === undefined || hourOf(next) !== hourOf(row);
  });
  const seen = values();
  const row = HISTORY_COLUMNS.map((each) => seen.get(each) ?? (known && cellOf(known, each)) ?? null);
  return [...kept, [now, ...row]];
}

/**
 * Returns the observed movements of the available balance since an instant.
 *
 * Example: with 40.00 of increases in all and 28.00 in the first row of today, today has 12.00.
 *
 * @returns undefined if no row is as new
 */
export function movementSince(account: Account, instant: number): FleetMovement | undefined {
  const first = HISTORY.of(account).find(
    (row) => row[0] >= instant && cellOf(row, 'increase_cents') !== null,
  );
  const sums = account.money?.observed.available;
  if (first === undefined || sums === undefined) return undefined;
  return {
    increaseCents: sums.increaseCents - (cellOf(first, 'increase_cents') ?? 0),
    decreaseCents: sums.decreaseCents - (cellOf(first, 'decrease_cents') ?? 0),
    since: new Date(first[0]).toISOString(),
  };
}

/** Returns the end of the hour of a row. The last row of an hour represents it. */
export function hourOf([at]: HistoryRow): number {
  return Math.ceil(at / HOUR) * HOUR;
}

/** Counts the devices of an account. */
function countsOf({ fleet, judgement }: Account): ReadonlyMap<HistoryColumn, number> {
  const counts = new Map<HistoryColumn, number>(
    HISTORY_COLUMNS.filter((column) => !column.endsWith('_cents')).map((column) => [column, 0]),
  );
  const count = (column: HistoryColumn): unknown => counts.set(column, (counts.get(column) ?? 0) + 1);
  for (const [id, { device }] of fleet?.devices ?? []) {
    const { rentalStatus } = device;
    const problem = judgement?.problems.get(id)?.problem;
    count('listed');
    if (problem === 'not_set_up') continue;
    if (problem === 'in_maintenance') count('maintenance');
    else if (!isOnline(problem)) count(rentalStatus === 'sold' ? 'sold_offline' : 'offline');
    else if (rentalStatus === 'sold') count('sold_online');
    else if (rentalStatus === 'self_rented' || rentalStatus === 'idle') count(rentalStatus);
  }
  return counts;
}
