import type { Row } from '../../layout.ts';
import { graph } from '../../panels/graph.ts';
import { ranking } from '../../panels/ranking.ts';
import { table } from '../../panels/table.ts';
import type { Tile } from '../../panels/tile.ts';
import { ofAccount, perAccount, ROWS } from '../../promql.ts';
import { times } from '../../queries/exporter.ts';
import { ACCOUNT } from '../columns.ts';
import { NO_EXPORTER } from '../no-data.ts';

function oddities(title: string, description: string, counter: string, by: string): Tile {
  return ranking({
    title,
    description,
    noValue: 'None in this time.',
    unit: 'none',
    width: 6,
    height: 7,
    targets: [
      {
        expression: `topk(${ROWS}, ${times(ofAccount(counter), by)} > 0)`,
        legend: by
          .split(', ')
          .map((label) => `{{${label}}}`)
          .join(' '),
      },
    ],
  });
}

function ofList(name: string): { readonly expression: string } {
  return { expression: `${perAccount(ofAccount(name))}\nand on (account) ${LARGEST}` };
}

const LARGEST = `topk(${ROWS}, ${perAccount(ofAccount('hoster_devices_reported'))})`;
const LISTED = perAccount(ofAccount('hoster_devices'), 'rental_status', 'marketplace_status');

/** Panels of deviations of the API from its document. */
export const apiQuality: Row = {
  title: 'What the API says',
  tiles: [
    oddities(
      'Values that nobody documented',
      'Values that are not in the API document, in this time range; they are shown as "other". Report them to this project.',
      'hoster_exporter_unknown_enum_values_total',
      'field',
    ),
    oddities(
      'Fields of a wrong type',
      'Items with a field that could not be read; the field was left out. Many at once: the API changed. Report it to this project.',
      'hoster_exporter_schema_violations_total',
      'endpoint',
    ),
    oddities(
      'Items left out',
      'Phones or tunnels without a usable identity, so that they could not be shown. Report the reason to the marketplace.',
      'hoster_exporter_items_rejected_total',
      'collector, reason',
    ),
    oddities(
      'Texts that were cleaned',
      'Labels that were cut or had unprintable characters. Harmless; rename the phones if their names look odd here.',
      'hoster_exporter_labels_sanitized_total',
      'account',
    ),
    oddities(
      'Lists that contradicted themselves',
      'How often a device list did not fit together, by kind. Now and then it changed while it was read; often: report it to the marketplace.',
      'hoster_exporter_list_inconsistencies_total',
      'kind',
    ),
    table({
      title: 'Device lists',
      description:
        'Whether what was listed is what the API says there is. Suspect: many phones are missing at once, and later lists must confirm it. Incomplete for long: report it to the marketplace.',
      noValue: NO_EXPORTER,
      width: 12,
      height: 7,
      columns: [
        ACCOUNT,
        { title: 'Reported', target: { expression: LARGEST }, width: 95 },
        {
          title: 'Shown',
          target: { expression: `sum by (account) (${LISTED})\nand on (account) ${LARGEST}` },
          width: 85,
        },
        {
          title: 'Complete',
          target: ofList('hoster_exporter_list_complete'),
          unit: 'bool_yes_no',
          width: 95,
        },
        {
          title: 'Suspect',
          target: ofList('hoster_exporter_list_suspect'),
          unit: 'bool_yes_no',
          width: 85,
        },
        { title: 'Passes', target: ofList('hoster_exporter_list_passes'), width: 80 },
      ],
      sortBy: ['Reported', 'descending'],
    }),
    graph(
      {
        title: 'Phones that left the fleet',
        description:
          'Phones that were in the list and no longer are, per hour. More than you archived: ask the marketplace where they went.',
        noValue: NO_EXPORTER,
        unit: 'none',
        width: 6,
        height: 7,
        targets: [
          {
            expression: perAccount(`increase(${ofAccount('hoster_exporter_devices_removed_total')}[1h])`),
            legend: '{{account}}',
          },
        ],
      },
      { decimals: 0 },
    ),
  ],
};
