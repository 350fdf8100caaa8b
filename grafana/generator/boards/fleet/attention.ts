import type { Row } from '../../layout.ts';
import { LIMITS, PROBLEM, RENTAL } from '../../palette.ts';
import { ranking } from '../../panels/ranking.ts';
import { table } from '../../panels/table.ts';
import { named, ROWS } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, alertTable, ID, PHONE } from '../columns.ts';

export const attention: Row = {
  title: 'What needs a hand',
  tiles: [
    table({
      title: 'Phones with a problem',
      description:
        'Each phone with the costliest thing that is wrong with it, the costliest first. Click a phone for its history. "Rows" says how many are shown; the counts beside are complete.',
      noValue: 'Nothing is wrong with any phone.',
      width: 12,
      height: 9,
      columns: [
        PHONE,
        {
          title: 'Problem',
          target: { expression: named(`bottomk(${ROWS}, ${phones.problems()})`) },
          states: Object.values(PROBLEM),
          width: 150,
        },
        {
          title: 'Last heartbeat, ago',
          target: { expression: amongProblems(phones.heartbeatAge()) },
          unit: 's',
          decimals: 0,
          limits: LIMITS.heartbeatAge,
          width: 140,
        },
        {
          title: 'Rental',
          target: { expression: amongProblems(phones.rentalState()) },
          states: Object.values(RENTAL),
          width: 110,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Problem', 'ascending'],
    }),
    ranking(
      {
        title: 'Problems by kind',
        description:
          'How many phones have each problem as their costliest. A kind that grows at once has one cause: find that first.',
        noValue: 'Nothing is wrong with any phone.',
        unit: 'none',
        width: 5,
        height: 9,
        targets: [{ expression: `count_values("problem", ${phones.problems()})`, legend: '{{problem}}' }],
      },
      Object.values(PROBLEM),
    ),
    alertTable(7, 9),
  ],
};

function amongProblems(vector: string): string {
  return `(${vector})\nand on (account, device_id) bottomk(${ROWS}, ${phones.problems()})`;
}
