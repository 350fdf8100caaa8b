import { ofAccount, perAccount } from '../promql.ts';

/**
 * The hours of a time range, phone by phone, summed from what the rules of hoster-month.rules.yml record. Each hour of a
 * phone is sold, self-rented, idle, other or unknown. A sum has no series where nothing was recorded: that is 0 hours.
 */

const RANGE = '[$__range]';

/** How long before the time range a phone that was listed is looked for; one that was listed then is not new. */
const BEFORE = '[40d] offset $__range';

/** Time that an account must have been recorded for before one of its phones counts as new, in seconds. */
const LEAST_RECORDED = 3600;

/** A selector of recorded series. They have neither a job nor an instance. */
function recorded(name: string, ...matchers: readonly string[]): string {
  return `${name}{${['account=~"$account"', ...matchers].join(', ')}}`;
}

const LISTED_SINCE = recorded('hoster:device_listed_since:1h');

function hours(selector: string): string {
  return `sum by (account, device_id) (sum_over_time(${selector}${RANGE})) / 3600`;
}

/** Hours of each phone in a rental status, or in several that a pattern matches. */
export function statusHours(pattern: string): string {
  return hours(recorded('hoster:device_status_seconds:increase5m', `status=~"${pattern}"`));
}

/** Hours of each phone in any status that is not one of the pattern. */
export function otherHours(pattern: string): string {
  return hours(recorded('hoster:device_status_seconds:increase5m', `status!~"${pattern}"`));
}

/** Hours for which each phone was sold and silent; they are among its sold hours. */
export function silentHours(): string {
  return hours(recorded('hoster:device_sold_silent_seconds:increase5m'));
}

/** How often each phone fell silent while it was sold. */
export function interruptions(): string {
  return `sum by (account, device_id) (sum_over_time(${recorded('hoster:device_interruption:count5m')}${RANGE}))`;
}

/** What each phone was called for longest: one series per phone with the labels label, group and model. */
export function names(): string {
  return `topk by (account, device_id) (1, count_over_time(${LISTED_SINCE}${RANGE}))`;
}

/** 0 for each phone that was listed in the time range. */
function listed(): string {
  return `0 * max by (account, device_id) (count_over_time(${LISTED_SINCE}${RANGE}))`;
}

/**
 * When each phone that is new in the time range was first listed, in seconds since 1970. Phones that were there when the
 * records of their account begin are not new: nobody knows since when they are listed.
 */
export function newSince(): string {
  const since = `min by (account, device_id) (min_over_time(${LISTED_SINCE}${RANGE}))`;
  const recording = perAccount(`last_over_time(${LISTED_SINCE}[1h])`);
  const begin = `min_over_time(timestamp(${recording})[$__range:1h])`;
  const before = `count_over_time(${LISTED_SINCE}${BEFORE})`;
  return `(${since} > on (account) group_left () (${begin} + ${LEAST_RECORDED})) unless on (account, device_id) ${before}`;
}

/** Hours of the time range of each phone, or for a new one those since it was first listed. */
export function totalHours(): string {
  return `((time() - (${newSince()}) or ${listed()} + $__range_s) / 3600)`;
}

/** Hours of each phone in which nobody saw its status. */
export function unknownHours(): string {
  return `clamp_min(${totalHours()}\n- (${statusHours('.+')} or ${listed()}), 0)`;
}

/** Available balance of each account at the start or the end of the time range, as last read within a day before. */
export function balanceAt(instant: 'start' | 'end'): string {
  const offset = instant === 'start' ? ' offset $__range' : '';
  const read = `last_over_time(${ofAccount('hoster_balance_available_cents')}[1d]${offset})`;
  return `${perAccount(read)} / 100`;
}

/** One series for each account that was watched in the time range, with the currency it had last. */
export function currencies(): string {
  const stated = perAccount(`last_over_time(${ofAccount('hoster_account_info')}${RANGE})`, 'currency');
  return `topk by (account) (1, ${stated})`;
}
