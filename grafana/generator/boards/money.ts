import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, COLUMN, DATA, MARKETPLACE, NO_DURATION } from '../palette.ts';
import { barsByDay } from '../panels/bars.ts';
import { graph } from '../panels/graph.ts';
import { stat } from '../panels/stat.ts';
import { table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import {
  chosen,
  dated,
  firstList,
  knownAccounts,
  ofAccount,
  orLastRead,
  orUnknown,
  perPhone,
  ROWS,
  titled,
  wholeDays,
} from '../promql.ts';
import { accountState, unreadSince } from '../queries/exporter.ts';
import {
  balance as amount,
  byCurrency,
  cameIn,
  datedByCurrency,
  ifLongKnown,
  LAST_DAY,
  NEXT_DAY,
  perSoldDay,
  perSoldDayByCurrency,
  phoneHours,
  SOLD,
  wentOut,
  withCurrency,
} from '../queries/money.ts';
import * as phones from '../queries/phones.ts';
import { choiceOfPhones, instant, last, rows, unread } from '../variables.ts';
import { ID, PHONE } from './columns.ts';
import { dataTile, MONEY, NO_HISTORY, UNKNOWN } from './tiles.ts';

/** A colour for each of some currencies; others get any. */
const CURRENCIES = [
  ['/^EUR/', COLOURS.own],
  ['/^USD/', COLOURS.good],
  ['/^UAH/', COLOURS.slight],
  ['/^GBP/', COLOURS.waiting],
  ['/^PLN/', COLOURS.poor],
  ['/^no currency/', COLOURS.measure],
] as const;

const LESS_THAN_A_DAY = 'Less than a day of data';

/** Text for a time range, which may be shorter than a day. */
const TOO_LITTLE = 'Too little data';
const NO_WHOLE_DAY = 'No whole day in this time range';

function money(title: string, description: string, expression: string, noValue = UNKNOWN): Tile {
  const legend = '{{currency}} {{as}}';
  return stat(
    { title, description, noValue, unit: MONEY, width: 4, height: 4, targets: [{ expression, legend }] },
    { named: true, decimals: 2, rows: true },
  );
}

const soldShare = `sum(${ifLongKnown(phoneHours(SOLD))}) / (sum(${ifLongKnown(phoneHours('.+'))}) > 0)`;

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('balance'),
    money(
      'Available',
      'Money that you can withdraw or spend on self-rentals. If it is too low, self-rentals are refused (HTTP 402): top up in time.',
      datedByCurrency(byCurrency(amount('available'))),
    ),
    money(
      'Pending',
      'Earnings that are not settled yet. If it only grows, ask the marketplace.',
      datedByCurrency(byCurrency(amount('pending'))),
    ),
    money(
      'In, 24 h',
      'Observed increases of available and pending together; a settlement is not one. If it is zero for a day while phones are sold, ask the marketplace.',
      datedByCurrency(byCurrency(ifLongKnown(cameIn(LAST_DAY), LAST_DAY))),
      LESS_THAN_A_DAY,
    ),
    money(
      'A sold day',
      'Income in the time range divided by sold days of 24 hours. An average for comparing months, not a price; unknown for less than a day and without sales.',
      datedByCurrency(perSoldDayByCurrency()),
      TOO_LITTLE,
    ),
    stat(
      {
        title: 'Sold share',
        description:
          'Sold share of all known phone hours in the time range; unknown for less than a day. More phones do not improve it.',
        noValue: TOO_LITTLE,
        unit: 'percentunit',
        width: 4,
        height: 4,
        targets: [{ expression: dated(soldShare, 'of all hours', { by: '' }), legend: '{{as}}' }],
      },
      { named: true, decimals: 1 },
    ),
  ],
};

const CENTS = { unit: MONEY, decimals: 2, width: 110 } as const;

function inTable(perAccount: string): { readonly expression: string } {
  return { expression: `(${perAccount})\nand on (account) bottomk(${ROWS}, ${knownAccounts()})` };
}

const balance: Row = {
  title: 'Balance',
  tiles: [
    graph(
      {
        title: 'Balance',
        description:
          'Available and pending balance by currency. Steps down are withdrawals or self-rentals. If the line is flat while phones are sold, ask the marketplace.',
        noValue: NO_HISTORY,
        unit: MONEY,
        width: 12,
        height: 9,
        targets: (['available', 'pending'] as const).map((kind) => ({
          expression: byCurrency(amount(kind)),
          legend: `{{currency}} ${kind}`,
        })),
      },
      {
        decimals: 2,
        byName: CURRENCIES,
        dashed: '/ pending$/',
      },
    ),
    barsByDay(
      {
        title: 'Movements per day',
        description:
          'Observed income, pending included, and observed decreases of the available balance, for finished days. Not an account statement: opposite movements between two polls cancel out.',
        noValue: NO_WHOLE_DAY,
        unit: MONEY,
        width: 12,
        height: 9,
        range: '30d',
        targets: [
          {
            expression: wholeDays(byCurrency(cameIn(NEXT_DAY))),
            legend: '{{currency}} in',
          },
          {
            expression: wholeDays(`0 - ${byCurrency(wentOut(NEXT_DAY))}`),
            legend: '{{currency}} out',
          },
        ],
      },
      2,
      CURRENCIES,
    ),
    table({
      title: 'Accounts',
      description:
        'The balance of each account and its movements in the time range. Top up an account with a low available balance: it cannot self-rent.',
      noValue: UNKNOWN,
      width: 24,
      height: 6,
      columns: [
        { title: 'Account', label: 'account', width: 150 },
        { title: 'Data', target: inTable(accountState('balance')), states: Object.values(DATA), width: 110 },
        { title: 'Why', label: 'why', width: 150 },
        { title: 'Currency', label: 'currency', width: 110 },
        { title: 'Available', target: inTable(withCurrency(amount('available'))), ...CENTS },
        { title: 'Pending', target: inTable(amount('pending')), ...CENTS },
        { title: 'Came in', target: inTable(cameIn()), ...CENTS },
        { title: 'Went out', target: inTable(wentOut()), ...CENTS },
      ],
      labelsOf: [inTable(`max by (account, why) (${unreadSince('balance')})`)],
      sortBy: ['Data', 'descending'],
      thenBy: ['Available', 'descending'],
    }),
  ],
};

