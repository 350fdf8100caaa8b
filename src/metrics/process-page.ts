import { encodeHeading, type Heading } from './encode.ts';
import { type Collections, GARBAGE_BOUNDS } from './garbage.ts';
import type { Look, Origin } from './process-look.ts';
import { formatLabels, formatValue } from './text.ts';

/** A value, the text of its labels, if it has any, and what its name ends with beyond that of the metric. */
type Sample = readonly [value: number, labels?: string, suffix?: string];

/** A metric of the process, and how it is read from a look at it. Names and help are those of prom-client. */
type ProcessMetric = Heading & { readonly read: (look: Look) => readonly Sample[] };

/**
 * The `process_*` and `nodejs_*` metrics as text. prom-client has the same, and some more; it takes more than twice as
 * long for them, which would be a quarter of what a scrape of a small fleet takes.
 */
export function createProcessPage(origin: Origin, look: () => Look): () => string {
  const metrics = processMetrics(origin).map(({ read, ...heading }) => ({
    read,
    name: heading.name,
    heading: encodeHeading(heading),
  }));
  return () => {
    const now = look();
    let text = '';
    for (const { name, heading, read } of metrics) {
      text += heading;
      for (const [value, labels = '', suffix = ''] of read(now)) {
        text += `${name}${suffix}${labels} ${formatValue(value)}\n`;
      }
    }
    return text;
  };
}

function processMetrics({ startedAt, mostFiles, version }: Origin): readonly ProcessMetric[] {
  const start = one(Math.round(startedAt / 1000));
  const most = one(mostFiles);
  const node: readonly Sample[] = [[1, versionLabels(version)]];
  return [
    counter('process_cpu_user_seconds_total', 'Total user CPU time spent in seconds.', ({ cpu }) =>
      one(cpu.user / 1e6),
    ),
    counter('process_cpu_system_seconds_total', 'Total system CPU time spent in seconds.', ({ cpu }) =>
      one(cpu.system / 1e6),
    ),
    counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', ({ cpu }) =>
      one((cpu.user + cpu.system) / 1e6),
    ),
    gauge(
      'process_start_time_seconds',
      'Start time of the process since unix epoch in seconds.',
      () => start,
    ),
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', ({ memory }) =>
      one(memory.resident),
    ),
    gauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.', ({ memory }) =>
      one(memory.virtual),
    ),
    gauge('process_heap_bytes', 'Process heap size in bytes.', ({ memory }) => one(memory.data)),
    gauge('process_open_fds', 'Number of open file descriptors.', ({ openFiles }) => one(openFiles)),
    gauge('process_max_fds', 'Maximum number of open file descriptors.', () => most),
    ...loopMetrics,
    ...heapMetrics,
    gauge('nodejs_version_info', 'Node.js version info.', () => node),
    {
      name: 'nodejs_gc_duration_seconds',
      help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
      type: 'histogram',
      read: ({ garbage }) => garbage.flatMap(histogram),
    },
  ];
}

const loopMetrics: readonly ProcessMetric[] = [
  gauge(
    'nodejs_active_resources',
    'Number of active resources that are currently keeping the event loop alive, grouped by async resource type.',
    ({ resources }) => byType(resources),
  ),
  gauge(
    'nodejs_active_handles',
    'Number of active libuv handles grouped by handle type. Every handle type is C++ class name.',
    ({ handles }) => byType(handles),
  ),
  gauge(
    'nodejs_active_requests',
    'Number of active libuv requests grouped by request type. Every request type is C++ class name.',
    ({ requests }) => byType(requests),
  ),
  gauge('nodejs_eventloop_lag_max_seconds', 'The maximum recorded event loop delay.', ({ lag }) =>
    one(lag.max),
  ),
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'The 99th percentile of the recorded event loop delays.',
    ({ lag }) => one(lag.p99),
  ),
];

const heapMetrics: readonly ProcessMetric[] = [
  gauge('nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.', ({ heap }) =>
    one(heap.total_heap_size),
  ),
  gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', ({ heap }) =>
    one(heap.used_heap_size),
  ),
  gauge('nodejs_external_memory_bytes', 'Node.js external memory size in bytes.', ({ heap }) =>
    one(heap.external_memory),
  ),
  gauge(
    'nodejs_heap_space_size_total_bytes',
    'Process heap space size total from Node.js in bytes.',
    ({ spaces }) => spaces.map((space) => [space.space_size, spaceLabel(space.space_name)]),
  ),
  gauge(
    'nodejs_heap_space_size_used_bytes',
    'Process heap space size used from Node.js in bytes.',
    ({ spaces }) => spaces.map((space) => [space.space_used_size, spaceLabel(space.space_name)]),
  ),
  gauge(
    'nodejs_heap_space_size_available_bytes',
    'Process heap space size available from Node.js in bytes.',
    ({ spaces }) => spaces.map((space) => [space.space_available_size, spaceLabel(space.space_name)]),
  ),
];

function gauge(name: string, help: string, read: ProcessMetric['read']): ProcessMetric {
  return { name, help, type: 'gauge', read };
}

function counter(name: string, help: string, read: ProcessMetric['read']): ProcessMetric {
  return { name, help, type: 'counter', read };
}

/** What could not be had has no sample. */
function one(value: number | undefined): readonly Sample[] {
  return value === undefined ? [] : [[value]];
}

function byType(types: readonly string[]): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Array.from(counts, ([type, count]) => [count, `{${formatLabels(['type'], [type])}}`]);
}

function spaceLabel(name: string): string {
  return `{space="${name.replace('_space', '')}"}`;
}

function histogram({ kind, upTo, count, seconds }: Collections): readonly Sample[] {
  const bucket = (bound: string, value: number): Sample => [
    value,
    `{le="${bound}",kind="${kind}"}`,
    '_bucket',
  ];
  return [
    ...GARBAGE_BOUNDS.map((bound, index) => bucket(String(bound), upTo[index] ?? 0)),
    bucket('+Inf', count),
    [seconds, `{kind="${kind}"}`, '_sum'],
    [count, `{kind="${kind}"}`, '_count'],
  ];
}

function versionLabels(version: string): string {
  const [major = '', minor = '', patch = ''] = version.slice(1).split('.');
  return `{${formatLabels(['version', 'major', 'minor', 'patch'], [version, major, minor, patch])}}`;
}
