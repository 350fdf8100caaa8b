/**
 * Building blocks of the PromQL of these dashboards, in the language of Prometheus 2.42.
 *
 * A query reads, and judges nothing: the exporter withdraws data that is too old, so a panel without a value has no data.
 * Values of a phone or an account are first reduced to one series, so that two replicas count once.
 */

/** Maximum number of rows of a table or a timeline: a variable of the dashboards. */
export const ROWS = '$limit';

/** Hidden variables with the phones that a table or a timeline shows. */
export type Choices = 'costliest' | 'idle' | 'listed' | 'problem' | 'worst';

/** A matcher of selected phones. Prometheus reads a few of thousands of phones quickly only if the selector names them. */
export const chosen = (choice: Choices): string => `device_id=~"$${choice}"`;

/** The phone that the device dashboard shows. */
export const THIS_PHONE = 'device_id="$device_id"';

/** A selector of series of processes, filtered by the variables. */
export const ofProcess = (name: string, ...matchers: readonly string[]): string =>
  `${name}{${['job=~"$job"', ...matchers].join(',')}}`;

/** A selector of series of accounts, filtered by the variables. Chosen phones and incidents need no account. */
export function ofAccount(name: string, ...matchers: readonly string[]): string {
  const isChosen = matchers.some((each) => /^(device_id|incident)=(?!"")/.test(each));
  const account = isChosen ? [] : ['account=~"$account"'];
  return ofProcess(name, ...account, ...matchers);
}

/** Series of alerts of this project. A rule keeps only the labels of its aggregation, so a missing label matches too. */
export function alerts(...matchers: readonly string[]): string {
  const scope = ['job', 'account'].map((label) => `${label}=~"$${label}|"`);
  return `ALERTS{${['alertname=~"Hoster.+"', ...matchers, ...scope].join(',')}}`;
}

/** One series for each combination of labels. */
export const per = (labels: string, vector: string): string => `max by(${labels})(${vector})`;

/** Severities of incidents as numbers: 1 is critical. */
export function severities(...matchers: readonly string[]): string {
  const info = (...more: readonly string[]) => ofProcess('hoster_incident_info', ...matchers, ...more);
  return `${info('severity="critical"')} or 2*${info('severity="warning"')} or 3*${info()}`;
}

/** One series per phone. */
export const perPhone = (name: string, ...matchers: readonly string[]): string =>
  per('account,device_id', ofAccount(name, ...matchers));

/** One series per account. */
export const perAccount = (name: string, ...matchers: readonly string[]): string =>
  per('account', ofAccount(name, ...matchers));

/** Phones of groups in a state, or in several by a pattern, summed by labels. */
export function inState(states: string, by = '', ...matchers: readonly string[]): string {
  const isOne = /^\w+$/.test(states);
  const state = `state${isOne ? '=' : '=~'}"${states}"`;
  const labels = isOne ? 'account,group' : 'account,group,state';
  const each = per(labels, ofAccount('hoster_group_devices', ...matchers, state));
  if (by === labels) return each;
  return by === '' ? `sum(${each})` : `sum by(${by})(${each})`;
}

/** States of phones that are offline, and of those that should be online. */
export const OFFLINE = '.*offline';
export const IN_SERVICE = 'online|.*offline';

/** Limits a vector to phones of another one. */
export const among = (vector: string, phones: string): string =>
  `${vector} and on(account,device_id) ${phones}`;

/**
 * The last value of each finished day, at its start: the exporter shows the sums of a day during the next one. The hours in the
 * middle of that day count, so that the time zone of the browser may differ by six hours from that of the exporter.
 */
export const ofDay = (selector: string): string => `last_over_time(${selector}[12h] offset -42h)`;

/** Start of the most costly problem of a phone. */
export const PROBLEM_SINCE = 'hoster_device_problem_since_timestamp_seconds';

/** Start of an open incident; `device_id` is empty for one of several phones or of an account. */
export const INCIDENT_SINCE = 'hoster_incident_since_timestamp_seconds';

/** Start of the state of the data of a collector. */
export const DATA_SINCE = 'hoster_exporter_data_since_timestamp_seconds';

/** Sums of all income and of all decreases of the available balance. */
export const INCOME = ofAccount('hoster_balance_observed_income_cents');
export const SPENT = ofAccount('hoster_balance_observed_decrease_cents', 'kind="available"');

/** Movements of accounts from a time, or since they are watched, until another, in their currencies, unless the sum restarted. */
export const moved = (sum: string, from = 'offset $__range', to = ''): string =>
  `${per('account', `${sum}${to} - (${sum} ${from} or 0*${sum}${to}) >= 0`)}/100`;

/** Income of accounts on each finished day. */
export const DAILY_INCOME = `${per('account', `${INCOME} offset -1d - ${INCOME} >= 0`)}/100`;

/** Amounts of accounts by currency, which is empty without one. */
export function byCurrency(amounts: string): string {
  const up = `0*${ofAccount('hoster_up')}+1`;
  const info = per(
    'account,currency',
    `${ofAccount('hoster_account_info')} or on(account,job,instance) ${up}`,
  );
  return `sum by(currency)(${amounts} * on(account) group_left(currency) ${info})`;
}
