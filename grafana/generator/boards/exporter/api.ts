import type { Row } from '../../layout.ts';
import { graph } from '../../panels/graph.ts';
import { ofAccount } from '../../promql.ts';
import { failures, perSecond, quantile, requests } from '../../queries/exporter.ts';
import { NO_EVENTS, NO_EXPORTER } from '../no-data.ts';

const PANEL = { noValue: NO_EXPORTER, width: 8, height: 8 } as const;
const DURATION = ofAccount('hoster_exporter_api_request_duration_seconds_bucket');

/** The requests that polls are made of. */
export const api: Row = {
  title: 'Requests to the API',
  tiles: [
    graph(
      {
        ...PANEL,
        title: 'Answers by endpoint and code',
        description:
          'Requests that the API answered, per second. Codes from 500 are its trouble, 401 and 403 are the key, 404 on tunnel is a phone without a tunnel.',
        unit: 'reqps',
        targets: [{ expression: perSecond(requests, 'endpoint, code'), legend: '{{endpoint}} {{code}}' }],
      },
      { stacked: true },
    ),
    graph({
      ...PANEL,
      title: 'Requests without a usable answer',
      description:
        'By reason, per second. timeout: the API is slow or overloaded; schema: it changed its answers, so report it to this project.',
      noValue: NO_EVENTS,
      unit: 'reqps',
      targets: [
        { expression: `${perSecond(failures, 'endpoint, reason')} > 0`, legend: '{{endpoint}} {{reason}}' },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Time to the answer (50 % and 95 %)',
      description:
        'Half and most of the requests are quicker than this. Slower by the day: the API has trouble; slow at once: look at your network.',
      unit: 's',
      targets: [
        { expression: quantile(0.5, DURATION, 'endpoint'), legend: '{{endpoint}} 50 %' },
        { expression: quantile(0.95, DURATION, 'endpoint'), legend: '{{endpoint}} 95 %' },
      ],
    }),
  ],
};
