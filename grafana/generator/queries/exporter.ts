import { ACCESS, CIRCUIT, DATA, type State } from '../palette.ts';
import { coded, knownAccounts, ofAccount, ofProcess, perAccount, ROWS } from '../promql.ts';

/** Questions about the exporter itself. What it does, every process does for itself, so here sums are over processes. */

/** The mean of a counter per second, by the given labels. */
export function perSecond(counter: string, by: string): string {
  return `sum by (${by}) (rate(${counter}[$__rate_interval]))`;
}

/** Increase of a counter in the time range, by the given labels. */
export function times(counter: string, by: string): string {
  return `sum by (${by}) (increase(${counter}[$__range]))`;
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
export const usable = ofAccount('hoster_exporter_api_requests_total', 'code=~"200|404"');

/** The share of failures among what was asked, 0 to 1; nothing where nothing was asked. */
export function failureShare(count: (counter: string) => string): string {
  return `${count(failures)}\n/ (${count(failures)} + ${count(usable)} > 0)`;
}

/** When a collector was last read within a day, by any exporter, whether one reports the account now or not. */
export function lastSuccess(...matchers: readonly string[]): string {
  const name = 'hoster_exporter_poll_last_success_timestamp_seconds';
  return perAccount(`last_over_time(${ofAccount(name, ...matchers)}[1d])`, 'collector');
}

/** The longest unread first, as of the end of the time range; what was never read comes before all. */
export function byDataAge(): string {
  const success = ofAccount('hoster_exporter_poll_last_success_timestamp_seconds');
  const readAt = perAccount(`last_over_time(${success}[1h] @ end())`, 'collector');
  const known = `last_over_time(${ofAccount('hoster_exporter_poll_success')}[1h] @ end())`;
  return `(-1 * (${readAt} or ${perAccount(known, 'collector')}))`;
}

export function dataState(): string {
  const { fresh, held, expired } = DATA;
  return stateOfAccount('hoster_exporter_data_state', { fresh, held, expired }, 'collector');
}

/** The state of the phones of each account, also of accounts that no process reports now. */
export function accountState(): string {
  const { unseen, ...states } = DATA;
  const cases = Object.values(states).map((state) => {
    const matchers = ['collector="devices"', `state="${state.value}"`];
    return [perAccount(`${ofAccount('hoster_exporter_data_state', ...matchers)} == 1`), state] as const;
  });
  return coded([...cases, [knownAccounts(), unseen]]);
}

export function accessState(): string {
  return stateOfAccount('hoster_account_api_access', ACCESS);
}

export function circuitState(): string {
  return stateOfAccount('hoster_exporter_api_circuit_state', CIRCUIT, 'endpoint');
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

/** Bounds the number of accounts; those that are not read come first. */
export function ofSomeAccounts(vector: string): string {
  const read = perAccount(`last_over_time(${ofAccount('hoster_up')}[1h] @ end())`);
  return `(${vector})\nand on (account) bottomk(${ROWS}, ${read})`;
}

/** The texts that a process has of itself. */
export function buildInfo(): string {
  return `max by (job, instance, version, revision, node_version) (${BUILD_INFO})`;
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
