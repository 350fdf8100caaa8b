import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './demo.ts';
import { BY_CHANCE, EMPTY, EMPTY_IN_THE_PAST } from './empty-panels.ts';
import {
  OF_ANNOTATIONS,
  OF_PANELS,
  OF_RULES,
  OF_VARIABLES,
  type Shipped,
  seriesOf,
} from './shipped-queries.ts';
import { timeWithAlerts, type Viewer, viewerAt } from './viewer.ts';

let demo: Demo;

function expectSeries(series: number, place: string, empty: ReadonlyMap<string, string>): void {
  if (BY_CHANCE.has(place)) return;
  if (empty.has(place)) expect(`${series} series`).toBe('0 series');
  else expect(series).toBeGreaterThan(0);
}

let now: Viewer;
let past: Viewer;

beforeAll(async () => {
  demo = await startDemo();
  await demo.prometheus.waitForSamples('alert:hoster_incident_since:max');
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
      const series = await seriesOf(demo.prometheus, shipped, now);
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
      const series = await seriesOf(demo.prometheus, shipped, past);
      expectSeries(series, place, EMPTY_IN_THE_PAST);
    },
  );

  it('include every query that is listed as empty', () => {
    const places = PAST.map(({ place }) => place);
    expect([...EMPTY_IN_THE_PAST.keys()].filter((place) => !places.includes(place))).toEqual([]);
  });
});
