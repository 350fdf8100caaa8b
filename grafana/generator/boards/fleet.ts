import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import {
  DATA,
  HEALTHY,
  LIMITS,
  MARKETPLACE,
  NO_DATA,
  orGrey,
  PROBLEM,
  RENTAL,
  ROTATION,
  SETUP,
  TUNNEL,
} from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { ranking } from '../panels/ranking.ts';
import { stat } from '../panels/stat.ts';
import { TO_ACCOUNT, TO_PHONES_OF_CAUSE, table } from '../panels/table.ts';
import { timeline } from '../panels/timeline.ts';
import {
  chosen,
  knownAccounts,
  lastRead,
  named,
  ofAccount,
  onlyRead,
  orLastRead,
  orUnknown,
  owned,
  perAccount,
  perPhone,
  ROWS,
  remembered,
  renamed,
  tally,
  unreadAccounts,
  whileRead,
} from '../promql.ts';
import { accountState, lastSuccess, unreadSince } from '../queries/exporter.ts';
import { balance, byCurrency, datedByCurrency, withCurrency } from '../queries/money.ts';
import * as phones from '../queries/phones.ts';
import { choiceOfPhones, problemOrCause, rows } from '../variables.ts';
import { ACCOUNT, alertTable, ID, PHONE, PROBLEMS } from './columns.ts';
import { count, dataTile, INSTANT, MONEY, NO_HISTORY, NONE_OR_UNKNOWN, UNKNOWN } from './tiles.ts';

const PROBLEMATIC = chosen('problem');
const CHANGED = chosen('changed');
const LISTED = chosen('silent');

const CAUSE = perPhone(ofAccount('hoster_device_common_cause', PROBLEMATIC), 'value');

/** A fact of each account, of as many as "Rows" says. */
function inTable(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}

/** Numbers of phones by problem, and what was last read of accounts that are not read, under names that are grey. */
const BY_PROBLEM = perAccount(ofAccount('hoster_devices_with_problem'), 'problem');
const LAST_BY_PROBLEM = `label_replace((${BY_PROBLEM} or ${remembered(BY_PROBLEM)}) and on (account) ${unreadAccounts()}, "problem", "$1, as last read", "problem", "(.*)")`;

/** A fact of each common cause. */
function ofCauses(name: string): string {
  return perAccount(ofAccount(`hoster_common_cause_${name}`), 'kind', 'value');
}

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('devices', 5),
    count(
      'Online',
      'Phones that are set up and report. Compare with the number of phones you own.',
      perAccount(ofAccount('hoster_devices_online')),
      { width: 3, waits: true },
    ),
    count(
      'In maintenance',
      'Phones that you said are worked on: neither online nor away, and nothing is told of them.',
      perAccount(ofAccount('hoster_devices_in_maintenance')),
      { waits: true },
    ),
    count(
      'Silent',
      'Phones that are set up and have not reported for longer than they usually do. Many at once are a matter of power or network: look there first. One alone: restart it.',
      phones.withProblem(phones.SILENT),
      { width: 3, limits: LIMITS.anyIsPoor, waits: true },
    ),
    count(
      'Rented, silent',
      'Phones that somebody pays for and that do not report: refunds are due. Fix these before all others.',
      phones.withProblem(phones.RENTED_SILENT),
      { limits: LIMITS.anyIsBad, waits: true },
    ),
    count(
      'Tunnel trouble',
      'Self-rented phones whose tunnel is missing, down or without a login. The Tunnels dashboard says which and for how long.',
      phones.withProblem(phones.TUNNEL_PROBLEMS),
      { width: 5, limits: LIMITS.anyIsBad, collector: 'tunnels' },
    ),
  ],
};

