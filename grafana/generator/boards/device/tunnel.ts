import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { graph } from '../../panels/graph.ts';
import { stat } from '../../panels/stat.ts';
import { AS_LAST_READ, dated, THIS_PHONE } from '../../promql.ts';
import { logins, secondsSince, uptime } from '../../queries/tunnels.ts';

const NO_TUNNEL = 'No tunnel, or unknown';
const SMALL = { noValue: NO_TUNNEL, width: 4, height: 6 } as const;

/** The tunnel of a self-rented phone, and the logins on it: how many, never which. */
export const tunnel: Row = {
  title: 'Tunnel',
  tiles: [
    stat(
      {
        ...SMALL,
        title: 'Tunnel up',
        description:
          'Share of the time range for which the tunnel was up. Below 99 %: compare its gaps with those of the heartbeat above.',
        unit: 'percentunit',
        maxDataPoints: 300,
        targets: [
          { expression: dated(uptime(THIS_PHONE), 'up', { collector: 'tunnels' }), legend: '{{as}}' },
        ],
      },
      { limits: LIMITS.availability, named: true, plain: [AS_LAST_READ], decimals: 2 },
    ),
    graph(
      {
        title: 'Logins by status',
        description:
          'Logins on the tunnel. None active: nobody can use it; make one in the dashboard of the marketplace.',
        noValue: NO_TUNNEL,
        unit: 'none',
        width: 12,
        height: 6,
        targets: [{ expression: logins(THIS_PHONE), legend: '{{status}}' }],
      },
      { decimals: 0 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Oldest login',
        description:
          'How long ago the oldest active login was made. Old passwords wander: renew them from time to time.',
        unit: 's',
        targets: [
          { expression: secondsSince('hoster_tunnel_oldest_credential_timestamp_seconds', THIS_PHONE) },
        ],
      },
      { decimals: 0 },
    ),
    stat(
      {
        ...SMALL,
        title: 'Last change',
        description:
          'How long ago a login was made or changed. A change that was not yours: look who has access to the account.',
        unit: 's',
        targets: [
          { expression: secondsSince('hoster_tunnel_last_credential_change_timestamp_seconds', THIS_PHONE) },
        ],
      },
      { decimals: 0 },
    ),
  ],
};
