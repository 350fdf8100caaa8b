import {
  AS_LAST_READ_CODE,
  HEALTHY,
  MARKETPLACE,
  PROBLEM,
  RENTAL,
  ROTATION,
  SETUP,
  type State,
  TUNNEL,
} from '../palette.ts';
import {
  atLast,
  coded,
  counted,
  description,
  inWords,
  knownAccounts,
  lastRead,
  nowOrLast,
  ofAccount,
  onlyRead,
  orAtLast,
  orRemembered,
  perAccount,
  perPhone,
  remembered,
  scoped,
  stateOfPhone,
  textsOfListed,
  UNREAD,
  unreadAccounts,
  whileRead,
} from '../promql.ts';
import { lastSuccess } from './exporter.ts';

/** Queries about phones. `matchers` limit them, for example to the phone of the device dashboard. */

export const IN_USE = 'rental_status=~"sold|self_rented"';

export const PROBLEM_SINCE = ofAccount('hoster_device_problem_since_timestamp_seconds');

/** A matcher of phones that do not count in a group or a common cause. */
export const NOT_IN_USE = 'problem=~"not_set_up|given_up|heartbeat_unreadable"';

/** Problems of offline phones. */
export const OFFLINE = ['sold_offline', 'self_rented_offline', 'offline'] as const;
export const TUNNEL_PROBLEMS = ['tunnel_missing', 'tunnel_down', 'tunnel_without_login'] as const;

export function heartbeatAge(...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_device_heartbeat_age_seconds', ...matchers));
}

/** The age of the heartbeat as last read. */
export function lastHeartbeatAge(...matchers: readonly string[]): string {
  return perPhone(lastRead(ofAccount('hoster_device_heartbeat_age_seconds', ...matchers)));
}

export function rentalIs(status: string, ...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_device_rental_status', `status="${status}"`, ...matchers));
}

/** Phones by rental and marketplace status: a few series per account, so years of them stay cheap. */
export function phones(...matchers: readonly string[]): string {
  return perAccount(ofAccount('hoster_devices', ...matchers), 'rental_status', 'marketplace_status');
}

/** The rented share of phones, 0 to 1, by the given labels; no value without phones. */
export function occupancy(by: string): string {
  return `sum by (${by}) (${onlyRead(phones(IN_USE))}) / (sum by (${by}) (${onlyRead(phones())}) > 0)`;
}

/** Number of phones with one of some problems, by account. */
export function withProblem(problems: readonly string[]): string {
  const counts = ofAccount('hoster_devices_with_problem', `problem=~"${problems.join('|')}"`);
  return `sum by (account) (${perAccount(counts, 'problem')})`;
}

/** Start of the problem of each phone, in seconds since 1970. */
export function problemSince(...matchers: readonly string[]): string {
  return perPhone(ofAccount('hoster_device_problem_since_timestamp_seconds', ...matchers));
}

/** The code of each problem, by the label `problem`. */
export const PROBLEM_CODES = `(${Object.values(PROBLEM)
  .map(({ value, code }) => `label_replace(vector(${code}), "problem", "${value}", "", "")`)
  .join(' or ')})`;

/** The most costly problem of each phone. */
function costliest(problems: string): string {
  return `min by (account, device_id) (0 * ${problems} + on (problem) group_left () ${PROBLEM_CODES})`;
}

/** The problem of each phone that has one. */
export function problems(...matchers: readonly string[]): string {
  return costliest(
    perPhone(ofAccount('hoster_device_problem_since_timestamp_seconds', ...matchers), 'problem'),
  );
}

/** Start of the problems of phones at the last scrape of accounts that no process reports now, by problem. */
function problemsAtLast(...matchers: readonly string[]): string {
  const problem = ofAccount('hoster_device_problem_since_timestamp_seconds', ...matchers, UNREAD);
  return `(${atLast(perPhone(problem, 'problem'))} unless on (account) ${perAccount(ofAccount('hoster_devices_reported'))})`;
}

/** The same, of any problem. */
export function problemSinceBefore(...matchers: readonly string[]): string {
  return perPhone(problemsAtLast(...matchers));
}

/** Start of the problems of phones, also at the last scrape of accounts without data. */
export function problemsNowOrLast(...matchers: readonly string[]): string {
  return `(${problemSince(...matchers)} or ${atLast(problemSince(...matchers, UNREAD))})`;
}

/** The problems of phones at that scrape. */
function problemsBefore(...matchers: readonly string[]): string {
  return costliest(problemsAtLast(...matchers));
}

