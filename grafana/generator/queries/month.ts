import type { Column } from '../../../src/model/times.ts';
import { ofAccount, perAccount, placed } from '../promql.ts';

/**
 * The hours of each phone in a time range. The exporter adds up the time of each phone, so hours are the difference between
 * the end and the start of the range. A column without a series is 0 hours.
 */

/** Labels of a replica and a phone: each replica adds up for itself. */
const PHONE = 'account, device_id';
const SEEN_BY = `${PHONE}, job, instance`;

const FIRST_LISTED = 'hoster_device_first_listed_timestamp_seconds';
const INFO = 'hoster_device_info';
const LEFT = 'hoster_device_left_timestamp_seconds';
/** Limits a vector to listed phones. */
const PRESENT = 'hoster_device_offline_after_seconds';
const TIMES = 'hoster_device_time_seconds';

const UP = ofAccount('hoster_up');
const START = '(time() - $__range_s)';

/**
 * Values of hidden variables. Values are read at one instant, because looking back two hours for 10,000 phones is too slow: at
 * `$first` and `$last`, the last scrape before each end of the range, or the first and the last scrape within it if Prometheus
 * was down for longer than two hours. The label `at` has the instant.
 */
export function firstInstant(): string {
  const before = `max(max_over_time(timestamp(${UP})[2h:1m] offset $__range))`;
  const within = `min(min_over_time(timestamp(${UP})[$__range:5m]))`;
  return `count_values("at", ${before} or ${within} or vector(${START}))`;
}

export function lastInstant(): string {
  const before = `max(max_over_time(timestamp(${UP})[2h:1m]))`;
  const within = `max(max_over_time(timestamp(${UP})[$__range:5m]))`;
  return `count_values("at", ${before} or ${within} or vector(time()))`;
}

const FIRST = ' @ $first';
const LAST = ' @ $last';

/**
 * Exporters that were scraped in the range, but not at both instants, such as a replica that was down at an end of the month.
 * Their samples are read six hours apart. Excludes exporters that started within the range.
 */
export function awayExporters(): string {
  const began = `min by (instance) (${ofAccount(FIRST_LISTED)}${LAST}) > ${START}`;
  const atEnds = `${UP}${LAST} and on (instance) (${UP}${FIRST} or on (instance) ${began})`;
  return `count by (instance) (last_over_time(${UP}[$__range])) unless on (instance) (${atEnds})`;
}

const AWAY = 'instance=~"$away"';
const GLANCE = '[$__range:6h]';

/**
 * Accounts without phones at the last scrape, because the API has been down for long: their hours exist, and the names of
 * their phones are as last read.
 */
export function expiredAccounts(): string {
  const shown = `count by (account) (${ofAccount(PRESENT)}${LAST})`;
  return `count by (account) (${UP}${LAST}) unless on (account) ${shown}`;
}

const EXPIRED = 'account=~"$expired"';

/** Accounts that several exporters poll. */
export function twinAccounts(): string {
  return `count by (account) (count by (account, job, instance) (last_over_time(${UP}[$__range]))) > 1`;
}

const TWINS = 'account=~"$twins"';

/** Phones whose times started within the range: new phones, and those of a replica that lost its state. */
function began(phones: readonly string[]): string {
  return `${ofAccount(FIRST_LISTED, ...phones)}${LAST} > ${START}`;
}

/**
 * Increase of a value in the range, for each replica. It starts at 0 if the times started later, or if the phone was known
 * without this series. A decrease has no value.
 */
function growth(name: string, own: readonly string[], phones: readonly string[]): string {
  const selector = ofAccount(name, ...own, ...phones);
  const away = ofAccount(name, ...own, ...phones, AWAY);
  const end = `(${selector}${LAST} or last_over_time(${away}${GLANCE}))`;
  const read = `${selector}${FIRST} unless on (${SEEN_BY}) (${began(phones)})`;
  const known = `(${began(phones)} or ${ofAccount(FIRST_LISTED, ...phones)}${FIRST})`;
  const zero = `0 * ${selector}${LAST} and on (${SEEN_BY}) ${known}`;
  return `(${end} - (${read} or ${zero} or min_over_time(${away}${GLANCE})) >= 0)`;
}

