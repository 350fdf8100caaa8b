import { readInPieces, UnsuitableFile } from '../../base/files.ts';
import { cellsOfLine, spreadsheetCell } from '../../base/spreadsheet.ts';
import { dayAfter, midnightOf, type TimeZone } from '../../base/time-zone.ts';
import type { MonthDocument, MonthDocumentDay, MonthDocumentRow } from '../../fleet/document.ts';
import { type Price, priceOf } from '../../model/money.ts';
import { DAY } from '../../model/time.ts';
import { COLUMNS, type Column } from '../../model/times.ts';
import { type TagBook, tagLineFinder } from '../tags/book.ts';
import { cell, type UnwrittenDays } from './files.ts';
import { groupingWord, MONTH_TIMES, type MonthGrouping } from './grouping.ts';

/*
 * The month added up, from the lines of its file and from days that are not written yet.
 */

/** The month of a phone, or of all phones of a group, a model or a tag; seconds. */
export type MonthRow = Readonly<Record<Column | 'unknown' | 'interruptions', number>> & {
  readonly account: string;
  /** Empty where several phones are added up. */
  readonly deviceId: string;
  /** Last name of the phone, or the group, the model or the value of the tag. */
  readonly name: string;
  readonly phones: number;
  /** Price of the time sold and silent, and of the idle time, by the owner's prices: an estimate. */
  readonly silentCents: number;
  readonly idleCents: number;
  /** One of its phones has a price. */
  readonly isPriced: boolean;
};

/** A month added up. */
export type MonthSum = {
  /** The worst row first. */
  readonly rows: readonly MonthRow[];
  /** Each day of which something is known, all phones added up. */
  readonly days: readonly MonthDocumentDay[];
  /** Number of lines of its file that are no day of a phone, or a day that it had before. They count for nothing. */
  readonly unreadable: number;
};

type MutableRow = { -readonly [Field in keyof MonthRow]: MonthRow[Field] };
type MutableDay = { -readonly [Field in keyof MonthDocumentDay]: MonthDocumentDay[Field] };

const TIMES = [...MONTH_TIMES, 'interruptions'] as const;

/** Number of texts at the begin of a line, and places among the times behind them. */
const TEXTS = 6;
const SILENT = TIMES.indexOf('sold_silent');
const IDLE = TIMES.indexOf('idle');
const UNKNOWN = TIMES.indexOf('unknown');

const DAY_SECONDS = DAY / 1000;

/** Length of a line at which it is refused, in its days. A change of the time zone makes a day longer, by less than one. */
const MAX_DAYS = 2;

export type MonthRequest = {
  /** The month, such as 2026-11. */
  readonly month: string;
  readonly by: MonthGrouping;
  readonly tags: TagBook;
  /** The first price that names a phone's group and model counts. */
  readonly prices: readonly Price[];
  /** Time zone of the dates. */
  readonly timeZone: TimeZone;
  /** The only phone that is added up; undefined for all. */
  readonly phone?: { readonly account: string; readonly id: string } | undefined;
};

/**
 * Adds up a month. The first row was silent for the largest part of its sold time. Undefined for an unknown month.
 *
 * @param path the month file, which need not exist
 * @param turn gives the event loop a turn, between pieces of days that are not written yet
 * @throws the error of the system where the file cannot be read, or an UnsuitableFile where none of its lines can
 */