const attention: Row = {
  title: 'What needs attention',
  tiles: [
    table({
      title: 'Common causes',
      description:
        'What silent phones share that the others do not: the place, a version of the app, a model, a tunnel host. Go there before you look at single phones. Click a cause to see its phones below.',
      noValue: NONE_OR_UNKNOWN,
      width: 14,
      height: 7,
      columns: [
        { title: 'Cause', label: 'value', link: TO_PHONES_OF_CAUSE, minWidth: 100 },
        { title: 'Kind', label: 'kind', width: 90 },
        { title: 'Silent', target: { expression: `topk(${ROWS}, ${ofCauses('devices')})` }, width: 70 },
        {
          title: 'Since',
          target: {
            expression: `1000 * ${ofCauses('start_timestamp_seconds')} and on (account) topk(${ROWS}, ${ofCauses('devices')})`,
          },
          unit: INSTANT,
          width: 105,
        },
        ACCOUNT,
      ],
      sortBy: ['Silent', 'descending'],
    }),
    ranking(
      {
        title: 'Problems by kind',
        description:
          'How many phones have each problem, as last read. A kind that grows at once has one cause: find that first.',
        noValue: NONE_OR_UNKNOWN,
        unit: 'none',
        width: 10,
        height: 7,
        targets: [
          {
            expression: `(sum by (problem) (${onlyRead(BY_PROBLEM)}) or sum by (problem) (${LAST_BY_PROBLEM})) > 0`,
          },
        ],
      },
      'problem',
      orGrey(Object.values(PROBLEM)),
    ),
    alertTable('Firing alerts', 24, 7),
    table({
      title: 'Phones with a problem',
      description:
        'Each phone with the costliest thing that is wrong with it, the costliest first; grey as last read. "Problem or cause" narrows them, and "Rows" says how many are shown. Click a phone for its history.',
      noValue: 'No problem is known of any phone',
      isList: true,
      width: 24,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Problem',
          target: {
            expression: orUnknown(named(whileRead(phones.problems(PROBLEMATIC)), PROBLEMATIC), NO_DATA.code),
          },
          states: PROBLEMS,
          width: 160,
        },
        {
          title: 'Since',
          target: { expression: `1000 * ${phones.problemSince(PROBLEMATIC)}` },
          unit: INSTANT,
          width: 115,
        },
        {
          title: 'Rental',
          target: { expression: orLastRead(phones.rentalState(PROBLEMATIC)) },
          states: Object.values(RENTAL),
          width: 100,
        },
        { title: 'Cause', label: 'cause', width: 110 },
        ACCOUNT,
        ID,
      ],
      labelsOf: [{ expression: perPhone(renamed(CAUSE, 'value', 'cause'), 'cause') }],
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
        'One row per account of the last day, those that are not read first, with the reason. Click one to see it alone.',
      noValue: 'No exporter was ever scraped.',
      width: 16,
      height: 6,
      columns: [
        { title: 'Account', label: 'account', link: TO_ACCOUNT, minWidth: 80 },
        { title: 'Data', target: inTable(accountState()), states: Object.values(DATA), width: 95 },
        { title: 'Why', label: 'why', width: 130 },
        {
          title: 'Last read',
          target: inTable(`1000 * ${lastSuccess('devices')}`),
          unit: INSTANT,
          width: 100,
        },
        {
          title: 'Phones',
          target: inTable(perAccount(lastRead(ofAccount('hoster_devices_reported')))),
          width: 70,
        },
        { title: 'Silent', target: inTable(phones.withProblem(phones.SILENT)), width: 60 },
        {
          title: 'Sold',
          target: inTable(`sum by (account) (${phones.phones('rental_status="sold"')})`),
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
      thenBy: ['Silent', 'descending'],
    }),
    stat(
      {
        title: 'Rented',
        description:
          'Phones that are sold or self-rented. If few are, compare models and prices on the Money dashboard.',
        noValue: UNKNOWN,
        unit: 'none',
        width: 4,
        height: 6,
        targets: [
          { expression: tally(`sum by (account) (${phones.phones(phones.IN_USE)})`), legend: '{{as}}' },
        ],
      },
      { named: true, decimals: 0 },
    ),
    stat(
      {
        title: 'Balance',
        description:
          'What can be spent or withdrawn, by currency. Self-rent is refused (HTTP 402) when it does not cover the rental.',
        noValue: UNKNOWN,
        unit: MONEY,
        width: 4,
        height: 6,
        targets: [
          { expression: datedByCurrency(byCurrency(balance('available'))), legend: '{{currency}} {{as}}' },
        ],
      },
      { named: true, decimals: 2, rows: true },
    ),
  ],
};

