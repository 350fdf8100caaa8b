import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { AS_LAST_READ_CODE, COLOURS, DATA, HEALTHY, LIMITS, NO_DATA, PROBLEM, RENTAL } from '../palette.ts';
import { graph } from '../panels/graph.ts';
import { history as cells } from '../panels/history.ts';
import { ranking } from '../panels/ranking.ts';
import { stat } from '../panels/stat.ts';
import { seriesLabel, TO_ACCOUNT, table, toBoard } from '../panels/table.ts';
import {
  chosen,
  counted,
  knownAccounts,
  lastRead,
  ofAccount,
  onlyRead,
  orLastRead,
  orRemembered,
  orUnknown,
  perAccount,
  perPhone,
  ROWS,
  remembered,
  renamed,
  scoped,
  titled,
  unreadAccounts,
} from '../promql.ts';
import { accountState, lastSuccess, unreadSince } from '../queries/exporter.ts';
import {
  balance,
  byCurrency,
  cameIn,
  datedByCurrency,
  soldHoursLost,
  withCurrency,
} from '../queries/money.ts';
import * as phones from '../queries/phones.ts';
import * as racks from '../queries/racks.ts';
import {
  choiceOfPhones,
  group,
  hidden,
  instant,
  last,
  problemOrCause,
  rows,
  tag,
  unread,
} from '../variables.ts';
import { alertTable, CAUSE, firingCount, ID, PHONE, PROBLEMS } from './columns.ts';
import { counts, dataTile, INSTANT, MONEY, NO_HISTORY, UNKNOWN } from './tiles.ts';

const MAINTENANCE_END = `topk(${ROWS}, ${perAccount(ofAccount('hoster_maintenance_end_timestamp_seconds'), 'maintenance')})`;

const PROBLEMATIC = chosen('problem');
const LISTED = chosen('listed');

const CAUSES = perPhone(ofAccount('hoster_device_common_cause', PROBLEMATIC), 'value');

/** A fact about each account; "Rows" limits their number. */
function inTable(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
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

/** Address of this dashboard with other problems or causes in its tables. */
function withProblems(...problems: readonly string[]): string {
  const [first = '', ...others] = problems;
  const more = others.map((each) => `&var-only=${each}`).join('');
  return `${toBoard('fleet', { only: first })}${more}`;
}

const now: Row = {
  tiles: [
    stat(
      {
        title: 'Now',
        description:
          'What is wrong now, in a sentence. An outage is one place, such as a rack, that lost its power or network. Phones that need attention have another problem that costs money; the tables below list them.',
        noValue: 'Unknown: no exporter was scraped',
        unit: 'none',
        width: 11,
        height: 3,
        targets: [{ expression: phones.sentence(), legend: '{{text}}{{as}}' }],
      },
      {
        limits: [COLOURS.good, [phones.SENTENCE.bad, COLOURS.poor], [phones.SENTENCE.worst, COLOURS.bad]],
        isText: true,
        valueSize: 22,
      },
    ),
    dataTile('devices', { width: 6, height: 3 }),
    stat(
      {
        title: 'Balance',
        description:
          'Available money by currency, and what came in today, since midnight in your time zone, pending included, as observed. The Money dashboard has the rest.',
        noValue: UNKNOWN,
        unit: MONEY,
        width: 7,
        height: 3,
        range: 'now/d',
        targets: [
          { expression: datedByCurrency(byCurrency(balance('available'))), legend: '{{currency}} {{as}}' },
          { expression: byCurrency(cameIn()), legend: '{{currency}} today' },
        ],
      },
      { named: true, decimals: 2, valueSize: 20, link: { title: 'Open Money', url: toBoard('money', {}) } },
    ),
    counts(
      {
        title: 'Phones',
        description:
          'Sold, offline: customers pay for them, so fix these first. Offline: set up, and no heartbeat for longer than usual. Bad tunnels: self-rented and online, but the tunnel is missing, down or without a login. Rented: sold or self-rented. Hours lost: sold hours of the last day in which phones were offline, without maintenance. Click a number to see its phones.',
        height: 4,
      },
      [
        {
          title: 'Sold, offline',
          perAccount: phones.withProblem(['sold_offline']),
          limits: LIMITS.anyIsBad,
          waits: true,
          link: withProblems('sold_offline'),
        },
        {
          title: 'Offline',
          perAccount: phones.withProblem(phones.OFFLINE),
          limits: LIMITS.anyIsPoor,
          waits: true,
          link: withProblems(...phones.OFFLINE),
        },
        {
          title: 'Bad tunnels',
          perAccount: phones.withProblem(phones.TUNNEL_PROBLEMS),
          limits: LIMITS.anyIsPoor,
          collector: 'tunnels',
          link: withProblems(...phones.TUNNEL_PROBLEMS),
        },
        {
          title: 'In maintenance',
          perAccount: `(${perAccount(ofAccount('hoster_devices_in_maintenance'))} or 0 * ${knownAccounts()})`,
          limits: [COLOURS.plain, [1, COLOURS.own]],
          link: withProblems('in_maintenance'),
        },
        {
          title: 'Online',
          perAccount: perAccount(ofAccount('hoster_devices_online')),
          of: perAccount(ofAccount('hoster_devices_reported')),
          waits: true,
          link: toBoard('device', {}),
        },
        {
          title: 'Rented',
          perAccount: `sum by (account) (${phones.phones(phones.IN_USE)})`,
          link: toBoard('money', {}),
        },
        {
          title: 'Hours lost',
          expression: scoped(soldHoursLost()),
          decimals: 1,
          link: toBoard('month', {}),
        },
      ],
    ),
    stat(
      {
        title: 'Racks',
        description:
          'Offline phones of each group, of those that are set up: red if a sold one is offline, blue in maintenance. The twelve groups with most of them; the history below has the others. If a whole rack is offline, check its power and network. Click a rack to see its phones.',
        noValue: 'No phones',
        unit: 'none',
        width: 24,
        height: 4,
        targets: [{ expression: racks.boxes(), legend: '{{place}}, of {{whole}}{{as}}' }],
      },
      {
        limits: [COLOURS.goodFill, [1, COLOURS.poorer]],
        named: true,
        isFilled: true,
        isGrid: true,
        decimals: 0,
        titleSize: 12,
        valueSize: 20,
        byName: [
          ['/ sold$/', COLOURS.badFill],
          ['/ in maintenance$/', COLOURS.ownFill],
        ],
        link: {
          title: 'Show its phones',
          url: toBoard('fleet', { account: seriesLabel('account'), group: seriesLabel('group') }),
        },
      },
    ),
    alertTable('Firing alerts ($alerts)', { height: 7, none: 'No firing alert' }),
    table({
      title: 'Phones with a problem',
      description:
        'Phones with their most costly problem, the most costly first; grey if not current. Filter them by "Problem or cause"; "Rows" sets their number. Click a phone for its history.',
      noValue: 'No phone has a problem',
      isList: true,
      width: 24,
      height: 8,
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
        { title: 'For', target: { expression: `time() - ${SINCE}` }, unit: 's', decimals: 0, width: 80 },
        CAUSE,
        { ...ID, width: 70 },
        { title: 'Since', target: { expression: `1000 * ${SINCE}` }, unit: INSTANT, width: 105 },
      ],
      labelsOf: [{ expression: perPhone(renamed(CAUSES, 'value', 'cause'), 'cause') }],
      sortBy: ['Problem', 'ascending'],
      thenBy: ['Since', 'ascending'],
    }),
    table({
      title: 'Maintenance',
      description:
        'Maintenance that is active now: until when, and who started it and why. Alerts of its phones are muted until its end. End it on the fleet page when you are done.',
      noValue: 'No maintenance',
      width: 24,
      height: 4,
      columns: [
        { title: 'Account', label: 'account', width: 130 },
        { title: 'Until', target: { expression: `1000 * ${MAINTENANCE_END}` }, unit: INSTANT, width: 110 },
        {
          title: 'Left',
          target: { expression: `${MAINTENANCE_END} - time()` },
          unit: 's',
          decimals: 0,
          width: 90,
        },
        { title: 'Started by', label: 'started_by', width: 130 },
        { title: 'Reason', label: 'reason', minWidth: 150 },
        { title: 'Maintenance', label: 'maintenance', width: 190 },
      ],
      labelsOf: [
        {
          expression: `topk(${ROWS}, ${perAccount(ofAccount('hoster_maintenance_info'), 'maintenance', 'started_by', 'reason')})`,
        },
      ],
      sortBy: ['Until', 'ascending'],
    }),
  ],
};

