import {
  CustomVariableBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import {
  type Choices,
  called,
  ofAccount,
  ofProcess,
  owned,
  perPhone,
  ROWS,
  remembered,
  renamed,
  UNREAD,
  unreadAccounts,
} from './promql.ts';
import { PROBLEM_SINCE } from './queries/phones.ts';

/** Placeholder that Grafana replaces by the value of a variable, or of a field in a link. */
export function placeholder(inside: string): string {
  return `\${${inside}}`;
}

/** Where every query goes: whatever Prometheus the reader picks. */
export const DATASOURCE = { type: 'prometheus', uid: placeholder('datasource') } as const;

const ALL = { selected: true, text: 'All', value: '$__all' };

type Choice = readonly [text: string, value: string];

export function datasource(): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus');
}

/** Narrows to processes: all of them, unless the address says otherwise. Few have several, so nobody sees these two. */
export function job(): QueryVariableBuilder {
  return anyOf('job', 'Job', 'label_values(hoster_exporter_build_info, job)').hide(VariableHide.HideVariable);
}

export function instance(): QueryVariableBuilder {
  return anyOf(
    'instance',
    'Instance',
    'label_values(hoster_exporter_build_info{job=~"$job"}, instance)',
  ).hide(VariableHide.HideVariable);
}

/** Narrows to accounts; `hoster_up` is there for each account, read or not. */
export function account(): QueryVariableBuilder {
  return anyOf('account', 'Account', `label_values(${ofProcess('hoster_up')}, account)`);
}

/** One phone, chosen by the name that the hoster gave it; a phone without a name shows its id. */
export function device(): QueryVariableBuilder {
  const phones = (...matchers: readonly string[]): string =>
    `max by (account, device_id, label) (${ofAccount('hoster_device_info', ...matchers)})`;
  // Phones that left stay in the family; only those of accounts that are not read are looked for in the past.
  const known = owned(called(`${phones()} or ${remembered(phones(UNREAD))}`));
  return query('device_id', 'Phone', `query_result(label_join(${known}, "title", "", "owner", "phone"))`)
    .regex('/device_id="(?<value>[^"]*)".*[,\\s]title="(?<text>.*)"\\}/')
    .multi(false)
    .includeAll(false);
}

/** The ids of those phones that come first in a ranking, by the name of the choice; nobody needs to see or choose them. */
export function choiceOfPhones(name: Choices, ranking: string): QueryVariableBuilder {
  return hidden(name, `topk(${ROWS}, ${ranking})`, 'device_id');
}

/** Values of a label that a query has, or none at all; nobody needs to see or choose them. */
export function hidden(name: string, expression: string, label: string): QueryVariableBuilder {
  return (
    query(name, name, `query_result(${expression})`)
      // Nobody reads the definition of what is hidden, and a ConfigMap has room for one of the two.
      .definition(name)
      .regex(`/${label}="([^"]+)"/`)
      .hide(VariableHide.HideVariable)
      .multi(true)
      .includeAll(true)
      .current(ALL)
  );
}

/** The accounts whose phones are not read. */
export function unread(): QueryVariableBuilder {
  return hidden('unread', unreadAccounts(), 'account');
}

/** The last scrape of accounts whose phones are not read, on a second at which it is seen; now where all are read. */
export function last(): QueryVariableBuilder {
  const scraped = `max_over_time(timestamp(${ofAccount('hoster_devices_reported', UNREAD)})[1d:10s])`;
  return instant('last', `count_values("at", ceil(max(${scraped})) or vector(time()))`);
}

/** An instant in seconds since 1970, in the label `at`. */
export function instant(name: string, expression: string): QueryVariableBuilder {
  return query(name, name, `query_result(${expression})`)
    .regex('/at="([^"]+)"/')
    .hide(VariableHide.HideVariable)
    .multi(false)
    .includeAll(false);
}

/** Narrows the phones with a problem to one problem or one cause. */
export function problemOrCause(): QueryVariableBuilder {
  const causes = renamed(perPhone(ofAccount('hoster_device_common_cause'), 'value'), 'value', 'only');
  const problems = renamed(perPhone(PROBLEM_SINCE, 'problem'), 'problem', 'only');
  return query('only', 'Problem or cause', `query_result(count by (only) (${causes} or ${problems}))`)
    .regex('/only="([^"]+)"/')
    .multi(false)
    .includeAll(true)
    .allValue('.+')
    .current(ALL);
}

/** Maximum number of rows of tables and timelines, which keeps a dashboard quick with thousands of phones. */
export function rows(): CustomVariableBuilder {
  const counts: readonly Choice[] = ['10', '25', '50', '100', '250', '1000'].map((count) => [count, count]);
  return choice('limit', 'Rows', counts, '25');
}

function query(name: string, label: string, expression: string): QueryVariableBuilder {
  // Grafana takes a query of several lines for the name of a metric.
  const line = expression.replaceAll('\n', ' ');
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(DATASOURCE)
    .query(line)
    .definition(line)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalCaseInsensitiveAsc);
}

function anyOf(name: string, label: string, expression: string): QueryVariableBuilder {
  return query(name, label, expression).multi(true).includeAll(true).allValue('.+').current(ALL);
}

function choice(
  name: string,
  label: string,
  choices: readonly Choice[],
  chosen: string,
): CustomVariableBuilder {
  const options = choices.map(([text, value]) => ({ selected: value === chosen, text, value }));
  const present = options.filter(({ selected }) => selected);
  return new CustomVariableBuilder(name)
    .label(label)
    .values(choices.map(([text, value]) => (text === value ? value : `${text} : ${value}`)).join(', '))
    .options(options)
    .current(present[0] ?? ALL)
    .includeAll(false)
    .multi(false);
}
