import type { Row } from '../../layout.ts';
import { NO_DATA, PROBLEM } from '../../palette.ts';
import { ranking } from '../../panels/ranking.ts';
import { table } from '../../panels/table.ts';
import { chosen, named, ofAccount, onlyRead, orUnknown, perAccount, ROWS } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { ACCOUNT, alertTable, ID, PHONE } from '../columns.ts';
import { NONE_OR_UNKNOWN } from '../no-data.ts';

const PROBLEMS = chosen('problem');

export const attention: Row = {
  title: 'What needs attention',
  tiles: [
    table({
      title: 'Common causes',
      description:
        'What silent phones share that the others do not: the place, a version of the app, a model, a tunnel host. Go there before you look at single phones. Its phones stand in the table below, with the same name of place, version or model.',
      noValue: NONE_OR_UNKNOWN,
      width: 8,
      height: 8,
      columns: [
        { title: 'What', label: 'kind', width: 100 },
        { title: 'Which', label: 'value' },
        {
          title: 'Phones',
          target: {
            expression: `topk(${ROWS}, ${perAccount(ofAccount('hoster_common_cause_devices'), 'kind', 'value')})`,
          },
          width: 95,
        },
        {
          title: 'Since, ago',
          target: {
            expression: `time() - ${perAccount(ofAccount('hoster_common_cause_start_timestamp_seconds'), 'kind', 'value')}\nand on (account) topk(${ROWS}, ${perAccount(ofAccount('hoster_common_cause_devices'))})`,
          },
          unit: 's',
          decimals: 0,
          width: 100,
        },
        ACCOUNT,
      ],
      sortBy: ['Phones', 'descending'],
    }),
    alertTable('Firing alerts', 16, 8),
    table({
      title: 'Phones with a problem',
      description:
        'Each phone with the costliest thing that is wrong with it, the costliest first. Click a phone for its history. "Rows" says how many are shown; the counts beside are complete. Unknown: the account is not read now.',
      noValue: NONE_OR_UNKNOWN,
      isList: true,
      width: 18,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Problem',
          target: { expression: orUnknown(named(phones.problems(PROBLEMS), PROBLEMS), NO_DATA.code) },
          states: [NO_DATA, ...Object.values(PROBLEM)],
          width: 150,
        },
        {
          title: 'Heartbeat, ago',
          target: { expression: onlyRead(phones.heartbeatAge(PROBLEMS)) },
          unit: 's',
          decimals: 0,
          width: 165,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Problem', 'ascending'],
      thenBy: ['Heartbeat, ago', 'descending'],
    }),
    ranking(
      {
        title: 'Problems by kind',
        description:
          'How many phones have each problem as their costliest. A kind that grows at once has one cause: find that first.',
        noValue: NONE_OR_UNKNOWN,
        unit: 'none',
        width: 6,
        height: 10,
        targets: [
          {
            expression: `sum by (problem) (${perAccount(ofAccount('hoster_devices_with_problem'), 'problem')}) > 0`,
          },
        ],
      },
      'problem',
      Object.values(PROBLEM),
    ),
  ],
};
