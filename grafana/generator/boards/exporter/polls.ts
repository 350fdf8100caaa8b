import type { Row } from '../../layout.ts';
import { ACCESS, CIRCUIT, DATA } from '../../palette.ts';
import { graph, MINUTES } from '../../panels/graph.ts';
import { timeline } from '../../panels/timeline.ts';
import { ofAccount, ROWS } from '../../promql.ts';
import {
  accessState,
  byDataAge,
  circuitState,
  dataState,
  lastSuccess,
  ofSomeAccounts,
  perSecond,
  quantile,
} from '../../queries/exporter.ts';
import { NO_EVENTS, NO_EXPORTER } from '../no-data.ts';

const PANEL = { noValue: NO_EXPORTER, width: 6, height: 8 } as const;

/** Reading the API on our own schedule. */
export const polls: Row = {
  title: 'Polls',
  tiles: [
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
    timeline(
      {
        title: 'Circuit',
        description:
          'Open: the API is down, and requests are kept back until it answers again. Nothing to do here but to wait; if others reach the API, look at your network.',
        noValue: 'Nothing was asked of the API yet.',
        width: 8,
        height: 9,
        targets: [{ expression: ofSomeAccounts(circuitState()), legend: '{{account}} {{endpoint}}' }],
      },
      Object.values(CIRCUIT),
    ),
    graph({
      ...PANEL,
      title: 'Age of the data',
      description:
        'Time since the last successful poll, by collector; the account that waits longest. A ramp is an API that fails, or a poll that never ends.',
      unit: MINUTES,
      targets: [
        { expression: `max by (collector) (time() - ${lastSuccess()}) / 60`, legend: '{{collector}}' },
      ],
    }),
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
    graph({
      ...PANEL,
      title: 'Failed per minute',
      description:
        'By collector. "Requests without a usable answer" has the reasons: dns, connect, tls: your network; server, throttled: the API; unauthorized: the key.',
      unit: 'none',
      targets: [
        {
          expression: `60 * ${perSecond(ofAccount('hoster_exporter_poll_failures_total'), 'collector')}`,
          legend: '{{collector}}',
        },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Skipped per minute',
      description:
        'Polls that were due and not started. overlap: the one before still ran, so polls are too slow for the schedule.',
      unit: 'none',
      targets: [
        {
          expression: `60 * ${perSecond(ofAccount('hoster_exporter_polls_skipped_total'), 'collector, reason')} > 0`,
          legend: '{{collector}} {{reason}}',
        },
      ],
      noValue: NO_EVENTS,
    }),
  ],
};
