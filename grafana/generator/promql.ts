import type { State } from './palette.ts';

/**
 * The pieces that PromQL of these dashboards is made of, within the language of Prometheus 2.42.
 *
 * One invariant: everything said of a phone or an account is first reduced to one series for it, whatever process
 * exported it. So two replicas count once.
 */

/** Maximum number of rows of a table or a timeline: a variable of the dashboards. */
export const ROWS = '$limit';

/** Choices of as many phones as a table or a timeline shows, each a hidden variable. */
export type Choices = 'changed' | 'idle' | 'problem' | 'silent' | 'sold_silent' | 'worst';

/**
 * A matcher of the phones of a choice. Prometheus reads few phones out of thousands quickly only if the selector names
 * them, and a table of many columns would rank all phones anew for each.
 */
export function chosen(choice: Choices): string {
  return `device_id=~"$${choice}"`;
}

/** Keeps the rows of the present beside a history that is longer than an outage of the exporter. */
const MEMORY = '[1h] @ end()';

/** The phone that the device dashboard shows. */
export const THIS_PHONE = 'device_id="$device_id"';

/** A selector of series of the process as a whole, narrowed by the variables. */
export function ofProcess(name: string, ...matchers: readonly string[]): string {
  return `${name}{${['job=~"$job"', 'instance=~"$instance"', ...matchers].join(', ')}}`;
}

/** A selector of series of accounts or their phones, narrowed by the variables. */
export function ofAccount(name: string, ...matchers: readonly string[]): string {
  return ofProcess(name, 'account=~"$account"', ...matchers);
}

/** Firing alerts of this project. A rule keeps of the labels what it aggregates by, so a missing one matches too. */
export function firingAlerts(...matchers: readonly string[]): string {
  const scope = ['job', 'instance', 'account'].map((label) => `${label}=~"$${label}|"`);
  return `ALERTS{${['alertname=~"Hoster.+"', 'severity!="none"', 'alertstate="firing"', ...scope, ...matchers].join(', ')}}`;
}

/** One series per phone. */
export function perPhone(vector: string): string {
  return `max by (account, device_id) (${vector})`;
}

/** One series per account and whatever else tells its series apart. */
export function perAccount(vector: string, ...labels: readonly string[]): string {
  return `max by (${['account', ...labels].join(', ')}) (${vector})`;
}

/** Counts the series with the value 1 among those with 0 or 1; empty without series. */
export function total(vector: string): string {
  return `sum(${vector})`;
}

/** Accounts of the last day, whether a process reports them now or not. */
export function knownAccounts(): string {
  return perAccount(`last_over_time(${ofAccount('hoster_up')}[1d])`);
}

/** What is polled of an account. */
export type Collector = 'balance' | 'devices' | 'tunnels';

/**
 * 1 for each account of which a collector was read within its interval and 3 minutes, otherwise 0. One failed poll is no
 * event; after that the exporter still shows what it read last.
 */
function isRead(collector: Collector): string {
  const of = (name: string): string =>
    ofAccount(`hoster_exporter_poll_${name}_seconds`, `collector="${collector}"`);
  const success = of('last_success_timestamp');
  const own = perAccount(`timestamp(${success}) - ${success} < bool 180 + ${of('interval')}`);
  // Whose phones are not read has phones that may have been rented since.
  return collector === 'tunnels' ? `(${own} * on (account) ${isRead('devices')})` : own;
}

/** Accounts of which a collector is read. */
export function accountsRead(collector: Collector): string {
  return `(${isRead(collector)} == 1)`;
}

/** Only what is of accounts that are read; everything that a colour judges goes through this or `whileRead`. */
export function onlyRead(vector: string, collector: Collector = 'devices'): string {
  return `(${vector}) and on (account) ${accountsRead(collector)}`;
}

/** The codes of states, and that of `UNREAD` for what is of an account that is not read. */
export function whileRead(codes: string, collector: Collector = 'devices'): string {
  return `(${codes})\n* on (account) group_left () ${isRead(collector)}`;
}

/** The name of a number that is not of all accounts; a tile shows it in grey. */
export const PARTIAL = /of \d+ of \d+ accounts$/;

/** Adds the label `as` to a number of this moment: blank if all accounts of the last day are read, else how many are. */
export function ofReadAccounts(number: string, collector: Collector = 'devices'): string {
  const unseen = `on () (${unseenAccounts(collector)})`;
  const read = `count_values("read", count(${accountsRead(collector)}))`;
  const all = `count_values("all", count(${knownAccounts()}))`;
  const joined = `label_join(${read} * on () group_left (all) ${all}, "as", " of ", "read", "all")`;
  const partial = `label_replace(${joined} and ${unseen}, "as", "of $1 accounts", "as", "(.*)")`;
  const whole = `label_replace(vector(1) unless ${unseen}, "as", "\u00a0", "", "")`;
  return `(${number})\n* on () group_left (as) (max by (as) (${whole} or ${partial}))`;
}

