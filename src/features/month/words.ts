import type { FleetDocument, FleetPhone } from '../../fleet/document.ts';
import { findGroups, nameIn } from '../../fleet/find.ts';
import { countText, hoursText, listText, moneyText, shareText, statusText } from '../../fleet/words.ts';
import { COLUMNS } from '../../model/times.ts';
import type { MonthDocument } from './document.ts';
import { MONTH_TIMES } from './grouping.ts';

/*
 * The monthly report in words.
 */

/** Sums up a month: sold share, availability, interruptions, and the cost of offline time. */
export function monthSummary(
  { rows }: Pick<MonthDocument, 'rows'>,
  currencyOf: (account: string) => string | undefined,
): string {
  const sum = (column: (typeof MONTH_TIMES)[number] | 'interruptions') =>
    rows.reduce((total, row) => total + row[column], 0);
  const [online, offline] = [sum('sold_online'), sum('sold_offline')];
  const sold = online + offline + sum('maintenance');
  const known = COLUMNS.reduce((total, column) => total + sum(column), 0);
  const costs = new Map<string | undefined, number>();
  for (const { account, estimate } of rows) {
    const currency = currencyOf(account);
    if (estimate !== undefined) costs.set(currency, (costs.get(currency) ?? 0) + estimate.offlineCents);
  }
  const cost = Array.from(costs, ([currency, cents]) => moneyText(cents, currency)).join(' and ');
  return [
    `Sold ${shareText(sold, known)} of the time, available ${shareText(online, online + offline)} of the sold time, ${countText(sum('interruptions'), 'interruption', 'interruptions')}.`,
    ...(offline === 0
      ? []
      : [`Sold and offline ${hoursText(offline)} h${cost === '' ? '' : `, about ${cost}`}.`]),
  ].join(' ');
}

/** Maximum number of named phones, and their minimum offline time in seconds. */
const NAMED = 3;
const MIN_SECONDS = 3_600;

/**
 * Names the phones that lost most sold time, by its cost, and the time in maintenance.
 */
export function monthVerdict(
  { by, rows }: MonthDocument,
  currencyOf: (account: string) => string | undefined,
): string {
  const seconds = rows.reduce((sum, row) => sum + row.maintenance, 0);
  const maintenance = seconds === 0 ? '' : `Offline in maintenance: ${hoursText(seconds)} h.`;
  if (by !== 'phone') return maintenance;
  // Amounts of several currencies cannot be compared.
  const isOneCurrency = new Set(rows.map(({ account }) => currencyOf(account))).size < 2;
  const centsOf = ({ estimate }: MonthDocument['rows'][number]): number =>
    isOneCurrency ? (estimate?.offlineCents ?? 0) : 0;
  const costly = rows
    .filter(({ sold_offline }) => sold_offline >= MIN_SECONDS)
    .sort((one, other) => centsOf(other) - centsOf(one) || other.sold_offline - one.sold_offline)
    .slice(0, NAMED)
    .map(({ account, id, name, sold_offline, estimate }) => {
      const cost =
        estimate === undefined ? '' : `, about ${moneyText(estimate.offlineCents, currencyOf(account))}`;
      return `${name.trim() || id} (${hoursText(sold_offline)} h${cost})`;
    });
  const text =
    costly.length === 0
      ? 'No phone was sold and offline for an hour or more.'
      : `Most sold time lost: ${costly.join(', ')}.`;
  return `${text} ${maintenance}`.trim();
}

/**
 * Writes a month as text: its sum, the phones that lost most time, and each group. A word selects groups.
 *
 * @param quote marks text by others
 */
export function monthText(
  fleet: FleetDocument,
  document: MonthDocument,
  word: string,
  quote: (text: string) => string,
): string {
  const { month, by } = document;
  const groups = findGroups(fleet, word).map(({ item }) => item);
  const isSelected = (account: string, name: string): boolean =>
    word === '' || groups.some((each) => each.account === account && each.group === name);
  const rows = document.rows.filter(({ account, name }) => isSelected(account, name));
  if (rows.length === 0)
    return `${month}: ${word === '' ? 'no data yet' : `no group is called ${quote(word)}`}.`;
  const currencyOf = (name: string) => fleet.accounts.find((each) => each.name === name)?.currency;
  const lines = rows.map(
    (row) => `${quote(nameIn(fleet, row.name, row.account))}: ${monthSummary({ rows: [row] }, currencyOf)}`,
  );
  return [
    `${month}: ${monthSummary({ rows }, currencyOf)}`,
    word === '' ? monthVerdict(document, currencyOf) : '',
    by === 'group' && rows.length > 1 ? listText(lines, 10) : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Writes the hours of one phone; '' without any. */
export function phoneMonthText({ month, rows }: MonthDocument, { account, id }: FleetPhone): string {
  const row = rows.find((each) => each.id === id && each.account === account);
  const hours = MONTH_TIMES.flatMap((column) => {
    const seconds = row?.[column] ?? 0;
    return seconds > 0 ? [`${statusText(column)} ${Math.round(seconds / 3600)} h`] : [];
  });
  return hours.length === 0 ? '' : `${month}: ${hours.join(', ')}`;
}

/** Texts of the page. */
export const PAGE_WORDS = {
  grouping: 'Group by',
  noMonth: 'No report:',
  more: (shown: number) => `, the worst ${shown} below. The CSV has all`,
  headings: { phone: 'Phone', group: 'Group', model: 'Model' } as Readonly<Record<string, string>>,
  figures: ['Available', 'Sold', 'Interruptions'],
  estimates: ['Offline cost, est.', 'Idle cost, est.'],
};

/** Texts of the chat. */
export const CHAT_WORDS = {
  command: 'Monthly report: /month, /month racks, /month 2026-10 rack-03',
  disabled: 'this exporter keeps no months',
  otherVersion: 'The exporter has another version of the report',
  csv: { semicolon: 'CSV with ;', comma: 'CSV with ,' },
  noMonth: 'No report:',
  notMonth: (date: string) => `${date} is not a month such as 2026-10.`,
  file: (month: string) => `${month}: one line for each phone.`,
};
