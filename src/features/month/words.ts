import { quote } from '../../fleet/chat.ts';
import { nameIn } from '../../fleet/describe.ts';
import type { FleetDocument, FleetPhone } from '../../fleet/document.ts';
import { findGroups } from '../../fleet/find.ts';
import { amountsText, type CurrencyOf, compareAmounts, currencies, sumAmounts } from '../../fleet/money.ts';
import { hoursText, listText, noGroup, shareText, statusText } from '../../fleet/words.ts';
import { MUTED } from '../../model/muted.ts';
import { COLUMNS } from '../../model/times.ts';
import { say } from '../../text/say.ts';
import type { MonthDocument, MonthDocumentRow } from './document.ts';
import { MONTH_TIMES } from './grouping.ts';

/* The monthly report in words. */

/** Sums up a month: sold share, availability, interruptions, and the cost of offline time. */
function monthSummary({ rows }: Pick<MonthDocument, 'rows'>, currencyOf: CurrencyOf): string {
  const sum = (column: (typeof MONTH_TIMES)[number] | 'interruptions') =>
    rows.reduce((total, row) => total + row[column], 0);
  const [online, offline] = [sum('sold_online'), sum('sold_offline')];
  const sold = online + offline + sum(MUTED);
  const known = COLUMNS.reduce((total, column) => total + sum(column), 0);
  const cost = amountsText(sumAmounts(rows.flatMap((row) => offlineCost(row, currencyOf))));
  return [
    say('month-summary', {
      sold: shareText(sold, known),
      available: shareText(online, online + offline),
      interruptions: sum('interruptions'),
    }),
    ...(offline === 0 ? [] : [offlineText(offline, cost)]),
  ].join(' ');
}

function offlineText(seconds: number, amount: string): string {
  const hours = inHours(seconds);
  return amount === '' ? say('month-offline', { hours }) : say('month-offline-cost', { hours, amount });
}

/** Writes seconds as hours: `12.5 h`. */
function inHours(seconds: number): string {
  return say('hours', { count: hoursText(seconds) });
}

function offlineCost({ account, estimate }: MonthDocumentRow, currencyOf: CurrencyOf) {
  return estimate === undefined ? [] : [{ currency: currencyOf(account), cents: estimate.offlineCents }];
}

/** Maximum number of phones to name, and their minimum offline time in seconds. */
const NAMED = 3;
const MIN_SECONDS = 3_600;

/** Names the phones that lost the most sold time, by cost, and the muted time. */
export function monthVerdict({ by, rows }: MonthDocument, currencyOf: CurrencyOf): string {
  const seconds = rows.reduce((sum, row) => sum + row[MUTED], 0);
  const muted = seconds === 0 ? '' : say('month-muted', { hours: inHours(seconds) });
  if (by !== 'phone') return muted;
  const costOf = (row: MonthDocumentRow) => offlineCost(row, currencyOf);
  const costly = rows
    .filter(({ sold_offline }) => sold_offline >= MIN_SECONDS)
    .sort((one, other) => compareAmounts(costOf(one), costOf(other)) || other.sold_offline - one.sold_offline)
    .slice(0, NAMED)
    .map((row) => {
      const amount = amountsText(costOf(row));
      const name = row.name.trim() || row.id || '';
      const hours = inHours(row.sold_offline);
      return amount === '' ? `${name} (${hours})` : say('month-costly-cost', { name, hours, amount });
    });
  const text =
    costly.length === 0 ? say('month-costly-none') : say('month-costly', { names: costly.join(', ') });
  return `${text} ${muted}`.trim();
}

/**
 * Writes a month as text: its total, the phones that lost the most time, and each group. A word selects groups.
 *
 * @param summed the same month by group; its rows are added up
 */
export function monthText(
  fleet: FleetDocument,
  document: MonthDocument,
  word: string,
  summed: MonthDocument = document,
): string {
  const { month, by } = document;
  const groups = findGroups(fleet, word).map(({ item }) => item);
  const isSelected = (account: string, name: string): boolean =>
    word === '' || groups.some((each) => each.account === account && each.group === name);
  const rows = document.rows.filter(({ account, name }) => isSelected(account, name));
  if (rows.length === 0)
    return word === ''
      ? say('month-no-data', { month })
      : say('month-no-group', { month, name: quote(word) });
  const currencyOf = currencies(fleet.accounts);
  const lines = rows.map(
    (row) =>
      `${quote(nameIn(fleet, row.name || row.id || noGroup(), row.account))}: ${monthSummary({ rows: [row] }, currencyOf)}`,
  );
  return [
    `${month}: ${monthSummary(word === '' ? summed : { rows }, currencyOf)}`,
    word === '' ? monthVerdict(document, currencyOf) : '',
    by === 'group' && rows.length > 1 ? listText(lines, 10) : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Writes the hours of one phone; '' if it has none. */
export function phoneMonthText({ month, rows }: MonthDocument, { account, id }: FleetPhone): string {
  const row = rows.find((each) => each.id === id && each.account === account);
  const hours = MONTH_TIMES.flatMap((column) => {
    const seconds = row?.[column] ?? 0;
    return seconds > 0
      ? [`${statusText(column)} ${say('hours', { count: Math.round(seconds / 360) / 10 })}`]
      : [];
  });
  return hours.length === 0 ? '' : `${month}: ${hours.join(', ')}`;
}
