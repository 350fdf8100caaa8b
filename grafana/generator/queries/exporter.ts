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

/** Questions about the exporter itself. What it does, every process does for itself, so here sums are over processes. */

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

/** Requests whose answer is of use; that a phone has no tunnel (404) is an answer. The others are among the failures. */
const usable = ofAccount('hoster_exporter_api_requests_total', 'code=~"200|404"');

/** The share of failures among the requests of the last five minutes, 0 to 1, of the account where it is largest. */
export function worstFailureShare(): string {
  const count = (counter: string): string => `sum by (account) (increase(${counter}[5m]))`;
  const share = `${count(failures)} / (${count(failures)} + (${count(usable)} or 0 * ${count(failures)}) > 0)`;
  // Requests that are not sent, as after a refused key, or while the API or the exporter is down, count as failed.
  const unread = `0 * ${unreadAccounts()} + 1`;
  return `topk(1, ${owned(`(${unread} or on (account) ${share})`)})`;
}

/** When a collector was last read within a day, by any exporter, whether one reports the account now or not. */
export function lastSuccess(collector: Collector): string {
  const name = 'hoster_exporter_poll_last_success_timestamp_seconds';
  return perAccount(lastRead(ofAccount(name, `collector="${collector}"`)));
}

const ENDPOINTS = { devices: 'devices', tunnels: 'tunnel', balance: 'balance' } as const;

/** Why the data of accounts is not fresh, in words that continue with a time: the label `why`. */
function whyUnread(collector: Collector): string {
  const said = (vector: string, text: string, from = ''): string =>
    `label_replace(${vector}, "why", "${text}", "${from}", "${from === '' ? '' : '(.*)'}")`;
  const worst = (counter: string, by: string): string =>
    `topk by (account) (1, sum by (account, ${by}) (increase(${counter}[15m])) > 0)`;
  const api = `api="${ENDPOINTS[collector]}"`;
  const { granted, ...refusals } = ACCESS;
  const gone = `${knownAccounts()} unless on (account) ${perAccount(ofAccount('hoster_up'))}`;
  const reasons = [
    // Before the failures of its last minutes, which rates still see.
    said(gone, 'Exporter down'),
    ...Object.values(refusals).map(({ value, text }) =>
      said(perAccount(`${ofAccount('hoster_account_api_access', `state="${value}"`)} == 1`), text),
    ),
    said(
      worst(ofAccount('hoster_exporter_api_requests_total', api, 'code!~"200|404"'), 'code'),
      'API answers $1',
      'code',
    ),
    said(worst(ofAccount('hoster_exporter_api_request_failures_total', api), 'reason'), 'API: $1', 'reason'),
    said(knownAccounts(), 'No answer'),
  ];
  return `(${reasons.join('\nor on (account) ')})`;
}

/** Since when the data of accounts is not fresh, in milliseconds since 1970, and why; 0 if nothing was ever read. */
export function unreadSince(collector: Collector = 'devices'): string {
  const since = `(${lastSuccess(collector)} or 0 * ${knownAccounts()})`;
  const why = `0 * ${whyUnread(collector)} + 1`;
  return `1000 * (${since} * on (account) group_left (why) (${why})) and on (account) ${unreadAccounts(collector)}`;
}

/** When the silence of the phones of accounts is judged again after an outage, in seconds since 1970. */
export function judgedAt(): string {
  return perAccount(ofAccount('hoster_grace_period_end_timestamp_seconds'));
}

/** The longest unread first, as of the end of the time range; what was never read comes before all. */
export function byDataAge(): string {
  const success = ofAccount('hoster_exporter_poll_last_success_timestamp_seconds');
  const readAt = perAccount(`last_over_time(${success}[1h] @ end())`, 'collector');
  const known = `last_over_time(${ofAccount('hoster_exporter_poll_success')}[1h] @ end())`;
  return `(-1 * (${readAt} or 0 * ${perAccount(known, 'collector')}))`;
}

export function dataState(): string {
  const { fresh, held, expired } = DATA;
  return stateOfAccount('hoster_exporter_data_state', { fresh, held, expired }, 'collector');
}

/** The state of the data of each account, also of accounts that no process reports now. */
export function accountState(collector: Collector = 'devices'): string {
  const { unseen, ...states } = DATA;
  const cases = Object.values(states).map((state) => {
    const matchers = [`collector="${collector}"`, `state="${state.value}"`];
    return [perAccount(`${ofAccount('hoster_exporter_data_state', ...matchers)} == 1`), state] as const;
  });
  return coded([...cases, [knownAccounts(), unseen]]);
}

/** The codes of a state set of accounts, and of what else tells its series apart. */
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

/** The texts that a process has of itself, as last read within a week. */
export function buildInfo(): string {
  const read = `(${BUILD_INFO} or on (job, instance) topk by (job, instance) (1, last_over_time(${BUILD_INFO}[7d])))`;
  return `max by (job, instance, version, node_version) (${read})`;
}

/** One series per process. Every program has metrics such as `process_*`, so only those of exporters are taken. */
export function perInstance(vector: string): string {
  return `max by (job, instance) (${vector} and on (job, instance) ${BUILD_INFO})`;
}

/** 1 if Prometheus reaches a process, else 0, of those that were exporters at some time of the last week. */
export function reached(): string {
  const known = `last_over_time(${BUILD_INFO}[7d])`;
  return `max by (job, instance) (${ofProcess('up')} and on (job, instance) ${known})`;
}