const IDLE = chosen('idle');

const missedIncome = `${phones.idleFor(IDLE)} / 86400 * on (account) group_left () (${perSoldDay()})`;

const MODEL = 'brand, model';
const COUNT = phones.phonesBy(MODEL);
const NOT_SOLD = perPhone(ofAccount('hoster_device_rental_status', 'status!="sold"'));
/** The sold share of the known time range, for each phone. */
const SOLD_TIME = `avg_over_time((${phones.rentalIs('sold')} or 0 * ${NOT_SOLD})[$__range:$__interval])`;
const SHARE = { unit: 'percentunit', decimals: 0, width: 110 } as const;

function amongModels(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (${MODEL}) topk(${ROWS}, ${COUNT})` };
}

const use: Row = {
  title: 'Use of the phones',
  tiles: [
    table({
      title: 'Idle for longest',
      description:
        'Idle phones, the longest first. "Missed" is an estimate: known idle days times the average income of a sold day in this account. If a phone is not listed, list it; otherwise, try another price.',
      noValue: 'No phone is idle',
      isList: true,
      width: 24,
      height: 10,
      columns: [
        PHONE,
        {
          title: 'Idle for ≥',
          target: { expression: orUnknown(titled(phones.idleFor(IDLE), IDLE), NO_DURATION.code) },
          states: [NO_DURATION],
          unit: 's',
          decimals: 0,
          width: 100,
        },
        {
          title: 'Missed',
          target: { expression: withCurrency(missedIncome) },
          unit: MONEY,
          decimals: 2,
          width: 85,
        },
        { title: 'Currency', label: 'currency', width: 100 },
        {
          title: 'Market',
          target: { expression: orLastRead(phones.marketplaceState(IDLE)) },
          states: Object.values(MARKETPLACE),
          width: 95,
        },
        ID,
      ],
      sortBy: ['Idle for ≥', 'descending'],
    }),
    graph(
      {
        title: 'Hours by day',
        description:
          'Hours of all phones by state, for each finished day. A shorter bar means missing data or a smaller fleet.',
        noValue: NO_WHOLE_DAY,
        unit: 'none',
        width: 8,
        height: 9,
        interval: '1d',
        range: '30d',
        targets: [
          {
            expression: wholeDays(`sum by (column) (${phoneHours('.+', NEXT_DAY, 'column')})`),
            legend: '{{column}}',
          },
        ],
      },
      { style: 'bars', stacked: true, states: Object.values(COLUMN), decimals: 0 },
    ),
    graph(
      {
        title: 'Rented share by account',
        description:
          'Share of phones that are sold or self-rented. Compare it with the days on which you changed prices.',
        noValue: NO_HISTORY,
        unit: 'percentunit',
        width: 8,
        height: 9,
        maxDataPoints: 120,
        targets: [{ expression: phones.occupancy('account'), legend: '{{account}}' }],
      },
      { max: 1, isByAccount: true },
    ),
    graph(
      {
        title: 'A sold day, day by day',
        description:
          'Income of a day divided by its sold hours, times 24, for days with complete data. Your own top-ups count as income.',
        noValue: NO_WHOLE_DAY,
        unit: MONEY,
        width: 8,
        height: 9,
        interval: '1d',
        range: '30d',
        targets: [{ expression: wholeDays(perSoldDayByCurrency(NEXT_DAY)), legend: '{{currency}}' }],
      },
      { decimals: 2, byName: CURRENCIES, dashed: '/^(?!EUR)/' },
    ),
  ],
};

const models: Row = {
  title: 'Models',
  collapsed: true,
  tiles: [
    table({
      title: 'Which model to buy next',
      description:
        'Sold share of the most frequent models, now and in the time range. Buy models that stay sold; few phones of a model prove nothing.',
      noValue: UNKNOWN,
      width: 24,
      height: 10,
      maxDataPoints: 50,
      columns: [
        { title: 'Brand', label: 'brand', width: 150 },
        { title: 'Model', label: 'model' },
        { title: 'Phones', target: { expression: `topk(${ROWS}, ${COUNT})` }, width: 100 },
        {
          title: 'Sold now',
          target: amongModels(`${phones.phonesAmong(phones.rentalIs('sold'), MODEL)} / ${COUNT}`),
          ...SHARE,
        },
        {
          title: 'Sold, time range',
          target: amongModels(phones.averageBy(SOLD_TIME, MODEL)),
          ...SHARE,
          width: 150,
        },
      ],
      sortBy: ['Sold, time range', 'descending'],
    }),
  ],
};

/** Dashboard of the income of the fleet, and of the income that idle phones miss. */
export const moneyBoard: Board = {
  name: 'money',
  title: 'Hoster / Money',
  description: 'The balance and its movements, the use of the phones, and the cost of idle ones.',
  from: 'now-30d',
  incidents: ['problem=~"balance_.*"'],
  variables: [
    rows(),
    unread(),
    last(),
    instant('first', firstList()),
    choiceOfPhones('idle', phones.idleFor()),
  ],
  rows: [now, balance, use, models],
};