/** Names of a share of a past time: `plain` in a tile, so that the second one is grey. */
export const AS_LAST_READ = 'as last read';

/** Accounts of the last day of which a collector is not read now, also of those that no process reports. */
export function unseenAccounts(collector: Collector = 'devices'): string {
  return `${knownAccounts()} unless on (account) ${accountsRead(collector)}`;
}

/** Adds the label `as` to shares of a past time: a name while all accounts of a share are read, else `AS_LAST_READ`. */
export function dated(
  shares: string,
  name: string,
  { by = 'account', collector = 'devices' }: { by?: 'account' | ''; collector?: Collector } = {},
): string {
  const all = by === '' ? 'vector(1)' : `0 * ${knownAccounts()} + 1`;
  const unseen = `on (${by}) (${unseenAccounts(collector)})`;
  const fresh = `label_replace(${all} unless ${unseen}, "as", "${name}", "", "")`;
  const old = `label_replace(${all} and ${unseen}, "as", "${AS_LAST_READ}", "", "")`;
  return `(${shares})\n* on (${by}) group_left (as) (${fresh} or ${old})`;
}

/**
 * Adds a row for each account that is not read now, or one for all where nothing was ever scraped, to rows of phones: an
 * empty table would say that all is well.
 */
export function orUnknown(rows: string, code: number, collector: Collector = 'devices'): string {
  const others = `${knownAccounts()} unless on (account) ${accountsRead(collector)}`;
  const unknown = `label_replace((${others} or absent(${knownAccounts()})) * 0 + ${code}, "phone", "Unknown", "", "")`;
  return `(${rows})\nor ${unknown}`;
}

/** Counts phones of accounts that are read; 0 while one is read and has none. */
export function countOfRead(phones: string, collector: Collector = 'devices'): string {
  return `count(${onlyRead(phones, collector)}) or 0 * count(${accountsRead(collector)})`;
}

/** The codes of states: for each series the code of the first state whose vector has it. */
export function coded(cases: readonly (readonly [vector: string, state: State])[]): string {
  return cases.map(([vector, { code }]) => `(${vector}) * 0 + ${code}`).join('\nor ');
}

/** The codes of a status, one series per phone even while replicas disagree. */
export function stateOfPhone(
  name: string,
  states: Readonly<Record<string, State>>,
  matchers: readonly string[],
): string {
  return coded(
    Object.values(states).map((state) => [
      perPhone(ofAccount(name, `status="${state.value}"`, ...matchers)),
      state,
    ]),
  );
}

/** The descriptive labels of phones, one series per phone even while replicas disagree. */
export function description(...matchers: readonly string[]): string {
  return `topk by (account, device_id) (1, ${ofAccount('hoster_device_info', ...matchers)})`;
}

/** Adds the label `phone` to descriptions: what the hoster called the phone, or its id where it has no name. */
export function called(descriptions: string): string {
  const byId = `label_replace(${descriptions}, "phone", "$1", "device_id", "(.+)")`;
  return `label_replace(${byId}, "phone", "$1", "label", "(.+)")`;
}

/** The same for anything known of phones. */
export function named(vector: string, ...matchers: readonly string[]): string {
  const remembered = `last_over_time(${ofAccount('hoster_device_info', ...matchers)}${MEMORY})`;
  const names = called(`topk by (account, device_id) (1, ${remembered})`);
  return `(${vector})\n* on (account, device_id) group_left (phone) ${names}`;
}

/** Adds the label `owner`, which stands before the name of a phone: its account, unless that has the name of a lone one. */
export function owned(vector: string): string {
  return `label_replace(label_replace(${vector}, "owner", "$1: ", "account", "(.*)"), "owner", "", "account", "default")`;
}

/** Only the days that are over at the end of the time range, of values that stand at the beginning of their day. */
export function wholeDays(vector: string): string {
  const end = `max(timestamp(${ofProcess('hoster_exporter_build_info')} @ end()))`;
  return `(${vector})\nand on () (vector(time() + 86400) <= scalar(${end}))`;
}

/** Gives a label another name, so that tables can hold two of the same name. */
export function renamed(vector: string, from: string, to: string): string {
  return `label_replace(${vector}, "${to}", "$1", "${from}", "(.*)")`;
}