/** The known time of each phone in the range, by replica. */
function seen(phones: readonly string[]): string {
  return `sum by (${SEEN_BY}) (${growth(TIMES, [TWINS], phones)})`;
}

/** Selects the replica with the most known time of a phone, so that columns never exceed the time. */
function ofBest(vector: string, phones: readonly string[]): string {
  const others = `(${seen(phones)} unless on (${SEEN_BY}) topk by (${PHONE}) (1, ${seen(phones)}))`;
  return `sum by (${PHONE}) (${vector} unless on (${SEEN_BY}) ${others})`;
}

/** Hours of each phone in a column of the month. `phones` are matchers of some phones. */
export function hours(column: Column, ...phones: readonly string[]): string {
  return `${ofBest(growth(TIMES, [`column="${column}"`], phones), phones)} / 3600 > 0`;
}

/** Number of times that each phone went offline while it was sold. */
export function interruptions(...phones: readonly string[]): string {
  return `${ofBest(growth('hoster_device_interruptions', [], phones), phones)} > 0`;
}

/**
 * Hours of the time range of each phone, between the samples at its ends, from its first list and until it left. A phone that
 * left before has none.
 */
export function totalHours(...phones: readonly string[]): string {
  const watched = ofAccount(FIRST_LISTED, ...phones);
  const listed = `min by (${PHONE}) (${watched}${LAST} or last_over_time(${ofAccount(FIRST_LISTED, ...phones, AWAY)}${GLANCE}))`;
  const from = `(0 * max by (${PHONE}) (${watched}${FIRST}) + $first <= ${START} or clamp_min(${listed}, ${START}))`;
  const left = `max by (${PHONE}) (${ofAccount(LEFT, ...phones)}${LAST})`;
  const present = `max by (${PHONE}) (${ofAccount(PRESENT, ...phones)}${LAST})`;
  const until = `((${left} unless ${present}) or 0 * ${from} + $last)`;
  return `((${until} - ${from}) / 3600 > 0)`;
}

/** Hours of each phone without data. */
export function unknownHours(...phones: readonly string[]): string {
  const total = totalHours(...phones);
  return `clamp_min(${total}\n- (${ofBest(growth(TIMES, [], phones), phones)} / 3600 or 0 * ${total}), 0)`;
}

/** The last names of phones: one series per phone with the labels label, group and model. */
function texts(phones: readonly string[]): string {
  const present = ofAccount(INFO, ...phones);
  // The latest instant of each text selects the last one.
  const away = `max_over_time(timestamp(${ofAccount(INFO, ...phones, AWAY)})${GLANCE})`;
  const expired = `max_over_time(timestamp(${ofAccount(INFO, ...phones, EXPIRED)})[$__range:1h])`;
  return `topk by (${PHONE}) (1, max by (${PHONE}, label, group, model) (${present}${LAST} or ${away} or ${expired}))`;
}

/** The last names of the phones in the range. */
export function names(...phones: readonly string[]): string {
  return `${texts(phones)} and on (${PHONE}) ${totalHours(...phones)}`;
}

/** Labels for sums: racks of several accounts may have the same name. */
const TOGETHER = 'account, group, model';

/** Sums a value of phones by account, group and model. */
export function together(vector: string): string {
  const texted = `(${vector}) * on (${PHONE}) group_left (group, model) (0 * ${texts([])} + 1)`;
  return placed(`(sum by (${TOGETHER}) (${texted}) or ${oneRow()})`);
}

/**
 * A row of 0 for some phone of the range. Grafana merges rows by their common labels: with an empty result it compares all
 * pairs of rows, which takes minutes with 10,000 phones.
 */
function oneRow(): string {
  const listed = `${texts([])} unless on (${PHONE}) ${ofAccount(LEFT)}${LAST}`;
  return `topk(1, 0 * count by (${TOGETHER}) (${listed}))`;
}

/** Phones of the range by account, group and model. */
export function phones(): string {
  return placed(`count by (${TOGETHER}) (${names()})`);
}

