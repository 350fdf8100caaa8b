import {
  AS_LAST_READ,
  beganAnew,
  forgot,
  grown,
  knownAccounts,
  labelled,
  lastRead,
  ofAccount,
  orAtLast,
  perAccount,
  perPhone,
  REPLICA,
  type Span,
  unreadAccounts,
  WHOLE_RANGE,
  watched,
} from '../promql.ts';

/**
 * Queries about money. The API counts in cents of an unnamed currency; the configuration may name it. Sums are by currency.
 */

/** Sold columns of the month. */
export const SOLD = 'sold_.+|maintenance';

/** Currency shown for an account without a configured one. */
const NO_CURRENCY = 'no currency';

/** Per account, in units of the currency, as last read. */
export function balance(kind: 'available' | 'pending'): string {
  return `${perAccount(lastRead(ofAccount(`hoster_balance_${kind}_cents`)))} / 100`;
}

/** The day after a point of a graph, and the last 24 hours. */
export const NEXT_DAY: Span = { range: '1d', start: '', end: ' offset -1d', seconds: 'time()' };
export const LAST_DAY: Span = { range: '1d', start: ' offset 1d', end: '', seconds: '(time() - 86400)' };

const MOVEMENTS = ['increase', 'decrease'].map((direction) =>
  ofAccount(`hoster_balance_observed_${direction}_cents`),
);

/** Upward or downward movements of one kind of balance. */
function moved(direction: 'increase' | 'decrease', kind: 'available' | 'pending', span: Span): string {
  const sums = ofAccount(`hoster_balance_observed_${direction}_cents`, `kind="${kind}"`);
  return grown(sums, span);
}

/**
 * Income per account in units of the currency: increases of the whole balance. A settlement moves money from pending to
 * available, so money that was pending before the first poll is not income.
 */
export function cameIn(span: Span = WHOLE_RANGE): string {
  const earned = `(${moved('increase', 'pending', span)} - on (${REPLICA}) ${moved('decrease', 'pending', span)})`;
  return inUnits(`${moved('increase', 'available', span)} + on (${REPLICA}) ${earned}`, span);
}

/** Decreases of the available balance per account, in units of the currency. */
export function wentOut(span: Span = WHOLE_RANGE): string {
  return inUnits(moved('decrease', 'available', span), span);
}

/** Movements per account in units of the currency, unless the sums restarted. */
function inUnits(movements: string, span: Span): string {
  return `${perAccount(`${movements} unless on (${REPLICA}) ${beganAnew(MOVEMENTS, span)}`)} / 100`;
}

const TIMES = 'hoster_device_time_seconds';

/** The time range from the first list in it: a hidden variable. */
const WATCHED_RANGE: Span = { ...WHOLE_RANGE, start: ' @ $first', seconds: '$first' };

/**
 * Known hours of the phones of each account in some columns of the month: the difference between the end and the start of the
 * time. No value if the sums restarted, or without a scrape at the start.
 */
export function phoneHours(columns: string, span: Span = WHOLE_RANGE, ...by: readonly string[]): string {
  const times = ofAccount(TIMES, `column=~"${columns}"`);
  const { start, end } = span === WHOLE_RANGE ? WATCHED_RANGE : span;
  const at = (vector: string): string => `sum by (${[REPLICA, ...by].join(', ')}) (${vector})`;
  const last = end === '' ? orAtLast(at(times)) : at(`${times}${end}`);
  // The times of a phone that left are forgotten after a month, together with its first list.
  const listed = ofAccount('hoster_device_first_listed_timestamp_seconds');
  const known = end === '' ? orAtLast(listed) : `${listed}${end}`;
  const none =
    by.length === 0
      ? `on (${REPLICA}) 0 * max by (${REPLICA}) (${ofAccount('hoster_up')}${end})`
      : `0 * ${last}`;
  const first = `${at(`${times}${start} and on (account, device_id, job, instance) ${known}`)} or ${none}`;
  const began = watched(span === WHOLE_RANGE ? WATCHED_RANGE : span);
  const hours = `${last} - (${first}) and on (${REPLICA}) ${began} unless on (${REPLICA}) ${forgot(span)}`;
  return `${perAccount(hours, ...by)} / 3600`;
}

