import type { Row } from '../../layout.ts';
import { LIMITS, TUNNEL } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { ranking } from '../../panels/ranking.ts';
import { timeline } from '../../panels/timeline.ts';
import { type Collector, chosen, named, ofAccount, onlyRead, owned, ROWS } from '../../promql.ts';
import { tunnelState } from '../../queries/phones.ts';
import { logins, tunnelsIn, tunnelsOf } from '../../queries/tunnels.ts';
import { NO_HISTORY, NONE_OR_UNKNOWN } from '../no-data.ts';

const WORST = chosen('worst');

/** The tunnels over time. */
export const history: Row = {
  title: 'History',
  tiles: [
    timeline(
      {
        title: 'The worst tunnels over time',
        description:
          'One row per tunnel, those with the least uptime; "Rows" says how many. Gaps that all share are the marketplace or your network; one of its own is the phone.',
        noValue: NONE_OR_UNKNOWN,
        width: 24,
        height: 10,
        targets: [{ expression: owned(named(tunnelState(WORST), WORST)), legend: '{{owner}}{{phone}}' }],
      },
      Object.values(TUNNEL),
      ofAccount('hoster_tunnel_live', WORST),
    ),
    graph(
      {
        title: 'Tunnels by state',
        description: 'How many tunnels are up, down and missing. A step of many at once has one cause.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 8,
        targets: Object.values(TUNNEL).map(({ value }) => ({
          expression: tunnelsIn(value, ''),
          legend: value,
        })),
      },
      { stacked: true, states: Object.values(TUNNEL), decimals: 0 },
    ),
    graph(
      {
        title: 'Share of tunnels up, by account',
        description:
          'Of the self-rented phones that should have a tunnel. One account alone below the others: look at its phones and its balance.',
        noValue: NO_HISTORY,
        unit: 'percentunit',
        width: 8,
        height: 8,
        targets: [
          {
            expression: `${tunnelsIn(TUNNEL.up.value, 'account')} / ${tunnelsOf('account')}`,
            legend: '{{account}}',
          },
        ],
      },
      { max: 1, limits: LIMITS.availability },
    ),
    graph(
      {
        title: 'Logins by status',
        description:
          'All logins on all tunnels. A jump that was not yours: look who has access to the account.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 8,
        targets: [
          {
            expression: `sum by (status) (${onlyRead(logins(), 'tunnels')})`,
            legend: '{{status}}',
          },
        ],
      },
      { stacked: true, decimals: 0 },
    ),
    ranking(
      {
        title: 'Uptime status, as the API writes it',
        description:
          'Tunnels by the word that the API has for their uptime. A word other than up that holds many tunnels: ask the marketplace what it means.',
        noValue: NONE_OR_UNKNOWN,
        unit: 'none',
        width: 24,
        height: 6,
        targets: [{ expression: countByStatus('hoster_tunnel_uptime_status', 'tunnels') }],
      },
      'status',
    ),
  ],
};

function countByStatus(name: string, collector: Collector): string {
  const statuses = `max by (account, device_id, status) (${ofAccount(name)})`;
  return `topk(${ROWS}, count by (status) (${onlyRead(statuses, collector)}))`;
}