const history: Row = {
  title: 'Racks over time',
  tiles: [
    cells(
      {
        title: 'Racks over time',
        description:
          'Share of each group that was offline at any time within a cell: light is a few, red is half or more, blue is maintenance. "Rows" sets the number of groups, the worst of the last day first. Gaps are times without data.',
        noValue: NO_HISTORY,
        unit: 'percentunit',
        width: 24,
        height: 9,
        interval: '1m',
        targets: [{ expression: racks.offlineShareByRack(), legend: '{{place}}' }],
      },
      LIMITS.awayShare,
      ofAccount('hoster_device_offline_after_seconds'),
      [{ value: '', code: racks.MUTED_SHARE, text: 'In maintenance', colour: COLOURS.own }],
    ),
  ],
};

const accounts: Row = {
  title: 'Accounts',
  collapsed: true,
  tiles: [
    table({
      title: 'Accounts',
      description:
        'Accounts of the last day. Those without current data come first, with the reason and their last numbers. Click one to see only that account.',
      noValue: 'No exporter has ever been scraped',
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account', link: TO_ACCOUNT, width: 150 },
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
        { title: 'Offline', target: inTable(orRemembered(phones.withProblem(phones.OFFLINE))), width: 60 },
        {
          title: 'Sold',
          target: inTable(orRemembered(`sum by (account) (${phones.phones('rental_status="sold"')})`)),
          width: 55,
        },
        {
          title: 'Balance',
          target: inTable(withCurrency(balance('available'))),
          unit: MONEY,
          decimals: 2,
          width: 90,
        },
        { title: 'Currency', label: 'currency', minWidth: 90 },
      ],
      labelsOf: [inTable(`max by (account, why) (${unreadSince()})`)],
      sortBy: ['Data', 'descending'],
      thenBy: ['Offline', 'descending'],
    }),
  ],
};

const rentals: Row = {
  title: 'The whole fleet',
  collapsed: true,
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
      { decimals: 0, isByAccount: true },
    ),
  ],
};

const list: Row = {
  title: 'All phones',
  collapsed: true,
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
            expression: orUnknown(titled(phones.problemOrNone(LISTED), LISTED), NO_DATA.code),
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
    group(),
    tag(),
    instant('alerts', counted('at', firingCount())),
    hidden('racks', `topk(${ROWS}, ${racks.byAway()})`, 'group'),
    choiceOfPhones('problem', phones.byCost()),
    choiceOfPhones('listed', phones.byProblem()),
  ],
  rows: [now, history, accounts, rentals, list, makeUp],
};
