import type { Board } from '../dashboard.ts';
import type { Row } from '../layout.ts';
import { LIMITS } from '../palette.ts';
import { stat } from '../panels/stat.ts';
import {
  difference,
  groupBy,
  largestFirst,
  maximum,
  ratio,
  type Step,
  sum,
  summed,
} from '../panels/steps.ts';
import { type Column, table } from '../panels/table.ts';
import type { Tile } from '../panels/tile.ts';
import { chosen, INCOME, moved, ofAccount, ofDay, ofProcess, per, ROWS, SPENT } from '../promql.ts';
import { choiceOfPhones, instant, rows } from '../variables.ts';
import { ACCOUNT, cell, ID, PHONE } from './columns.ts';
import { CENTS, dataTile, hoursByDay, MONEY } from './tiles.ts';

const TIME = 'hoster_device_time_seconds';
const DAY = 'hoster_account_day_seconds';
const INTERRUPTIONS = 'hoster_device_interruptions';

/** Hours with a thousands separator and all decimals, as for money: "10.0" next to "10.1". */
const HOUR = { unit: MONEY, decimals: 1 } as const;

/** Fields of hours by state, with the titles and widths of their columns. */
const HOURS = {
  sold_offline: ['Sold, offline h', 112],
  sold_online: ['Sold, online h', 108],
  idle: ['Idle h', 82],
} as const;

type Hours = keyof typeof HOURS;
const COLUMNS = ['sold_offline', 'sold_online', 'idle'] as const;

function hourColumn(name: Hours, label: string = name): Column {
  const [title, width] = HOURS[name];
  return { title, width, label, ...HOUR };
}

/** The online share of sold hours. */
function availability(fieldOf: (name: string) => string = (name) => name): readonly Step[] {
  return [
    sum('judged', [fieldOf('sold_online'), fieldOf('sold_offline')]),
    ...ratio('availability', fieldOf('sold_online'), 'judged'),
  ];
}

const AVAILABILITY: Column = {
  title: 'Availability',
  label: 'availability',
  unit: 'percentunit',
  decimals: 2,
  width: 95,
};

/** Increase of a sum of some phones in the time range; of a sum that restarted, or is new, its value at the end. */
function grownBy(name: string, ...matchers: readonly string[]): string {
  const end = `${ofAccount(name, chosen('costliest'), ...matchers)} @ $last`;
  const began = `on(account,device_id) ${ofProcess('hoster_device_first_listed_timestamp_seconds')} @ $last > $first`;
  return per('account,device_id', `${end} - ${ofProcess(name)} @ $first unless ${began} or ${end}`);
}

/** The texts of each phone at the end, or a day before: an account without current data then has none. */
function textsOf(...matchers: readonly string[]): string {
  const info = `${ofAccount('hoster_device_info', ...matchers)} @ $last`;
  return `topk by(account,device_id)(1,2*${info} or ${info} offset 1d)^0`;
}

const phones: Tile = table({
  title: 'Phones with most sold hours lost',
  description:
    'Phones with the most sold hours offline; "Rows" sets their number. Visit the first three; replace a phone that stays on top. Availability is the online share of sold hours, without maintenance.',
  isList: true,
  size: [24, 12],
  inputs: {
    ...Object.fromEntries(COLUMNS.map((column) => [column, `${grownBy(TIME, `column="${column}"`)}/3600`])),
    interruptions: grownBy(INTERRUPTIONS),
  },
  labelsOf: [per('account,device_id,label,model', textsOf(chosen('costliest')))],
  steps: availability(),
  columns: [
    PHONE,
    hourColumn('sold_offline'),
    { title: 'Interruptions', label: 'interruptions', ...HOUR, decimals: 0, width: 110 },
    AVAILABILITY,
    hourColumn('sold_online'),
    hourColumn('idle'),
    { title: 'Model', label: 'model', width: 110 },
    { title: 'Account', label: 'account', width: 90 },
    ID,
  ],
  sortBy: ['Sold, offline h', 'descending'],
});

