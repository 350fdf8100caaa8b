import type { Row } from '../../layout.ts';
import { COLOURS } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { ofProcess, ROWS } from '../../promql.ts';
import { buildInfo, perInstance, reached } from '../../queries/exporter.ts';
import { NO_EXPORTER } from '../no-data.ts';

const UNREACHED_FIRST = `bottomk(${ROWS}, ${reached()})`;

/** Whether something succeeded the last time. */
const WELL = { unit: 'bool_yes_no', limits: [COLOURS.bad, [1, COLOURS.good]], width: 90 } as const;

function among(vector: string): { readonly expression: string } {
  return { expression: `${vector}\nand on (job, instance) ${UNREACHED_FIRST}` };
}

/** The processes that export. */
export const processes: Row = {
  title: 'Processes',
  tiles: [
    table({
      title: 'Exporters',
      description:
        'What runs where. A young process that nobody restarted has crashed: read its log. Different revisions: an update stopped half-way. Config or state file "No": its log says why.',
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
          title: 'Config',
          target: among(perInstance(ofProcess('hoster_exporter_config_last_reload_successful'))),
          ...WELL,
        },
        {
          title: 'State file',
          target: among(perInstance(ofProcess('hoster_exporter_state_last_save_successful'))),
          ...WELL,
        },
        {
          title: 'Page',
          target: among(perInstance(ofProcess('hoster_exporter_page_bytes', 'encoding="gzip"'))),
          unit: 'bytes',
          width: 90,
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
  ],
};
