import {
  AS_LAST_READ,
  knownAccounts,
  labelled,
  nowOrLast,
  ofAccount,
  onlyRead,
  perPhone,
  placed,
  unreadAccounts,
} from '../promql.ts';
import { NOT_IN_USE, OFFLINE, problemSince, problemsNowOrLast } from './phones.ts';

/** Queries about groups, such as racks: phones are counted if they are set up, as in the common cause of a group. */

/** Groups that the reader selected. */
const SELECTED = 'group=~"$group"';

/** Groups that a history shows, and phones without a group: a hidden variable. */
const SHOWN = 'group=~"$racks|"';

const PROBLEM = 'hoster_device_problem_since_timestamp_seconds';

/** The phones that are set up, with their group. */
function setUp(...matchers: readonly string[]): string {
  const texts = ofAccount('hoster_device_info', ...matchers);
  return inUse(texts, ofAccount('hoster_device_offline_after_seconds'), problemSince(NOT_IN_USE));
}

/** The same, also of accounts without data. */
function setUpOrLast(...matchers: readonly string[]): string {
  const present = nowOrLast('hoster_device_offline_after_seconds');
  return inUse(nowOrLast('hoster_device_info', ...matchers), present, problemsNowOrLast(NOT_IN_USE));
}

function inUse(texts: string, listed: string, apart: string): string {
  const phones = `max by (account, device_id, group) (${texts} and on (account, device_id) ${listed})`;
  return `(${phones} unless on (account, device_id) ${apart})`;
}

/** Numbers of phones of each group: all, and those with some problems. */
function sizes(
  phones: string,
  problems: (matcher: string) => string,
): { readonly all: string; readonly having: (...problems: readonly string[]) => string } {
  const by = (vector: string): string => `count by (account, group) (${vector})`;
  const having = (...names: readonly string[]): string =>
    by(`${phones} and on (account, device_id) ${problems(`problem=~"${names.join('|')}"`)}`);
  return { all: by(phones), having };
}

/** Number of boxes that fit a telephone: those of the most phones. */
const MOST_BOXES = 12;

/**
 * A box for each group: its number of offline phones, or of those in maintenance if no other is offline. The label `place` is its
 * name, `whole` the number of its phones, and `as` what else the box says. Accounts without data are as last read.
 */
export function boxes(): string {
  const { all, having } = sizes(setUpOrLast(SELECTED), problemsNowOrLast);
  const by = 'account, group';
  const sold = `label_replace(count_values by (${by}) ("as", ${having('sold_offline')}), "as", ", $1 sold", "as", "(.*)")`;
  const offline = having(...OFFLINE);
  const muted = labelled(having('in_maintenance'), ', in maintenance');
  const states = `(${offline} * on (${by}) group_left (as) (0 * ${sold} + 1) or on (${by}) ${offline} or on (${by}) ${muted} or on (${by}) 0 * ${all})`;
  const whole = `count_values by (${by}) ("whole", ${all})`;
  const unread = `label_replace(${unreadAccounts()}, "end", ", ${AS_LAST_READ}", "", "")`;
  const ends = `(0 * (${unread} or on (account) ${knownAccounts()}) + 1)`;
  const shown = `${states} * on (account, group) group_left (whole) (0 * ${whole} + 1) * on (account) group_left (end) ${ends}`;
  return placed(`topk(${MOST_BOXES}, label_join(${shown}, "as", "", "as", "end"))`);
}

/** A number that stands for maintenance among shares from 0 to 1. */
export const MUTED_SHARE = 2;

/**
 * The offline share of the shown groups, by the label `place`, while their account has data. Between two points of a graph, a
 * phone counts if it was offline at any time, so that short outages stay visible.
 */
export function offlineShareByRack(): string {
  const during = (matcher: string): string =>
    perPhone(`max_over_time(${ofAccount(PROBLEM, matcher)}[$__interval])`);
  const { all, having } = sizes(setUp(SHOWN, SELECTED), during);
  const muted = `0 * ${having('in_maintenance')} + ${MUTED_SHARE}`;
  const share = `${having(...OFFLINE)} / on (account, group) ${all}`;
  return placed(onlyRead(`${share} or on (account, group) ${muted} or on (account, group) 0 * ${all}`));
}

/** Ranks groups by their share of offline phones now, then over the last day. */
export function byAway(): string {
  const { all, having } = sizes(setUp(), (matcher) => problemSince(matcher));
  const share = `((${having(...OFFLINE)} or 0 * ${all}) / ${all})`;
  const now = `label_replace(${share}, "of", "now", "", "")`;
  return `sum by (account, group) (${now} or 0.01 * avg_over_time(${share}[1d:1h]))`;
}
