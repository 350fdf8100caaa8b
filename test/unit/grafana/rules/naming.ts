import { queriesOf, targetsOf } from '../board.ts';
import { isMade, LABELS_BY_METRIC, TARGET_LABELS } from '../names.ts';
import { type Rule, unless } from './rule.ts';

/** Functions that leave the series as they are and reduce their points. */
const OVER_TIME = /^(rate|irate|increase|changes|resets|timestamp|\w+_over_time)$/;

/** The variables that a text uses, without those that Grafana itself gives. */
function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(/\$\{?([a-z]\w*)/g)].map(([, name = '']) => name);
}

/** Rules about names in dashboards, and against counting twice. */
export const NAME_RULES: readonly Rule[] = [
  {
    name: 'metrics exist',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, query }) =>
        query.selectors.flatMap(({ metric }) => unless(LABELS_BY_METRIC.has(metric), `${place}: ${metric}`)),
      ),
  },
  {
    name: 'labels exist on the metrics that are narrowed by them',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, query }) =>
        query.selectors.flatMap(({ metric, matchers }) => {
          const labels = [...TARGET_LABELS, ...(LABELS_BY_METRIC.get(metric) ?? [])];
          return matchers.flatMap(({ label }) =>
            unless(labels.includes(label), `${place}: ${metric} ${label}`),
          );
        }),
      ),
  },
  {
    name: 'labels that are grouped, joined or shown by exist in the query',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, query, target }) => {
        const ofMetrics = query.selectors.flatMap(({ metric }) => LABELS_BY_METRIC.get(metric) ?? []);
        const known = [...TARGET_LABELS, ...ofMetrics, ...query.made];
        const shown = [...(target?.legendFormat ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(
          ([, label = '']) => label,
        );
        return [...query.labels, ...shown].flatMap((label) =>
          unless(known.includes(label), `${place}: ${label}`),
        );
      }),
  },
  {
    name: 'replicas count once: facts from the API are reduced to one series before anything else',
    breaches: (board) =>
      queriesOf(board)
        .filter(({ place }) => !place.startsWith('variable'))
        .flatMap(({ place, query, expression }) =>
          query.selectors
            .filter(({ metric }) => metric.startsWith('hoster_') && !metric.startsWith('hoster_exporter_'))
            .flatMap(({ metric, within }) => {
              const reducer = within.find((name) => !OVER_TIME.test(name));
              // A selector that only limits another vector may have several series.
              const isLimit = new RegExp(`(and|unless) on\\([^)]*\\) ${metric}\\{`).test(expression);
              const holds = isLimit || !/^(avg|count|count_values|sum)$/.test(reducer ?? '');
              return unless(holds, `${place}: ${metric} in ${reducer}`);
            }),
        ),
  },
  {
    name: 'statuses are not averaged alone: a series of a status is 1 or absent, so its average is always 1',
    breaches: (board) =>
      queriesOf(board).flatMap(({ place, query }) =>
        query.selectors
          .filter(({ metric }) => metric.endsWith('_status'))
          .flatMap(({ metric, within }) => unless(within[0] !== 'avg_over_time', `${place}: ${metric}`)),
      ),
  },
  {
    name: 'metrics that every program has are taken of exporters only',
    breaches: (board) =>
      targetsOf(board).flatMap(({ place, query }) => {
        const metrics = query.selectors.map(({ metric }) => metric);
        const common = metrics.filter((metric) => !/^hoster[_:]/.test(metric) && !isMade(metric));
        return metrics.includes('hoster_exporter_build_info')
          ? []
          : common.map((metric) => `${place}: ${metric}`);
      }),
  },
  {
    name: 'variables that are used are declared',
    breaches: ({ text, dashboard }) => {
      const declared = dashboard.templating.list.map(({ name }) => name);
      return [...new Set(variablesIn(text))].filter((name) => !declared.includes(name));
    },
  },
];
