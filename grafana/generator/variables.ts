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
  INCIDENT_SINCE,
  ofAccount,
  ofProcess,
  PROBLEM_SINCE,
  per,
  ROWS,
  severities,
} from './promql.ts';

/** Placeholder for the value of a variable, or of a field in a link. */
export const placeholder = (inside: string): string => `\${${inside}}`;

/** The data source of all queries: the Prometheus that the reader selects. */
export const DATASOURCE = { type: 'prometheus', uid: placeholder('datasource') } as const;

const ALL = { selected: true, text: 'All', value: '$__all' };

export const datasource = (): DatasourceVariableBuilder =>
  new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus');

/** Filters by process. Hidden, because most fleets have one; the address can set them. */
export const job = (): QueryVariableBuilder =>
  anyOf('job', 'Job', 'label_values(hoster_exporter_build_info, job)').hide(VariableHide.HideVariable);

/** Filters by account; every account has `hoster_up`, with or without data. */
export const account = (): QueryVariableBuilder =>
  anyOf('account', 'Account', `label_values(${ofProcess('hoster_up')}, account)`);

/** One phone, selected by its name, or by its ID without one. */
export function device(): QueryVariableBuilder {
  const known = per('account,device_id,label', ofAccount('hoster_device_info'));
  return query(
    'device_id',
    'Phone',
    `query_result(label_join(${known}, "title", " ", "label", "device_id"))`,
  ).regex('/device_id="(?<value>[^"]*)".*[,\\s]title="(?<text>.*)"\\}/');
}

/** The ids of the first phones of a ranking, as a hidden variable. */
export const choiceOfPhones = (name: Choices, ranking: string, first: 'topk' | 'bottomk' = 'topk') =>
  hidden(name, `${first}(${ROWS}, ${ranking})`, 'device_id');

/** The ids of open incidents, the most severe first, of all of them those of one phone last, as a hidden variable. */
export function incidents(...matchers: readonly string[]): QueryVariableBuilder {
  const since = ofAccount(INCIDENT_SINCE, ...matchers);
  const wide = matchers.length > 0 ? '' : `${ofAccount(INCIDENT_SINCE, 'device_id=""')}-5e9 or `;
  const order = `${per('incident', wide + since)}+on(incident)1e10*${per('incident', severities())}`;
  return hidden('open', `bottomk(${ROWS}, ${order})`, 'incident');
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

/** An instant in seconds since 1970, in the label `at`. */
export function instant(name: string, expression: string): QueryVariableBuilder {
  return query(name, name, `query_result(count_values("at", ${expression}))`)
    .regex('/at="([^"]+)"/')
    .hide(VariableHide.HideVariable);
}

/** Filters the phones with a problem by problem. */
export const problem = (): QueryVariableBuilder =>
  anyOf('only', 'Problem', `label_values(${ofAccount(PROBLEM_SINCE)}, problem)`);

/** Filters phones by their group, such as the rack. Phones without a group belong to "All" only. */
export function group(): QueryVariableBuilder {
  return query('group', 'Group', `label_values(${ofAccount('hoster_device_info')}, group)`)
    .multi(true)
    .includeAll(true)
    .allValue('.*')
    .current(ALL);
}

/** Maximum number of rows of tables and timelines, which keeps dashboards fast with thousands of phones. */
export function rows(): CustomVariableBuilder {
  const options = ['10', '25', '50', '100', '250', '1000'].map((count) => ({
    selected: count === '25',
    text: count,
    value: count,
  }));
  return new CustomVariableBuilder('limit')
    .label('Rows')
    .values(options.map(({ value }) => value).join(', '))
    .options(options)
    .current(options.find(({ selected }) => selected) ?? ALL)
    .includeAll(false)
    .multi(false);
}

function query(name: string, label: string, expression: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(DATASOURCE)
    .query(expression)
    .definition(expression)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalCaseInsensitiveAsc);
}

const anyOf = (name: string, label: string, expression: string): QueryVariableBuilder =>
  query(name, label, expression).multi(true).includeAll(true).allValue('.+').current(ALL);
