import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, ENABLED, HEALTHY, LIMITS, NO_DATA, NO_TUNNEL, PROBLEM, TUNNEL } from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { table } from '../panels/table.ts';
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
  byDowntime,
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
import { counts, dataTile, NO_HISTORY } from './tiles.ts';

const WORST = chosen('worst');

/** The tunnels with most downtime in the time range, also of phones that are no longer self-rented. */
const TROUBLED = chosen('troubled');

/** Problems of tunnels, each with its own colour. */
const IN_TROUBLE = [
  { ...PROBLEM.tunnel_missing, value: 'missing', colour: COLOURS.bad },
  { ...PROBLEM.tunnel_down, value: 'down' },
  { ...PROBLEM.tunnel_without_login, value: 'noLogin', colour: COLOURS.waiting },
] as const;

/** A phone without a problem, whose tunnel may have one. */
const NO_PROBLEM = { ...HEALTHY, colour: COLOURS.plain };

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('tunnels', { width: 6 }),
    counts(
      {
        title: 'Tunnels',
        description:
          'Phones that you rent yourself: you pay for each, and each should have a tunnel that is up. Down: the tunnel exists, and the marketplace says that it is not up; if the phone is offline, check the phone first. Missing: create the tunnel or end the rental. No login: enable one in the hoster dashboard. To be sure that a tunnel works, probe it from outside.',
        width: 18,
      },
      [
        {
          title: 'Self-rented',
          perAccount: `sum by (account) (${phones.phones('rental_status="self_rented"')})`,
        },
        { title: 'Up', perAccount: TUNNELS.up, collector: 'tunnels' },
        { title: 'Down', perAccount: TUNNELS.down, collector: 'tunnels', limits: LIMITS.anyIsPoor },
        { title: 'Missing', perAccount: TUNNELS.missing, collector: 'tunnels', limits: LIMITS.anyIsPoor },
        { title: 'No login', perAccount: TUNNELS.noLogin, collector: 'tunnels', limits: LIMITS.anyIsPoor },
      ],
    ),
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
          'One row per tunnel of the time range, the least uptime first, also of phones that are no longer self-rented; "Rows" sets their number. A gap in all rows is the marketplace or your network; a gap in one row is the phone.',
        noValue: 'No tunnel in this time',
        width: 16,
        height: 13,
        targets: [
          {
            expression: worstFirst(
              owned(named(whileRead(phones.tunnelState(TROUBLED), 'tunnels'), TROUBLED)),
              TROUBLED,
            ),
            legend: '{{owner}}{{phone}}',
          },
        ],
      },
      Object.values(TUNNEL),
      ofAccount('hoster_tunnel_live', TROUBLED),
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
  variables: [
    rows(),
    unread(),
    last(),
    choiceOfPhones('worst', byOutage()),
    choiceOfPhones('troubled', byDowntime()),
  ],
  rows: [now, history, list],
};
