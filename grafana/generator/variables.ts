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

/** Placeholder for the value of a variable, or of a field in a link. */
export function placeholder(inside: string): string {
  return `\${${inside}}`;
}

/** The data source of all queries: the Prometheus that the reader selects. */
export const DATASOURCE = { type: 'prometheus', uid: placeholder('datasource') } as const;

const ALL = { selected: true, text: 'All', value: '$__all' };

type Choice = readonly [text: string, value: string];

export function datasource(): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus');
}

/** Filters by process. Hidden, because most fleets have one; the address can set them. */
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

/** Filters by account; every account has `hoster_up`, with or without data. */
export function account(): QueryVariableBuilder {
  return anyOf('account', 'Account', `label_values(${ofProcess('hoster_up')}, account)`);
}

/** One phone, selected by its name, or by its ID without one. */
export function device(): QueryVariableBuilder {
  const phones = (...matchers: readonly string[]): string =>
    `max by (account, device_id, label) (${ofAccount('hoster_device_info', ...matchers)})`;
  // Phones that left stay in the family. Only those of accounts without data are searched in the past.
  const known = owned(called(`${phones()} or ${remembered(phones(UNREAD))}`));
  return query('device_id', 'Phone', `query_result(label_join(${known}, "title", "", "owner", "phone"))`)
    .regex('/device_id="(?<value>[^"]*)".*[,\\s]title="(?<text>.*)"\\}/')
    .multi(false)
    .includeAll(false);
}

/** The ids of the first phones of a ranking, as a hidden variable. */
export function choiceOfPhones(name: Choices, ranking: string): QueryVariableBuilder {
  return hidden(name, `topk(${ROWS}, ${ranking})`, 'device_id');
}

/** Values of a label of a query, or none, as a hidden variable. */
export function hidden(name: string, expression: string, label: string): QueryVariableBuilder {
  return (
    query(name, name, `query_result(${expression})`)
      // The definition of a hidden variable is not shown, and a ConfigMap has no room for both.
      .definition(name)
      .regex(`/${label}="([^"]+)"/`)
      .hide(VariableHide.HideVariable)
      .multi(true)
      .includeAll(true)
      .current(ALL)
  );
}

/** The accounts without current phones. */
export function unread(): QueryVariableBuilder {
  return hidden('unread', unreadAccounts(), 'account');
}

/** Last scrape of accounts without current phones, in whole seconds; now if there are none. */
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

/** Filters the phones with a problem by problem or cause. */
export function problemOrCause(): QueryVariableBuilder {
  const causes = renamed(perPhone(ofAccount('hoster_device_common_cause'), 'value'), 'value', 'only');
  const problems = renamed(perPhone(PROBLEM_SINCE, 'problem'), 'problem', 'only');
  return query('only', 'Problem or cause', `query_result(count by (only) (${causes} or ${problems}))`)
    .regex('/only="([^"]+)"/')
    .multi(true)
    .includeAll(true)
    .allValue('.+')
    .current(ALL);
}

/** Filters phones by their group, such as the rack. Phones without a group belong to "All" only. */
export function group(): QueryVariableBuilder {
  return query('group', 'Group', `label_values(${ofAccount('hoster_device_info')}, group)`)
    .multi(true)
    .includeAll(true)
    .allValue('.*')
    .current(ALL);
}

/** Filters phones by the value of a tag, such as a carrier. */
export function tag(): QueryVariableBuilder {
  return query('tag', 'Tag', `label_values(${ofAccount('hoster_device_tag_info')}, value)`)
    .multi(true)
    .includeAll(true)
    .allValue('.*')
    .current(ALL);
}

/** Maximum number of rows of tables and timelines, which keeps dashboards fast with thousands of phones. */
export function rows(): CustomVariableBuilder {
  const counts: readonly Choice[] = ['10', '25', '50', '100', '250', '1000'].map((count) => [count, count]);
  return choice('limit', 'Rows', counts, '25');
}

function query(name: string, label: string, expression: string): QueryVariableBuilder {
  // Grafana parses a query of several lines as the name of a metric.
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
