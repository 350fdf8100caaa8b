import type { Row } from '../../layout.ts';
import { table } from '../../panels/table.ts';
import { ofAccount, onlyRead, perAccount, ROWS } from '../../promql.ts';
import { times } from '../../queries/exporter.ts';
import { ACCOUNT } from '../columns.ts';
import { NO_PHONES } from '../no-data.ts';

/** What the API got wrong, as rows with the labels `what` and `where`. */
function findings(): string {
  const kinds = [
    ['Values that its document does not list', 'hoster_exporter_unknown_enum_values_total', 'field'],
    ['Fields of a wrong type', 'hoster_exporter_schema_violations_total', 'endpoint'],
    ['Items without an identifier', 'hoster_exporter_items_rejected_total', 'reason'],
    ['Lists that contradict themselves', 'hoster_exporter_list_inconsistencies_total', 'kind'],
    ['Texts that had to be cleaned', 'hoster_exporter_labels_sanitized_total', ''],
  ] as const;
  return kinds
    .map(([what, counter, by]) => {
      const counted = `${times(ofAccount(counter), by === '' ? 'account' : `account, ${by}`)} > 0`;
      const where = by === '' ? counted : `label_replace(${counted}, "where", "$1", "${by}", "(.*)")`;
      return `sum by (account, what, where) (label_replace(${where}, "what", "${what}", "", ""))`;
    })
    .join('\nor ');
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
    table({
      title: 'What the API got wrong',
      description:
        'How often in this time range. Values and types that the document does not have: report them to this project. Items and lists: report them to the marketplace. Cleaned texts are harmless.',
      noValue: 'Nothing in this time, as far as the API was polled.',
      width: 11,
      height: 7,
      columns: [
        { title: 'What', label: 'what' },
        { title: 'Where', label: 'where', width: 150 },
        ACCOUNT,
        { title: 'Times', target: { expression: `topk(${ROWS}, ${findings()})` }, decimals: 0, width: 80 },
      ],
      sortBy: ['Times', 'descending'],
    }),
    table({
      title: 'Device lists',
      description:
        'Whether what was listed is what the API says there is. Suspect: many phones are missing at once, and later lists must confirm it. Incomplete for long: report it to the marketplace.',
      noValue: NO_PHONES,
      width: 13,
      height: 7,
      columns: [
        ACCOUNT,
        { title: 'Reported', target: { expression: LARGEST }, width: 100 },
        {
          title: 'Shown',
          target: { expression: `sum by (account) (${LISTED})\nand on (account) ${LARGEST}` },
          width: 70,
        },
        {
          title: 'Complete',
          target: { expression: onlyRead(ofList('hoster_exporter_list_complete').expression) },
          unit: 'bool_yes_no',
          width: 90,
        },
        {
          title: 'Suspect',
          target: ofList('hoster_exporter_list_suspect'),
          unit: 'bool_yes_no',
          width: 75,
        },
        { title: 'Passes', target: ofList('hoster_exporter_list_passes'), width: 70 },
      ],
      sortBy: ['Reported', 'descending'],
    }),
  ],
};
