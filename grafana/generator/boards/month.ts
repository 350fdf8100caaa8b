import { COLUMNS } from '../../../src/model/times.ts';
import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { COLOURS } from '../palette.ts';
import {
  atLeast,
  constant,
  counted,
  groupBy,
  ratio,
  type Step,
  sortDown,
  sum,
  summed,
} from '../panels/steps.ts';
import { type Column, type TableSubject, table, toPhone } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { called } from '../promql.ts';
import { movement } from '../queries/money.ts';
import * as month from '../queries/month.ts';
import { ACCOUNT, ID, PHONE } from './columns.ts';
import { MONEY, UNKNOWN } from './tiles.ts';

const NOTHING = 'Nothing was recorded in this time';

const TO_PHONE = toPhone(['datasource', 'job', 'instance']);

/** Fields of the hours that a phone's time is made of, with the titles and widths of their columns. */
const HOURS = {
  sold_reporting: ['Reporting', 84],
  sold_silent: ['Silent', 70],
  planned: ['Planned', 76],
  self_rented: ['Self-rented', 96],
  idle: ['Idle', 72],
  other: ['Other', 70],
  unknown: ['Unknown', 84],
} as const;

type Hours = keyof typeof HOURS;

const FIELDS: readonly string[] = Object.keys(HOURS);
const KNOWN: readonly Hours[] = [...COLUMNS];

/** Sold hours. Work that was planned counts against no phone: availability is of the others. */
const SOLD = ['sold_reporting', 'sold_silent', 'planned'] as const;
const JUDGED = ['sold_reporting', 'sold_silent'] as const;

/** Adds the figures that follow from the hours; the fields of the hours may have other names. */
function figures(fieldOf: (name: string) => string = (name) => name): readonly Step[] {
  return [
    sum('known', KNOWN.map(fieldOf)),
    sum('total', FIELDS.map(fieldOf)),
    sum('sold', SOLD.map(fieldOf)),
    sum('judged', JUDGED.map(fieldOf)),
    ...ratio('sold_share', 'sold', 'known'),
    ...ratio('availability', fieldOf('sold_reporting'), 'judged'),
    ...ratio('silent_share', fieldOf('sold_silent'), 'judged'),
    sortDown('silent_share'),
  ];
}

/** Columns of hours and figures. The sums of many phones need some more pixels. */
function hourColumns(fieldOf: (name: string) => string = (name) => name, more = 0): readonly Column[] {
  const hours = { unit: 'none', decimals: 1, isPlain: true } as const;
  const share = { unit: 'percentunit', width: 96, isPlain: true } as const;
  return [
    ...Object.entries(HOURS).map(([name, [title, width]]) => ({
      title,
      width: width + more,
      label: fieldOf(name),
      ...hours,
      ...(name === 'unknown' ? { limits: [COLOURS.unknown] as const } : {}),
    })),
    { title: 'Sum', label: 'total', ...hours, width: 74 + more },
    { title: 'Sold share', label: 'sold_share', ...share, decimals: 1 },
    { title: 'Availability', label: 'availability', ...share, decimals: 2 },
    { title: 'Interruptions', label: fieldOf('interruptions'), ...hours, decimals: 0, width: 108 },
  ];
}

const phones: Tile = table({
  title: 'Phones, the least available first',
  description:
    'Hours of each phone; reporting, silent and planned (silent while you worked on it) are sold hours. Availability is reporting of reporting and silent, sold share is sold of known hours. As a file: Inspect > Data in the menu, switch on "Apply panel transformations", Download CSV.',
  noValue: NOTHING,
  isList: true,
  width: 24,
  height: 17,
  inputs: {
    ...Object.fromEntries(COLUMNS.map((column) => [column, { expression: month.hours(column) }])),
    unknown: { expression: month.unknownHours() },
    interruptions: { expression: month.interruptions() },
  },
  labelsOf: [{ expression: called(month.names()) }],
  steps: figures(),
  columns: [
    { ...PHONE, link: TO_PHONE, minWidth: 124 },
    ...hourColumns(),
    { title: 'Group', label: 'group', width: 85 },
    { title: 'Model', label: 'model', width: 105 },
    ACCOUNT,
    { ...ID, link: { ...TO_PHONE, title: 'Open' } },
  ],
});

const PHONES: Column = {
  title: 'Phones',
  label: counted('device_id'),
  unit: 'none',
  width: 70,
  isPlain: true,
};

/** The same hours, of all phones together that have the same value in a field. */
function together(
  field: string,
  texts: Pick<TableSubject, 'title' | 'description' | 'noValue' | 'height'>,
  { columns = [], steps = [] }: Partial<Pick<TableSubject, 'columns' | 'steps'>>,
): Tile {
  const sums = [...FIELDS, 'interruptions'];
  return table({
    ...texts,
    width: 24,
    isList: columns.length > 0,
    rowsOf: phones,
    steps: [...steps, groupBy(field, sums, 'device_id'), ...figures(summed)],
    columns: [...columns, PHONES, ...hourColumns(summed, columns.length > 0 ? 0 : 20)],
  });
}

