import { collectDefaultMetrics, Registry } from 'prom-client';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { ALL_FEATURES, familiesOf } from '../../features.ts';

const SELF = createExporterMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' });

/** Of prom-client's default metrics these are not exported. */
const LEFT_OUT = /^nodejs_(?:active_\w+_total|eventloop_lag_p\d+_seconds)$/;

/** Labels that alerts take over from incidents. */
const OF_INCIDENTS = ['label', 'problem', 'kind', 'value'] as const;

/** Series that Prometheus itself makes of scrapes and rules. */
const OF_PROMETHEUS: readonly (readonly [string, readonly string[]])[] = [
  ['up', []],
  ['scrape_duration_seconds', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity', 'scope', 'account', 'device_id', ...OF_INCIDENTS]],
  ['ALERTS_FOR_STATE', ['alertname', 'severity', 'scope', 'account', 'device_id', ...OF_INCIDENTS]],
];

/** Reports whether a series is made by Prometheus from rules, and so has no job and no instance. */
export function isMade(metric: string): boolean {
  return metric.startsWith('ALERTS');
}

/** Labels that Prometheus gives to every series. */
export const TARGET_LABELS = ['job', 'instance'] as const;

/** Every metric that a dashboard may name, with the labels that it has of itself. */
export const LABELS_BY_METRIC: ReadonlyMap<string, readonly string[]> = new Map([
  ...familiesOf(ALL_FEATURES).flatMap(seriesOf),
  ...SELF.families.flatMap(seriesOf),
  ...(await ofProcess()),
  ...OF_PROMETHEUS,
]);

type Declared = { readonly name: string; readonly type: string; readonly labels: readonly string[] };

function seriesOf({ name, type, labels }: Declared): readonly (readonly [string, readonly string[]])[] {
  if (type !== 'histogram') return [[name, labels]];
  return [
    [`${name}_bucket`, [...labels, 'le']],
    [`${name}_sum`, labels],
    [`${name}_count`, labels],
  ];
}

async function ofProcess(): Promise<readonly (readonly [string, readonly string[]])[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = await registry.getMetricsAsJSON();
  return metrics
    .filter(({ name }) => !LEFT_OUT.test(name))
    .map(({ name, values }) => [name, values.flatMap(({ labels }) => Object.keys(labels))]);
}
