import { COLUMNS } from '../../../src/model/times.ts';
import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS, COLUMN, LIMITS, NO_DATA } from '../palette.ts';
import { figureTiles } from '../panels/figures.ts';
import { graph } from '../panels/graph.ts';
import { stat } from '../panels/stat.ts';
import { constant, groupBy, ratio, type Step, sum, summed } from '../panels/steps.ts';
import { type Column, table } from '../panels/table.ts';
import type { Target, Tile } from '../panels/tile.ts';
import { called, chosen, titledAs, wholeDays } from '../promql.ts';
import {
  cameIn,
  NEXT_DAY,
  perSoldDayByCurrency,
  phoneHours,
  unseenHours,
  wentOut,
} from '../queries/money.ts';
import * as month from '../queries/month.ts';
import { choiceOfPhones, hidden, instant, rows } from '../variables.ts';
import { ID, PHONE } from './columns.ts';
import { INSTANT, MONEY, UNKNOWN } from './tiles.ts';

const NOTHING = 'No data in this time range';

/** Fields of hours by state, with the titles and widths of their columns. */
const HOURS = {
  sold_online: ['Sold, online h', 108],
  sold_offline: ['Sold, offline h', 112],
  maintenance: ['Maintenance h', 115],
  self_rented: ['Self-rented h', 115],
  idle: ['Idle h', 82],
  other: ['Other h', 75],
  unknown: ['No data h', 95],
} as const;

const FIELDS: readonly string[] = Object.keys(HOURS);

/** Sold hours. Maintenance does not reduce the availability. */
const SOLD = ['sold_online', 'sold_offline', 'maintenance'] as const;
const JUDGED = ['sold_online', 'sold_offline'] as const;

/** Adds the figures that are derived from the hours; the fields of the hours may have other names. */
function figures(fieldOf: (name: string) => string = (name) => name): readonly Step[] {
  return [
    sum('known', COLUMNS.map(fieldOf)),
    sum('sold', SOLD.map(fieldOf)),
    sum('judged', JUDGED.map(fieldOf)),
    ...ratio('sold_share', 'sold', 'known'),
    ...ratio('availability', fieldOf('sold_online'), 'judged'),
    ...ratio('sold_thousands', 'sold', 1000),
    ...ratio('interruption_rate', fieldOf('interruptions'), 'sold_thousands'),
  ];
}

/** Hours with a thousands separator and all decimals, as for money: "10.0" beside "10.1". */
const HOURS_UNIT = MONEY;

const HOUR = { unit: HOURS_UNIT, decimals: 1 } as const;
const SHARE = { unit: 'percentunit', width: 90 } as const;

/** Columns of hours, the costly ones first. */
function hourColumns(
  names: readonly (keyof typeof HOURS)[],
  fieldOf: (name: string) => string,
): readonly Column[] {
  return names.map((name) => {
    const [title, width] = HOURS[name];
    const limits = name === 'unknown' ? { limits: [COLOURS.unknown] as const } : {};
    return { title, width, label: fieldOf(name), ...HOUR, ...limits };
  });
}

const AVAILABILITY: Column = {
  title: 'Availability',
  label: 'availability',
  ...SHARE,
  decimals: 2,
  width: 95,
};
const SOLD_SHARE: Column = { title: 'Sold share', label: 'sold_share', ...SHARE, decimals: 1 };

/** The queries of hours and interruptions. */
function inputsOf(
  of: (vector: string) => string,
  ...phones: readonly string[]
): Readonly<Record<string, Target>> {
  return {
    ...Object.fromEntries(
      COLUMNS.map((column) => [column, { expression: of(month.hours(column, ...phones)) }]),
    ),
    unknown: { expression: of(month.unknownHours(...phones)) },
    interruptions: { expression: of(month.interruptions(...phones)) },
  };
}

const COSTLIEST = chosen('costliest');

const phones: Tile = table({
  title: 'Phones with most sold hours lost',
  description:
    'Phones with the most sold hours offline, then the most idle hours; "Rows" sets their number. Visit the first three; replace a phone that stays on top. Availability is the online share of sold hours, without maintenance.',
  noValue: NOTHING,
  isList: true,
  width: 24,
  height: 12,
  inputs: inputsOf((vector) => vector, COSTLIEST),
  labelsOf: [{ expression: titledAs(called(month.names(COSTLIEST))) }],
  steps: figures(),
  columns: [
    PHONE,
    ...hourColumns(['sold_offline'], (name) => name),
    { title: 'Interruptions', label: 'interruptions', ...HOUR, decimals: 0, width: 110 },
    AVAILABILITY,
    ...hourColumns(['idle', 'unknown'], (name) => name),
    { title: 'Model', label: 'model', width: 110 },
    ID,
  ],
  sortBy: ['Sold, offline h', 'descending'],
});

