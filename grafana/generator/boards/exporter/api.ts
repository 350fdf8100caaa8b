import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { ofAccount, perAccount } from '../../promql.ts';
import { failureShare, failures, perSecond, quantile, requests } from '../../queries/exporter.ts';
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
    graph(
      {
        ...PANEL,
        title: 'Share of requests that fail',
        description:
          'Of all requests of an endpoint. A few are retried unseen; above one in ten, data is held and becomes old.',
        unit: 'percentunit',
        targets: [
          {
            expression: failureShare((counter) => perSecond(counter, 'endpoint')),
            legend: '{{endpoint}}',
          },
        ],
      },
      { max: 1, limits: LIMITS.failures },
    ),
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
    graph({
      ...PANEL,
      title: 'Requests by account',
      description:
        'Requests per second. An account with many tunnels costs one request for each of them and poll; see what your limits at the marketplace allow.',
      unit: 'reqps',
      targets: [{ expression: perSecond(requests, 'account'), legend: '{{account}}' }],
    }),
    graph(
      {
        ...PANEL,
        title: 'Clock of the API against ours',
        description:
          'Seconds that the API is ahead of this machine. Heartbeat ages do not depend on it; a drift says that this machine does not keep time.',
        noValue: 'The API told no time.',
        unit: 's',
        targets: [
          {
            expression: perAccount(ofAccount('hoster_exporter_api_clock_skew_seconds')),
            legend: '{{account}}',
          },
        ],
      },
      { signed: true },
    ),
    graph({
      ...PANEL,
      title: 'Requests sent again',
      description:
        'Retries per second, at most a tenth of all requests. A steady number: the API fails now and then, and nobody notices but you.',
      unit: 'reqps',
      targets: [
        {
          expression: perSecond(ofAccount('hoster_exporter_api_retries_total'), 'endpoint'),
          legend: '{{endpoint}}',
        },
      ],
    }),
    graph({
      ...PANEL,
      title: 'Pause that the API asked for',
      description:
        'How long nothing is sent because the API answered "too many requests". More than now and then: poll less often, or ask the marketplace for its limits.',
      noValue: NO_EVENTS,
      unit: 's',
      targets: [
        {
          expression: `clamp_min(${perAccount(ofAccount('hoster_exporter_api_throttled_until_timestamp_seconds'))} - time(), 0)`,
          legend: '{{account}}',
        },
      ],
    }),
  ],
};