/** Hours of each account without data, for phones that were listed at both ends of a time. */
export function unseenHours(span: Span): string {
  const listed = ofAccount('hoster_device_offline_after_seconds');
  const both = perPhone(`${listed}${span.end} and on (account, device_id) ${listed}${span.start}`);
  return `clamp_min(24 * count by (account) (${both}) - on (account) ${phoneHours('.+', span)}, 0)`;
}

/** Sold offline hours of all accounts in the last day; no value if an account has no data. */
export function soldHoursLost(): string {
  const hours = phoneHours('sold_offline', LAST_DAY);
  const all = perAccount(lastRead(ofAccount('hoster_devices_reported')));
  const known = `(${watched(LAST_DAY)} unless on (${REPLICA}) ${forgot(LAST_DAY)})`;
  return `(sum(${hours}) or 0 * count(${known})) unless on () count(${all} unless on (account) ${known})`;
}

/**
 * Adds the label `currency` at the end of the time range to a vector of accounts. Steps of a day end at midnight, so the day
 * after the last step counts too.
 */
export function withCurrency(amount: string): string {
  const stated = `last_over_time(${ofAccount('hoster_account_info')}[2d] @ end() offset -1d)`;
  const none = `label_replace(${knownAccounts()}, "currency", "${NO_CURRENCY}", "", "")`;
  const currencies = `(0 * (topk by (account) (1, ${stated}) or on (account) ${none}) + 1)`;
  return `(${amount}) * on (account) group_left (currency) ${currencies}`;
}

export function byCurrency(amount: string): string {
  return `sum by (currency) (${withCurrency(amount)})`;
}

/** Adds the label `as` to amounts by currency: `AS_LAST_READ` unless the balances of all accounts of it are fresh. */
export function datedByCurrency(sums: string): string {
  const all = byCurrency(knownAccounts());
  const unread = `on (currency) ${byCurrency(unreadAccounts('balance'))}`;
  const names = `${labelled(`${all} unless ${unread}`, '')} or ${labelled(`${all} and ${unread}`, AS_LAST_READ)}`;
  return `(${sums})\n* on (currency) group_left (as) (0 * (${names}) + 1)`;
}

/** Minimum time with current data, in steps. With less, a settlement of earlier earnings would look like income of the sold hours. */
const STEP = '10m';
const LEAST_STEPS = 120;

/** Limits a vector to accounts whose phones were known for 20 hours. */
export function ifLongKnown(perAccount: string, { range, end }: Span = WHOLE_RANGE): string {
  const fresh = ofAccount('hoster_exporter_data_state', 'collector="devices"', 'state="fresh"');
  const steps = `max by (account) (count_over_time((${fresh} == 1)[${range}:${STEP}]${end}))`;
  return `(${perAccount} and on (account) ${steps} >= ${LEAST_STEPS})`;
}

/** Number of hours of a day. */
const DAY_HOURS = 24;

/**
 * Income per sold day and account; an average, not a price. Self-rented phones cost money, so their days do not count.
 */
export function perSoldDay(span: Span = WHOLE_RANGE): string {
  return `${DAY_HOURS} * ${cameIn(span)} / (${ifLongKnown(phoneHours(SOLD, span), span)} > 0)`;
}

/** The same for all accounts of a currency, weighted by sold hours. */
export function perSoldDayByCurrency(span: Span = WHOLE_RANGE): string {
  const sold = ifLongKnown(phoneHours(SOLD, span), span);
  return `${DAY_HOURS} * ${byCurrency(ifLongKnown(cameIn(span), span))}\n/ (${byCurrency(sold)} > 0)`;
}