/** Ranks phones by their sold hours offline, then by their idle hours. */
export function byCost(): string {
  const all = `0 * max by (${PHONE}) (${ofAccount(FIRST_LISTED)}${LAST})`;
  return `(${hours('sold_offline')} or ${all}) + on (${PHONE}) 0.0001 * (${hours('idle')} or ${all})`;
}

/** Balance of each account, pending included, at the end of the time range, as last read within a day before. */
export function balanceAtEnd(): string {
  return `${perAccount(`last_over_time(${BALANCE}[1d])`)} / 100`;
}

const BALANCE = ofAccount('hoster_balance_total_cents');
const BALANCE_BEFORE = perAccount(`last_over_time(${BALANCE}[1d] offset $__range)`);
const FIRST_BALANCE = perAccount(`${BALANCE}${FIRST}`);

/** The same at the start of the time range, or the first one in it. */
export function firstBalance(): string {
  return `(${BALANCE_BEFORE} or on (account) ${FIRST_BALANCE}) / 100`;
}

/** The instant of the first balance, in milliseconds since 1970. */
export function firstBalanceAt(): string {
  return `1000 * (0 * ${BALANCE_BEFORE} / 100 + ${START} or on (account) 0 * ${FIRST_BALANCE} / 100 + $first)`;
}

/** Start of the time range, or the first list of phones in it, in seconds since 1970. */
const KNOWN_FROM = `clamp_min(min(${ofAccount(FIRST_LISTED)}${LAST}), ${START})`;

export function knownFrom(): string {
  return `1000 * ${KNOWN_FROM}`;
}

/** Number of days from then until the last scrape; the label `days` has those of the time range. */
export function knownDays(): string {
  const whole = 'count_values("days", round(vector($__range_s / 86400)))';
  return `($last - ${KNOWN_FROM}) / 86400 * on () group_left (days) (0 * ${whole} + 1)`;
}

const SECONDS_OF_A_DAY = 86_400;

/**
 * Start of the time before, in seconds since 1970: a hidden variable. Before a month it is the month before, whose number of days
 * differs; before any other range the same time.
 */
export function instantBefore(): string {
  const start = 'vector($__from / 1000)';
  const isMonth = 'vector($__range_s) > 27.9 * 86400 < 31.1 * 86400';
  const days = `(days_in_month(${start} - ${SECONDS_OF_A_DAY}) and on () (${isMonth}) or vector($__range_s / ${SECONDS_OF_A_DAY}))`;
  return `count_values("at", round(${start} - ${SECONDS_OF_A_DAY} * ${days}))`;
}

const BEFORE = ' @ $before';

/** Increase of a value of all phones in the time before, of accounts that were watched at its start. */
function grownBefore(name: string, ...matchers: readonly string[]): string {
  const sums = ofAccount(name, ...matchers);
  const by = (vector: string): string => `sum by (account, job, instance) (${vector})`;
  const grown = `${by(`${sums}${FIRST}`)} - (${by(`${sums}${BEFORE} and ${sums}${FIRST}`)} or on (account, job, instance) 0 * ${UP}${BEFORE})`;
  return `sum(${perAccount(`${grown} and on (account, job, instance) ${UP}${BEFORE}`)} >= 0)`;
}

/** Hours of all phones in some columns in the time before. */
function hoursBefore(columns: readonly Column[]): string {
  return `${grownBefore(TIMES, `column=~"${columns.join('|')}"`)} / 3600`;
}

const SOLD: readonly Column[] = ['sold_online', 'sold_offline', 'maintenance'];

/** The figures of the time before, by the names of those of the time range. */
export const FIGURES_BEFORE = {
  sold_share: `${hoursBefore(SOLD)} / (${grownBefore(TIMES)} / 3600 > 0)`,
  availability: `${hoursBefore(['sold_online'])} / (${hoursBefore(['sold_online', 'sold_offline'])} > 0)`,
  sold: hoursBefore(SOLD),
  sold_offline: hoursBefore(['sold_offline']),
  interruptions: grownBefore('hoster_device_interruptions'),
} as const;

/** One series for each account in the time range, with its last currency. */
export function currencies(): string {
  const stated = perAccount(`last_over_time(${ofAccount('hoster_account_info')}[$__range])`, 'currency');
  return `topk by (account) (1, ${stated})`;
}