/** Hours of all phones by account, group and model: three tables use these queries. */
const TOGETHER = {
  inputs: { ...inputsOf(month.together), phones: { expression: month.phones() } },
  width: 24,
} as const;

const SUMMED = [...FIELDS, 'interruptions', 'phones'];
const PHONES: Column = { title: 'Phones', label: summed('phones'), unit: 'none', width: 70 };

/** The sums by group or model, the most frequently interrupted first. */
function ranked(field: 'place' | 'model', title: string, height: number, rowsOf?: Tile): Tile {
  return table({
    ...TOGETHER,
    title: `By ${title.toLowerCase()}, the most interrupted first`,
    description:
      'Interruptions in 1,000 sold hours ("Per 1,000 sold h") make groups of different sizes comparable. Fewer than five phones prove nothing.',
    noValue: NOTHING,
    isList: true,
    height,
    ...(rowsOf === undefined ? {} : { rowsOf }),
    steps: [groupBy(field, SUMMED), ...figures(summed)],
    columns: [
      { title, label: field, width: 238 },
      PHONES,
      { title: 'Per 1,000 sold h', label: 'interruption_rate', ...HOUR, width: 130 },
      ...hourColumns(['sold_offline'], summed),
      AVAILABILITY,
      ...hourColumns(['sold_online', 'idle', 'unknown'], summed),
    ],
    sortBy: ['Per 1,000 sold h', 'descending'],
    thenBy: ['Sold, offline h', 'descending'],
  });
}

const byGroup = ranked('place', 'Group', 9);

/** Hours by day, and those without data. */
const DAYS = [...Object.values(COLUMN), { ...NO_DATA, value: 'unknown' }];

const { sold_share, availability, sold, sold_offline, interruptions } = month.FIGURES_BEFORE;

/** Figures of the month, in this order, with those of the month before below them. */
const FIGURES = [
  { field: 'sold_share', title: 'Sold share', unit: 'percentunit', decimals: 1, before: sold_share },
  { field: 'availability', title: 'Availability', unit: 'percentunit', decimals: 2, before: availability },
  { field: 'sold', title: 'Sold hours', unit: HOURS_UNIT, decimals: 0, before: sold },
  {
    field: summed('sold_offline'),
    title: 'Sold hours lost',
    unit: HOURS_UNIT,
    decimals: 1,
    limits: LIMITS.anyIsBad,
    before: sold_offline,
  },
  {
    field: summed('interruptions'),
    title: 'Interruptions',
    unit: HOURS_UNIT,
    decimals: 0,
    before: interruptions,
  },
] as const;

