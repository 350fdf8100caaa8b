import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { AS_LAST_READ_CODE, COLOURS, DATA, HEALTHY, LIMITS, NO_DATA, PROBLEM, RENTAL } from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { history } from '../panels/history.ts';
import { ranking } from '../panels/ranking.ts';
import { stat } from '../panels/stat.ts';
import { TO_ACCOUNT, table } from '../panels/table.ts';
import {
  chosen,
  knownAccounts,
  lastRead,
  ofAccount,
  onlyRead,
  orLastRead,
  orUnknown,
  perAccount,
  perPhone,
  ROWS,
  remembered,
  renamed,
  titled,
  unreadAccounts,
} from '../promql.ts';
import { accountState, lastSuccess, unreadSince } from '../queries/exporter.ts';
import { balance, soldHoursLost, withCurrency } from '../queries/money.ts';
import * as phones from '../queries/phones.ts';
import { choiceOfPhones, hidden, last, problemOrCause, rows, unread } from '../variables.ts';
import { alertTable, CAUSE, ID, PHONE, PROBLEMS } from './columns.ts';
import { count, dataTile, INSTANT, MONEY, NO_HISTORY, UNKNOWN } from './tiles.ts';

const PROBLEMATIC = chosen('problem');
const LISTED = chosen('listed');

const CAUSES = perPhone(ofAccount('hoster_device_common_cause', PROBLEMATIC), 'value');

/** A fact about each account; "Rows" limits their number. */
function inTable(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}

/** The last data if there is none now. */
function orBefore(vector: string): string {
  return `(${vector} or on (account) ${remembered(vector)})`;
}

/** Number of phones by problem, as last read for accounts without data. */
function byProblem(...matchers: readonly string[]): string {
  const shown = perAccount(ofAccount('hoster_devices_with_problem', ...matchers), 'problem');
  return `(sum by (problem) (${shown} or ${remembered(shown)}) > 0)`;
}

/** The codes of the problems of phones, grey while an account has no data. */
const KINDS = `(0 * ${byProblem()} + on (problem) group_left () ${phones.PROBLEM_CODES})
+ on () group_left () (${AS_LAST_READ_CODE} * (count(${unreadAccounts()}) > bool 0 or vector(0)))`;

/** Start of the problem of each phone in the table. */
const SINCE = `(${phones.problemSince(PROBLEMATIC)} or ${phones.problemSinceBefore(PROBLEMATIC)})`;

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile(),
    count(
      'Sold, offline',
      'Phones that customers are paying for and that are offline: you may have to refund them. Fix these first.',
      phones.withProblem(['sold_offline']),
      { limits: LIMITS.anyIsBad, waits: true, width: 3 },
    ),
    stat(
      {
        title: 'Sold hours lost, 24 h',
        description:
          'Sold hours in the last day in which phones were offline, without maintenance. The Month dashboard shows them for each phone.',
        noValue: 'Less than a day of data',
        unit: 'none',
        width: 4,
        height: 4,
        targets: [{ expression: soldHoursLost(), legend: 'hours of phones' }],
      },
      { named: true, decimals: 1 },
    ),
    count(
      'Bad tunnels',
      'Self-rented phones that are online but whose tunnel is missing, down or without a login. The Tunnels dashboard also shows those of offline phones.',
      phones.withProblem(phones.TUNNEL_PROBLEMS),
      { limits: LIMITS.anyIsPoor, collector: 'tunnels', width: 3 },
    ),
    count(
      'Offline',
      'Phones that are set up and have not reported for longer than usual. If many are offline, check power and network first; if one is, restart it.',
      phones.withProblem(phones.OFFLINE),
      { limits: LIMITS.anyIsPoor, waits: true, width: 3 },
    ),
    count(
      'Online',
      'Phones that are set up and online. Compare it with the number of phones that you own.',
      perAccount(ofAccount('hoster_devices_online')),
      { waits: true, width: 3 },
    ),
    count(
      'Rented',
      'Phones that are sold or self-rented. If few are, compare models and prices on the Money dashboard.',
      `sum by (account) (${phones.phones(phones.IN_USE)})`,
    ),
  ],
};