/** Sums of a value of phones at an instant by account, group and model. */
function together(name: string, at: string, ...matchers: readonly string[]): string {
  const values = per('account,device_id', `${ofAccount(name, ...matchers)} @ ${at}`);
  return `sum by(account,group,model)(${values} * on(account,device_id) group_left(group,model) ${textsOf()})${name === TIME ? '/3600' : ''}`;
}

const ENDS = { end: '$last', start: '$first' } as const;

const SUMS = [...COLUMNS, 'interruptions'] as const;

/** Each sum at both ends, and the number of phones. */
const TOGETHER = {
  inputs: {
    ...Object.fromEntries(
      Object.entries(ENDS).flatMap(([end, at]) => [
        ...COLUMNS.map((column) => [`${column}_${end}`, together(TIME, at, `column="${column}"`)] as const),
        [`interruptions_${end}`, together(INTERRUPTIONS, at)] as const,
      ]),
    ),
    phones: `count by(account,group,model)(${textsOf()})`,
    named: `group by(account,group,model)(${textsOf('group!=""')})`,
  },
} as const;

/** The sums by group or model, the most frequently interrupted first. */
function ranked(field: 'group' | 'model', title: string, rowsOf?: Tile): Tile {
  return table({
    ...TOGETHER,
    title: `By ${title.toLowerCase()}, the most interrupted first`,
    description:
      'Interruptions in 1,000 sold hours ("Per 1,000 sold h") make groups of different sizes comparable. Fewer than five phones prove nothing. Groups of the same name in several accounts are added up.',
    isList: true,
    size: [24, 9],
    ...(rowsOf === undefined ? {} : { rowsOf }),
    steps: [
      ...SUMS.map((name) => difference(name, `${name}_end`, `${name}_start`)),
      groupBy(field, [...SUMS, 'phones'], ['named']),
      ...availability(summed),
      ...ratio('thousands', 'judged', 1000),
      ...ratio('rate', summed('interruptions'), 'thousands'),
      largestFirst(summed('sold_offline')),
      largestFirst('rate'),
      // Phones without a group are in no place, so they come last.
      ...(field === 'group' ? [largestFirst(maximum('named'))] : []),
    ],
    columns: [
      { title, label: field, words: { '': `no ${field}` }, width: 150 },
      { title: 'Phones', label: summed('phones'), unit: 'none', width: 70 },
      { title: 'Per 1,000 sold h', label: 'rate', ...HOUR, width: 130 },
      hourColumn('sold_offline', summed('sold_offline')),
      AVAILABILITY,
      hourColumn('sold_online', summed('sold_online')),
      hourColumn('idle', summed('idle')),
    ],
  });
}

const byGroup = ranked('group', 'Group');

/** Hours of all phones in some columns for each finished day. */
const daily = (columns: string): string =>
  `sum(${per('account,column', ofDay(ofAccount(DAY, `column=~"${columns}"`)))})/3600`;

/** The same for an average day of the time range. */
function average(columns: string): string {
  const days = `avg_over_time(${ofAccount(DAY, `column=~"${columns}"`)}[$__range:1h] offset -1d)`;
  return `sum(${per('account,column', days)})`;
}

const SOLD = 'sold_.+|maintenance';

