import type { Row } from '../../layout.ts';
import { COLOURS } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { table } from '../../panels/table.ts';
import { ofProcess, ROWS } from '../../promql.ts';
import { buildInfo, perInstance, reached } from '../../queries/exporter.ts';
import { NO_EXPORTER } from '../no-data.ts';

const PANEL = { noValue: NO_EXPORTER, width: 8, height: 7 } as const;
const UNREACHED_FIRST = `bottomk(${ROWS}, ${reached()})`;

function among(vector: string): { readonly expression: string } {
  return { expression: `${vector}\nand on (job, instance) ${UNREACHED_FIRST}` };
}

/** The processes that export. */
export const processes: Row = {
  title: 'Processes',
  collapsed: true,
  tiles: [
    table({
      title: 'Exporters',
      description:
        'What runs where. A young process that nobody restarted has crashed: read its log. Different revisions: an update stopped half-way.',
      noValue: NO_EXPORTER,
      width: 24,
      height: 6,
      columns: [
        { title: 'Instance', label: 'instance' },
        { title: 'Job', label: 'job', width: 120 },
        {
          title: 'Up',
          target: { expression: UNREACHED_FIRST },
          unit: 'bool_yes_no',
          limits: [COLOURS.bad, [1, COLOURS.good]],
          width: 70,
        },
        { title: 'Version', label: 'version', width: 100 },
        { title: 'Revision', label: 'revision', width: 120 },
        { title: 'Node.js', label: 'node_version', width: 110 },
        {
          title: 'Runs for',
          target: among(`time() - ${perInstance(ofProcess('process_start_time_seconds'))}`),
          unit: 's',
          decimals: 0,
          width: 110,
        },
        {
          title: 'Memory',
          target: among(perInstance(ofProcess('process_resident_memory_bytes'))),
          unit: 'bytes',
          width: 110,
        },
      ],
      labelsOf: [among(buildInfo())],
      sortBy: ['Up', 'ascending'],
    }),
    graph({
      ...PANEL,
      title: 'Processor',
      description:
        'Processor seconds per second; 1 is one core. Near 1 for long: fewer accounts or phones per process.',
      unit: 'percentunit',
      targets: [
        {
          expression: perInstance(`rate(${ofProcess('process_cpu_seconds_total')}[$__rate_interval])`),
          legend: '{{instance}}',
        },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Memory',
      description:
        'Resident memory and used heap. A line that climbs for days is a leak: report it with the version.',
      unit: 'bytes',
      targets: [
        {
          expression: perInstance(ofProcess('process_resident_memory_bytes')),
          legend: '{{instance}} resident',
        },
        { expression: perInstance(ofProcess('nodejs_heap_size_used_bytes')), legend: '{{instance}} heap' },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Event loop delay (99 %)',
      description:
        'How late the process is to what is due. Above a tenth of a second scrapes wait: give it more processor.',
      unit: 's',
      targets: [
        { expression: perInstance(ofProcess('nodejs_eventloop_lag_p99_seconds')), legend: '{{instance}}' },
      ],
    }),
  ],
};
