import type { FleetDocument, FleetPhone } from '../../fleet/document.ts';
import { findGroups, nameIn } from '../../fleet/find.ts';
import { countText, hoursText, listText, moneyText, shareText, statusText } from '../../fleet/words.ts';
import { COLUMNS } from '../../model/times.ts';
import type { MonthDocument } from './document.ts';
import { MONTH_TIMES } from './grouping.ts';

/*
 * The month in words: what it brought, and what it asks an owner to do.
 */

/** Writes what a month brought in one or two sentences: sold share, availability, interruptions, and the cost of silence. */
export function monthSummary(
  { rows }: Pick<MonthDocument, 'rows'>,
  currencyOf: (account: string) => string | undefined,
): string {
  const sum = (column: (typeof MONTH_TIMES)[number] | 'interruptions') =>
    rows.reduce((total, row) => total + row[column], 0);
  const [reporting, offline] = [sum('sold_online'), sum('sold_offline')];
  const sold = reporting + offline + sum('maintenance');
  const known = COLUMNS.reduce((total, column) => total + sum(column), 0);
  const costs = new Map<string | undefined, number>();
  for (const { account, estimate } of rows) {
    const currency = currencyOf(account);
    if (estimate !== undefined) costs.set(currency, (costs.get(currency) ?? 0) + estimate.offlineCents);
  }
  const cost = Array.from(costs, ([currency, cents]) => moneyText(cents, currency)).join(' and ');
  return [
    `Sold ${shareText(sold, known)} of the time, available ${shareText(reporting, reporting + offline)} of the sold time, ${countText(sum('interruptions'), 'interruption', 'interruptions')}.`,
    ...(offline === 0
      ? []
      : [`Sold and offline ${hoursText(offline)} h${cost === '' ? '' : `, estimate ${cost}`}.`]),
  ].join(' ');
}

/** Phones that are named first, and interrupted hours below which none is. */
const VISITED = 3;
const MIN_VISITED_SECONDS = 3_600;

/**
 * Says what a month asks an owner to do: which phones to visit, repair or replace, by what their silence cost; and what planned
 * work took.
 */
export function monthVerdict(
  { by, rows }: MonthDocument,
  currencyOf: (account: string) => string | undefined,
): string {
  const planned = rows.reduce((sum, row) => sum + row.maintenance, 0);
  const work = planned === 0 ? '' : `Planned work took ${hoursText(planned)} h.`;
  if (by !== 'phone') return work;
  // Amounts of several currencies cannot be compared.
  const isOneCurrency = new Set(rows.map(({ account }) => currencyOf(account))).size < 2;
  const centsOf = ({ estimate }: MonthDocument['rows'][number]): number =>
    isOneCurrency ? (estimate?.offlineCents ?? 0) : 0;
  const costly = rows
    .filter(({ sold_offline }) => sold_offline >= MIN_VISITED_SECONDS)
    .sort((one, other) => centsOf(other) - centsOf(one) || other.sold_offline - one.sold_offline)
    .slice(0, VISITED)
    .map(({ account, id, name, sold_offline, estimate }) => {
      const cost =
        estimate === undefined ? '' : `, estimate ${moneyText(estimate.offlineCents, currencyOf(account))}`;
      return `${name.trim() || id} (${hoursText(sold_offline)} h sold and offline${cost})`;
    });
  const text =
    costly.length === 0
      ? 'No phone was sold and offline for an hour.'
      : `To visit, repair or replace first: ${costly.join(', ')}.`;
  return `${text} ${work}`.trim();
}

/**
 * Writes a month as a text: its sum and what to visit; of groups, each of them. A word selects the groups that it fits.
 *
 * @param quote marks a text that others wrote
 */
export function monthText(
  fleet: FleetDocument,
  document: MonthDocument,
  word: string,
  quote: (text: string) => string,
): string {
  const { month, by } = document;
  const groups = findGroups(fleet, word).map(({ item }) => item);
  const isMeant = (account: string, name: string): boolean =>
    word === '' || groups.some((each) => each.account === account && each.group === name);
  const rows = document.rows.filter(({ account, name }) => isMeant(account, name));
  if (rows.length === 0) return `${month}: ${word === '' ? 'nothing yet' : `nothing fits ${quote(word)}`}.`;
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

/** Writes the hours of one phone; nothing where there are none. */
export function phoneMonthText({ month, rows }: MonthDocument, { account, id }: FleetPhone): string {
  const row = rows.find((each) => each.id === id && each.account === account);
  const hours = MONTH_TIMES.flatMap((column) => {
    const seconds = row?.[column] ?? 0;
    return seconds > 0 ? [`${statusText(column)} ${Math.round(seconds / 3600)} h`] : [];
  });
  return hours.length === 0 ? '' : `${month}: ${hours.join(', ')}`;
}
