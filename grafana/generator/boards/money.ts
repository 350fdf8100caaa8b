import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, MARKETPLACE } from '../palette.ts';
import { barsByDay } from '../panels/bars.ts';
import { graph } from '../panels/graph.ts';
import { stat } from '../panels/stat.ts';
import { table } from '../panels/table.ts';
import { NO_DATA, type Tile } from '../panels/tile.ts';
import {
  among,
  byCurrency,
  chosen,
  DAILY_INCOME,
  INCOME,
  moved,
  ofAccount,
  per,
  perAccount,
  SPENT,
} from '../promql.ts';
import { choiceOfPhones, rows } from '../variables.ts';
import { ago, cell, dataColumns, ID, names, ofModels, PHONE } from './columns.ts';
import { CENTS, dataTile, hoursByDay, MONEY, NO_ROWS } from './tiles.ts';

/** A colour for each of some currencies; others get any. */
const CURRENCIES = [
  ['/^EUR/', COLOURS.own],
  ['/^USD/', COLOURS.good],
  ['/^UAH/', COLOURS.slight],
  ['/^GBP/', COLOURS.waiting],
  ['/^PLN/', COLOURS.poor],
] as const;

const balance = (kind: string): string => `${perAccount(`hoster_balance_${kind}_cents`)}/100`;

const DAYS = 'hoster_account_day_seconds';
const SOLD = 'column=~"sold_.+|maintenance"';

/** Seconds of an average day of accounts in some columns, from the finished days of the time range. */
export const averageDay = (...matchers: readonly string[]): string =>
  `sum by(account)(${per('account,column', `avg_over_time(${ofAccount(DAYS, ...matchers)}[$__range:1h])`)})`;

/** Income of an average sold day of 24 hours, by account. */
const SOLD_DAY = `${per('account', `${INCOME} - ${INCOME} offset $__range >= 0`)}/100*86400/$__range_s / (${averageDay(SOLD)}/86400 > 0)`;

function money(
  title: string,
  description: string,
  expression: string,
  legend = 'total {{currency}}',
  noValue = NO_DATA,
): Tile {
  return stat({
    title,
    description,
    noValue,
    unit: MONEY,
    size: [5, 4],
    targets: [{ expression, legend }],
    decimals: 2,
    rows: true,
  });
}

const now: Row = {
  title: 'Now',
  tiles: [
    dataTile('balance'),
    money(
      'Available',
      'Money that you can withdraw or spend on self-rentals. If it is too low, self-rentals are refused (HTTP 402): top up in time.',
      byCurrency(balance('available')),
    ),
    money(
      'Pending',
      'Earnings that are not settled yet. If it only grows, ask the marketplace.',
      byCurrency(balance('pending')),
    ),
    money(
      'In, 24 h',
      'Observed income of the last 24 hours by account, pending included; a settlement is none. If it is zero for a day while phones are sold, ask the marketplace.',
      moved(INCOME, 'offset 1d'),
      '{{account}}',
    ),
    money(
      'A sold day',
      'Income in the time range divided by the sold days of 24 hours of its finished days, by account. An average for comparing months, not a price.',
      SOLD_DAY,
      '{{account}}',
      'No data at start or end',
    ),
    stat({
      title: 'Sold share',
      description:
        'Sold share of all known phone hours of the finished days of the time range. More phones do not improve it.',
      noValue: 'No data: no finished day',
      unit: 'percentunit',
      size: [4, 4],
      targets: [
        {
          expression: `sum(${averageDay(SOLD)})/sum(${averageDay('column!="unknown"')})`,
          legend: 'of all hours',
        },
      ],
      decimals: 1,
    }),
  ],
};

