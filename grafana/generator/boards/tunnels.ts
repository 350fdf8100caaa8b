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

/** What can be wrong with a tunnel, each with a colour of its own. */
const IN_TROUBLE = [
  { ...PROBLEM.tunnel_missing, value: 'missing' },
  { ...PROBLEM.tunnel_down, value: 'down' },
  { ...PROBLEM.tunnel_without_login, value: 'noLogin', colour: COLOURS.waiting },
] as const;

/** A phone without a problem, beside a tunnel that may have one. */
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
      'Phones that you rent yourself. Each costs its rental and should have a tunnel that is up.',
      `sum by (account) (${phones.phones('rental_status="self_rented"')})`,
    ),
    count(
      'Tunnels up',
      'Tunnels that the marketplace says are up. It is its opinion: probe from outside to be sure.',
      TUNNELS.up,
      { collector: 'tunnels' },
    ),
    trouble(
      'Down',
      'Tunnels that are there and not up, of offline phones too. The table says which: with a problem of the phone, look at the phone first.',
      'down',
    ),
    trouble(
      'Missing',
      'Self-rented phones that have no tunnel although you pay for them: create the tunnel or end the rental.',
      'missing',
    ),
    trouble(
      'No login',
      'Tunnels that nobody can log in to: enable a login in the dashboard of the marketplace.',
      'noLogin',
    ),
  ],
};

const list: Row = {
  title: 'Tunnels',
  tiles: [
    table({
      title: 'Tunnels, the worst first',
      description:
        'As many as "Rows" says, with their uptime in the time range and the age of the oldest login; grey as last read. Not up and no problem of the phone: the tunnel is at fault; with the phone offline: the phone is.',
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
      none: 'No alert on a tunnel fires',
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
          'One row per tunnel, the one with the least uptime first; "Rows" says how many. Gaps that all share are the marketplace or your network; one of its own is the phone.',
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
        title: 'Tunnels in trouble',
        description:
          'Self-rented phones by what is wrong with their tunnel, as the tiles count them. A step of many at once has one cause.',
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

/** Do the tunnels of the self-rented phones work? */
export const tunnelsBoard: Board = {
  name: 'tunnels',
  title: 'Hoster / Tunnels',
  description:
    'Whether the tunnels of the self-rented phones work, which do not, and who may log in to them.',
  from: 'now-24h',
  variables: [rows(), unread(), last(), choiceOfPhones('worst', byOutage())],
  rows: [now, history, list],
};