const totals: Row = {
  title: 'All phones',
  tiles: [
    figureTiles(
      {
        title: 'The month',
        description:
          'All phones together. Availability is the online share of sold hours, without maintenance; sold share is the share of all known hours. What the lost hours cost by your prices is on the fleet page.',
        noValue: '–',
        width: 18,
        height: 4,
        rowsOf: byGroup,
        steps: [constant('all', 'phones'), groupBy('all', SUMMED), ...figures(summed)],
      },
      FIGURES,
    ),
    stat(
      {
        title: 'Known',
        description:
          'The part of the time range that the exporter has watched. All numbers are about this part: a first month is shorter than it looks.',
        noValue: UNKNOWN,
        unit: 'none',
        width: 6,
        height: 4,
        targets: [
          { expression: month.knownFrom(), legend: 'since' },
          { expression: month.knownDays(), legend: 'of {{days}} days' },
        ],
      },
      {
        named: true,
        valueSize: 24,
        fields: [
          { limits: LIMITS.none, decimals: 0, unit: INSTANT },
          { limits: LIMITS.none, decimals: 1 },
        ],
      },
    ),
    stat(
      {
        title: 'The month before',
        description:
          'The same numbers of the month before, or of the same time before another range; nothing if the exporter did not watch it from its start.',
        noValue: 'Not watched',
        unit: 'none',
        width: 18,
        height: 3,
        targets: FIGURES.map(({ title, before }) => ({ expression: before, legend: title })),
      },
      {
        named: true,
        valueSize: 22,
        fields: FIGURES.map(({ unit, decimals }) => ({ limits: LIMITS.none, unit, decimals })),
      },
    ),
    stat(
      {
        title: 'A sold day',
        description:
          'Income of the time range divided by its sold days of 24 hours, by currency. An average for comparing months, not a price.',
        noValue: 'Too little data',
        unit: MONEY,
        width: 6,
        height: 3,
        targets: [{ expression: perSoldDayByCurrency(), legend: '{{currency}}' }],
      },
      { named: true, decimals: 2, valueSize: 22 },
    ),
    graph(
      {
        title: 'Hours by day',
        description:
          'Hours of all phones by state, for each finished day. A day without a scrape at its midnight, or in which the state file was lost, has no bar.',
        noValue: 'No whole day in this time range',
        unit: HOURS_UNIT,
        width: 24,
        height: 9,
        interval: '1d',
        targets: [
          {
            expression: wholeDays(`sum by (column) (${phoneHours('.+', NEXT_DAY, 'column')})`),
            legend: '{{column}}',
          },
          { expression: wholeDays(`sum(${unseenHours(NEXT_DAY)})`), legend: 'unknown' },
        ],
      },
      { style: 'bars', stacked: true, states: DAYS, decimals: 0 },
    ),
    table({
      ...TOGETHER,
      title: 'All phones together',
      description:
        'Hours of all phones. Every hour of a phone is in exactly one column; online, offline and maintenance (offline in maintenance) are sold hours. Hours without data do not count against a phone.',
      noValue: NOTHING,
      height: 4,
      rowsOf: byGroup,
      steps: [constant('all', 'phones'), groupBy('all', SUMMED), ...figures(summed)],
      columns: [
        PHONES,
        ...hourColumns(
          ['sold_offline', 'sold_online', 'maintenance', 'self_rented', 'idle', 'other', 'unknown'],
          summed,
        ),
        SOLD_SHARE,
        AVAILABILITY,
      ],
    }),
  ],
};

const byKind: Row = {
  title: 'Groups and models',
  tiles: [byGroup, ranked('model', 'Model', 9, byGroup)],
};

const CENTS = { unit: MONEY, decimals: 2, width: 130 } as const;

const accounts: Row = {
  title: 'Accounts',
  tiles: [
    table({
      title: 'Balance by account',
      description:
        'Available and pending together at the start, or when the account was first read, and at the end, and the observed movements between them. Not an account statement: opposite movements between two polls cancel out.',
      noValue: UNKNOWN,
      isList: true,
      width: 24,
      height: 7,
      columns: [
        { title: 'Account', label: 'account', width: 150 },
        { title: 'Currency', label: 'currency', width: 110 },
        { title: 'From', target: { expression: month.firstBalanceAt() }, unit: INSTANT, width: 120 },
        { title: 'Balance then', target: { expression: month.firstBalance() }, ...CENTS },
        { title: 'Came in', target: { expression: cameIn() }, ...CENTS },
        { title: 'Went out', target: { expression: wentOut() }, ...CENTS },
        { title: 'At the end', target: { expression: month.balanceAtEnd() }, ...CENTS },
      ],
      labelsOf: [{ expression: month.currencies() }],
      sortBy: ['Account', 'ascending'],
    }),
  ],
};

/** Dashboard of the hours of each phone, by default of the last month: a report to show to others. */
export const monthBoard: Board = {
  name: 'month',
  title: 'Hoster / Month',
  description:
    'Hours of each phone by state in a month, its availability while sold, and the movements of the balances.',
  from: 'now-1M/M',
  to: 'now-1M/M',
  isReport: true,
  variables: [
    rows(),
    instant('first', month.firstInstant()),
    instant('last', month.lastInstant()),
    instant('before', month.instantBefore()),
    hidden('away', month.awayExporters(), 'instance'),
    hidden('expired', month.expiredAccounts(), 'account'),
    hidden('twins', month.twinAccounts(), 'account'),
    choiceOfPhones('costliest', month.byCost()),
  ],
  rows: [totals, { title: 'Phones', tiles: [phones] }, byKind, accounts],
};