const balances: Row = {
  title: 'Balance',
  tiles: [
    graph({
      title: 'Balance',
      description:
        'Available and pending balance by currency. Steps down are withdrawals or self-rentals. If the line is flat while phones are sold, ask the marketplace.',
      unit: MONEY,
      size: [12, 9],
      targets: ['available', 'pending'].map((kind) => ({
        expression: byCurrency(balance(kind)),
        legend: `{{currency}} ${kind}`,
      })),
      decimals: 2,
      byName: CURRENCIES,
      dashed: '/ pending$/',
    }),
    barsByDay(
      {
        title: 'Movements per day',
        description:
          'Observed income, pending included, and observed decreases of the available balance, for finished days in the time zone of your browser. Not an account statement: opposite movements between two polls cancel out.',
        unit: MONEY,
        size: [12, 9],
        range: '30d',
        targets: [
          { expression: DAILY_INCOME, legend: '{{account}} in' },
          {
            expression: `${per('account', `${SPENT} - ${SPENT} offset -1d <= 0`)}/100`,
            legend: '{{account}} out',
          },
        ],
      },
      2,
      [
        ['/ in$/', COLOURS.good],
        ['/ out$/', COLOURS.own],
      ],
    ),
    table({
      title: 'Accounts',
      description:
        'The balance of each account, the limit below which you are alerted, and its movements in the time range. Top up an account with a low available balance: it cannot self-rent.',
      size: [24, 6],
      columns: [
        ...dataColumns('balance'),
        { title: 'Currency', label: 'currency', width: 80 },
        cell('Available', balance('available'), 95, CENTS),
        cell('Limit', balance('low_limit'), 95, CENTS),
        cell('Pending', balance('pending'), 95, CENTS),
        cell('Came in', moved(INCOME), 95, CENTS),
        cell('Went out', moved(SPENT), 95, CENTS),
      ],
      labelsOf: [per('account,currency', ofAccount('hoster_account_info'))],
      sortBy: ['Available', 'ascending'],
    }),
  ],
};

const IDLE = chosen('idle');
const STATUS_SINCE = 'hoster_device_rental_status_since_timestamp_seconds';
const MARKET = 'hoster_device_marketplace_status';
const IS_IDLE = ofAccount('hoster_device_rental_status', 'status="idle"');

const RENTED = (matcher: string): string =>
  `sum by(account)(${per('account,rental_status,marketplace_status', ofAccount('hoster_devices', matcher))})`;

const use: Row = {
  title: 'Use of the phones',
  tiles: [
    table({
      title: 'Idle for longest',
      description:
        'Idle phones, the longest first, as far as known; "A sold day" says what a day costs you. If a phone is not listed, list it; otherwise, try another price.',
      noValue: NO_ROWS,
      isList: true,
      size: [24, 10],
      columns: [
        PHONE,
        ago('Idle', per('account,device_id', ofAccount(STATUS_SINCE, IDLE)), 130),
        { title: 'Market', label: 'status', states: Object.values(MARKETPLACE), width: 95 },
        { title: 'Model', label: 'model', width: 150 },
        { title: 'Account', label: 'account', width: 100 },
        ID,
      ],
      labelsOf: [names('idle', 'model'), per('account,device_id,status', ofAccount(MARKET, IDLE))],
      sortBy: ['Idle', 'ascending'],
    }),
    hoursByDay({
      description:
        'Hours of all phones by state, for each finished day. A shorter bar means a smaller fleet. Compare it with the movements of the day.',
      size: [12, 9],
      range: '30d',
    }),
    graph({
      title: 'Rented share by account',
      description:
        'Share of phones that are sold or self-rented. Compare it with the days on which you changed prices.',
      unit: 'percentunit',
      size: [12, 9],
      targets: [
        {
          expression: `${RENTED('rental_status=~"sold|self_rented"')}/(${RENTED('rental_status!=""')}>0)`,
          legend: '{{account}}',
        },
      ],
      max: 1,
      isByAccount: true,
    }),
  ],
};

const models: Row = {
  title: 'Models',
  collapsed: true,
  tiles: [
    table({
      title: 'Which model to buy next',
      description:
        'The most frequent models, and how many of them are sold and idle now. Buy models that stay sold; few phones of a model prove nothing. The Month dashboard has their hours.',
      size: [24, 10],
      columns: [
        { title: 'Model', label: 'model' },
        ofModels('Phones', ofAccount('hoster_device_offline_after_seconds')),
        ofModels('Sold', ofAccount('hoster_device_rental_status', 'status="sold"')),
        ofModels('Idle', IS_IDLE),
      ],
      sortBy: ['Sold', 'descending'],
    }),
  ],
};

/** Dashboard of the income of the fleet, and of the phones that earn nothing. */
export const moneyBoard: Board = {
  name: 'money',
  title: 'Hoster / Money',
  description: 'The balance and its movements, the use of the phones, and the idle ones.',
  from: 'now-30d',
  incidents: ['problem=~"balance_.*"'],
  variables: [
    rows(),
    choiceOfPhones('idle', per('account,device_id', among(ofAccount(STATUS_SINCE), IS_IDLE)), 'bottomk'),
  ],
  rows: [now, balances, use, models],
};
