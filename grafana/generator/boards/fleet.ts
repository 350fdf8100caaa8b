import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, LIMITS, PROBLEM, RENTAL } from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { ranking } from '../panels/ranking.ts';
import { stat } from '../panels/stat.ts';
import { FIRST_ROWS, largestFirst, ratio, sum } from '../panels/steps.ts';
import { field, table, toBoard } from '../panels/table.ts';
import { timeline } from '../panels/timeline.ts';
import {
  among,
  byCurrency,
  chosen,
  IN_SERVICE,
  INCOME,
  inState,
  moved,
  OFFLINE,
  ofAccount,
  PROBLEM_SINCE,
  per,
  perAccount,
  perPhone,
  ROWS,
} from '../promql.ts';
import { choiceOfPhones, group, hidden, incidents, problem, rows } from '../variables.ts';
import {
  ACCOUNT,
  ago,
  at,
  cell,
  dataColumns,
  ID,
  incidentTable,
  names,
  ofModels,
  PHONE,
  PROBLEM_COLUMN,
  problems,
  ranks,
} from './columns.ts';
import { CENTS, counts, dataTile, MONEY, NO_ROWS } from './tiles.ts';

const LISTED = chosen('listed');
const IN_GROUP = ofAccount('hoster_device_info', 'group=~"$group"');

/** Address of this dashboard with other problems in its tables. */
function withProblems(...problems: readonly string[]): string {
  const [first = '', ...others] = problems;
  return `${toBoard('fleet', { only: first })}${others.map((each) => `&var-only=${each}`).join('')}`;
}

const TIME = ofAccount('hoster_device_time_seconds', 'column="sold_offline"');
const ANY_TIME = 'hoster_device_time_seconds{job=~"$job"}';
const RENTED = ofAccount('hoster_devices', 'rental_status=~"sold|self_rented"');
const BY_STATUS = 'account,rental_status,marketplace_status';
const PROBLEM_COUNTS = per('account,problem', ofAccount('hoster_devices_with_problem'));
const AVAILABLE = perAccount('hoster_balance_available_cents');
const READ = ofAccount('hoster_devices_reported');