const racks: Row = {
  title: 'Racks',
  tiles: [
    history(
      {
        title: 'Racks over time',
        description:
          'Offline share of each group: light is a few, red is half or more. For a red group, check power and network. "Rows" sets the number of groups, the worst of the last day first. Gaps are times without data.',
        noValue: NO_HISTORY,
        unit: 'percentunit',
        width: 24,
        height: 12,
        interval: '1m',
        targets: [{ expression: phones.offlineShareByRack(), legend: '{{place}}' }],
      },
      LIMITS.awayShare,
    ),
  ],
};

const attention: Row = {
  title: 'Needs attention',
  tiles: [
    alertTable('Firing alerts', { height: 7, none: 'No firing alert' }),
    table({
      title: 'Phones with a problem',
      description:
        'Phones with their most costly problem, the most costly first; grey if not current. Filter them by "Problem or cause"; "Rows" sets their number. Click a phone for its history.',
      noValue: 'No phone has a problem',
      isList: true,
      width: 24,
      height: 11,
      columns: [
        PHONE,
        {
          title: 'Problem',
          target: {
            expression: orUnknown(titled(phones.problemsOrLast(PROBLEMATIC), PROBLEMATIC), NO_DATA.code),
          },
          states: PROBLEMS,
          width: 155,
        },
        { title: 'Since', target: { expression: `1000 * ${SINCE}` }, unit: INSTANT, width: 100 },
        { title: 'For', target: { expression: `time() - ${SINCE}` }, unit: 's', decimals: 0, width: 75 },
        CAUSE,
        ID,
      ],
      labelsOf: [{ expression: perPhone(renamed(CAUSES, 'value', 'cause'), 'cause') }],
      sortBy: ['Problem', 'ascending'],
      thenBy: ['Since', 'ascending'],
    }),
  ],
};

const accounts: Row = {
  title: 'Accounts',
  tiles: [
    table({
      title: 'Accounts',
      description:
        'Accounts of the last day. Those without current data come first, with the reason and their last numbers. Click one to see only that account.',
      noValue: 'No exporter has ever been scraped',
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account', link: TO_ACCOUNT, minWidth: 150 },
        { title: 'Data', target: inTable(accountState()), states: Object.values(DATA), width: 95 },
        { title: 'Why', label: 'why', width: 150 },
        { title: 'Read at', target: inTable(`1000 * ${lastSuccess('devices')}`), unit: INSTANT, width: 100 },
        {
          title: 'Ago',
          target: inTable(`time() - ${lastSuccess('devices')}`),
          unit: 's',
          decimals: 0,
          width: 75,
        },
        {
          title: 'Phones',
          target: inTable(perAccount(lastRead(ofAccount('hoster_devices_reported')))),
          width: 70,
        },
        { title: 'Offline', target: inTable(orBefore(phones.withProblem(phones.OFFLINE))), width: 60 },
        {
          title: 'Sold',
          target: inTable(orBefore(`sum by (account) (${phones.phones('rental_status="sold"')})`)),
          width: 55,
        },
        {
          title: 'Balance',
          target: inTable(withCurrency(balance('available'))),
          unit: MONEY,
          decimals: 2,
          width: 90,
        },
        { title: 'Currency', label: 'currency', width: 90 },
      ],
      labelsOf: [inTable(`max by (account, why) (${unreadSince()})`)],
      sortBy: ['Data', 'descending'],
      thenBy: ['Offline', 'descending'],
    }),
  ],
};

