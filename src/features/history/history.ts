import { hourShift, type TimeZone } from '../../base/time-zone.ts';
import type { FleetMovement } from '../../fleet/fields.ts';
import { isOtherCurrency } from '../../judge/money.ts';
import { definePart } from '../../judge/part.ts';
import type { Account } from '../../model/account.ts';
import { MUTED } from '../../model/muted.ts';
import { isMuted, isOnline } from '../../model/problem.ts';
import { DAY, HOUR, MINUTE } from '../../model/time.ts';
import { HISTORY_COLUMNS } from './document.ts';

/*
 * The history of an account for charts: a few numbers every ten minutes. An interval without data has no row.
 */

type HistoryColumn = (typeof HISTORY_COLUMNS)[number];

type Values = Partial<Record<HistoryColumn, number>>;

/**
 * The first list and the first balance in an interval: the start of the interval by the API's clock, in milliseconds since
 * 1970, then a number for each column, null if unknown. A month of rows takes 50 kB in the state file.
 */
export type HistoryRow = readonly [at: number, ...values: readonly (number | null)[]];

/** Interval between the rows of the last two days, in milliseconds. */
export const STEP = 10 * MINUTE;
const FINE = 2 * DAY;
const KEPT = 31 * DAY;

/** Maximum number of rows, in case the clock is set again and again. */
const MAX_ROWS = 2_000;

/** The history of an account, oldest row first. Its hours follow the time zone, so that one begins at midnight. */
export const HISTORY = definePart<readonly HistoryRow[], never, TimeZone>({
  name: 'history',
  create: () => [],
  *update(known, { observation, before, after }, timeZone) {
    const rows = isOtherCurrency(before.money, after.money?.currency) ? withoutMoney(known) : known;
    const { at = 0, agreedAt = at } = after;
    const times = { at, agreedAt, shift: hourShift(timeZone, at) };
    if (observation.kind === 'list') return historyAfter(rows, times, 'listed', () => countsOf(after));
    const values = observation.kind === 'balance' ? moneyOf(after) : undefined;
    return values === undefined ? rows : historyAfter(rows, times, 'balance_cents', () => values);
  },
});

/** Returns rows without their amounts, which are in another currency. */
function withoutMoney(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const isMoney = HISTORY_COLUMNS.map((column) => column.endsWith('_cents'));
  return rows.map(([at, ...values]) => [
    at,
    ...values.map((value, place) => (isMoney[place] ? null : value)),
  ]);
}

/** Returns the value of a column; null if unknown. */
export function cellOf(row: HistoryRow, column: HistoryColumn): number | null {
  return row[1 + HISTORY_COLUMNS.indexOf(column)] ?? null;
}

/**
 * Returns the history after a poll; the same one if the interval already has a row.
 *
 * @param column a column of the values
 */
function historyAfter(
  before: readonly HistoryRow[],
  { at, agreedAt, shift }: { readonly at: number; readonly agreedAt: number; readonly shift: number },
  column: HistoryColumn,
  values: () => Values,
): readonly HistoryRow[] {
  const now = Math.floor((at - shift) / STEP) * STEP + shift;
  const known = before.findLast((row) => row[0] === now);
  if (known !== undefined && cellOf(known, column) !== null) return before;
  // Rows in the future come from a clock that was set back.
  const past = before.filter(([start]) => start < now && start > agreedAt - KEPT).slice(-MAX_ROWS);
  const kept = past.filter((row, index) => {
    const next = past[index + 1];
    return (
      row[0] > agreedAt - FINE || next === undefined || endOf(next, HOUR, shift) !== endOf(row, HOUR, shift)
    );
  });
  const seen = values();
  const row = HISTORY_COLUMNS.map((each) => seen[each] ?? (known && cellOf(known, each)) ?? null);
  return [...kept, [now, ...row]];
}

/**
 * Returns the observed movements of the available balance since an instant.
 *
 * Example: if all increases are 40.00 and today's first row has 28.00, today's increases are 12.00.
 *
 * @returns undefined if no row is that new
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

/** Returns the end of a row's interval. The last row of an interval represents it. */
export function endOf([at]: HistoryRow, step: number, shift: number): number {
  return Math.ceil((at - shift) / step) * step + shift;
}

/** Returns the current numbers of devices as a row, and the money if the balance is fresh. */
export function presentRow(account: Account, isBalanceFresh: boolean): HistoryRow {
  const values = { ...countsOf(account), ...(isBalanceFresh && moneyOf(account)) };
  return [account.fleet?.apiTime ?? 0, ...HISTORY_COLUMNS.map((column) => values[column] ?? null)];
}

/** Returns the available balance and its movements; undefined if it is unknown. */
function moneyOf({ money }: Account): Values | undefined {
  const cents = money?.balance.availableCents;
  if (money === undefined || cents === undefined) return undefined;
  const { increaseCents, decreaseCents } = money.observed.available;
  return { balance_cents: cents, increase_cents: increaseCents, decrease_cents: decreaseCents };
}

function countsOf({ fleet, judgement }: Account): Values {
  const none = { sold_online: 0, sold_offline: 0, self_rented: 0, idle: 0, offline: 0, [MUTED]: 0 };
  const counts = { listed: fleet?.devices.size ?? 0, ...none };
  for (const [id, { device }] of fleet?.devices ?? []) {
    const { rentalStatus } = device;
    const problem = judgement?.problems.get(id)?.problem;
    if (problem === 'not_set_up') continue;
    if (isMuted(problem)) counts[MUTED] += 1;
    else if (!isOnline(problem)) counts[rentalStatus === 'sold' ? 'sold_offline' : 'offline'] += 1;
    else if (rentalStatus === 'sold') counts.sold_online += 1;
    else if (rentalStatus === 'self_rented' || rentalStatus === 'idle') counts[rentalStatus] += 1;
  }
  return counts;
}
