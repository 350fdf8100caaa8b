import { AS_LAST_READ_CODE, type State } from './palette.ts';

/**
 * Building blocks of the PromQL of these dashboards, in the language of Prometheus 2.42.
 *
 * Invariant: values of a phone or an account are first reduced to one series, regardless of the process, so that two replicas
 * count once.
 */

/** Maximum number of rows of a table or a timeline: a variable of the dashboards. */
export const ROWS = '$limit';

/** Hidden variables with the phones that a table or a timeline shows. */
export type Choices = 'costliest' | 'idle' | 'listed' | 'problem' | 'troubled' | 'worst';

/**
 * A matcher of selected phones. Prometheus reads a few of thousands of phones quickly only if the selector names them, and a
 * table with many columns would rank all phones for each of them.
 */
export function chosen(choice: Choices): string {
  return `device_id=~"$${choice}"`;
}

/** The phone that the device dashboard shows. */
export const THIS_PHONE = 'device_id="$device_id"';

/** A selector of series of processes, filtered by the variables. */
export function ofProcess(name: string, ...matchers: readonly string[]): string {
  return `${name}{${['job=~"$job"', 'instance=~"$instance"', ...matchers].join(', ')}}`;
}

/** A selector of series of accounts or phones, filtered by the variables. */
export function ofAccount(name: string, ...matchers: readonly string[]): string {
  return ofProcess(name, 'account=~"$account"', ...matchers);
}

/** Firing alerts of this project. A rule keeps only the labels of its aggregation, so a missing label matches too. */
export function firingAlerts(...matchers: readonly string[]): string {
  return alerts('ALERTS', 'severity!="none"', 'alertstate="firing"', ...matchers);
}

/** Series of alerts of this project, filtered by the variables. */
export function alerts(name: string, ...matchers: readonly string[]): string {
  const scope = ['job', 'instance', 'account'].map((label) => `${label}=~"$${label}|"`);
  return `${name}{${['alertname=~"Hoster.+"', ...matchers, ...scope].join(', ')}}`;
}

/** One series per phone and further labels. */
export function perPhone(vector: string, ...labels: readonly string[]): string {
  return `max by (${['account', 'device_id', ...labels].join(', ')}) (${vector})`;
}

/** One series per account and further labels. */
export function perAccount(vector: string, ...labels: readonly string[]): string {
  return `max by (${['account', ...labels].join(', ')}) (${vector})`;
}

/** Accounts of the last day, including those that no process reports now. */
export function knownAccounts(): string {
  return perAccount(lastRead(ofAccount('hoster_up')));
}

/** The collectors of an account. */
export type Collector = 'balance' | 'devices' | 'tunnels';

/** The last values of a selector within a day. */
export function lastRead(selector: string): string {
  return `last_over_time(${selector}[1d])`;
}

/** A range, the modifiers for its two ends, and its start in seconds since 1970. */
export type Span = {
  readonly range: string;
  readonly start: string;
  readonly end: string;
  readonly seconds: string;
};

/** The time range of the dashboard. */
export const WHOLE_RANGE: Span = {
  range: '$__range',
  start: ' offset $__range',
  end: '',
  seconds: '(time() - $__range_s)',
};

/**
 * Increase of a sum that survives restarts of the exporter: from the last value before the range, so that consecutive ranges
 * add up, or from the first one in it. It is wrong if the sum restarted (see {@link beganAnew}).
 */
export function grown(selector: string, { range, start, end }: Span = WHOLE_RANGE): string {
  const last = `last_over_time(${selector}[${range}]${end})`;
  const first = `(last_over_time(${selector}[1h]${start}) or min_over_time(${selector}[${range}]${end}))`;
  return `(${last} - ${first} >= 0)`;
}

/** Labels of the sums of an account in several exporters. */
export const REPLICA = 'account, job, instance';

/** Last list of phones of accounts, in seconds since 1970. The minimum of a range is its first list, without a subquery. */
const READ_AT = ofAccount('hoster_exporter_poll_last_success_timestamp_seconds', 'collector="devices"');

/** First known list of phones by exporter and account at an instant, in seconds since 1970. */
function firstListed(at: string): string {
  const listed = `min by (${REPLICA}) (${ofAccount('hoster_device_first_listed_timestamp_seconds')}${at})`;
  return at === '' ? orAtLast(listed) : listed;
}

/** Maximum time from a list of phones to the end of its poll. */
const A_LIST = 300;

/**
 * Exporters without a phone from before a range or its first list: their sums restarted within it, for example after their
 * state file was lost.
 */
export function forgot({ range, end }: Span = WHOLE_RANGE): string {
  const seen = `min by (${REPLICA}) (min_over_time(${READ_AT}[${range}]${end}))`;
  return `(${firstListed(end)} > ${seen} + ${A_LIST})`;
}

/** First list of phones in the time range, plus the time for a scrape: the instant for reading the sums of its start. */
export function firstList(): string {
  return `count_values("at", ceil(min(min_over_time(${READ_AT}[$__range])) + 90) or vector(time()))`;
}