const totals: Row = {
  title: 'Totals',
  tiles: [
    together(
      'all',
      {
        title: 'All phones together',
        description:
          'Hours of all phones. Each hour of a phone is in exactly one column; reporting, silent and planned are sold hours. Unknown is what nobody saw: it does not count against a phone.',
        noValue: NOTHING,
        height: 4,
      },
      { steps: [constant('all', 'total')] },
    ),
  ],
};

const byKind: Row = {
  title: 'Models and groups',
  tiles: [
    together(
      'model',
      {
        title: 'By model, the least available first',
        description: 'The same hours by model. Few phones of a model prove nothing: see "Phones".',
        noValue: NOTHING,
        height: 9,
      },
      { columns: [{ title: 'Model', label: 'model', minWidth: 140 }] },
    ),
    together(
      'group',
      {
        title: 'By group, the least available first',
        description:
          'The same hours by group. A group that is less available than the others has a cause in its place.',
        noValue: 'Nothing was recorded in this time, or no phone has a group',
        height: 8,
      },
      { columns: [{ title: 'Group', label: 'group', minWidth: 140 }] },
    ),
  ],
};

const DAY = 24;
const LEAST_DAYS = 7;
const NUMBER = { unit: 'none', width: 130, isPlain: true } as const;

const worth: Row = {
  title: 'Worth its slot',
  tiles: [
    table({
      title: 'Worth its slot, the least sold first',
      description:
        'Phones of which at least seven days are known. Rarely sold: try another price or another phone. Often silent: repair it. No money is shown for a single phone, since the API does not say it.',
      noValue: 'No phone of which seven days are known',
      isList: true,
      width: 24,
      height: 12,
      rowsOf: phones,
      steps: [
        sum('sold', SOLD),
        sum('judged', JUDGED),
        sum('known', KNOWN),
        ...ratio('sold_days', 'sold', DAY),
        ...ratio('known_days', 'known', DAY),
        ...ratio('silent_share', 'sold_silent', 'judged'),
        ...ratio('interruptions_a_day', 'interruptions', 'sold_days'),
        atLeast('known_days', LEAST_DAYS),
      ],
      columns: [
        { ...PHONE, link: TO_PHONE },
        { title: 'Group', label: 'group', width: 110 },
        { title: 'Model', label: 'model', width: 150 },
        { title: 'Sold share', label: 'sold_share', ...NUMBER, unit: 'percentunit', decimals: 1 },
        { title: 'Silent while sold', label: 'silent_share', ...NUMBER, unit: 'percentunit', decimals: 2 },
        {
          title: 'Interruptions per sold day',
          label: 'interruptions_a_day',
          ...NUMBER,
          decimals: 2,
          width: 195,
        },
        { title: 'Known days', label: 'known_days', ...NUMBER, decimals: 1 },
        ACCOUNT,
        { ...ID, link: { ...TO_PHONE, title: 'Open' } },
      ],
      sortBy: ['Sold share', 'ascending'],
    }),
  ],
};

const CENTS = { unit: MONEY, decimals: 2, width: 150, isPlain: true } as const;

const accounts: Row = {
  title: 'Accounts',
  tiles: [
    table({
      title: 'Balance by account',
      description:
        'The available balance at the start and at the end, as last read within a day before, and how it moved between, as observed: opposite movements between two polls cancel out. Not a statement of account.',
      noValue: UNKNOWN,
      isList: true,
      width: 24,
      height: 7,
      columns: [
        { title: 'Account', label: 'account', minWidth: 140 },
        { title: 'Currency', label: 'currency', width: 110 },
        { title: 'At the start', target: { expression: month.balanceAt('start') }, ...CENTS },
        {
          title: 'Rose by',
          target: { expression: movement('increase', 'available', '[$__range]') },
          ...CENTS,
        },
        {
          title: 'Fell by',
          target: { expression: movement('decrease', 'available', '[$__range]') },
          ...CENTS,
        },
        { title: 'At the end', target: { expression: month.balanceAt('end') }, ...CENTS },
      ],
      labelsOf: [{ expression: month.currencies() }],
      sortBy: ['Account', 'ascending'],
    }),
  ],
};

/** What the hours of each phone went to, for last month or any other time: a page to show to others. */
export const monthBoard: Board = {
  name: 'month',
  title: 'Hoster / Month',
  description:
    'What every hour of each phone went to in a month, how available it was while sold, and how the balances moved.',
  from: 'now-1M/M',
  to: 'now-1M/M',
  isReport: true,
  variables: [],
  rows: [totals, { title: 'Phones', tiles: [phones] }, byKind, worth, accounts],
};
