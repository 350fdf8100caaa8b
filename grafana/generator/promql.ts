import { AS_LAST_READ_CODE, type State } from './palette.ts';

/**
 * The pieces that PromQL of these dashboards is made of, within the language of Prometheus 2.42.
 *
 * One invariant: everything said of a phone or an account is first reduced to one series for it, whatever process
 * exported it. So two replicas count once.
 */

/** Maximum number of rows of a table or a timeline: a variable of the dashboards. */
export const ROWS = '$limit';

/** Choices of as many phones as a table or a timeline shows, each a hidden variable. */
export type Choices = 'costliest' | 'idle' | 'listed' | 'problem' | 'worst';

/**
 * A matcher of the phones of a choice. Prometheus reads few phones out of thousands quickly only if the selector names
 * them, and a table of many columns would rank all phones anew for each.
 */
export function chosen(choice: Choices): string {
  return `device_id=~"$${choice}"`;
}

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
  return alerts('ALERTS', 'severity!="none"', 'alertstate="firing"', ...matchers);
}

/** Series of alerts of this project, narrowed by the variables. */
export function alerts(name: string, ...matchers: readonly string[]): string {
  const scope = ['job', 'instance', 'account'].map((label) => `${label}=~"$${label}|"`);
  return `${name}{${['alertname=~"Hoster.+"', ...matchers, ...scope].join(', ')}}`;
}

/** One series per phone and whatever else tells its series apart. */
export function perPhone(vector: string, ...labels: readonly string[]): string {
  return `max by (${['account', 'device_id', ...labels].join(', ')}) (${vector})`;
}

/** One series per account and whatever else tells its series apart. */
export function perAccount(vector: string, ...labels: readonly string[]): string {
  return `max by (${['account', ...labels].join(', ')}) (${vector})`;
}

/** Accounts of the last day, whether a process reports them now or not. */
export function knownAccounts(): string {
  return perAccount(lastRead(ofAccount('hoster_up')));
}

/** What is polled of an account. */
export type Collector = 'balance' | 'devices' | 'tunnels';

/** What was last read of a selector within a day. */
export function lastRead(selector: string): string {
  return `last_over_time(${selector}[1d])`;
}

/** A range, the modifiers that lead to its two ends, and its beginning in seconds since 1970. */
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
 * By how much a sum that the exporter keeps over restarts grew in a range: from the last value before it, so that ranges
 * that follow each other add up, or from the first one in it. It is wrong where the sum began anew (see {@link beganAnew}).
 */
export function grown(selector: string, { range, start, end }: Span = WHOLE_RANGE): string {
  const last = `last_over_time(${selector}[${range}]${end})`;
  const first = `(last_over_time(${selector}[1h]${start}) or min_over_time(${selector}[${range}]${end}))`;
  return `(${last} - ${first} >= 0)`;
}

/** What tells apart the sums that several exporters keep of an account. */
export const REPLICA = 'account, job, instance';

/** When the phones of accounts were last read, in seconds since 1970: the least of a range is its first list, without a subquery. */
const READ_AT = ofAccount('hoster_exporter_poll_last_success_timestamp_seconds', 'collector="devices"');

/** The first list of phones that each exporter remembers of each account, in seconds since 1970, as of an instant. */
function firstListed(at: string): string {
  const listed = `min by (${REPLICA}) (${ofAccount('hoster_device_first_listed_timestamp_seconds')}${at})`;
  return at === '' ? orAtLast(listed) : listed;
}

/** Longest time from a list of phones to a poll that succeeded. */
const A_LIST = 300;

/**
 * Exporters that remember no phone from before a range, or from before its first list: their sums of an account began anew
 * within it, as after their state file was lost.
 */
export function forgot({ range, end }: Span = WHOLE_RANGE): string {
  const seen = `min by (${REPLICA}) (min_over_time(${READ_AT}[${range}]${end}))`;
  return `(${firstListed(end)} > ${seen} + ${A_LIST})`;
}

/** The first list of phones in the time range, and time to be scraped: an instant at which sums of its beginning are read. */
export function firstList(): string {
  return `count_values("at", ceil(min(min_over_time(${READ_AT}[$__range])) + 90) or vector(time()))`;
}

/** Exporters that listed phones at the beginning of a range, or first did so after it. */
export function watched({ start, end, seconds }: Span = WHOLE_RANGE): string {
  const scraped = `max by (${REPLICA}) (${ofAccount('hoster_up')}${start})`;
  return `(${scraped} or ${firstListed(end)} > ${seconds})`;
}

/**
 * The same, where one of some sums fell as well, for phones may all be new. A sum alone may fall by what a state file lacks
 * that is older than the last scrape: `increase()` would add the whole sum then.
 */