const rentals: Row = {
  title: 'History',
  tiles: [
    graph(
      {
        title: 'Phones by rental status',
        description:
          'The whole fleet over time. A step down of the whole is phones that left the fleet; a growing idle band is income missed.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 12,
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
        title: 'Silent phones by account',
        description:
          'Compare steps with power cuts, router restarts and updates of the app. Gaps are times in which the account was not read.',
        noValue: NO_HISTORY,
        unit: 'none',
        width: 12,
        height: 8,
        targets: [{ expression: onlyRead(phones.withProblem(phones.SILENT)), legend: '{{account}}' }],
      },
      { decimals: 0 },
    ),
    timeline(
      {
        title: 'Rental of the phones that changed last',
        description:
          'One row per phone, those whose rental changed last; "Rows" says how many, and grey is as last read. Phones that flip between sold and idle lose their renters: look at their heartbeats.',
        noValue: NO_HISTORY,
        width: 24,
        height: 12,
        targets: [
          {
            expression: owned(named(whileRead(phones.rentalState(CHANGED)), CHANGED)),
            legend: '{{owner}}{{phone}}',
          },
        ],
      },
      Object.values(RENTAL),
      ofAccount('hoster_device_rental_status', CHANGED),
    ),
  ],
};

const list: Row = {
  title: 'Phones',
  tiles: [
    table({
      title: 'Phones, the longest silent first',
      description:
        'As many phones as "Rows" says, grey as last read. Click one for its history; use the filters in the header to find one. "Rented for" begins when this exporter first saw the rental.',
      noValue: UNKNOWN,
      isList: true,
      width: 24,
      height: 15,
      columns: [
        PHONE,
        {
          title: 'Problem',
          target: { expression: named(orLastRead(phones.problemState(LISTED)), LISTED) },
          states: [...PROBLEMS, HEALTHY],
          width: 160,
        },
        {
          title: 'Heartbeat',
          target: { expression: phones.lastHeartbeatAge(LISTED) },
          unit: 's',
          decimals: 0,
          width: 125,
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
        {
          title: 'Market',
          target: { expression: orLastRead(phones.marketplaceState(LISTED)) },
          states: Object.values(MARKETPLACE),
          width: 90,
        },
        {
          title: 'Tunnel',
          target: { expression: whileRead(phones.tunnelState(LISTED), 'tunnels') },
          states: Object.values(TUNNEL),
          width: 90,
        },
        {
          title: 'Rotation',
          target: { expression: orLastRead(phones.rotationState(LISTED)) },
          states: Object.values(ROTATION),
          width: 105,
        },
        {
          title: 'Set-up',
          target: { expression: orLastRead(phones.setupState(LISTED)) },
          states: Object.values(SETUP),
          width: 125,
        },
        { title: 'Model', label: 'model', width: 110 },
        { title: 'App', label: 'app_version', width: 70 },
        ACCOUNT,
        ID,
      ],
      labelsOf: [{ expression: phones.descriptionColumns(LISTED) }],
      sortBy: ['Heartbeat', 'descending'],
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
        'The most frequent models, how many of each are silent and sold now. A model that is silent more often than others is one not to buy again.',
      noValue: UNKNOWN,
      width: 14,
      height: 10,
      columns: [
        { title: 'Brand', label: 'brand', width: 120 },
        { title: 'Model', label: 'model' },
        { title: 'Phones', target: { expression: LARGEST }, width: 80 },
        {
          title: 'Silent',
          target: amongModels(phones.problemSince(`problem=~"${phones.SILENT.join('|')}"`)),
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
          'Phones by the version of the app on them. Update the stragglers; compare a new version with the silent phones before you roll it out.',
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
    problemOrCause(),
    choiceOfPhones('problem', phones.byCost()),
    choiceOfPhones('changed', phones.byRentalChange()),
    choiceOfPhones('silent', phones.bySilence()),
  ],
  rows: [now, attention, accounts, rentals, list, makeUp],
};
