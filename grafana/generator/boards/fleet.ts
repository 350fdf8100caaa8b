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

/** A fact of each account, of as many as "Rows" says. */
function inTable(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}

/** What was last read where nothing is shown now. */
function orBefore(vector: string): string {
  return `(${vector} or on (account) ${remembered(vector)})`;
}

/** Number of phones by problem, as last read of accounts that are not read. */
function byProblem(...matchers: readonly string[]): string {
  const shown = perAccount(ofAccount('hoster_devices_with_problem', ...matchers), 'problem');
  return `(sum by (problem) (${shown} or ${remembered(shown)}) > 0)`;
}

/** The codes of the problems that phones have, grey while an account is not read. */
const KINDS = `(0 * ${byProblem()} + on (problem) group_left () ${phones.PROBLEM_CODES})
+ on () group_left () (${AS_LAST_READ_CODE} * (count(${unreadAccounts()}) > bool 0 or vector(0)))`;

/** Since when each phone of the table has its problem. */
const SINCE = `(${phones.problemSince(PROBLEMATIC)} or ${phones.problemSinceBefore(PROBLEMATIC)})`;

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile(),
    count(
      'Sold, offline',
      'Phones that somebody pays for and that do not report: refunds are due. Fix these before all others.',
      phones.withProblem(['sold_offline']),
      { limits: LIMITS.anyIsBad, waits: true, width: 3 },
    ),
    stat(
      {
        title: 'Sold hours lost, 24 h',
        description:
          'Hours of the last day for which phones were sold and did not report: what silence costs. Work that was planned is none of them. The Month dashboard has them phone by phone.',
        noValue: 'Less than a day is known',
        unit: 'none',
        width: 4,
        height: 4,
        targets: [{ expression: soldHoursLost(), legend: 'hours of phones' }],
      },
      { named: true, decimals: 1 },
    ),
    count(
      'Bad tunnels',
      'Self-rented phones that report, with a tunnel that is missing, down or without a login: the tunnel is at fault. One that is offline counts as offline. The Tunnels dashboard has all of them.',
      phones.withProblem(phones.TUNNEL_PROBLEMS),
      { limits: LIMITS.anyIsPoor, collector: 'tunnels', width: 3 },
    ),
    count(
      'Offline',
      'Phones that are set up and have not reported for longer than they usually do. Many at once are a matter of power or network: look there first. One alone: restart it.',
      phones.withProblem(phones.OFFLINE),
      { limits: LIMITS.anyIsPoor, waits: true, width: 3 },
    ),
    count(
      'Online',
      'Phones that are set up and report. Compare with the number of phones you own.',
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
          'The share of the phones of each group that is offline: light is one of many, red one half or more. Look for what those of a red one share, such as power or a switch. "Rows" says how many groups are shown, the worst of the last day first. Gaps are times in which the account was not read.',
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
  title: 'What needs attention',
  tiles: [
    alertTable('Firing alerts', { height: 7, none: 'No alert fires' }),
    table({
      title: 'Phones with a problem',
      description:
        'Each phone with the costliest thing that is wrong with it, the costliest first; grey as last read. "Problem or cause" narrows them, and "Rows" says how many are shown. Click a phone for its history.',
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
        'One row per account of the last day, those that are not read first, with the reason; their numbers are as last read. Click one to see it alone.',
      noValue: 'No exporter was ever scraped',
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
        'How many phones have each problem, the costliest first; grey as last read. A kind that grows at once has one cause: find that first.',
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
          'The whole fleet over time. A step down of the whole is phones that left the fleet; a growing idle band is income missed.',
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
          'Compare steps with power cuts, router restarts and updates of the app. Gaps are times in which the account was not read.',
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
      title: 'Phones, the costliest problem first',
      description:
        'As many phones as "Rows" says, grey as last read. Click one for its history; use the filters in the header to find one. "Rented for" begins when this exporter first saw the rental.',
      noValue: 'No phone is listed: is it the right key?',
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
        'The most frequent models, how many of each are offline and sold now. A model that is offline more often than others is one not to buy again.',
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
          'Phones by the version of the app on them. Update the stragglers; compare a new version with the offline phones before you roll it out.',
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

/** Is anything wrong, which phone is it, and does the fleet earn? */
export const fleetBoard: Board = {
  name: 'fleet',
  title: 'Hoster / Fleet',
  description: 'Whether anything is wrong, which phones need attention, and how much of the fleet is rented.',
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