export function beganAnew(sums: readonly string[], span: Span = WHOLE_RANGE): string {
  const falls = sums.map((sum) => `max by (${REPLICA}) (resets(${sum}[${span.range}]${span.end})) > 0`);
  return `((${falls.join(' or ')}) and on (${REPLICA}) ${forgot(span)})`;
}

/** The last scrape of accounts that are not read: a hidden variable, in seconds since 1970. */
const LAST = '$last';

/**
 * What was last read of any vector within a day, at the last scrape of accounts that are not read. Accounts that were not
 * scraped then, of several, are looked at each five minutes.
 */
export function remembered(vector: string): string {
  return `(${atLast(vector)} or on (account) last_over_time((${vector})[1d:5m]))`;
}

/** A vector at the last scrape of accounts that are not read. */
export function atLast(vector: string): string {
  return `last_over_time((${vector})[1ms:1ms] @ ${LAST})`;
}

/** A vector, of accounts that have none now at the last scrape of accounts that are not read. */
export function orAtLast(vector: string): string {
  return `(${vector} or on (account) ${atLast(vector)})`;
}

/** A vector as of the end of the time range, also at each step of a graph. */
export function atEnd(vector: string): string {
  return `last_over_time((${vector})[1ms:1ms] @ end())`;
}

/** 1 for each account whose data of a collector is fresh, by the word of the exporter, otherwise 0. */
function isFresh(collector: Collector): string {
  const matchers = [`collector="${collector}"`, 'state="fresh"'];
  const own = perAccount(ofAccount('hoster_exporter_data_state', ...matchers));
  // An account whose phones are not read may have phones that were rented since.
  return collector === 'tunnels' ? `(${own} * on (account) ${isFresh('devices')})` : own;
}

/** Accounts whose data of a collector is fresh. */
function accountsRead(collector: Collector = 'devices'): string {
  return `(${isFresh(collector)} == 1)`;
}

/** Only what is of accounts whose data is fresh. */
export function onlyRead(vector: string, collector: Collector = 'devices'): string {
  return `(${vector}) and on (account) ${accountsRead(collector)}`;
}

/** Accounts of the last day whose data of a collector is not fresh, also those that no process reports. */
export function unreadAccounts(collector: Collector = 'devices'): string {
  return `(${knownAccounts()} unless on (account) ${accountsRead(collector)})`;
}

/** The codes of states, and those of the same states in grey for what is of accounts whose data is not fresh. */
export function whileRead(codes: string, collector: Collector = 'devices'): string {
  return `(${codes})\n+ on (account) group_left () (${AS_LAST_READ_CODE} * (1 - ${isFresh(collector)}))`;
}

/** The same, and what was last read within a day where nothing is shown now. */
export function orLastRead(codes: string, collector: Collector = 'devices'): string {
  return `${whileRead(codes, collector)}\nor ${AS_LAST_READ_CODE} + ${remembered(codes)}`;
}

/** A matcher of the accounts that are not read: a hidden variable, since reading a day of all phones takes too long. */
export const UNREAD = 'account=~"$unread"';

/** What is scraped of a family now, and of accounts that are not read what was scraped last within a day. */
export function nowOrLast(name: string, ...matchers: readonly string[]): string {
  return `(${ofAccount(name, ...matchers)} or ${lastRead(ofAccount(name, ...matchers, UNREAD))})`;
}

/** Names of values that are not wholly known, or that no phone stands behind; they are grey. */
export const AS_LAST_READ = 'as last read';
const FROM_BEFORE = 'from before the outage';
export const GREY_NAMES = '/accounts$|last read$|outage$|^of 0 |known$/';

/**
 * Sums a number of each account over those whose data is fresh. The label `as` says what it is a part of: all phones,
 * some accounts, or what was last read if nothing is fresh. Over time it is a line with the label of its end, and the end
 * alone is as last read: there is a gap where nothing was read.
 */
