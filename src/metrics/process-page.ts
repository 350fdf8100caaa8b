import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { encodeHeading } from './encode.ts';
import { linesOf } from './own-page.ts';

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

/** What prom-client asks `process.memoryUsage` for, which reads a file and takes a third of the time of a small scrape. */
const HEAP = ['nodejs_heap_size_total_bytes', 'nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'];

/** Milliseconds between two looks at the event loop, as prom-client has it. */
const RESOLUTION = 10;

/** An hour in milliseconds: so rarely does prom-client look at the event loop by itself. */
const RARELY = 3_600_000;

/** Prints the `process_*` and `nodejs_*` metrics of prom-client, which are read anew each time. */
export function createProcessPage(): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: RARELY });
  for (const name of [...MISNAMED, ...LAG, ...HEAP]) registry.removeSingleMetric(name);
  watchEventLoop(registry);
  watchHeap(registry);
  const headings = registry.getMetricsAsArray().map((metric) => {
    const { texts } = encodeHeading({ name: metric.name, help: metric.help, type: typeOf(metric) });
    return { name: metric.name, heading: texts.join('') };
  });
  return async () => {
    let text = '';
    // One after the other, since some of them set the values of those behind them.
    for (const { name, heading } of headings) text += heading + (await linesOf(registry, name)).join('');
    return text;
  };
}

function typeOf(metric: object): string {
  if (metric instanceof Counter) return 'counter';
  return metric instanceof Histogram ? 'histogram' : 'gauge';
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

/** The same numbers as prom-client gives, from V8 itself. */
function watchHeap(registry: Registry): void {
  const registers = [registry];
  // Registered first, as above.
  new Gauge({
    name: 'nodejs_heap_size_total_bytes',
    help: 'Process heap size from Node.js in bytes.',
    registers,
    collect() {
      const heap = getHeapStatistics();
      this.set(heap.total_heap_size);
      used.set(heap.used_heap_size);
      external.set(heap.external_memory);
    },
  });
  const used = new Gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Process heap size used from Node.js in bytes.',
    registers,
  });
  const external = new Gauge({
    name: 'nodejs_external_memory_bytes',
    help: 'Node.js external memory size in bytes.',
    registers,
  });
}
