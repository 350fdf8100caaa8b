import type { Row } from '../../layout.ts';
import { ENABLED, HEARTBEAT, LIMITS, NO_DATA, NO_TUNNEL, orUnread, TUNNEL } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { chosen, named, ofAccount, onlyRead, orUnknown, perPhone } from '../../promql.ts';
import { heartbeatState, orElse, tunnelState } from '../../queries/phones.ts';
import { enabledState, secondsSince, uptime } from '../../queries/tunnels.ts';
import { ACCOUNT, alertTable, ID, PHONE } from '../columns.ts';
import { NONE_OR_UNKNOWN } from '../no-data.ts';

const WORST = chosen('worst');
const activeLogins = perPhone(ofAccount('hoster_tunnel_credentials', 'status="active"', WORST));
const otherLogins = `sum by (account, device_id) (max by (account, device_id, status) (${ofAccount(
  'hoster_tunnel_credentials',
  'status!="active"',
  WORST,
)}))`;

/** The tunnels one by one, the worst first, and the alerts on them. */
export const list: Row = {
  title: 'Tunnels',
  tiles: [
    table({
      title: 'Tunnels, those that are not up first, then the worst',
      description:
        'As many as "Rows" says, with their uptime in the time range; accounts whose tunnels are not read before them. Not up with the phone online: the tunnel is at fault; with the phone silent: the phone is.',
      noValue: NONE_OR_UNKNOWN,
      maxDataPoints: 300,
      isList: true,
      width: 24,
      height: 11,
      columns: [
        PHONE,
        {
          title: 'Tunnel',
          target: {
            expression: orUnknown(
              named(orElse(tunnelState(WORST), NO_TUNNEL, WORST), WORST),
              NO_DATA.code,
              'tunnels',
            ),
          },
          states: [NO_DATA, ...orUnread({ ...TUNNEL, none: NO_TUNNEL })],
          width: 130,
        },
        {
          title: 'Uptime',
          target: { expression: onlyRead(named(uptime(WORST), WORST), 'tunnels') },
          unit: 'percentunit',
          decimals: 2,
          limits: LIMITS.availability,
          width: 105,
        },
        {
          title: 'Heartbeat',
          target: { expression: heartbeatState(WORST) },
          states: orUnread(HEARTBEAT),
          width: 100,
        },
        {
          title: 'Enabled',
          target: { expression: enabledState(WORST) },
          states: orUnread(ENABLED),
          width: 100,
        },
        { title: 'Logins', target: { expression: activeLogins }, width: 85 },
        { title: 'Inactive', target: { expression: otherLogins }, width: 85 },
        {
          title: 'Oldest login',
          target: { expression: secondsSince('hoster_tunnel_oldest_credential_timestamp_seconds', WORST) },
          unit: 's',
          decimals: 0,
          width: 120,
        },
        ACCOUNT,
        ID,
      ],
      sortBy: ['Tunnel', 'descending'],
      thenBy: ['Uptime', 'ascending'],
    }),
    alertTable('Firing alerts on tunnels', 24, 6, ['scope="tunnel"']),
  ],
};