export async function readMonth(
  path: string,
  request: MonthRequest,
  unwritten: UnwrittenDays | undefined,
  turn: () => Promise<void>,
): Promise<MonthSum | undefined> {
  const sum = createSum(request);
  const before = unwritten?.from ?? NEVER;
  let isKnown = false;
  let unreadable = 0;
  try {
    let rest = '';
    for await (const piece of readInPieces(path)) {
      isKnown = true;
      const lines = `${rest}${piece}`.split('\n');
      // A longer line is no day of a phone, and to read it whole would take minutes.
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      for (const line of lines) if (!sum.add(line, before)) unreadable += isWritten(line) ? 1 : 0;
    }
    // A person saved the file without an end of its last line.
    if (!sum.add(rest, before)) unreadable += isWritten(rest) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  for (const piece of unwritten?.lines(request.month) ?? []) {
    isKnown ||= piece !== '';
    for (const line of piece.split('\n')) sum.add(line, NEVER);
    await turn();
  }
  const rows = sum.rows();
  if (rows.length === 0 && unreadable > 0)
    throw new UnsuitableFile(
      `none of its ${unreadable} lines is as it was written: a spreadsheet may have saved it in another form`,
    );
  return isKnown ? { rows, days: sum.days(), unreadable } : undefined;
}

/** Maximum length of a line that is read whole, in characters. */
const MAX_LINE = 256 * 1024;

/** Tells whether a line is neither empty nor the head. */
function isWritten(line: string): boolean {
  return !/^(?:\uFEFF?"?date"?[,;\t]|[\s,;]*$)/.test(line);
}

/** All days are written. */
const NEVER: ReadonlyMap<string, string> = new Map();

type Sum = {
  /** Adds a line, unless its day is not before the date of its account. Returns false for what is no line of a day. */
  readonly add: (line: string, before: ReadonlyMap<string, string>) => boolean;
  readonly rows: () => readonly MonthRow[];
  /** In their order. */
  readonly days: () => readonly MonthDocumentDay[];
};

/** A phone while lines are added: its row, and its last line. */
type AddedPhone = {
  sum: RowSum;
  /** Days of the month that it has, a bit each. */
  days: number;
  date: string;
  /** Seconds of the line. */
  seconds: number;
  /** The phone has one line so far: it may have joined in the middle of its day. */
  isFirst: boolean;
};

/** A local day: the date after it, and how long it is. */
type Day = { readonly next: string; readonly seconds: number };

/** A row, and the phones that it has. */
type RowSum = { readonly row: MutableRow; readonly ids: Set<string> };

function createSum({ month, by, prices, tags, timeZone, phone }: MonthRequest): Sum {
  const phones = new Map<string, AddedPhone>();
  const sums = new Map<string, RowSum>();
  const daySums = new Map<string, MutableDay>();
  /** Cached, since each day has ten thousand lines. */
  const days = new Map<string, Day>();
  const secondsBetween = (date: string, later: string): number =>
    (midnightOf(timeZone, later) - midnightOf(timeZone, date)) / 1000;
  const dayOf = (date: string): Day => {
    const known = days.get(date);
    if (known !== undefined) return known;
    const next = dayAfter(date);
    const day = { next, seconds: secondsBetween(date, next) };
    days.set(date, day);
    return day;
  };
  /** Returns the seconds between two lines of a phone in which it was not listed: unknown time. */
  const awayBefore = (date: string, unknown: number, known: AddedPhone | undefined): number => {
    if (known === undefined || known.date > date) return 0;
    const { next, seconds } = dayOf(known.date);
    if (next === date && unknown === 0) return 0;
    const rest = known.isFirst ? 0 : Math.max(0, seconds - known.seconds);
    return rest + (next < date ? secondsBetween(next, date) : 0);
  };
  const finders = new Map<string, ReturnType<typeof tagLineFinder>>();
  const tagOf = (account: string, id: string, label: string): string => {
    const find = finders.get(account) ?? tagLineFinder(tags, account);
    finders.set(account, find);
    return find(id, label)?.tags.get(groupingWord(by)) ?? '';
  };
  const sumOf = (account: string, id: string, name: string): RowSum => {
    const key = `${account}\n${id}\n${id === '' ? name : ''}`;
    const sum = sums.get(key) ?? { row: newRow(account, id), ids: new Set() };
    sums.set(key, sum);
    return sum;
  };
  return {
    add: (line, before) => {
      // Most lines are of other phones.
      if (phone !== undefined && !line.includes(cell(phone.id))) return true;
      const cells = cellsOf(line, month);
      if (cells === undefined) return false;
      const [date = '', account = '', deviceId = '', label = '', group = '', model = ''] = cells;
      if (phone !== undefined && (phone.account !== account || phone.id !== deviceId)) return true;
      if (date >= (before.get(account) ?? '9')) return true;
      const key = `${account}\n${deviceId}`;
      const known = phones.get(key);
      const days = 1 << Number(date.slice(-2));
      const seconds = MONTH_TIMES.reduce((all, _, index) => all + Number(cells[TEXTS + index]), 0);
      if (((known?.days ?? 0) & days) !== 0 || seconds >= MAX_DAYS * dayOf(date).seconds) return false;
      const isTag = by !== 'phone' && by !== 'group' && by !== 'model';
      const name = isTag ? tagOf(account, deviceId, label) : { phone: label || deviceId, group, model }[by];
      const isSame = known !== undefined && (by === 'phone' || known.sum.row.name === name);
      const sum = isSame ? known.sum : sumOf(account, by === 'phone' ? deviceId : '', name);
      const { row } = sum;
      row.name = name;
      if (!isSame) row.phones = sum.ids.add(deviceId).size;
      const daySum = daySums.get(date) ?? newDay(date);
      daySums.set(date, daySum);
      row.unknown += awayBefore(date, Number(cells[TEXTS + UNKNOWN]), known);
      for (let index = 0; index < TIMES.length; index += 1) {
        const column = TIMES[index];
        if (column === undefined) continue;
        const value = Number(cells[index + TEXTS]);
        row[column] += value;
        if (column !== 'interruptions') daySum[`${column}_seconds`] += value;
      }
      if (known === undefined) phones.set(key, { sum, days, date, seconds, isFirst: true });
      else Object.assign(known, { sum, days: known.days | days, date, seconds, isFirst: false });
      const price = priceOf(prices, { group, model });
      if (price === undefined) return true;
      row.isPriced = true;
      row.silentCents += (price.centsPerDay / DAY_SECONDS) * Number(cells[TEXTS + SILENT]);
      row.idleCents += (price.centsPerDay / DAY_SECONDS) * Number(cells[TEXTS + IDLE]);
      return true;
    },
    rows: () =>
      [...sums.values()]
        .map(({ row }) => row)
        .toSorted((one, other) => silentShare(other) - silentShare(one) || other.idle - one.idle),
    days: () => [...daySums.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  };
}

function newRow(account: string, deviceId: string): MutableRow {
  const times = { sold_reporting: 0, sold_silent: 0, self_rented: 0, idle: 0, other: 0, planned: 0 };
  const costs = { silentCents: 0, idleCents: 0, isPriced: false };
  return { account, deviceId, name: '', phones: 0, ...times, unknown: 0, interruptions: 0, ...costs };
}

function newDay(date: string): MutableDay {
  const sold = { sold_reporting_seconds: 0, sold_silent_seconds: 0, planned_seconds: 0 };
  return { date, ...sold, self_rented_seconds: 0, idle_seconds: 0, other_seconds: 0, unknown_seconds: 0 };
}

function silentShare({ sold_reporting, sold_silent }: MonthRow): number {
  return sold_silent / Math.max(1, sold_reporting + sold_silent);
}

/** Returns the share of sold time in which a phone reported; undefined where it was not sold. */
function availabilityOf({ sold_reporting, sold_silent }: MonthRow): number | undefined {
  const sold = sold_reporting + sold_silent;
  return sold === 0 ? undefined : sold_reporting / sold;
}

/** Returns the share of known time in which a phone was sold; undefined where nothing is known. */
function soldShareOf(row: MonthRow): number | undefined {
  const known = COLUMNS.reduce((sum, column) => sum + row[column], 0);
  return known === 0 ? undefined : (row.sold_reporting + row.sold_silent + row.planned) / known;
}

/** Minimum number of phones of a group that is compared. */
const MIN_PHONES = 5;
/** Minimum factor, and minimum number of standard deviations, by which a worse group is above the others. */
const MIN_TIMES = 1.5;
const MAX_DEVIATIONS = 3;

/**
 * Returns how many times as often a group or model was interrupted as the median of the others, in the same sold time.
 * Undefined unless it is clearly worse: more than three standard deviations (Poisson) above that median.
 */
function timesOthers(row: MonthRow, rows: readonly MonthRow[]): number | undefined {
  const others = rows.filter((each) => each !== row && isComparable(each)).map(rateOf);
  const { length } = others;
  if (length === 0 || !isComparable(row)) return undefined;
  const sorted = others.toSorted((one, other) => one - other);
  const [low = 0, high = low] = [sorted[(length - 1) >> 1], sorted[length >> 1]];
  const median = (low + high) / 2;
  const expected = (median * soldHoursOf(row)) / 1000;
  if (row.interruptions - expected <= MAX_DEVIATIONS * Math.sqrt(Math.max(1, expected))) return undefined;
  const times = row.interruptions / Math.max(1, expected);
  return times >= MIN_TIMES ? times : undefined;
}

function isComparable(row: MonthRow): boolean {
  return row.deviceId === '' && row.name !== '' && row.phones >= MIN_PHONES && soldHoursOf(row) > 0;
}

function soldHoursOf({ sold_reporting, sold_silent }: MonthRow): number {
  return (sold_reporting + sold_silent) / 3600;
}

/** Interruptions in 1,000 sold hours. */
function rateOf(row: MonthRow): number {
  return (1000 * row.interruptions) / soldHoursOf(row);
}

/**
 * A line of a day: its date, five texts, and whole seconds. Quotes stand around texts that need them, or around all. A
 * spreadsheet saves semicolons or tabs, and dates of its country: `01.11.2026`, `11/1/2026`.
 */
const LINE = /^"?\d{1,4}[-./]\d\d?[-./]\d{1,4}"?([,;\t]).*(?:\1"?\d{1,9}"?){8}$/;
const CELLS = TEXTS + TIMES.length;

/** Returns the texts of the cells of a line; undefined for what is no line of a day of the month. */
function cellsOf(line: string, month: string): readonly string[] | undefined {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  const [, separator] = LINE.exec(plain) ?? [];
  if (separator === undefined) return undefined;
  const shown = cellsOfLine(plain, separator);
  const date = isoDate(shown[0] ?? '', month);
  if (date === undefined || shown.length !== CELLS) return undefined;
  const cells = date === shown[0] ? shown : shown.with(0, date);
  // An apostrophe keeps a text from being a formula.
  return plain.includes("'") ? cells.map((each) => (/^'[=+\-@]/.test(each) ? each.slice(1) : each)) : cells;
}

/** Returns a date of the month as 2026-11-24. The month tells a day from it in dates of other forms, such as 11/24/2026. */
function isoDate(date: string, month: string): string | undefined {
  const isOfMonth = (each: string): boolean =>
    each.startsWith(`${month}-`) && /-(?:0[1-9]|[12]\d|3[01])$/.test(each);
  if (isOfMonth(date)) return date;
  const [first = '', second = '', third = ''] = date.split(/[-./]/).map((part) => part.padStart(2, '0'));
  const year = third.length === 2 ? `20${third}` : third;
  return [`${first}-${second}-${third}`, `${year}-${second}-${first}`, `${year}-${first}-${second}`].find(
    isOfMonth,
  );
}

/** Returns a month as it is served. Unknown values are absent. */
export function monthDocument(
  { month, by }: MonthRequest,
  { rows, days, unreadable }: MonthSum,
): MonthDocument {
  const documents = rows.map((row): MonthDocumentRow => {
    const { deviceId, silentCents, idleCents, isPriced, ...shown } = row;
    const estimate = { silentCents: Math.round(silentCents), idleCents: Math.round(idleCents) };
    return {
      ...shown,
      id: deviceId === '' ? undefined : deviceId,
      soldShare: soldShareOf(row),
      availability: availabilityOf(row),
      interruptionsPer1000SoldHours: soldHoursOf(row) === 0 ? undefined : rateOf(row),
      timesOthers: by === 'phone' ? undefined : timesOthers(row, rows),
      estimate: isPriced ? estimate : undefined,
    };
  });
  return { month, by, rows: documents, days, unreadableLines: unreadable === 0 ? undefined : unreadable };
}

/** Writes a month as CSV for spreadsheets, which need the byte order mark. With prices, it has two more columns. */
export function monthCsv({ prices }: MonthRequest, { rows }: MonthSum, separator: ',' | ';'): string {
  const head = ['name', 'account', 'device_id', ...TIMES];
  const costs = prices.length === 0 ? [] : ['estimated_silent_cents', 'estimated_idle_cents'];
  const lines = rows.map((row) => [
    ...[row.name, row.account, row.deviceId].map(spreadsheetCell),
    ...TIMES.map((each) => row[each]),
    ...costs.map((_, index) =>
      row.isPriced ? Math.round(index === 0 ? row.silentCents : row.idleCents) : '',
    ),
  ]);
  return `\uFEFF${[[...head, ...costs], ...lines].map((line) => `${line.join(separator)}\n`).join('')}`;
}
