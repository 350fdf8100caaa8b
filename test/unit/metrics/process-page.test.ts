import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { noneOf, withOneMore } from '../../../src/metrics/garbage.ts';
import {
  createProcessLook,
  type Look,
  type Origin,
  processOrigin,
} from '../../../src/metrics/process-look.ts';
import { createProcessPage } from '../../../src/metrics/process-page.ts';

const ORIGIN: Origin = { startedAt: 1_700_000_000_499, mostFiles: 1024, version: 'v20.18.1' };

const LOOK: Look = {
  cpu: { user: 1_500_000, system: 250_000 },
  memory: { resident: 1_024, virtual: 4_096, data: 2_048 },
  openFiles: 21,
  resources: ['TTYWrap', 'Timeout', 'Timeout'],
  handles: ['Socket', 'Server', 'Socket'],
  requests: [],
  heap: { ...createProcessLook()().heap, total_heap_size: 30, used_heap_size: 20, external_memory: 10 },
  spaces: ['read_only_space', 'new_space'].map((name) => ({
    space_name: name,
    space_size: 4,
    space_used_size: 3,
    space_available_size: 2,
    physical_space_size: 1,
  })),
  garbage: [withOneMore(withOneMore(noneOf('minor'), 0.001), 0.5)],
  lag: { max: 0.25, p99: 0.0125 },
};

/** The samples, without the lines ahead of them. */
function samplesOf(look: Look, origin = ORIGIN): readonly string[] {
  return linesOf(createProcessPage(origin, () => look)()).filter((line) => !line.startsWith('#'));
}

function linesOf(page: string): readonly string[] {
  return page.split('\n').filter((line) => line !== '');
}

describe('the page of the process', () => {
  it('says what was seen', () => {
    expect(samplesOf(LOOK)).toEqual([
      'process_cpu_user_seconds_total 1.5',
      'process_cpu_system_seconds_total 0.25',
      'process_cpu_seconds_total 1.75',
      'process_start_time_seconds 1700000000',
      'process_resident_memory_bytes 1024',
      'process_virtual_memory_bytes 4096',
      'process_heap_bytes 2048',
      'process_open_fds 21',
      'process_max_fds 1024',
      'nodejs_active_resources{type="TTYWrap"} 1',
      'nodejs_active_resources{type="Timeout"} 2',
      'nodejs_active_handles{type="Socket"} 2',
      'nodejs_active_handles{type="Server"} 1',
      'nodejs_eventloop_lag_max_seconds 0.25',
      'nodejs_eventloop_lag_p99_seconds 0.0125',
      'nodejs_heap_size_total_bytes 30',
      'nodejs_heap_size_used_bytes 20',
      'nodejs_external_memory_bytes 10',
      'nodejs_heap_space_size_total_bytes{space="read_only"} 4',
      'nodejs_heap_space_size_total_bytes{space="new"} 4',
      'nodejs_heap_space_size_used_bytes{space="read_only"} 3',
      'nodejs_heap_space_size_used_bytes{space="new"} 3',
      'nodejs_heap_space_size_available_bytes{space="read_only"} 2',
      'nodejs_heap_space_size_available_bytes{space="new"} 2',
      'nodejs_version_info{version="v20.18.1",major="20",minor="18",patch="1"} 1',
      'nodejs_gc_duration_seconds_bucket{le="0.001",kind="minor"} 1',
      'nodejs_gc_duration_seconds_bucket{le="0.01",kind="minor"} 1',
      'nodejs_gc_duration_seconds_bucket{le="0.1",kind="minor"} 1',
      'nodejs_gc_duration_seconds_bucket{le="1",kind="minor"} 2',
      'nodejs_gc_duration_seconds_bucket{le="2",kind="minor"} 2',
      'nodejs_gc_duration_seconds_bucket{le="5",kind="minor"} 2',
      'nodejs_gc_duration_seconds_bucket{le="+Inf",kind="minor"} 2',
      'nodejs_gc_duration_seconds_sum{kind="minor"} 0.501',
      'nodejs_gc_duration_seconds_count{kind="minor"} 2',
    ]);
  });

  it('has no sample of what only Linux tells, elsewhere', () => {
    const elsewhere = samplesOf(
      { ...LOOK, openFiles: undefined, memory: { resident: 1_024, virtual: undefined, data: undefined } },
      { ...ORIGIN, mostFiles: undefined },
    );
    const gone = samplesOf(LOOK).filter((line) => !elsewhere.includes(line));
    expect(gone).toEqual([
      'process_virtual_memory_bytes 4096',
      'process_heap_bytes 2048',
      'process_open_fds 21',
      'process_max_fds 1024',
    ]);
  });
});

/** The metrics of prom-client that we have not: named like counters, or too dear (decision 7). */
const LEFT_OUT = /^nodejs_active_\w+_total$|^nodejs_eventloop_lag(_min|_mean|_stddev|_p50|_p90)?_seconds$/;

/** What is the same whoever looks, and whenever. */
const CONSTANT =
  /^(process_max_fds|nodejs_version_info|nodejs_heap_space_size_total_bytes\{space="read_only")/;

/** What changes little between two looks, one right after the other. */
const CLOSE = [
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_virtual_memory_bytes',
  'process_heap_bytes',
  'process_open_fds',
  'nodejs_heap_size_total_bytes',
  'nodejs_heap_size_used_bytes',
  'nodejs_external_memory_bytes',
];

describe.runIf(process.platform === 'linux')('what we say of this process', async () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const page = createProcessPage(processOrigin(), createProcessLook());
  const [theirs, ours] = [linesOf(await registry.metrics()), linesOf(page())];
  const valueIn = (lines: readonly string[], name: string): number =>
    Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);

  it('are the metrics of prom-client, with its types and words', () => {
    const headings = (lines: readonly string[]) =>
      lines.filter((line) => line.startsWith('#') && !LEFT_OUT.test(line.split(' ')[2] ?? '')).sort();
    expect(headings(ours)).toEqual(headings(theirs));
  });

  it('is what prom-client says', () => {
    const constants = (lines: readonly string[]) => lines.filter((line) => CONSTANT.test(line));
    expect(constants(ours)).toEqual(constants(theirs));
    expect(constants(ours)).toHaveLength(3);
  });

  it.each(CLOSE)('is what prom-client says, or nearly: %s', (name) => {
    const [our, their] = [valueIn(ours, name), valueIn(theirs, name)];
    expect(our).toBeGreaterThan(their * 0.8);
    expect(our).toBeLessThan(their * 1.25);
  });

  it('counts CPU from the start of the process on, where prom-client begins with itself', () => {
    const { cpu } = createProcessLook()();
    const { user, system } = process.cpuUsage(cpu);
    expect(cpu.user).toBeGreaterThan(0);
    expect(Math.min(user, system)).toBeGreaterThanOrEqual(0);
  });
});
