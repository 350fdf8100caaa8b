import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, coded, LIMITS, TUNNEL } from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { table } from '../panels/table.ts';
import { timeline } from '../panels/timeline.ts';
import { chosen, ofAccount, per, perPhone } from '../promql.ts';
import { choiceOfPhones, incidents, rows } from '../variables.ts';
import { ago, cell, ID, incidentTable, names, PHONE, PROBLEM_COLUMN, problems } from './columns.ts';
import { counts, dataTile, NO_ROWS } from './tiles.ts';

const UP = 'hoster_tunnel_up';
const LIVE = 'hoster_tunnel_live';
const LOGINS = 'hoster_tunnel_credentials';
const WORST = chosen('worst');

/** Codes of tunnels: 0 for a missing one, 1 for one that is down, 2 for one that is up. */
const code = (...matchers: readonly string[]): string =>
  per('account,device_id', `${ofAccount(UP, ...matchers)}+1 or ${ofAccount(LIVE, ...matchers)}`);

const STATES = coded(0, TUNNEL.missing, TUNNEL.down, TUNNEL.up);

/** Counts phones, and 0 while there is data about tunnels. */
const number = (condition: string): string => `count(${condition}) or 0*max(${ofAccount(LIVE)})`;

const DOWN = number(`${perPhone(UP)}==0`);
const MISSING = number(`${perPhone(LIVE)}==0`);
const NO_LOGIN = number(`${perPhone(LOGINS, 'status="active"')}==0`);

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('tunnels'),
    counts({
      title: 'Tunnels',
      size: [24, 4],
      description:
        'Phones that you rent yourself: you pay for each, and each should have a tunnel that is up. Down: the marketplace says that it is not up; if the phone is offline, check the phone first. Missing: create the tunnel or end the rental. No login: enable one in the hoster dashboard. To be sure that a tunnel works, probe it from outside.',
      numbers: [
        {
          title: 'Self-rented',
          expression: `sum(${per('account,marketplace_status', ofAccount('hoster_devices', 'rental_status="self_rented"'))})`,
        },
        { title: 'Up', expression: number(`${perPhone(UP)}==1`) },
        { title: 'Down', expression: DOWN, limits: LIMITS.anyIsPoor },
        { title: 'Missing', expression: MISSING, limits: LIMITS.anyIsPoor },
        { title: 'No login', expression: NO_LOGIN, limits: LIMITS.anyIsPoor },
      ],
    }),
    table({
      title: 'Tunnels, the worst first',
      description:
        'Tunnels that are missing or down now come first, then those with the least uptime in the time range; "Rows" sets their number. If the phone has no problem, the tunnel is at fault; if it is offline, check the phone.',
      noValue: NO_ROWS,
      isList: true,
      size: [24, 11],
      columns: [
        PHONE,
        cell('Tunnel', code(WORST), 90, { states: STATES }),
        cell('Uptime', per('account,device_id', `avg_over_time(${ofAccount(UP, WORST)}[$__range])`), 88, {
          unit: 'percentunit',
          decimals: 2,
        }),
        PROBLEM_COLUMN,
        {
          title: 'Enabled',
          label: 'status',
          states: [{ value: 'enabled', text: 'Enabled', colour: COLOURS.good }],
          width: 92,
        },
        cell('Logins', perPhone(LOGINS, WORST, 'status="active"')),
        ago('Oldest login', perPhone('hoster_tunnel_oldest_credential_timestamp_seconds', WORST), 105),
        { title: 'Account', label: 'account', width: 90 },
        ID,
      ],
      labelsOf: [
        problems('worst'),
        names('worst'),
        per('account,device_id,status', ofAccount('hoster_tunnel_status', WORST)),
      ],
      inOrder: ['Uptime', 'Tunnel'],
    }),
    incidentTable('Open incidents of tunnels', 6),
  ],
};

const history: Row = {
  title: 'Over time',
  tiles: [
    timeline({
      title: 'The worst tunnels over time',
      description:
        'One row per tunnel of the table. A gap in all rows is the marketplace or your network; a gap in one row is the phone.',
      size: [16, 13],
      targets: [
        {
          expression: `${code(WORST)} * on(account,device_id) group_left(label) topk by(account,device_id)(1,${names('worst')})`,
          legend: '{{label}}',
        },
      ],
      codes: STATES,
    }),
    graph({
      title: 'Tunnels with problems',
      description:
        'Self-rented phones by the problem of their tunnel, as counted in the tiles. A step of many at once has one cause.',
      size: [8, 13],
      maxDataPoints: 200,
      targets: [
        { expression: MISSING, legend: 'Missing' },
        { expression: DOWN, legend: 'Down' },
        { expression: NO_LOGIN, legend: 'No login' },
      ],
      decimals: 0,
    }),
  ],
};

/** Ranks tunnels: missing ones, then those that are down, then by their uptime in the last day. */
const ranking = per(
  'account,device_id',
  `10*${ofAccount(UP)}+avg_over_time(${ofAccount(UP)}[1d]) or ${ofAccount(LIVE)}-1`,
);

/** Dashboard of the tunnels of self-rented phones. */
export const tunnelsBoard: Board = {
  name: 'tunnels',
  title: 'Hoster / Tunnels',
  description: 'Tunnels of self-rented phones: which of them are down, and their logins.',
  from: 'now-24h',
  variables: [rows(), incidents('about="tunnels"'), choiceOfPhones('worst', ranking, 'bottomk')],
  rows: [now, history],
};
