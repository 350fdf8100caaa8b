import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, ENABLED, HEALTHY, LIMITS, NO_DATA, NO_TUNNEL, PROBLEM, TUNNEL } from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { timeline } from '../panels/timeline.ts';
import {
  chosen,
  named,
  ofAccount,
  onlyRead,
  orLastRead,
  orUnknown,
  owned,
  titled,
  whileRead,
} from '../promql.ts';
import * as phones from '../queries/phones.ts';
import {
  byOutage,
  enabledState,
  logins,
  secondsSince,
  TUNNELS,
  uptime,
  worstFirst,
} from '../queries/tunnels.ts';
import { choiceOfPhones, last, rows, unread } from '../variables.ts';
import { alertTable, ID, PHONE, PROBLEMS } from './columns.ts';
import { count, dataTile, NO_HISTORY } from './tiles.ts';

const WORST = chosen('worst');

/** Problems of tunnels, each with its own colour. */
const IN_TROUBLE = [
  { ...PROBLEM.tunnel_missing, value: 'missing' },
  { ...PROBLEM.tunnel_down, value: 'down' },
  { ...PROBLEM.tunnel_without_login, value: 'noLogin', colour: COLOURS.waiting },
] as const;

/** A phone without a problem, whose tunnel may have one. */
const NO_PROBLEM = { ...HEALTHY, colour: COLOURS.plain };

function trouble(title: string, description: string, name: 'missing' | 'down' | 'noLogin'): Tile {
  return count(title, description, TUNNELS[name], { limits: LIMITS.anyIsPoor, collector: 'tunnels' });
}

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('tunnels'),
    count(
      'Self-rented',
      'Phones that you rent yourself. You pay for each, and each should have a tunnel that is up.',
      `sum by (account) (${phones.phones('rental_status="self_rented"')})`,
    ),
    count(
      'Tunnels up',
      'Tunnels that are up according to the marketplace. To be sure, probe them from outside.',
      TUNNELS.up,
      { collector: 'tunnels' },
    ),
    trouble(
      'Down',
      'Tunnels that exist but are not up, also of offline phones. The table lists them: if the phone has a problem, check the phone first.',
      'down',
    ),
    trouble(
      'Missing',
      'Self-rented phones without a tunnel: create the tunnel or end the rental.',
      'missing',
    ),
    trouble('No login', 'Tunnels without an active login: enable one in the hoster dashboard.', 'noLogin'),
  ],
};

const list: Row = {
  title: 'Tunnels',
  tiles: [
    table({
      title: 'Tunnels, the worst first',
      description:
        'Tunnels with their uptime in the time range and the age of the oldest login; grey if not current. "Rows" sets their number. If the phone has no problem, the tunnel is at fault; if it is offline, check the phone.',
      noValue: 'No phone is self-rented',
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
              titled(
                orLastRead(phones.orElse(phones.tunnelState(WORST), NO_TUNNEL, WORST), 'tunnels'),
                WORST,
              ),
              NO_DATA.code,
              'tunnels',
            ),
          },
          states: [NO_DATA, ...Object.values(TUNNEL), NO_TUNNEL],
          width: 115,
        },
        {
          title: 'Uptime',
          target: { expression: uptime(WORST) },
          unit: 'percentunit',
          decimals: 2,
          width: 88,
        },
        {
          title: 'Problem',
          target: { expression: orLastRead(phones.problemState(WORST)) },
          states: [...PROBLEMS, NO_PROBLEM],
          width: 150,
        },
        {
          title: 'Enabled',
          target: { expression: whileRead(enabledState(WORST), 'tunnels') },
          states: Object.values(ENABLED),
          width: 96,
        },
        {
          title: 'Logins',
          target: { expression: `max by (account, device_id) (${logins('status="active"', WORST)})` },
          width: 66,
        },
        {
          title: 'Login age',
          target: { expression: secondsSince('hoster_tunnel_oldest_credential_timestamp_seconds', WORST) },
          unit: 's',
          decimals: 0,
          width: 85,
        },
        ID,
      ],
      sortBy: ['Uptime', 'ascending'],
      thenBy: ['Tunnel', 'descending'],
    }),
    alertTable('Firing alerts on tunnels', {
      height: 6,
      none: 'No firing alert',
      matchers: [
        'alertname=~"HosterTunnelDown|HosterCredentialChanged|HosterSoldPhoneOffline"',
        'problem!="sold_offline"',
      ],
    }),
  ],
};

const history: Row = {
  title: 'Over time',
  tiles: [
    timeline(
      {
        title: 'The worst tunnels over time',
        description:
          'One row per tunnel, the least uptime first; "Rows" sets their number. A gap in all rows is the marketplace or your network; a gap in one row is the phone.',
        noValue: 'No tunnel in this time',
        width: 16,
        height: 13,
        targets: [
          {
            expression: worstFirst(
              owned(named(whileRead(phones.tunnelState(WORST), 'tunnels'), WORST)),
              WORST,
            ),
            legend: '{{owner}}{{phone}}',
          },
        ],
      },
      Object.values(TUNNEL),
      ofAccount('hoster_tunnel_live', WORST),
      'No tunnel in this time',
    ),
    graph(
      {
        title: 'Tunnels with problems',
        description:
          'Self-rented phones by the problem of their tunnel, as counted in the tiles. A step of many at once has one cause.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 13,
        targets: IN_TROUBLE.map(({ value }) => ({
          expression: `sum(${onlyRead(TUNNELS[value], 'tunnels')})`,
          legend: value,
        })),
      },
      { stacked: true, decimals: 0, states: IN_TROUBLE },
    ),
  ],
};

/** Dashboard of the tunnels of self-rented phones. */
export const tunnelsBoard: Board = {
  name: 'tunnels',
  title: 'Hoster / Tunnels',
  description: 'Tunnels of self-rented phones: which of them are down, and their logins.',
  from: 'now-24h',
  variables: [rows(), unread(), last(), choiceOfPhones('worst', byOutage())],
  rows: [now, history, list],
};
