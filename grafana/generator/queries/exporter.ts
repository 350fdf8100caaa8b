import { ACCESS, DATA, type State } from '../palette.ts';
import {
  type Collector,
  coded,
  knownAccounts,
  lastRead,
  ofAccount,
  ofProcess,
  owned,
  perAccount,
  unreadAccounts,
} from '../promql.ts';

/** Queries about the exporter itself. Sums are over processes, because each process does its own work. */

/** The mean of a counter per second, by the given labels. */
export function perSecond(counter: string, by: string): string {
  return `sum by (${by}) (rate(${counter}[$__rate_interval]))`;
}

/** A quantile of a histogram, by the given labels. */
export function quantile(share: number, buckets: string, ...by: readonly string[]): string {
  const perBucket = `sum by (${['le', ...by].join(', ')}) (rate(${buckets}[$__rate_interval]))`;
  return `histogram_quantile(${share}, ${perBucket})`;
}

const BUILD_INFO = ofProcess('hoster_exporter_build_info');

export const requests = ofAccount('hoster_exporter_api_requests_total');
export const failures = ofAccount('hoster_exporter_api_request_failures_total');

/** Requests with a usable response, including 404 for a phone without a tunnel. The others are failures. */
const usable = ofAccount('hoster_exporter_api_requests_total', 'code=~"200|404"');

/** The share of failed requests in the last five minutes, 0 to 1, for the worst account. */
export function worstFailureShare(): string {
  const count = (counter: string): string => `sum by (account) (increase(${counter}[5m]))`;
  const share = `${count(failures)} / (${count(failures)} + (${count(usable)} or 0 * ${count(failures)}) > 0)`;
  // An account without data, as after a refused key or while the exporter is down, counts as failed.
  const unread = `count_values("n", count(${unreadAccounts()}))`;
  const all = `count_values("m", count(${knownAccounts()}))`;
  const several = `label_replace(label_join(0 * ${unread} * on () group_left (m) ${all} + 1, "as", " of ", "n", "m"), "as", "$1 accounts", "as", "(.*)")`;
  const one = `label_replace(topk(1, ${owned(`${share}`)}), "as", "$1", "account", "(.*)")`;
  return `(${several} or on () ${one})`;
}

/** Last successful poll of a collector within a day, by any exporter. */
export function lastSuccess(collector: Collector): string {
  const name = 'hoster_exporter_poll_last_success_timestamp_seconds';
  return perAccount(lastRead(ofAccount(name, `collector="${collector}"`)));
}

const EXPORTER_DOWN = 'Exporter down';

const ENDPOINTS = { devices: 'devices', tunnels: 'tunnel', balance: 'balance' } as const;

/** The reason why the data of accounts is not fresh, as the label `why`. */
function whyUnread(collector: Collector): string {
  const withReason = (vector: string, text: string, from = ''): string =>
    `label_replace(${vector}, "why", "${text}", "${from}", "${from === '' ? '' : '(.*)'}")`;
  const worst = (counter: string, by: string): string =>
    `topk by (account) (1, sum by (account, ${by}) (increase(${counter}[15m])) > 0)`;
  const api = `api="${ENDPOINTS[collector]}"`;
  const { granted, ...refusals } = ACCESS;
  const gone = `${knownAccounts()} unless on (account) ${perAccount(ofAccount('hoster_up'))}`;
  const reasons = [
    // Before the failures of the last minutes, which rates still include.
    withReason(gone, EXPORTER_DOWN),
    ...Object.values(refusals).map(({ value, text }) =>
      withReason(perAccount(`${ofAccount('hoster_account_api_access', `state="${value}"`)} == 1`), text),
    ),
    withReason(
      worst(ofAccount('hoster_exporter_api_requests_total', api, 'code!~"200|404"'), 'code'),
      'API responds $1',
      'code',
    ),
    withReason(
      worst(ofAccount('hoster_exporter_api_request_failures_total', api), 'reason'),
      'API: $1',
      'reason',
    ),
    // The balance is polled less often than phones: the API fails for all of them.
    withReason(
      worst(ofAccount('hoster_exporter_api_requests_total', 'code!~"200|404"'), 'code'),
      'API responds $1',
      'code',
    ),
    withReason(worst(ofAccount('hoster_exporter_api_request_failures_total'), 'reason'), 'API: $1', 'reason'),
    withReason(knownAccounts(), 'No response'),
  ];
  return `(${reasons.join('\nor on (account) ')})`;
}