/** The problem of each phone with one. Accounts that no process reports now are grey. */
export function problemsOrLast(...matchers: readonly string[]): string {
  return `${whileRead(problems(...matchers))}\nor ${AS_LAST_READ_CODE} + ${problemsBefore(...matchers)}`;
}

/** The problem of each phone, or no problem. */
export function problemState(...matchers: readonly string[]): string {
  return orElse(problems(...matchers), HEALTHY, ...matchers);
}

/** The phones with a problem, the most costly first, then the oldest, filtered by problem or cause. */
export function byCost(): string {
  const chosen = perPhone(ofAccount('hoster_device_problem_since_timestamp_seconds', 'problem=~"$only"'));
  const caused = perPhone(ofAccount('hoster_device_common_cause', 'value=~"$only"'));
  const rank = (codes: string, since: string): string =>
    `-1e10 * (${codes}) - on (account, device_id) ${since}`;
  const known = `(${rank(problems(), problemSince())} and on (account, device_id) (${chosen} or ${caused}))`;
  return inSelection(`(${known} or ${rank(problemsBefore(), problemSinceBefore())})`);
}

/** Ranks phones by problem, then by the age of the heartbeat; those of accounts without data as at their last scrape. */
export function byProblem(): string {
  const age = `(${perPhone(nowOrLast('hoster_device_heartbeat_age_seconds'))} or 0 * ${listedOrLast()})`;
  return inSelection(`(${age} - on (account, device_id) 1e10 * ${problemCodes()})`);
}

/** Phones that are listed, also of accounts without data. */
function listedOrLast(...matchers: readonly string[]): string {
  return perPhone(nowOrLast('hoster_device_offline_after_seconds', ...matchers));
}

/** The codes of the problems of phones, or of none, as last read for accounts without data. */
function problemCodes(...matchers: readonly string[]): string {
  const none = `0 * ${listedOrLast(...matchers)} + ${HEALTHY.code}`;
  return `(${problems(...matchers)} or ${problemsBefore(...matchers)} or on (account, device_id) ${none})`;
}

/** The same; grey for accounts without data. */
export function problemOrNone(...matchers: readonly string[]): string {
  const grey = `(0 * ${unreadAccounts()} + ${AS_LAST_READ_CODE} or on (account) 0 * ${knownAccounts()})`;
  return `${problemCodes(...matchers)} + on (account) group_left () ${grey}`;
}

/** Limits a vector to phones of the group and the tag that the reader selected. */
function inSelection(vector: string): string {
  const ofGroup = perPhone(nowOrLast('hoster_device_info', 'group=~"$group"'));
  const tagged = perPhone(nowOrLast('hoster_device_tag_info'), 'value');
  // A phone without tags counts as one with an empty tag, which only "All" selects.
  const tags = `(${tagged} or on (account, device_id) ${ofGroup})`;
  const selected = `(label_replace(${tags}, "selected", "yes", "value", "$tag") and on (selected) label_replace(vector(1), "selected", "yes", "", ""))`;
  return `(${vector} and on (account, device_id) ${ofGroup} and on (account, device_id) ${selected})`;
}

export function rentalState(...matchers: readonly string[]): string {
  return stateOfPhone('hoster_device_rental_status', RENTAL, matchers);
}

export function marketplaceState(...matchers: readonly string[]): string {
  return stateOfPhone('hoster_device_marketplace_status', MARKETPLACE, matchers);
}

export function setupState(...matchers: readonly string[]): string {
  return stateOfPhone('hoster_device_setup_status', SETUP, matchers);
}

export function rotationState(...matchers: readonly string[]): string {
  return coded([
    [perPhone(ofAccount('hoster_device_rotation_status', 'status="active"', ...matchers)), ROTATION.active],
    [perPhone(ofAccount('hoster_device_rotation_status', ...matchers)), ROTATION.stopped],
  ]);
}

export function tunnelState(...matchers: readonly string[]): string {
  const up = perPhone(ofAccount('hoster_tunnel_up', ...matchers));
  return coded([
    [`${up} == 1`, TUNNEL.up],
    [`${up} == 0`, TUNNEL.down],
    [`${perPhone(ofAccount('hoster_tunnel_live', ...matchers))} == 0`, TUNNEL.missing],
  ]);
}

/** A state, or another one for a listed phone without it. */
export function orElse(states: string, none: State, ...matchers: readonly string[]): string {
  return `${states}\nor ${coded([[perPhone(ofAccount('hoster_device_offline_after_seconds', ...matchers)), none]])}`;
}

