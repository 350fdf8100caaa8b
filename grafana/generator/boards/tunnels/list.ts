import type { Row } from '../../layout.ts';
import { ENABLED, HEARTBEAT, LIMITS, TUNNEL } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import type { Target } from '../../panels/tile.ts';
import { first, named, ofAccount, perPhone } from '../../promql.ts';
import { heartbeatState, tunnelState } from '../../queries/phones.ts';
import { byOutage, enabledState, secondsSince, uptime } from '../../queries/tunnels.ts';
import { ACCOUNT, alertTable, ID, PHONE } from '../columns.ts';
import { NO_TUNNELS } from '../no-data.ts';

function inList(vector: string): Target {
  return { expression: first(vector, byOutage()) };
}

const activeLogins = perPhone(ofAccount('hoster_tunnel_credentials', 'status="active"'));
const otherLogins = `sum by (account, device_id) (max by (account, device_id, status) (${ofAccount(
  'hoster_tunnel_credentials',
  'status!="active"',
)}))`;

/** Columns that identify a tunnel. */
export const list: Row = {
  title: 'Tunnels',
  tiles: [
    table({
      title: 'Tunnels, those that are not up first, then the worst',
      description:
        'As many as "Rows" says, with their uptime in the time range. Not up with the phone online: the tunnel is at fault; with the phone silent: the phone is.',
      noValue: NO_TUNNELS,
      maxDataPoints: 300,
      width: 18,
      height: 11,
      columns: [
        PHONE,
        {
          title: 'Tunnel',
          target: { expression: named(first(tunnelState(), byOutage())) },
          states: Object.values(TUNNEL),
          width: 90,
        },
        {
          title: 'Uptime',
          target: inList(uptime()),
          unit: 'percentunit',
          decimals: 2,
          limits: LIMITS.availability,
          width: 90,
        },
        {
          title: 'Heartbeat',
          target: inList(heartbeatState()),
          states: Object.values(HEARTBEAT),
          width: 110,
        },
        { title: 'Enabled', target: inList(enabledState()), states: Object.values(ENABLED), width: 100 },
        { title: 'Active logins', target: inList(activeLogins), width: 105 },
        { title: 'Other logins', target: inList(otherLogins), width: 105 },
        {
          title: 'Oldest login',
          target: inList(secondsSince('hoster_tunnel_oldest_credential_timestamp_seconds')),
          unit: 's',
          decimals: 0,
          width: 100,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Tunnel', 'descending'],
      thenBy: ['Uptime', 'ascending'],
    }),
    alertTable('Firing alerts on tunnels', 6, 11, ['scope=~"tunnels?"']),
  ],
};
