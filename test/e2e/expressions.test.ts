import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { argumentOf, BOARDS, panelsOf } from '../unit/grafana/board.ts';
import { type Demo, startDemo } from './demo.ts';
import { BY_CHANCE, EMPTY, EMPTY_IN_THE_PAST } from './empty-panels.ts';
import { fill, rangeOf } from './grafana.ts';
import { timeWithAlerts, type Viewer, viewerAt } from './viewer.ts';

/** An expression that is shipped, and how it is asked. */
type Shipped = {
  readonly place: string;
  readonly expression: string;
  /** The time of the dashboard that it belongs to, from then to now; undefined for a rule. */
  readonly from?: string;
  readonly step?: string | undefined;
  /** Asked for one instant, not for a time. */
  readonly instant: boolean;
};

const OF_PANELS: readonly Shipped[] = BOARDS.flatMap((board) =>
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

const OF_VARIABLES: readonly Shipped[] = BOARDS.flatMap(({ file, dashboard }) =>
  dashboard.templating.list
    .filter(({ type }) => type === 'query')
    .map(({ name, query = '' }) => ({
      place: `${file}: variable ${name}`,
      expression: argumentOf(query),
      from: dashboard.time.from,
      instant: true,
    })),
);

const OF_ANNOTATIONS: readonly Shipped[] = BOARDS.flatMap(({ file, dashboard }) =>
  dashboard.annotations.list.map(({ name, expr }) => ({
    place: `${file}: annotation ${name}`,
    expression: expr,
    from: dashboard.time.from,
    instant: false,
  })),
);

const { recordings, alerts } = readRules(shippedText(RULES_FILE));

const OF_RULES: readonly Shipped[] = [
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

let demo: Demo;

/** Counts the series of an expression at a time, or in the range before it that its dashboard shows. */
async function seriesOf(
  { expression, from, step, instant }: Shipped,
  { at, variables }: Viewer,
): Promise<number> {
  const { prometheus } = demo;
  if (from === undefined) return (await prometheus.query(expression, at)).length;
  const range = rangeOf(from, at, step);
  const filled = fill(expression, {
    rangeSeconds: range.end - range.start,
    stepSeconds: range.step,
    variables,
  });
  const answer = instant ? prometheus.query(filled, at) : prometheus.queryRange(filled, range);
  return (await answer).length;
}

function expectSeries(series: number, place: string, empty: ReadonlyMap<string, string>): void {
  if (BY_CHANCE.has(place)) return;
  if (empty.has(place)) expect(`${series} series`).toBe('0 series');
  else expect(series).toBeGreaterThan(0);
}

let now: Viewer;
let past: Viewer;

beforeAll(async () => {
  demo = await startDemo();
  await demo.prometheus.waitForSamples('hoster:alert:since');
  // Rates need two scrapes.
  await demo.prometheus.waitForSamples('count_over_time(hoster_exporter_build_info[10s]) > 3');
  // Between two scrapes: a day that ends exactly with one would be a whole day.
  const [time] = await demo.prometheus.query('timestamp(hoster_exporter_build_info) + 0.5');
  now = await viewerAt(demo.prometheus, Number(time?.value[1]));
  past = await viewerAt(demo.prometheus, await timeWithAlerts(demo));
}, 110_000);

afterAll(async () => {
  await demo?.stop();
});

const NOW: readonly Shipped[] = [...OF_PANELS, ...OF_VARIABLES, ...OF_ANNOTATIONS, ...OF_RULES];
const PAST: readonly Shipped[] = [...OF_PANELS, ...OF_VARIABLES];

describe('the shipped queries at the present time', () => {
  it.each(NOW.map((shipped) => [shipped.place, shipped] as const))(
    'return series, unless listed as empty: %s',
    async (place, shipped) => {
      const series = await seriesOf(shipped, now);
      expectSeries(series, place, EMPTY);
    },
  );

  it('include every query that is listed as empty', () => {
    const places = NOW.map(({ place }) => place);
    expect([...EMPTY.keys(), ...BY_CHANCE.keys()].filter((place) => !places.includes(place))).toEqual([]);
  });
});

describe('the shipped queries in the history of the demo', () => {
  it.each(PAST.map((shipped) => [shipped.place, shipped] as const))(
    'return series, unless listed as empty: %s',
    async (place, shipped) => {
      const series = await seriesOf(shipped, past);
      expectSeries(series, place, EMPTY_IN_THE_PAST);
    },
  );

  it('include every query that is listed as empty', () => {
    const places = PAST.map(({ place }) => place);
    expect([...EMPTY_IN_THE_PAST.keys()].filter((place) => !places.includes(place))).toEqual([]);
  });
});