/** Exporters that listed phones at the start of a range, or for the first time after it. */
export function watched({ start, end, seconds }: Span = WHOLE_RANGE): string {
  const scraped = `max by (${REPLICA}) (${ofAccount('hoster_up')}${start})`;
  return `(${scraped} or ${firstListed(end)} > ${seconds})`;
}

/**
 * The same if one of some sums also decreased, because all phones may be new. A single sum may decrease if the state file is
 * older than the last scrape: `increase()` would then add the whole sum.
 */
export function beganAnew(sums: readonly string[], span: Span = WHOLE_RANGE): string {
  const falls = sums.map((sum) => `max by (${REPLICA}) (resets(${sum}[${span.range}]${span.end})) > 0`);
  return `((${falls.join(' or ')}) and on (${REPLICA}) ${forgot(span)})`;
}

/** Last scrape of accounts without data, in seconds since 1970: a hidden variable. */
const LAST = '$last';

/**
 * Last values of a vector within a day, at the last scrape of accounts without data. Other accounts are sampled every five
 * minutes.
 */
export function remembered(vector: string): string {
  return `(${atLast(vector)} or on (account) last_over_time((${vector})[1d:5m]))`;
}

/** A vector; for accounts without it now, its last values. */
export function orRemembered(vector: string): string {
  return `(${vector} or on (account) ${remembered(vector)})`;
}

/** A vector at the last scrape of accounts without data. */
export function atLast(vector: string): string {
  return `last_over_time((${vector})[1ms:1ms] @ ${LAST})`;
}

/** A vector; for accounts without it now, at their last scrape. */
export function orAtLast(vector: string): string {
  return `(${vector} or on (account) ${atLast(vector)})`;
}

/** A vector at the end of the time range, also for each step of a graph. */
export function atEnd(vector: string): string {
  return `last_over_time((${vector})[1ms:1ms] @ end())`;
}

/** 1 for each account whose data of a collector is fresh, else 0. */
function isFresh(collector: Collector): string {
  const matchers = [`collector="${collector}"`, 'state="fresh"'];
  const own = perAccount(ofAccount('hoster_exporter_data_state', ...matchers));
  // Without current phones, the rented ones are unknown.
  return collector === 'tunnels' ? `(${own} * on (account) ${isFresh('devices')})` : own;
}

/** Accounts whose data of a collector is fresh. */
function accountsRead(collector: Collector = 'devices'): string {
  return `(${isFresh(collector)} == 1)`;
}

/** Limits a vector to accounts with fresh data. */
export function onlyRead(vector: string, collector: Collector = 'devices'): string {
  return `(${vector}) and on (account) ${accountsRead(collector)}`;
}

/** Accounts of the last day whose data of a collector is not fresh, including those that no process reports. */
export function unreadAccounts(collector: Collector = 'devices'): string {
  return `(${knownAccounts()} unless on (account) ${accountsRead(collector)})`;
}

/** The codes of states; grey for accounts whose data is not fresh. */
export function whileRead(codes: string, collector: Collector = 'devices'): string {
  return `(${codes})\n+ on (account) group_left () (${AS_LAST_READ_CODE} * (1 - ${isFresh(collector)}))`;
}

/** The same, with the last values within a day if there are none now. */
export function orLastRead(codes: string, collector: Collector = 'devices'): string {
  return `${whileRead(codes, collector)}\nor ${AS_LAST_READ_CODE} + ${remembered(codes)}`;
}

/** A matcher of accounts without data: a hidden variable, because reading a day of all phones is slow. */
export const UNREAD = 'account=~"$unread"';

/** A family now, with the last values within a day for accounts without data. */
export function nowOrLast(name: string, ...matchers: readonly string[]): string {
  return `(${ofAccount(name, ...matchers)} or ${lastRead(ofAccount(name, ...matchers, UNREAD))})`;
}

/** Names of values that are not current; they are grey. */
export const AS_LAST_READ = 'as last read';
const FROM_BEFORE = 'from before the outage';
export const GREY_NAMES = '/(^|[^y] )as last read$|before the outage$|known$/';

/**
 * Sums a number over accounts: the number of now, or of the last scrape for accounts without it. All tiles count like this, so
 * that they agree. The label `as` says if the number, or a part of it, is not current.
 */
export function tally(
  number: string,
  { collector = 'devices', waits = false }: { collector?: Collector; waits?: boolean } = {},
): string {
  return scoped(`sum(${orRemembered(number)})`, { collector, waits });
}

/** Adds the label `as` to a number of all accounts. */
export function scoped(
  number: string,
  { collector = 'devices', waits = false }: { collector?: Collector; waits?: boolean } = {},
): string {
  const unread = unreadAccounts(collector);
  const scopes = [
    labelled(`${unread} and on () ${accountsRead(collector)}`, `, partly ${AS_LAST_READ}`),
    labelled(unread, `, ${AS_LAST_READ}`),
    ...(waits
      ? [labelled(perAccount(ofAccount('hoster_grace_period_end_timestamp_seconds')), `, ${FROM_BEFORE}`)]
      : []),
    'vector(1)',
  ];
  const scope = scopes.map((one) => `(0 * count by (as) (${one}) + 1)`).join(' or on () ');
  return `(${number})\n* on () group_left (as) (${scope})`;
}