/**
 * Time and reason since when the data of accounts is not fresh, in milliseconds since 1970; 0 if it never was. Of an exporter that
 * is gone it is the last scrape, because its last good poll may be much older.
 */
export function unreadSince(collector: Collector = 'devices'): string {
  const gone = `(${lastScrape()} unless on (account) ${perAccount(ofAccount('hoster_up'))})`;
  const since = `(${gone} or ${lastSuccess(collector)} or 0 * ${knownAccounts()})`;
  const why = `0 * ${whyUnread(collector)} + 1`;
  return `1000 * (${since} * on (account) group_left (why) (${why})) and on (account) ${unreadAccounts(collector)}`;
}

/** Last attempt to poll each account within a day, in seconds since 1970: close to the last scrape, and quick to read. */
function lastScrape(): string {
  const name = 'hoster_exporter_poll_last_attempt_timestamp_seconds';
  return perAccount(lastRead(ofAccount(name, 'collector="devices"')));
}

/** The two oldest of these, with the account in the label `of`. An exporter that is down stands for all of its accounts. */
export function oldestUnread(since: string): string {
  const of = `label_replace(${owned(since)}, "of", "$1", "owner", "(.*)")`;
  return `bottomk(2, min by (of, why) (label_replace(${of}, "of", "", "why", "${EXPORTER_DOWN}")))`;
}

/** End of the grace period of accounts after an outage, in seconds since 1970. */
export function graceEndsAt(): string {
  return perAccount(ofAccount('hoster_grace_period_end_timestamp_seconds'));
}

/** Ranks accounts by the age of their data at the end of the time range, those without data first. */
export function byDataAge(): string {
  const success = ofAccount('hoster_exporter_poll_last_success_timestamp_seconds');
  const readAt = perAccount(`last_over_time(${success}[1h] @ end())`, 'collector');
  const known = `last_over_time(${ofAccount('hoster_exporter_poll_success')}[1h] @ end())`;
  return `(-1 * (${readAt} or 0 * ${perAccount(known, 'collector')}))`;
}

export function dataState(): string {
  const { fresh, stale, expired } = DATA;
  return stateOfAccount('hoster_exporter_data_state', { fresh, stale, expired }, 'collector');
}

/** The state of the data of each account, including accounts that no process reports now. */
export function accountState(collector: Collector = 'devices'): string {
  const { unseen, ...states } = DATA;
  const cases = Object.values(states).map((state) => {
    const matchers = [`collector="${collector}"`, `state="${state.value}"`];
    return [perAccount(`${ofAccount('hoster_exporter_data_state', ...matchers)} == 1`), state] as const;
  });
  return coded([...cases, [knownAccounts(), unseen]]);
}

/** The codes of a state set by account and further labels. */
function stateOfAccount(
  name: string,
  states: Readonly<Record<string, State>>,
  ...labels: readonly string[]
): string {
  return coded(
    Object.values(states).map((state) => [
      perAccount(`${ofAccount(name, `state="${state.value}"`)} == 1`, ...labels),
      state,
    ]),
  );
}

/** The descriptive labels of a process, as last read within a week. */
export function buildInfo(): string {
  const read = `(${BUILD_INFO} or on (job, instance) topk by (job, instance) (1, last_over_time(${BUILD_INFO}[7d])))`;
  return `max by (job, instance, version, node_version) (${read})`;
}

/** One series per process, limited to exporters: every program has metrics such as `process_*`. */
export function perInstance(vector: string): string {
  return `max by (job, instance) (${vector} and on (job, instance) ${BUILD_INFO})`;
}

/** 1 for each exporter of the last week that Prometheus can scrape, else 0. */
export function reached(): string {
  const known = `last_over_time(${BUILD_INFO}[7d])`;
  return `max by (job, instance) (${ofProcess('up')} and on (job, instance) ${known})`;
}