const rentals: Row = {
  title: 'The whole fleet',
  tiles: [
    table({
      title: 'Problems by kind',
      description:
        'Number of phones with each problem, the most costly first; grey if not current. If a number jumps, there is one cause: find it first.',
      noValue: 'No phone has a problem',
      width: 8,
      height: 8,
      columns: [
        {
          title: 'Problem',
          target: { expression: `bottomk(${ROWS}, ${KINDS})` },
          states: [NO_DATA, ...Object.values(PROBLEM)],
          minWidth: 140,
        },
        { title: 'Phones', target: { expression: `bottomk(${ROWS}, ${byProblem()})` }, width: 75 },
      ],
      sortBy: ['Problem', 'ascending'],
    }),
    graph(
      {
        title: 'Phones by rental status',
        description:
          'The fleet over time. A step down means phones that left; a growing idle band is missed income.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 8,
        targets: [
          {
            expression: `sum by (rental_status) (${onlyRead(phones.phones())})`,
            legend: '{{rental_status}}',
          },
        ],
      },
      { stacked: true, states: Object.values(RENTAL), decimals: 0 },
    ),
    graph(
      {
        title: 'Offline phones by account',
        description:
          'Compare steps with power cuts, router restarts and app updates. Gaps are times without data.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 8,
        height: 8,
        targets: [{ expression: onlyRead(phones.withProblem(phones.OFFLINE)), legend: '{{account}}' }],
      },
      { decimals: 0, byName: [['/.*/', COLOURS.own]] },
    ),
  ],
};

const list: Row = {
  title: 'Phones',
  tiles: [
    table({
      title: 'Phones, the most costly problem first',
      description:
        'All phones; grey if not current. "Rows" sets their number. Use the filters in the header to find a phone, and click it for its history. "For ≥" counts from when this exporter first saw the rental.',
      noValue: 'No phones. Is it the right API key?',
      isList: true,
      width: 24,
      height: 15,
      columns: [
        PHONE,
        {
          title: 'Problem',
          target: {
            expression: orUnknown(titled(orLastRead(phones.problemState(LISTED)), LISTED), NO_DATA.code),
          },
          states: [...PROBLEMS, HEALTHY],
          width: 160,
        },
        {
          title: 'Heartbeat',
          target: { expression: phones.lastHeartbeatAge(LISTED) },
          unit: 's',
          decimals: 0,
          width: 108,
        },
        {
          title: 'Rental',
          target: { expression: orLastRead(phones.rentalState(LISTED)) },
          states: Object.values(RENTAL),
          width: 95,
        },
        {
          title: 'For ≥',
          target: { expression: phones.rentalStatusFor(LISTED) },
          unit: 's',
          decimals: 0,
          width: 75,
        },
        { title: 'Model', label: 'model', width: 110 },
        ID,
      ],
      labelsOf: [{ expression: phones.descriptionColumns(LISTED) }],
      sortBy: ['Problem', 'ascending'],
      thenBy: ['Heartbeat', 'descending'],
    }),
  ],
};

const MODEL = 'brand, model';
const LARGEST = `topk(${ROWS}, ${phones.phonesBy(MODEL)})`;

function amongModels(vector: string): { readonly expression: string } {
  return { expression: `${phones.phonesAmong(vector, MODEL)}\nand on (${MODEL}) ${LARGEST}` };
}

const makeUp: Row = {
  title: 'Models and versions',
  collapsed: true,
  tiles: [
    table({
      title: 'Models',
      description:
        'The most frequent models, with the numbers that are offline and sold now. Avoid buying models that are often offline.',
      noValue: UNKNOWN,
      width: 14,
      height: 10,
      columns: [
        { title: 'Brand', label: 'brand', width: 120 },
        { title: 'Model', label: 'model' },
        { title: 'Phones', target: { expression: LARGEST }, width: 80 },
        {
          title: 'Offline',
          target: amongModels(phones.problemSince(`problem=~"${phones.OFFLINE.join('|')}"`)),
          width: 80,
        },
        { title: 'Sold', target: amongModels(phones.rentalIs('sold')), width: 80 },
      ],
      sortBy: ['Phones', 'descending'],
    }),
    ranking(
      {
        title: 'Versions of the app',
        description:
          'Phones by app version. Update old ones; compare a new version with the offline phones before you roll it out.',
        noValue: UNKNOWN,
        unit: 'none',
        width: 10,
        height: 10,
        targets: [{ expression: `topk(${ROWS}, ${phones.phonesBy('app_version')})` }],
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
    unread(),
    last(),
    problemOrCause(),
    hidden('racks', `topk(${ROWS}, ${phones.byAway()})`, 'group'),
    choiceOfPhones('problem', phones.byCost()),
    choiceOfPhones('listed', phones.byProblem()),
  ],
  rows: [now, racks, attention, accounts, rentals, list, makeUp],
};