/** Known seconds of the rental status of a phone, until the last poll of its account. */
export function rentalStatusFor(...matchers: readonly string[]): string {
  const since = perPhone(ofAccount('hoster_device_rental_status_since_timestamp_seconds', ...matchers));
  const read = `(${onlyRead(`0 * ${knownAccounts()} + time()`)} or ${lastSuccess('devices')})`;
  return `(-1 * ${orAtLast(since)} + on (account) group_left () ${read})`;
}

/** Minimum idle time of each idle phone, in seconds. */
export function idleFor(...matchers: readonly string[]): string {
  return `(${rentalStatusFor(...matchers)} and on (account, device_id) ${orAtLast(rentalIs('idle', ...matchers))})`;
}

/** The labels that describe a phone, without those of the process that exported them, as last read. */
export function descriptionColumns(...matchers: readonly string[]): string {
  const labels = 'account, device_id, label, brand, model, app_version';
  const present = `max by (${labels}) (${description(...matchers)})`;
  return `(${present} or on (account, device_id) ${remembered(present)})`;
}

/** Number of phones by descriptive labels, as last read. */
export function phonesBy(labels: string): string {
  return `count by (${labels}) (${described(labels)})`;
}

/** Number of phones of a vector by descriptive labels. */
export function phonesAmong(vector: string, labels: string): string {
  const among = `count by (${labels}) (${described(labels)} and on (account, device_id) ${orAtLast(vector)})`;
  return `(${among} or 0 * ${phonesBy(labels)})`;
}

/** The average of a value of phones, by descriptive labels. */
export function averageBy(vector: string, labels: string): string {
  return `avg by (${labels}) (${vector} * on (account, device_id) group_left (${labels}) topk by (account, device_id) (1, ${described(labels)}))`;
}

function described(labels: string): string {
  return orAtLast(`max by (account, device_id, ${labels}) (${textsOfListed()})`);
}

/** Problems that the owner pays for, and others that somebody should look at now; the rest can wait. */
const COSTLY = ['sold_offline', 'self_rented_offline', ...TUNNEL_PROBLEMS] as const;
const URGENT = [...COSTLY, 'offline', 'heartbeat_unreadable', 'rotation_stopped'] as const;

/**
 * A sentence about the fleet in the label `text`, like that of the fleet page: `1 outage, 3 phones need attention`. An outage is a
 * common cause; one of several accounts counts once.
 */
export function sentence(): string {
  const causes = perAccount(ofAccount('hoster_common_cause_devices'), 'kind', 'value');
  const outages = `count(count by (kind, value) (${orAtLast(causes)}))`;
  const explained = `(sum by (account) (${causes}) or 0 * ${knownAccounts()})`;
  const alone = `sum(${orAtLast(`${withProblem(URGENT)} - on (account) ${explained}`)})`;
  const costly = `(sum(${orRemembered(withProblem(COSTLY))}) > bool 0)`;
  const online = `sum(${orRemembered(perAccount(ofAccount('hoster_devices_online')))})`;
  const all = `sum(${orRemembered(perAccount(ofAccount('hoster_devices_reported')))})`;
  const inService = `(${all} - sum(${orRemembered(withProblem(['not_set_up', 'in_maintenance']))}))`;
  const text = (vector: string, from: string, words = '$1'): string =>
    `label_replace(${vector}, "text", "${words}", "${from}", "(.*)")`;
  const phones = inWords('phones', alone, ['phone needs attention', 'phones need attention']);
  const both = `${inWords('outages', outages, ['outage', 'outages'])} * on () group_left (phones) (0 * ${phones} + 1)`;
  const none = inWords('outages', outages, ['outage needs attention', 'outages need attention']);
  const some = `${counted('n', `${online} < ${inService}`)} * on () group_left (m) (0 * ${counted('m', inService)} + 1)`;
  const cases = [
    `0 * label_join(${both}, "text", ", ", "outages", "phones") + ${SENTENCE.bad}`,
    `0 * ${text(none, 'outages')} + ${SENTENCE.bad}`,
    `0 * ${text(phones, 'phones')} + ${SENTENCE.bad}`,
    `0 * ${text(counted('n', `${all} == 0`), 'n', 'No phones are listed')} + ${SENTENCE.none}`,
    `0 * ${text(counted('n', `${online} >= ${inService}`), 'n', 'All $1 phones are online')}`,
    `0 * ${text(`label_join(${some}, "text", " of ", "n", "m")`, 'text', '$1 phones are online, nothing needs attention')}`,
  ];
  return scoped(`(${cases.join('\nor on () ')}) + on () group_left () ${costly}`, { waits: true });
}

/** Values of the sentence, for its colour. */
export const SENTENCE = { none: -1, good: 0, bad: 1, worst: 2 } as const;
