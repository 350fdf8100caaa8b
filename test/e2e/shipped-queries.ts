import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { documentedQueries, RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { argumentOf, BOARDS, panelsOf } from '../unit/grafana/board.ts';
import { fill, rangeOf } from './grafana.ts';
import type { Prometheus } from './prometheus.ts';
import type { Viewer } from './viewer.ts';

/* Every shipped query: those in the boards, the rules and the documents. */

/** An expression that is shipped, and how it is asked. */
export type Shipped = {
  readonly place: string;
  readonly expression: string;
  /** The time of the dashboard that it belongs to, from then to now; undefined for a rule. */
  readonly from?: string;
  readonly step?: string | undefined;
  /** Asked for one instant, not for a time. */
  readonly instant: boolean;
};

export const OF_PANELS: readonly Shipped[] = BOARDS.flatMap((board) =>
  panelsOf(board).flatMap(({ title, interval, targets = [] }) =>
    targets.flatMap(({ refId, expr, instant = false }) =>
      expr === undefined
        ? []
        : [
            {
              place: `${board.file}: ${title} ${refId}`,
              expression: expr,
              from: board.dashboard.time.from,
              step: interval,
              instant,
            },
          ],
    ),
  ),
);

export const OF_VARIABLES: readonly Shipped[] = BOARDS.flatMap(({ file, dashboard }) =>
  dashboard.templating.list
    .filter(({ type }) => type === 'query')
    .map(({ name, query = '' }) => ({
      place: `${file}: variable ${name}`,
      expression: argumentOf(query),
      from: dashboard.time.from,
      instant: true,
    })),
);

export const OF_ANNOTATIONS: readonly Shipped[] = BOARDS.flatMap(({ file, dashboard }) =>
  dashboard.annotations.list.map(({ name, expr }) => ({
    place: `${file}: annotation ${name}`,
    expression: expr,
    from: dashboard.time.from,
    instant: false,
  })),
);

const { recordings, alerts } = readRules(shippedText(RULES_FILE));

export const OF_RULES: readonly Shipped[] = [
  ...recordings.map(({ record, expr }) => ({
    place: record,
    expression: expr,
    instant: true,
  })),
  ...alerts.map(({ alert, expr, labels }) => {
    const isOne = alerts.filter((other) => other.alert === alert).length === 1;
    return { place: isOne ? alert : `${alert} (${labels['severity']})`, expression: expr, instant: true };
  }),
];

const RUNBOOKS = 'docs/runbooks';

const DOCUMENTS = [
  'README.md',
  ...['docs', RUNBOOKS].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, '../..', folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

export const OF_DOCUMENTS: readonly Shipped[] = DOCUMENTS.flatMap((file) =>
  documentedQueries(file).map((expression, index) => ({
    place: `${file} ${index + 1}`,
    expression,
    instant: true,
  })),
);

/** Queries about what is wrong with a phone. */
const OF_TROUBLE =
  /^device\.json: (?:(?:Open incidents|Incidents) of this phone|States? A$|Details A$|variable open|annotation Incidents)/;

/** Counts the series of an expression at a time, or in the range before it that its dashboard shows. */
export async function seriesOf(
  prometheus: Prometheus,
  { place, expression, from, step, instant }: Shipped,
  { at, variablesOf, troubled }: Viewer,
): Promise<number> {
  if (from === undefined) return (await prometheus.query(expression, at)).length;
  const range = rangeOf(from, at, step);
  const filled = fill(expression, {
    rangeSeconds: range.end - range.start,
    end: range.end,
    stepSeconds: range.step,
    variables: OF_TROUBLE.test(place) ? troubled : variablesOf(place.split(':')[0] ?? ''),
  });
  const answer = instant ? prometheus.query(filled, at) : prometheus.queryRange(filled, range);
  return (await answer).length;
}
