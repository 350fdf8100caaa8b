import { argumentOf, type Board, type Panel, panelsOf, targetsOf, type Variable } from '../board.ts';
import { isMade } from '../names.ts';
import type { Selector } from '../promql.ts';
import { type Rule, unless } from './rule.ts';

/**
 * The rules of grafana/dashboard-linter that concern Prometheus, under its names. Some are changed: alerts without a job match
 * too, money has a custom unit, and no query is narrowed by the instance, since replicas count once.
 */

/** The unit of money, without a symbol. */
export const MONEY = 'currency:financial: ';

/** Instants, in milliseconds since 1970. */
export const INSTANTS: readonly string[] = [
  'time:MM/DD HH:mm',
  'dateTimeAsIsoNoDateIfToday',
  'dateTimeFromNow',
];

const DATASOURCE = `\${datasource}`;

const UNITS: ReadonlySet<string> = new Set([
  ...['none', 'short', 'locale', 'percentunit', 'bool_yes_no', 'suffix:min', MONEY],
  ...['s', 'h', 'bytes', 'cps', 'reqps', 'time:MM/DD', ...INSTANTS],
]);

const RATES: ReadonlySet<string> = new Set(['rate', 'irate']);

function variableOf({ dashboard }: Board, name: string): Variable | undefined {
  return dashboard.templating.list.find((variable) => variable.name === name);
}

function selectorsOf(board: Board): readonly (Selector & { readonly place: string })[] {
  return targetsOf(board).flatMap(({ place, query }) =>
    query.selectors.map((selector) => ({ ...selector, place })),
  );
}

function targetVariable(name: string, label: string): Rule {
  return {
    name: `template-${name}: ${name} can be chosen, one or several or all`,
    breaches: (board) => {
      const variable = variableOf(board, name);
      const found = {
        datasource: variable?.datasource?.uid,
        type: variable?.type,
        label: variable?.label,
        multi: variable?.multi,
        allValue: variable?.allValue,
      };
      const expected = { datasource: DATASOURCE, type: 'query', label, multi: true, allValue: '.+' };
      return unless(JSON.stringify(found) === JSON.stringify(expected), JSON.stringify(found));
    },
  };
}

function matcherRule(label: string): Rule {
  return {
    name: `target-${label}: every selector is narrowed by $${label}`,
    breaches: (board) =>
      selectorsOf(board).flatMap(({ place, metric, matchers }) => {
        const value = isMade(metric) ? `$${label}|` : `$${label}`;
        const narrowed = matchers.some(
          (matcher) => matcher.label === label && matcher.operator === '=~' && matcher.value === value,
        );
        return unless(narrowed, `${place}: ${metric}`);
      }),
  };
}

/** Reports whether a panel shows the rows of another one that asks for them itself. */
function sharesRows({ targets = [] }: Panel, board: Board): boolean {
  const sources = panelsOf(board).filter((panel) => targets.some(({ panelId }) => panelId === panel.id));
  return (
    sources.length > 0 && sources.every((panel) => panel.targets?.every(({ expr }) => expr !== undefined))
  );
}

export const LINTER_RULES: readonly Rule[] = [
  {
    name: 'template-datasource: the data source is a variable, and the only one of its kind',
    breaches: ({ dashboard }) => {
      const sources = dashboard.templating.list.filter(({ type }) => type === 'datasource');
      const found = sources.map(({ name, label, query }) => `${name}, ${label}, ${query}`);
      return unless(found.join() === 'datasource, Data source, prometheus', found.join(' and '));
    },
  },
  targetVariable('job', 'Job'),
  {
    name: 'template-label-promql: variables ask label_values or query_result',
    breaches: ({ dashboard }) =>
      dashboard.templating.list
        .filter(({ type }) => type === 'query')
        .flatMap(({ name, query }) => unless(argumentOf(query ?? '') !== '', name)),
  },
  {
    name: 'template-on-time-change-reload: variables follow the time range',
    breaches: ({ dashboard }) =>
      dashboard.templating.list
        .filter(({ type }) => type === 'query')
        .flatMap(({ name, refresh }) => unless(refresh === 2, name)),
  },
  {
    name: 'panel-datasource: panels, queries and annotations go to the chosen data source, or to a panel that does',
    breaches: (board) => [
      ...panelsOf(board).flatMap((panel) => {
        const { title, datasource, targets = [] } = panel;
        const expected = sharesRows(panel, board) ? '-- Dashboard --' : DATASOURCE;
        return [datasource, ...targets.map((target) => target.datasource)].flatMap((source) =>
          unless(source?.uid === expected, `${title}: ${source?.uid}`),
        );
      }),
      ...board.dashboard.annotations.list.flatMap(({ datasource }) =>
        unless(datasource?.uid === DATASOURCE, `annotation: ${datasource?.uid}`),
      ),
    ],
  },
  {
    name: 'panel-units: every panel has a unit that Grafana knows',
    breaches: (board) =>
      panelsOf(board).flatMap(({ title, fieldConfig }) => {
        const overrides = fieldConfig?.overrides.flatMap(({ properties }) => properties) ?? [];
        const units = [
          fieldConfig?.defaults.unit,
          ...overrides.filter(({ id }) => id === 'unit').map(({ value }) => value),
        ];
        return units.flatMap((unit) => unless(UNITS.has(String(unit)), `${title}: ${unit}`));
      }),
  },
  {
    name: 'panel-no-targets: every panel asks something',
    breaches: (board) =>
      panelsOf(board).flatMap(({ title = '', targets = [] }) => unless(targets.length > 0, title)),
  },
  {
    name: 'target-rate-interval: rates are over $__rate_interval',
    breaches: (board) =>
      selectorsOf(board)
        .filter(({ within }) => RATES.has(within[0] ?? ''))
        .flatMap(({ place, range }) => unless(range === '$__rate_interval', `${place}: ${range}`)),
  },
  matcherRule('job'),
  {
    name: 'target-counter-agg: counters are read by rate, irate or increase only',
    breaches: (board) =>
      selectorsOf(board)
        .filter(({ metric }) => metric.endsWith('_total'))
        .flatMap(({ place, metric, range, within: [reader = ''] }) =>
          unless(range !== undefined && (RATES.has(reader) || reader === 'increase'), `${place}: ${metric}`),
        ),
  },
  {
    name: 'uneditable-dashboard: it is read-only, since the next version overwrites it',
    breaches: ({ dashboard }) => unless(dashboard.editable === false, `editable: ${dashboard.editable}`),
  },
];
