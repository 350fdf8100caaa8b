import {
  AS_LAST_READ,
  grown,
  labelled,
  lastRead,
  ofAccount,
  perAccount,
  type Span,
  unreadAccounts,
  WHOLE_RANGE,
} from '../promql.ts';
import { phones } from './phones.ts';

/**
 * Questions about money. The API counts in cents of a currency that it does not name; an account whose currency is
 * configured says it, and sums are kept apart by currency.
 */

/** Phone-hours are counted by looking every ten minutes, six times an hour. */
const LOOK = '10m';
const LOOKS_PER_HOUR = 6;

/** Currency shown for an account without a configured one. */
const NO_CURRENCY = 'no currency';

/** Per account, in units of the currency, as last read. */
export function balance(kind: 'available' | 'pending'): string {
  return `${perAccount(lastRead(ofAccount(`hoster_balance_${kind}_cents`)))} / 100`;
}

/** The day that begins at the point of a graph, and the last 24 hours. */
export const NEXT_DAY: Span = { range: '1d', start: '', end: ' offset -1d' };
export const LAST_DAY: Span = { range: '1d', start: ' offset 1d', end: '' };

/** Upward or downward movements of one kind of balance. */
function moved(direction: 'increase' | 'decrease', kind: 'available' | 'pending', span: Span): string {
  return grown(ofAccount(`hoster_balance_observed_${direction}_cents`, `kind="${kind}"`), span);
}

/**
 * What came in, per account, in units of the currency: upward movements of the whole balance. A settlement moves money from
 * pending to available and brings none, so what was pending before the first poll is not counted.
 */
export function cameIn(span: Span = WHOLE_RANGE): string {
  const earned = `(${moved('increase', 'pending', span)} - on (account, job, instance) ${moved('decrease', 'pending', span)})`;
  return `${perAccount(`${moved('increase', 'available', span)} + on (account, job, instance) ${earned}`)} / 100`;
}

/** What went out of the available balance, per account, in units of the currency. */
export function wentOut(span: Span = WHOLE_RANGE): string {
  return `${perAccount(moved('decrease', 'available', span))} / 100`;
}

/** Hours that phones spent in a rental status, by the given labels; only time that was observed counts. */
export function phoneHours(status: string, by: string, { range, end }: Span = WHOLE_RANGE): string {
  const counted = `sum by (${by}) (${phones(`rental_status=~"${status}"`)})`;
  return `sum_over_time((${counted})[${range}:${LOOK}]${end}) / ${LOOKS_PER_HOUR}`;
}

/**
 * Adds the label `currency`, as of the end of the time range, to what is known per account. Steps of a day end at
 * midnight, so it looks at the day after the last step as well.
 */
export function withCurrency(amount: string): string {
  const stated = `last_over_time(${ofAccount('hoster_account_info')}[2d] @ end() offset -1d)`;
  const currencies = `topk by (account) (1, ${stated})`;
  const known = `(${amount}) * on (account) group_left (currency) ${currencies}`;
  return `${known}\nor on (account) label_replace(${amount}, "currency", "${NO_CURRENCY}", "", "")`;
}

export function byCurrency(amount: string): string {
  return `sum by (currency) (${withCurrency(amount)})`;
}

/** Adds the label `as` to amounts by currency: `AS_LAST_READ` unless the balances of all accounts of it are fresh. */
export function datedByCurrency(sums: string): string {
  const unread = `on (currency) ${byCurrency(unreadAccounts('balance'))}`;
  return `${labelled(`(${sums}) unless ${unread}`, '')}\nor ${labelled(`(${sums}) and ${unread}`, AS_LAST_READ)}`;
}

/** Hours that have to be observed, or a settlement of earlier earnings would look like income of a few of them. */
const LEAST_HOURS = 20;

/** Only what is of accounts that were observed for long enough. */
export function ifLongKnown(perAccount: string, { range, end }: Span = WHOLE_RANGE): string {
  const looks = `count_over_time((sum by (account) (${phones()}))[${range}:${LOOK}]${end})`;
  return `(${perAccount} and on (account) ${looks} / ${LOOKS_PER_HOUR} >= ${LEAST_HOURS})`;
}

/**
 * What came in per hour that a phone was sold, per account; an average, not a price. Phones that are self-rented cost money
 * instead, so their hours do not count.
 */
export function perSoldHour(span: Span = WHOLE_RANGE): string {
  return `${cameIn(span)} / (${ifLongKnown(phoneHours('sold', 'account', span), span)} > 0)`;
}

/** The same over all accounts of a currency, each weighing as much as it sold. */
export function perSoldHourByCurrency(span: Span = WHOLE_RANGE): string {
  const sold = ifLongKnown(phoneHours('sold', 'account', span), span);
  return `${byCurrency(ifLongKnown(cameIn(span), span))}\n/ (${byCurrency(sold)} > 0)`;
}
