import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Gauges of prom-client that are named like counters, which the linter of Prometheus refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** What prom-client says of the event loop. The standard deviation alone takes a third of the time of a small scrape. */
const LAG = ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'].map(
  (statistic) => `nodejs_eventloop_lag${statistic}_seconds`,
);

/** Milliseconds between two looks at the event loop, as prom-client has it. */
const RESOLUTION = 10;

/** An hour in milliseconds: so rarely does prom-client look at the event loop by itself. */
const RARELY = 3_600_000;

/** The `process_*` and `nodejs_*` metrics of prom-client, which are read anew at every scrape. */
export function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: RARELY });
  for (const name of [...MISNAMED, ...LAG]) registry.removeSingleMetric(name);
  watchEventLoop(registry);
  return registry;
}

/** The two statistics of the event loop that say whether it was held up, since the last scrape. */
function watchEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  const registers = [registry];
  // Registered first, since the registry asks its metrics in that order: the other one is set by then.
  new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'The maximum recorded event loop delay.',
    registers,
    collect() {
      this.set(delay.max / 1e9);
      p99.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
  const p99 = new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'The 99th percentile of the recorded event loop delays.',
    registers,
  });
}