/** Numbers of the month, and of the month before it. */
function numbers(title: string, description: string, isBefore = false): readonly Tile[] {
  const own = isBefore
    ? { noValue: 'No data a month earlier', shift: '1M' }
    : { noValue: 'No data: no finished day in this time range' };
  return [
    stat({
      ...own,
      title,
      description,
      unit: MONEY,
      size: [10, 4],
      interval: '1d',
      targets: [
        { expression: daily(SOLD), legend: 'Sold hours' },
        { expression: daily('sold_offline'), legend: 'Sold hours lost' },
      ],
      reducer: 'sum',
      fields: [{}, { limits: LIMITS.anyIsBad, decimals: 1 }],
    }),
    stat({
      ...own,
      title: `${title}: shares`,
      description:
        'Availability is the online share of sold hours, without maintenance; sold share is the sold share of all known hours. Compare them with the month before.',
      unit: 'percentunit',
      size: [10, 4],
      targets: [
        { expression: `${average('sold_online')}/${average('sold_o.+')}`, legend: 'Availability' },
        { expression: `${average(SOLD)}/${average('[^u].*')}`, legend: 'Sold share' },
      ],
      fields: [{ decimals: 2 }, { decimals: 1 }],
    }),
    stat({
      ...own,
      title: isBefore ? 'Known before' : 'Known',
      noValue: 'No data',
      description:
        'Finished days of the time range that the exporter has watched. All numbers are about these days: a first month is shorter than it looks.',
      size: [4, 4],
      interval: '1d',
      targets: [{ expression: `0*max(${ofDay(ofAccount(DAY, 'column="idle"'))})`, legend: 'days' }],
      decimals: 0,
      reducer: 'count',
    }),
  ];
}

const totals: Row = {
  title: 'All phones',
  tiles: [
    ...numbers(
      'The month',
      'Hours of all phones together in the finished days of the time range. What the lost hours cost by your prices is on the fleet page.',
    ),
    ...numbers(
      'The month before',
      'The same numbers a month earlier. If more sold hours are lost now, look at the groups below.',
      true,
    ),
    hoursByDay({
      description:
        'Hours of all phones by state, for each finished day; unknown hours are those without data. A day in which the exporter did not count has no bar.',
      size: [24, 9],
    }),
  ],
};

const BALANCE = ofAccount('hoster_balance_total_cents');

const accounts: Row = {
  title: 'Accounts',
  tiles: [
    table({
      title: 'Balance by account',
      description:
        'Available and pending together at the start, or when the account was first read, and at the end, and the observed movements between them. Not an account statement: opposite movements between two polls cancel out.',
      isList: true,
      size: [24, 7],
      columns: [
        { ...ACCOUNT, width: 125 },
        { title: 'Currency', label: 'currency', width: 110 },
        cell('Balance then', `${per('account', `${BALANCE} @ $first`)}/100`, 130, CENTS),
        cell('Came in', moved(INCOME, '@ $first', ' @ $last'), 130, CENTS),
        cell('Went out', moved(SPENT, '@ $first', ' @ $last'), 130, CENTS),
        cell('At the end', `bottomk(${ROWS},${per('account', `${BALANCE} @ $last`)}/100)`, 130, CENTS),
      ],
      labelsOf: [per('account,currency', `${ofAccount('hoster_account_info')} @ $last`)],
      sortBy: ['Account', 'ascending'],
    }),
  ],
};

/** The first or the last time of a range with data about phones. `timestamp()` would take seconds. */
const scraped = (which: 'min' | 'max', range: string): string =>
  `${which}(${which}_over_time((0*${ofAccount('hoster_devices_reported')}+time())${range}))`;
const LOST = ofAccount(TIME, 'column="sold_offline"');
const ANY = ofProcess(TIME);

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
    // The last times with data before both ends of the range, or the first and the last one in it.
    instant(
      'first',
      `${scraped('max', '[2h:15s] offset $__range')} or ${scraped('min', '[$__range:5m]')} or vector(0)`,
    ),
    instant('last', `${scraped('max', '[2h:15s]')} or ${scraped('max', '[$__range:5m]')} or vector(time())`),
    choiceOfPhones(
      'costliest',
      per(
        'account,device_id',
        `${LOST} @ $last - ${ANY} @ $first >= 0 or ${LOST} @ $last or 0*${ofAccount('hoster_device_info')} @ $last`,
      ),
    ),
  ],
  rows: [
    { tiles: [dataTile('devices', true)] },
    totals,
    { title: 'Phones', tiles: [phones] },
    { title: 'Groups and models', tiles: [byGroup, ranked('model', 'Model', byGroup)] },
    accounts,
  ],
};