/** A series with its value as a label. */
export function counted(label: string, value: string): string {
  return `count_values("${label}", ${value})`;
}

/** A number above 0 as words in a label, such as "2 outages". */
export function inWords(label: string, number: string, [one, many]: readonly [string, string]): string {
  const several = `label_replace(${counted(label, `(${number}) > 0`)}, "${label}", "$1 ${many}", "${label}", "(.*)")`;
  return `label_replace(${several}, "${label}", "1 ${one}", "${label}", "1 ${many}")`;
}

/** Gives a vector the label `as`. */
export function labelled(vector: string, text: string): string {
  return `label_replace(${vector}, "as", "${text}", "", "")`;
}

/** Adds the label `as` to shares of a past time: a name while their account has data, else `AS_LAST_READ`. */
export function dated(
  shares: string,
  name: string,
  { by = 'account', collector = 'devices' }: { by?: 'account' | ''; collector?: Collector } = {},
): string {
  const all = by === '' ? 'vector(1)' : `0 * ${knownAccounts()} + 1`;
  const unread = `on (${by}) ${unreadAccounts(collector)}`;
  const names = `${labelled(`${all} unless ${unread}`, name)} or ${labelled(`${all} and ${unread}`, AS_LAST_READ)}`;
  return `(${shares})\n* on (${by}) group_left (as) (${names})`;
}

/**
 * Adds a row for each account without any data, or one for all if nothing was ever scraped: an empty table would look like no
 * problems.
 */
export function orUnknown(rows: string, code: number, collector: Collector = 'devices'): string {
  const others = `${unreadAccounts(collector)} unless on (account) (${rows})`;
  const unknown = `label_replace((${others} or absent(${knownAccounts()})) * 0 + ${code}, "phone", "Unknown", "", "")`;
  return `(${rows})\nor ${onBoard('exporter', unknown)}`;
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

/** The descriptive labels of listed phones, one series per phone even while replicas disagree. */
export function description(...matchers: readonly string[]): string {
  return `topk by (account, device_id) (1, ${textsOfListed(...matchers)})`;
}

/** The descriptive labels of listed phones. A phone that left keeps its labels for its month. */
export function textsOfListed(...matchers: readonly string[]): string {
  const listed = ofAccount('hoster_device_offline_after_seconds', ...matchers);
  return `(${ofAccount('hoster_device_info', ...matchers)} and on (account, device_id) ${listed})`;
}

/** Adds the label `phone` to descriptions: the name of the phone, or its ID without one. */
export function called(descriptions: string): string {
  const byId = `label_replace(${descriptions}, "phone", "$1", "device_id", "(.+)")`;
  return `label_replace(${byId}, "phone", "$1", "label", "(.+)")`;
}

/** The same for any vector of phones. */
export function named(vector: string, ...matchers: readonly string[]): string {
  const info = `last_over_time(${ofAccount('hoster_device_info', ...matchers)}[1d] @ end())`;
  const names = called(`topk by (account, device_id) (1, ${info})`);
  return `(${vector})\n* on (account, device_id) group_left (phone) ${names}`;
}

/**
 * Names phones like {@link named}, with their account before the name if there may be several, and the target dashboard of
 * links.
 */
export function titled(vector: string, ...matchers: readonly string[]): string {
  return titledAs(named(vector, ...matchers));
}

/** The same for series that have the label `phone`. */
export function titledAs(vector: string): string {
  return onBoard('device', `label_join(${owned(vector)}, "phone", "", "owner", "phone")`);
}

/** Adds the label `board`: the target dashboard of links in a table. */
export function onBoard(board: string, vector: string): string {
  return `label_replace(${vector}, "board", "${board}", "", "")`;
}

/** Adds the label `owner`, a prefix of the name of a phone: its account, unless it has the default name. */
export function owned(vector: string): string {
  return `label_replace(label_replace(${vector}, "owner", "$1: ", "account", "(.*)"), "owner", "", "account", "default")`;
}

/** Adds the label `place`: the group, with its account before it if there may be several. */
export function placed(vector: string): string {
  const place = `label_join(${owned(vector)}, "place", "", "owner", "group")`;
  const named = `label_replace(${place}, "place", "$1 no group", "place", "(.*:) ")`;
  return `label_replace(${named}, "place", "no group", "place", "")`;
}

/**
 * Limits values at the start of days to the days that are over at the end of the time range. Grafana rounds the end of a query
 * down to the last midnight, so the end comes from its variable, which is the last millisecond of a finished month.
 */
export function wholeDays(vector: string): string {
  return `(${vector})\nand on () (vector(time() + 86400) <= vector(($__to + 1) / 1000))`;
}

/** Renames a label, so that tables can have two of the same name. */
export function renamed(vector: string, from: string, to: string): string {
  return `label_replace(${vector}, "${to}", "$1", "${from}", "(.*)")`;
}
