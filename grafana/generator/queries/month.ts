import type { Column } from '../../../src/model/times.ts';
import { ofAccount, perAccount, placed } from '../promql.ts';

/**
 * The hours of a time range, phone by phone. The exporter adds up the time of each phone itself, so hours are the difference
 * of two values: at the end and at the beginning of the range. A column that has no series is 0 hours.
 */

/** One replica and one phone: each has added up for itself. */
const PHONE = 'account, device_id';
const SEEN_BY = `${PHONE}, job, instance`;

const FIRST_LISTED = 'hoster_device_first_listed_timestamp_seconds';
const INFO = 'hoster_device_info';
const LEFT = 'hoster_device_left_timestamp_seconds';
/** Of the phones that the device list has. */
const PRESENT = 'hoster_device_offline_after_seconds';
const TIMES = 'hoster_device_time_seconds';

const UP = ofAccount('hoster_up');
const START = '(time() - $__range_s)';

/**
 * Values of hidden variables. A value is read at one instant, since a look back of two hours at each of 10,000 phones takes
 * Prometheus too long: at `$first` and `$last`, the last scrape before each end of the range, or where Prometheus was away
 * for longer than two hours, the first and the last scrape within it. The label `at` has the instant.
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
 * Exporters that were scraped in the range, and not at both instants, such as one of several that was off at an end of the
 * month. For them all samples are read, six hours apart. Not those that began within the range.
 */
export function awayExporters(): string {
  const began = `min by (instance) (${ofAccount(FIRST_LISTED)}${LAST}) > ${START}`;
  const atEnds = `${UP}${LAST} and on (instance) (${UP}${FIRST} or on (instance) ${began})`;
  return `count by (instance) (last_over_time(${UP}[$__range])) unless on (instance) (${atEnds})`;
}

const AWAY = 'instance=~"$away"';
const GLANCE = '[$__range:6h]';

/**
 * Accounts of which no phone is shown at the last scrape, since the API has been down for long: their hours are there, the
 * names of their phones are as last read.
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

/** Phones whose times began within the range: those that joined, and those of a replica that lost its state. */
function began(phones: readonly string[]): string {
  return `${ofAccount(FIRST_LISTED, ...phones)}${LAST} > ${START}`;
}

/**
 * By how much a value grew in the range, for each replica. It began at 0 where the times began later, or where the phone was
 * known and the series was not there yet. One that shrank is not known.
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

/** The time that each of several replicas saw of each phone in the range. */
function seen(phones: readonly string[]): string {
  return `sum by (${SEEN_BY}) (${growth(TIMES, [TWINS], phones)})`;
}

/** Only what is of the replica that saw the most of a phone: it is taken whole, so that columns never exceed the time. */
function ofBest(vector: string, phones: readonly string[]): string {
  const others = `(${seen(phones)} unless on (${SEEN_BY}) topk by (${PHONE}) (1, ${seen(phones)}))`;
  return `sum by (${PHONE}) (${vector} unless on (${SEEN_BY}) ${others})`;
}

/** Hours of each phone in a column of the month. `phones` are matchers of some phones. */
export function hours(column: Column, ...phones: readonly string[]): string {
  return `${ofBest(growth(TIMES, [`column="${column}"`], phones), phones)} / 3600 > 0`;
}

/** How often each phone fell offline while it was sold. */
export function interruptions(...phones: readonly string[]): string {
  return `${ofBest(growth('hoster_device_interruptions', [], phones), phones)} > 0`;
}

/**
 * Hours of the time range of each phone, between the samples at its ends: of one that joined since it was first listed, of
 * one that left until then. A phone that left before has none.
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

/** Hours of each phone in which nobody saw its status. */
export function unknownHours(...phones: readonly string[]): string {
  const total = totalHours(...phones);
  return `clamp_min(${total}\n- (${ofBest(growth(TIMES, [], phones), phones)} / 3600 or 0 * ${total}), 0)`;
}

/** What each phone was called last: one series per phone with the labels label, group and model. */
function texts(phones: readonly string[]): string {
  const present = ofAccount(INFO, ...phones);
  // The latest instant of each text, so that of several the last one is taken.
  const away = `max_over_time(timestamp(${ofAccount(INFO, ...phones, AWAY)})${GLANCE})`;
  const expired = `max_over_time(timestamp(${ofAccount(INFO, ...phones, EXPIRED)})[$__range:1h])`;
  return `topk by (${PHONE}) (1, max by (${PHONE}, label, group, model) (${present}${LAST} or ${away} or ${expired}))`;
}

/** What each phone of the range was called last. */
export function names(...phones: readonly string[]): string {
  return `${texts(phones)} and on (${PHONE}) ${totalHours(...phones)}`;
}

/** What phones are summed by: racks of several accounts may have the same name. */
const TOGETHER = 'account, group, model';

/** Sums something known of each phone by account, group and model. */
export function together(vector: string): string {
  const texted = `(${vector}) * on (${PHONE}) group_left (group, model) (0 * ${texts([])} + 1)`;
  return placed(`(sum by (${TOGETHER}) (${texted}) or ${oneRow()})`);
}

/**
 * A row of 0 of some phone of the range. Grafana merges rows by the labels that all results have: without a row in one of
 * them it compares each row with each other one, which takes minutes with 10,000 phones.
 */
function oneRow(): string {
  const listed = `${texts([])} unless on (${PHONE}) ${ofAccount(LEFT)}${LAST}`;
  return `topk(1, 0 * count by (${TOGETHER}) (${listed}))`;
}

/** Phones of the range by account, group and model. */
export function phones(): string {
  return placed(`count by (${TOGETHER}) (${names()})`);
}

/** The hours that were lost while sold come first, then those that nobody paid for: what each phone cost. */
export function byCost(): string {
  const all = `0 * max by (${PHONE}) (${ofAccount(FIRST_LISTED)}${LAST})`;
  return `(${hours('sold_offline')} or ${all}) + on (${PHONE}) 0.0001 * (${hours('idle')} or ${all})`;
}

/** Balance of each account, pending included, at the start or the end of the time range, as last read within a day before. */
export function balanceAt(instant: 'start' | 'end'): string {
  const offset = instant === 'start' ? ' offset $__range' : '';
  const read = `last_over_time(${ofAccount('hoster_balance_total_cents')}[1d]${offset})`;
  return `${perAccount(read)} / 100`;
}

/** One series for each account that was watched in the time range, with the currency it had last. */
export function currencies(): string {
  const stated = perAccount(`last_over_time(${ofAccount('hoster_account_info')}[$__range])`, 'currency');
  return `topk by (account) (1, ${stated})`;
}
