import type { Row } from '../../layout.ts';
import { ACCESS, DATA, LIMITS } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { table } from '../../panels/table.ts';
import { timeline } from '../../panels/timeline.ts';
import { ofAccount, ROWS } from '../../promql.ts';
import {
  accessState,
  accountState,
  byDataAge,
  dataState,
  lastSuccess,
  ofSomeAccounts,
  quantile,
} from '../../queries/exporter.ts';
import { REASON, WHY } from '../columns.ts';
import { NO_EXPORTER } from '../no-data.ts';

const PANEL = { noValue: NO_EXPORTER, width: 8, height: 9 } as const;

/** Reading the API on our own schedule. */
export const polls: Row = {
  title: 'Polls',
  tiles: [
    table({
      title: 'Accounts, those that are not read first',
      description:
        'Since when an account is not read, and why its requests failed within 15 minutes. Without a reason no request was sent: no exporter is there, or the key was refused and is tried hourly.',
      noValue: NO_EXPORTER,
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account' },
        {
          title: 'State',
          target: { expression: ofSomeAccounts(accountState()) },
          states: Object.values(DATA),
          width: 110,
        },
        {
          title: 'Data, ago',
          target: {
            expression: ofSomeAccounts(`time() - max by (account) (${lastSuccess('collector="devices"')})`),
          },
          unit: 's',
          decimals: 0,
          limits: LIMITS.dataAge,
          width: 120,
        },
        REASON,
      ],
      labelsOf: [{ expression: ofSomeAccounts(WHY) }],
      sortBy: ['State', 'descending'],
      thenBy: ['Data, ago', 'descending'],
    }),
    timeline(
      {
        title: 'State of the data',
        description:
          'Fresh: from the last poll. Held: polls fail and the last good reading is shown. Withdrawn: it became too old and its series are gone. The longest unread rows, as many as "Rows" says.',
        noValue: NO_EXPORTER,
        width: 8,
        height: 9,
        targets: [
          {
            expression: `(${dataState()})\nand on (account, collector) topk(${ROWS}, ${byDataAge()})`,
            legend: '{{account}} {{collector}}',
          },
        ],
      },
      Object.values(DATA),
    ),
    timeline(
      {
        title: 'Access to the API',
        description:
          'What the last answer said of each key. Refused or suspended: the API blurs the two, so check the key and ask whether the account is suspended. All rentals are at risk.',
        noValue: 'No answer of the API yet.',
        width: 8,
        height: 9,
        targets: [{ expression: ofSomeAccounts(accessState()), legend: '{{account}}' }],
      },
      Object.values(ACCESS),
    ),
    graph({
      ...PANEL,
      title: 'Poll time (95 %)',
      description:
        'Most polls are quicker than this. When it nears the interval of the schedule, polls are skipped: raise client.concurrency or poll less often.',
      unit: 's',
      targets: [
        {
          expression: quantile(0.95, ofAccount('hoster_exporter_poll_duration_seconds_bucket'), 'collector'),
          legend: '{{collector}}',
        },
      ],
    }),
  ],
};
