import { ofAccount, onlyRead, perAccount } from '../promql.ts';
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

/** Per account whose balance is read, in units of the currency. */
export function balance(kind: 'available' | 'pending' | 'total'): string {
  return `(${onlyRead(perAccount(ofAccount(`hoster_balance_${kind}_cents`)), 'balance')}) / 100`;
}

/**
 * Upward or downward movements of a balance, per account, in units of the currency.
 *
 * @param range what stands between the brackets, and modifiers behind them
 */
export function movement(direction: 'increase' | 'decrease', kind: string, range: string): string {
  const counter = ofAccount(`hoster_balance_observed_${direction}_cents_total`, `kind="${kind}"`);
  return `${perAccount(`increase(${counter}${range})`)} / 100`;
}

/** Hours that phones spent in a rental status, by the given labels; only time that was observed counts. */
export function phoneHours(status: string, by: string, range = '$__range', offset = ''): string {
  const counted = `sum by (${by}) (${phones(`rental_status=~"${status}"`)})`;
  return `sum_over_time((${counted})[${range}:${LOOK}]${offset}) / ${LOOKS_PER_HOUR}`;
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

/**
 * Growth of the available balance per hour that a phone was sold, per account; an average, not a price. Phones
 * that are self-rented cost money instead, so their hours do not count.
 */
export function perSoldHour(range = '$__range', offset = ''): string {
  const cameIn = movement('increase', 'available', `[${range}]${offset}`);
  return `${cameIn} / (${longEnough(phoneHours('sold', 'account', range, offset), range, offset)} > 0)`;
}

/** Hours that have to be observed, or a settlement of earlier earnings would look like income of a few of them. */
const LEAST_HOURS = 20;

/** Only what is of accounts that were observed for long enough. */
function longEnough(perAccount: string, range: string, offset: string): string {
  const looks = `count_over_time((sum by (account) (${phones()}))[${range}:${LOOK}]${offset})`;
  return `(${perAccount} and on (account) ${looks} / ${LOOKS_PER_HOUR} >= ${LEAST_HOURS})`;
}

/** The same over all accounts of a currency, each weighing as much as it sold. */
export function perSoldHourByCurrency(range = '$__range', offset = ''): string {
  const cameIn = byCurrency(movement('increase', 'available', `[${range}]${offset}`));
  const sold = longEnough(phoneHours('sold', 'account', range, offset), range, offset);
  return `${cameIn}\n/ (${byCurrency(sold)} > 0)`;
}