const now: Row = {
  tiles: [
    dataTile(),
    counts({
      title: 'Phones',
      size: [24, 4],
      description:
        'Outages: places, such as racks, that lost their power or network, or other common causes. Sold, offline: customers pay for them, so fix these first. Offline: set up, and no heartbeat for longer than usual. Bad tunnels: self-rented and online, but the tunnel is missing, down or without a login. Click one of the last three numbers to see its phones.',
      numbers: [
        {
          title: 'Outages',
          expression: `count(${per('kind,value', `${ofAccount('hoster_common_cause_devices')} and on(account) ${READ}`)}) or 0*max(${READ})`,
          limits: LIMITS.anyIsBad,
        },
        {
          title: 'Sold, offline',
          expression: inState('sold_offline'),
          limits: LIMITS.anyIsBad,
          link: withProblems('sold_offline'),
        },
        {
          title: 'Offline',
          expression: inState(OFFLINE),
          limits: LIMITS.anyIsPoor,
          link: withProblems('sold_offline', 'self_rented_offline', 'offline'),
        },
        {
          title: 'Bad tunnels',
          expression: `sum(${per('account,problem', ofAccount('hoster_devices_with_problem', 'problem=~"tunnel_.+"'))} and on(account) ${ofAccount('hoster_exporter_data_state', 'collector="tunnels"', 'state="expired"')}==0)`,
          limits: LIMITS.anyIsPoor,
          link: withProblems('tunnel_missing', 'tunnel_down', 'tunnel_without_login'),
        },
      ],
    }),
    counts({
      title: 'Fleet',
      description:
        'Online: set up, with a recent heartbeat, and not in maintenance (Maint.). Rented: sold or self-rented. Hours lost: sold hours of the last 24 hours in which phones were offline, without maintenance. Compare them with the month before you buy more phones.',
      size: [14, 4],
      valueSize: 20,
      numbers: [
        { title: 'Online', expression: inState('online'), link: toBoard('device', {}) },
        { title: 'Phones', expression: `sum(${perAccount('hoster_devices_reported')})` },
        {
          title: 'Maint.',
          expression: inState('maintenance'),
          limits: [COLOURS.plain, [1, COLOURS.own]],
          link: withProblems('in_maintenance'),
        },
        { title: 'Rented', expression: `sum(${per(BY_STATUS, RENTED)})`, link: toBoard('money', {}) },
        {
          title: 'Hours lost',
          expression: `sum(${per('account,device_id', `${TIME} - (${ANY_TIME} offset 1d or 0*${TIME}) and on(account) ${READ}`)})/3600 or 0*max(${READ})`,
          link: toBoard('month', {}),
        },
      ],
    }),
    stat({
      title: 'Balance',
      description:
        'Available money by currency, the limit below which you are alerted (accounts[].balance_low_cents), and the observed income of the last 24 hours by account. The Money dashboard has the rest.',
      unit: MONEY,
      size: [10, 4],
      targets: [
        {
          expression: byCurrency(`${AVAILABLE}/100`),
          legend: 'Available {{currency}}',
        },
        { expression: `${perAccount('hoster_balance_low_limit_cents')}/100`, legend: 'limit {{account}}' },
        { expression: moved(INCOME, 'offset 1d'), legend: 'in 24 h, {{account}}' },
      ],
      decimals: 2,
      rows: true,
      titleSize: 12,
      valueSize: 16,
    }),
    table({
      title: 'Racks',
      description:
        'Offline phones of each group, of those that are set up and not in maintenance, the largest share first: red for half or more, orange for less, grey for none; phones without a group come last. If a whole rack is offline, check its power and network. Click a rack to see its phones.',
      size: [24, 8],
      inputs: {
        online: inState('online', 'account,group'),
        sold: inState('sold_offline', 'account,group'),
        others: inState('offline', 'account,group'),
        named: `group by(account,group)(${ofAccount('hoster_group_devices', 'group!=""')})`,
        maintained: inState('maintenance', 'account,group'),
      },
      steps: [
        sum('away', ['sold', 'others']),
        sum('whole', ['online', 'away']),
        ...ratio('share', 'away', 'whole'),
        largestFirst('share'),
        largestFirst('named'),
        FIRST_ROWS,
      ],
      columns: [
        {
          title: 'Rack',
          label: 'group',
          words: { '': 'no group' },
          width: 105,
          link: {
            title: 'Show its phones',
            url: toBoard('fleet', { account: field('account'), group: field('group') }),
          },
        },
        {
          title: 'Offline',
          label: 'share',
          unit: 'percentunit',
          decimals: 0,
          limits: LIMITS.awayShare,
          isFilled: true,
          width: 68,
        },
        { title: 'Phones', label: 'away', unit: 'none', width: 66 },
        { title: 'of', label: 'whole', unit: 'none', width: 50 },
        { title: 'Sold', label: 'sold', unit: 'none', limits: LIMITS.anyIsBad, width: 50 },
        {
          title: 'Maint.',
          label: 'maintained',
          unit: 'none',
          limits: [COLOURS.plain, [1, COLOURS.own]],
          width: 60,
        },
        { ...ACCOUNT, minWidth: 100 },
      ],
    }),
    incidentTable('Firing alerts', 7),
    table({
      title: 'Phones with a problem',
      description:
        'Phones with their most costly problem, the most costly first. Filter them by problem and group; "Rows" sets their number. Click a phone for its history.',
      noValue: NO_ROWS,
      isList: true,
      size: [24, 8],
      columns: [
        PHONE,
        PROBLEM_COLUMN,
        ago('For', perPhone(PROBLEM_SINCE, chosen('problem')), 120),
        { title: 'Group', label: 'group', width: 120 },
        { title: 'Account', label: 'account', width: 100 },
        ID,
        cell('Rank', ranks(chosen('problem')), 0, { isHidden: true }),
      ],
      labelsOf: [problems('problem'), names('problem', 'group')],
      inOrder: ['For', 'Rank'],
    }),
    table({
      title: 'Maintenance',
      description:
        'Active maintenance of these accounts: what it covers, until when, and who started it and why. Alerts of its phones are muted until its end. End it on the fleet page when you are done.',
      noValue: NO_ROWS,
      size: [24, 5],
      columns: [
        { title: 'Covers', label: 'covers', width: 150 },
        cell(
          'Phones',
          `topk(${ROWS},${per('account,maintenance', ofAccount('hoster_maintenance_devices'))})`,
          70,
        ),
        at(
          'Until',
          per(
            'account,maintenance',
            `${ofAccount('hoster_maintenance_end_timestamp_seconds')} and on(account,maintenance) ${ofAccount('hoster_maintenance_devices')}`,
          ),
          110,
        ),
        { title: 'Started by', label: 'started_by', width: 120 },
        { title: 'Reason', label: 'reason', minWidth: 120 },
        { title: 'Account', label: 'account', width: 100 },
        { title: 'ID', label: 'maintenance', width: 100 },
      ],
      labelsOf: [per('account,maintenance,covers,started_by,reason', ofAccount('hoster_maintenance_info'))],
      sortBy: ['Until', 'ascending'],
    }),
  ],
};

const OF_RACKS = ['group=~"$racks"'] as const;

const history: Row = {
  title: 'Racks over time',
  tiles: [
    timeline({
      title: 'Racks over time',
      description:
        'Share of each group that was offline: grey is none, orange is less than half, red is half or more. "Rows" sets the number of groups, the worst of the last day first. Gaps are times without data, or with the whole group in maintenance. If several racks turn red together, check what they share.',
      unit: 'percentunit',
      size: [24, 13],
      interval: '1m',
      targets: [
        {
          expression: `${inState(OFFLINE, 'account,group', ...OF_RACKS)}/(${inState(IN_SERVICE, 'account,group', ...OF_RACKS)}>0)`,
          legend: '{{account}} {{group}}',
        },
      ],
      limits: LIMITS.awayShare,
    }),
  ],
};

