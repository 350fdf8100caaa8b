import type { Column } from '../../../src/model/times.ts';
import { ofAccount, perAccount } from '../promql.ts';

/**
 * The hours of a time range, phone by phone. The exporter adds up the time of each phone itself, so hours are the difference
 * of two values: at the end and at the beginning of the range. A column that has no series is 0 hours.
 */

/** What was last scraped before an instant, though Prometheus was away for two hours. */
const LAST = '[2h]';

/** A glance at the whole range, for where there is nothing at its ends. */
const GLANCE = '[$__range:6h]';

const START = '(time() - $__range_s)';

/** One replica and one phone: each has added up for itself. */
const PHONE = 'account, device_id';
const SEEN_BY = `${PHONE}, job, instance`;

const LISTED = ofAccount('hoster_device_first_listed_timestamp_seconds');
const TEXTS = ofAccount('hoster_device_info');

/** The value at the end of the range. */
function atEnd(selector: string): string {
  return `(last_over_time(${selector}${LAST}) or last_over_time(${selector}${GLANCE}))`;
}

/** Phones whose times began within the range: those that joined, and those of a replica that lost its state. */
const BEGAN = `last_over_time(${LISTED}${LAST}) > ${START}`;

/** Phones that a replica knew when the range began. */
const KNOWN_BEFORE = `last_over_time(${TEXTS}${LAST} offset $__range)`;

/**
 * The value at the beginning of the range. It is 0 where the times began later, or where the phone was known and the series
 * was not there yet. Where Prometheus has nothing of that time, it is the first value that it has.
 */
function atStart(selector: string): string {
  const read = `last_over_time(${selector}${LAST} offset $__range) unless on (${SEEN_BY}) (${BEGAN})`;
  const zero = `0 * last_over_time(${selector}${LAST}) and on (${SEEN_BY}) (${BEGAN} or ${KNOWN_BEFORE})`;
  return `(${read} or ${zero} or min_over_time(${selector}${GLANCE}))`;
}

/** By how much a value grew in the range, for each replica. One that shrank is not known. */
function growth(selector: string): string {
  return `(${atEnd(selector)} - ${atStart(selector)} >= 0)`;
}

const TIMES = 'hoster_device_time_seconds';

/** About the time that each replica saw of each phone in the range: enough to tell which one saw more. */
const SEEN = `(${total('')} - (${total(' offset $__range')} or 0 * ${total('')}))`;

function total(offset: string): string {
  return `sum by (${SEEN_BY}) (last_over_time(${ofAccount(TIMES)}${LAST}${offset}))`;
}

/** Only what is of the replica that saw the most of a phone: it is taken whole, so that columns never exceed the time. */
function ofBest(vector: string): string {
  return `sum by (${PHONE}) (${vector} and on (${SEEN_BY}) topk by (${PHONE}) (1, ${SEEN}))`;
}

/** Hours of each phone in a column of the month. */
export function hours(column: Column): string {
  return `${ofBest(growth(ofAccount(TIMES, `column="${column}"`)))} / 3600 > 0`;
}

/** How often each phone fell silent while it was sold. */
export function interruptions(): string {
  return `${ofBest(growth(ofAccount('hoster_device_interruptions')))} > 0`;
}

/**
 * Hours of the time range of each phone, between the samples at its ends: of one that joined since it was first listed, of
 * one that left until then. A phone that left before has none.
 */
export function totalHours(): string {
  const scraped = (offset: string): string =>
    `(timestamp(${LISTED}${offset}) or max_over_time(timestamp(${LISTED})[2h:5m]${offset}))`;
  const known = `0 * max by (${PHONE}) (${KNOWN_BEFORE}) + ${START}`;
  const from = `(min by (${PHONE}) (${scraped(' offset $__range')}) or ${known} or clamp_min(min by (${PHONE}) (last_over_time(${LISTED}${LAST})), ${START}))`;
  const left = `max by (${PHONE}) (last_over_time(${ofAccount('hoster_device_left_timestamp_seconds')}${LAST}))`;
  const present = `max by (${PHONE}) (last_over_time(${ofAccount('hoster_device_silence_limit_seconds')}[5m]))`;
  const until = `((${left} unless ${present}) or max by (${PHONE}) (${scraped('')}) or 0 * ${from} + time())`;
  return `((${until} - ${from}) / 3600 > 0)`;
}

/** Hours of each phone in which nobody saw its status. */
export function unknownHours(): string {
  const total = totalHours();
  return `clamp_min(${total}\n- (${ofBest(growth(ofAccount(TIMES)))} / 3600 or 0 * ${total}), 0)`;
}

/** What each phone of the range was called last: one series per phone with the labels label, group and model. */
export function names(): string {
  const earlier = (range: string): string => `max_over_time(timestamp(${TEXTS})${range})`;
  const texts = `max by (${PHONE}, label, group, model) (timestamp(${TEXTS}) or ${earlier('[2h:5m]')} or ${earlier(GLANCE)})`;
  return `topk by (${PHONE}) (1, ${texts}) and on (${PHONE}) ${totalHours()}`;
}

/** Available balance of each account at the start or the end of the time range, as last read within a day before. */
export function balanceAt(instant: 'start' | 'end'): string {
  const offset = instant === 'start' ? ' offset $__range' : '';
  const read = `last_over_time(${ofAccount('hoster_balance_available_cents')}[1d]${offset})`;
  return `${perAccount(read)} / 100`;
}

/** One series for each account that was watched in the time range, with the currency it had last. */
export function currencies(): string {
  const stated = perAccount(`last_over_time(${ofAccount('hoster_account_info')}[$__range])`, 'currency');
  return `topk by (account) (1, ${stated})`;
}