export function tally(
  number: string,
  { collector = 'devices', waits = false }: { collector?: Collector; waits?: boolean } = {},
): string {
  const read = accountsRead(collector);
  const fresh = `sum(${onlyRead(number, collector)})`;
  const before = `sum((${number}) or on (account) ${remembered(number)}) and on () ${IS_END}`;
  const value = `${fresh} or on () (${before})`;
  const phones = perAccount(ofAccount('hoster_devices'), 'rental_status', 'marketplace_status');
  const whole = texted(counted('n', `sum(${phones})`), 'of $1 phones', 'n');
  const parts = `${counted('n', `count(${read})`)} * on () group_left (m) ${counted('m', `count(${knownAccounts()})`)}`;
  const part = texted(`label_join(${parts}, "n", " of ", "n", "m")`, '$1 accounts', 'n');
  const judgedLater = labelled(
    `count(${perAccount(ofAccount('hoster_grace_period_end_timestamp_seconds'))})`,
    FROM_BEFORE,
  );
  const scopes = [
    `${part} and on () ${unreadAccounts(collector)}`,
    ...(waits ? [judgedLater] : []),
    `${whole} and on () ${read}`,
    labelled('vector(1)', AS_LAST_READ),
  ];
  const scope = scopes.map((one) => `(0 * (${one}) + 1)`).join(' or on () ');
  // At the end there may be two scopes for a moment.
  return `(${value})\n* on () group_left (as) topk(1, ${atEnd(scope)})`;
}

/** 1 at the end of the time range alone. */
const IS_END = '(vector(time()) >= max_over_time(vector(time())[1ms:1ms] @ end()))';

/** A series whose label has its value. */
function counted(label: string, value: string): string {
  return `count_values("${label}", ${value})`;
}

function texted(vector: string, text: string, from: string): string {
  return `label_replace(${vector}, "as", "${text}", "${from}", "(.*)")`;
}

/** Gives a vector the label `as`. */
export function labelled(vector: string, text: string): string {
  return `label_replace(${vector}, "as", "${text}", "", "")`;
}

/** Adds the label `as` to shares of a past time: a name while their account is read, else `AS_LAST_READ`. */
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
 * Adds a row for each account of which nothing was ever read, or one for all where nothing was ever scraped, to rows of
 * phones: an empty table would say that all is well.
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

/** The descriptive labels of phones that are listed, one series per phone even while replicas disagree. */
export function description(...matchers: readonly string[]): string {
  return `topk by (account, device_id) (1, ${textsOfListed(...matchers)})`;
}

/** The descriptive labels of phones that are listed: one that left keeps its own for its month. */
export function textsOfListed(...matchers: readonly string[]): string {
  const listed = ofAccount('hoster_device_offline_after_seconds', ...matchers);
  return `(${ofAccount('hoster_device_info', ...matchers)} and on (account, device_id) ${listed})`;
}

/** Adds the label `phone` to descriptions: what the hoster called the phone, or its id where it has no name. */
export function called(descriptions: string): string {
  const byId = `label_replace(${descriptions}, "phone", "$1", "device_id", "(.+)")`;
  return `label_replace(${byId}, "phone", "$1", "label", "(.+)")`;
}

/** The same for anything known of phones. */
export function named(vector: string, ...matchers: readonly string[]): string {
  const info = `last_over_time(${ofAccount('hoster_device_info', ...matchers)}[1d] @ end())`;
  const names = called(`topk by (account, device_id) (1, ${info})`);
  return `(${vector})\n* on (account, device_id) group_left (phone) ${names}`;
}

/**
 * Names phones as {@link named} does, with their account before the name where there may be several, and the dashboard that
 * links lead to.
 */
export function titled(vector: string, ...matchers: readonly string[]): string {
  return titledAs(named(vector, ...matchers));
}

/** The same for series that have the label `phone`. */
export function titledAs(vector: string): string {
  return onBoard('device', `label_join(${owned(vector)}, "phone", "", "owner", "phone")`);
}

/** Adds the label `board`: the dashboard that links of a table lead to. */
export function onBoard(board: string, vector: string): string {
  return `label_replace(${vector}, "board", "${board}", "", "")`;
}

/** Adds the label `owner`, which stands before the name of a phone: its account, unless that has the name of a lone one. */
export function owned(vector: string): string {
  return `label_replace(label_replace(${vector}, "owner", "$1: ", "account", "(.*)"), "owner", "", "account", "default")`;
}

/** Adds the label `place`: the group, with its account before it where there may be several. */
export function placed(vector: string): string {
  const place = `label_join(${owned(vector)}, "place", "", "owner", "group")`;
  const named = `label_replace(${place}, "place", "$1 no group", "place", "(.*:) ")`;
  return `label_replace(${named}, "place", "no group", "place", "")`;
}

/** Only the days that are over at the end of the time range, of values that stand at the beginning of their day. */
export function wholeDays(vector: string): string {
  return `(${vector})\nand on () (vector(time() + 86400) <= max_over_time(vector(time())[1m:1s] @ end()))`;
}

/** Gives a label another name, so that tables can hold two of the same name. */
export function renamed(vector: string, from: string, to: string): string {
  return `label_replace(${vector}, "${to}", "$1", "${from}", "(.*)")`;
}