const accounts: Row = {
  title: 'Accounts',
  collapsed: true,
  tiles: [
    table({
      title: 'Accounts',
      description:
        'Accounts with the state of their data, the reason if it is not fresh, and their numbers. Click one to see only that account.',
      size: [24, 6],
      columns: [
        ...dataColumns('devices'),
        cell('Phones', perAccount('hoster_devices_reported')),
        cell('Offline', inState(OFFLINE, 'account')),
        cell(
          'Sold',
          `sum by(account)(${per(BY_STATUS, ofAccount('hoster_devices', 'rental_status="sold"'))})`,
        ),
        cell('Balance', `${AVAILABLE}/100`, 90, CENTS),
        { title: 'Currency', label: 'currency', minWidth: 90 },
      ],
      labelsOf: [per('account,currency', ofAccount('hoster_account_info'))],
      sortBy: ['Read', 'ascending'],
    }),
  ],
};

const whole: Row = {
  title: 'The whole fleet',
  collapsed: true,
  tiles: [
    ranking(
      {
        title: 'Problems by kind',
        description:
          'Number of phones by their most costly problem. If a number jumps, there is one cause: find it first.',
        noValue: NO_ROWS,
        size: [8, 8],
        targets: [{ expression: `sum by(problem)(${PROBLEM_COUNTS} and on(account) ${READ})>0` }],
      },
      'problem',
      Object.values(PROBLEM),
    ),
    graph({
      title: 'Phones by rental status',
      description:
        'The fleet over time. A step down means phones that left; a growing idle band is missed income.',
      size: [8, 8],
      targets: [
        {
          expression: `sum by(rental_status)(${per(BY_STATUS, ofAccount('hoster_devices'))})`,
          legend: '{{rental_status}}',
        },
      ],
      stacked: true,
      states: Object.values(RENTAL),
      decimals: 0,
    }),
    graph({
      title: 'Offline phones by account',
      description:
        'Compare steps with power cuts, router restarts and app updates. Gaps are times without data.',
      size: [8, 8],
      targets: [{ expression: inState(OFFLINE, 'account'), legend: '{{account}}' }],
      decimals: 0,
      isByAccount: true,
    }),
  ],
};

const HEARTBEAT = 'hoster_device_heartbeat_age_seconds';

const list: Row = {
  title: 'All phones',
  collapsed: true,
  tiles: [
    table({
      title: 'Phones, the oldest heartbeat first',
      description:
        'All phones with their problem and rental; "Rows" sets their number. Use the filters in the header to find a phone, and click it for its history.',
      isList: true,
      size: [24, 15],
      columns: [
        PHONE,
        PROBLEM_COLUMN,
        cell('Heartbeat', perPhone(HEARTBEAT, LISTED), 108, { unit: 's', decimals: 0 }),
        { title: 'Rental', label: 'status', states: Object.values(RENTAL), width: 95 },
        { title: 'Model', label: 'model', width: 110 },
        { title: 'Account', label: 'account', width: 100 },
        ID,
      ],
      labelsOf: [
        problems('listed'),
        names('listed', 'model'),
        per('account,device_id,status', ofAccount('hoster_device_rental_status', LISTED)),
      ],
      sortBy: ['Heartbeat', 'descending'],
    }),
  ],
};

const PRESENT = ofAccount('hoster_device_offline_after_seconds');
const VERSIONS = per('account,device_id,app_version', ofAccount('hoster_device_info'));

const makeUp: Row = {
  title: 'Models and versions',
  collapsed: true,
  tiles: [
    table({
      title: 'Models',
      description:
        'The most frequent models, with the numbers that are offline and sold now. Avoid buying models that are often offline.',
      size: [14, 10],
      columns: [
        { title: 'Model', label: 'model' },
        ofModels('Phones', PRESENT),
        ofModels('Offline', ofAccount(PROBLEM_SINCE, 'problem=~".*offline"')),
        ofModels('Sold', ofAccount('hoster_device_rental_status', 'status="sold"')),
      ],
      sortBy: ['Phones', 'descending'],
    }),
    ranking(
      {
        title: 'Versions of the app',
        description:
          'Phones by app version. Update old ones; compare a new version with the offline phones before you roll it out.',
        size: [10, 10],
        targets: [{ expression: `topk(${ROWS},count by(app_version)(${among(VERSIONS, PRESENT)}))` }],
      },
      'app_version',
    ),
  ],
};

/** Dashboard of the fleet: problems, phones and rentals. */
export const fleetBoard: Board = {
  name: 'fleet',
  title: 'Hoster / Fleet',
  description: 'Problems of the fleet, the phones that need attention, and the rented share.',
  from: 'now-24h',
  variables: [
    rows(),
    problem(),
    group(),
    incidents(),
    hidden(
      'racks',
      `topk(${ROWS},${per('account,group', `max_over_time(${ofAccount('hoster_group_devices', 'state=~".*offline"')}[1d])`)})`,
      'group',
    ),
    choiceOfPhones('problem', among(ranks('problem=~"$only"'), IN_GROUP), 'bottomk'),
    choiceOfPhones('listed', perPhone(HEARTBEAT)),
  ],
  rows: [now, history, accounts, whole, list, makeUp],
};
