import { instantOf, type TimeZone } from '../base/time-zone.ts';
import { DAY, MINUTE } from '../model/time.ts';
import { type ParseResult, parseDuration } from './values.ts';

type CronField = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Names of the values, from the least value on. */
  readonly words: readonly string[];
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly CronField[] = [
  { name: 'second', least: 0, most: 59, words: [] },
  { name: 'minute', least: 0, most: 59, words: [] },
  { name: 'hour', least: 0, most: 23, words: [] },
  { name: 'day of the month', least: 1, most: 31, words: [] },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  // 0 and 7 are Sunday.
  { name: 'weekday', least: 0, most: 7, words: WEEKDAYS },
];

/** Days of each month in a leap year. */
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A single value, or `*` or a range, which can have a step. */
const PART = /^(?:(?<first>\w+)|(?<span>\*|(?<from>\w+)-(?<to>\w+))(?:\/(?<step>\d{1,2}))?)$/;

/**
 * Parses a cron expression of six fields, seconds first: each is `*`, a value, a range `a-b`, `*` or a range with a step
 * `/n`, or a list of these; months and weekdays also as `jan` or `mon`. The value has single blanks between its fields.
 * An expression that matches no day of any year is refused.
 */
export function parseCron(text: string): ParseResult<string> {
  const fields = parseFields(text);
  return 'expected' in fields ? fields : { value: text.trim().split(/ +/).join(' ') };
}

/** Parses the six fields of a cron expression to their values. */
function parseFields(text: string): ParseResult<readonly (readonly number[])[]> {
  const fields = text.trim().split(/ +/);
  if (fields.length !== FIELDS.length) {
    return { expected: `six fields (second minute hour day month weekday)${hintOn(text.trim(), fields)}` };
  }
  const values: (readonly number[])[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const result = parseField(fields[index] ?? '', field);
    if ('expected' in result) return result;
    values.push(result.value);
  }
  const [, , , days = [], months = []] = values;
  if (!months.some((month) => Math.min(...days) <= (DAYS_OF_MONTH[month - 1] ?? 0))) {
    return { expected: 'a day that exists in one of the months' };
  }
  return { value: values };
}

/** Parses a cron expression of five fields, minutes first, as of classic cron. The value has single blanks. */
export function parseWindowCron(text: string): ParseResult<string> {
  const fields = text.trim().split(/ +/);
  if (fields.length !== FIELDS.length - 1) return { expected: 'five fields (minute hour day month weekday)' };
  const result = parseCron(['0', ...fields].join(' '));
  return 'expected' in result ? result : { value: fields.join(' ') };
}

/**
 * Returns a function that finds the last start of a window in a time zone, later than one instant and up to another, by the
 * rule of {@link instantOf}.
 *
 * @param expression one that {@link parseWindowCron} accepts
 */
export function lastStartOf(
  expression: string,
  timeZone: Pick<TimeZone, 'offsetAt'>,
): (upTo: number, laterThan: number) => number | undefined {
  const { offsetAt } = timeZone;
  const fields = parseFields(`0 ${expression}`);
  if ('expected' in fields) throw new RangeError(`the schedule "${expression}": expected ${fields.expected}`);
  const [, minutes = [], hours = [], days = [], months = [], weekdays = []] = fields.value;
  const isDay = (local: number): boolean => {
    const date = new Date(local);
    return (
      days.includes(date.getUTCDate()) &&
      months.includes(date.getUTCMonth() + 1) &&
      weekdays.includes(date.getUTCDay())
    );
  };
  const times = hours.flatMap((hour) => minutes.map((minute) => (hour * 60 + minute) * MINUTE)).toReversed();
  return (upTo, laterThan) => {
    const today = Math.floor((upTo + offsetAt(upTo)) / DAY) * DAY;
    // The clock may be set back by an hour: a time of today may be before one of yesterday.
    let last: number | undefined;
    for (let day = today; day > laterThan + offsetAt(laterThan) - 2 * DAY; day -= DAY) {
      if (!isDay(day)) continue;
      for (const time of times) {
        const start = instantOf(timeZone, day + time);
        if (start > upTo || start <= laterThan) continue;
        last = Math.max(last ?? start, start);
        break;
      }
    }
    return last;
  };
}

/** Times between two ticks of a schedule, in milliseconds. */
export type TickGaps = { readonly longest: number; readonly shortest: number };

const DAY_SECONDS = 86_400;

/** The calendar repeats itself after this many years: 146,097 days, which are whole weeks. */
const CALENDAR_YEARS = 400;
const CALENDAR_DAYS = 146_097;

/**
 * Returns the longest and the shortest time between two ticks of a cron expression in UTC, of all years. The ticks of a day
 * are the same on each day that has any.
 *
 * @throws RangeError if {@link parseCron} refuses the expression
 */
export function tickGapsOf(expression: string): TickGaps {
  const fields = parseFields(expression);
  if ('expected' in fields) throw new RangeError(`the schedule "${expression}": expected ${fields.expected}`);
  const [seconds = [], minutes = [], hours = [], days = [], months = [], weekdays = []] = fields.value;
  const times = hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => (hour * 60 + minute) * 60 + second)),
  );
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const withinDay = gapsOf(times);
  const overNight = daysBetween(days, months, weekdays).map((count) => count * DAY_SECONDS - last + first);
  const gaps = [...withinDay, ...overNight];
  return { longest: Math.max(...gaps) * 1000, shortest: Math.min(...gaps) * 1000 };
}

/** Lists the different numbers of days from one day with ticks to the next one. */
function daysBetween(
  days: readonly number[],
  months: readonly number[],
  weekdays: readonly number[],
): readonly number[] {
  const isEachDay = days.length === 31 && months.length === 12 && weekdays.length === 7;
  if (isEachDay) return [1];
  const years = Array.from({ length: CALENDAR_YEARS }, (_, year) => 2000 + year);
  const found = years.flatMap((year) =>
    months.flatMap((month) => {
      const inMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
      const firstOfMonth = Date.UTC(year, month - 1, 1) / (DAY_SECONDS * 1000);
      // 1970 began on a Thursday.
      const isTickDay = (day: number): boolean => weekdays.includes((firstOfMonth + day + 3) % 7);
      return days.filter((day) => day <= inMonth && isTickDay(day)).map((day) => firstOfMonth + day);
    }),
  );
  return [...new Set([...gapsOf(found), (found[0] ?? 0) + CALENDAR_DAYS - (found.at(-1) ?? 0)])];
}

/** Returns the different gaps between neighbours of ascending numbers. */
function gapsOf(ascending: readonly number[]): readonly number[] {
  return [...new Set(ascending.slice(1).map((each, index) => each - (ascending[index] ?? 0)))];
}

/** Says what is wrong with a number of fields, and how to write an expression of classic cron. */
function hintOn(text: string, fields: readonly string[]): string {
  if (/^(?:CRON_)?TZ=/.test(text)) return ' and no time zone: schedules are in UTC';
  const not = `, not ${text === '' ? 0 : fields.length}`;
  const milliseconds = parseDuration(text);
  const regular = milliseconds === undefined ? undefined : cronEvery(milliseconds);
  if (regular !== undefined) return `${not}: "${regular}" is every ${text}`;
  if (fields.length !== FIELDS.length - 1) return not;
  const withSeconds = ['0', ...fields].join(' ');
  return 'value' in parseCron(withSeconds) ? `${not}: "${withSeconds}" means the same` : not;
}

/** Returns the expression that ticks at this interval; undefined where its ticks would not be equally far apart. */
function cronEvery(milliseconds: number): string | undefined {
  const seconds = milliseconds / 1_000;
  if (isStep(seconds, 60)) return `${step(seconds)} * * * * *`;
  if (isStep(seconds / 60, 60)) return `0 ${step(seconds / 60)} * * * *`;
  if (isStep(seconds / 3_600, 24)) return `0 0 ${step(seconds / 3_600)} * * *`;
  return seconds === 86_400 ? '0 0 0 * * *' : undefined;
}

/** Tests if a step of this size divides a field of cron into equal parts. */
function isStep(size: number, whole: number): boolean {
  return Number.isInteger(size) && size < whole && whole % size === 0;
}

function step(size: number): string {
  return size === 1 ? '*' : `*/${size}`;
}

function parseField(text: string, field: CronField): ParseResult<readonly number[]> {
  const values: number[] = [];
  for (const part of text.split(',')) {
    const selected = parsePart(part, field);
    if (selected === undefined) return { expected: expectedOf(field) };
    values.push(...selected);
  }
  // 7 is another name of Sunday.
  const distinct = new Set(field.words === WEEKDAYS ? values.map((value) => value % 7) : values);
  return { value: [...distinct].toSorted((one, other) => one - other) };
}

function parsePart(part: string, field: CronField): readonly number[] | undefined {
  const groups = PART.exec(part)?.groups;
  if (groups === undefined) return undefined;
  const { first, span, from, to, step = '1' } = groups;
  const low = span === '*' ? field.least : numberOf(first ?? from ?? '', field);
  const high = span === '*' ? field.most : numberOf(first ?? to ?? '', field);
  const stride = Number(step);
  if (low === undefined || high === undefined || low > high || stride < 1) return undefined;
  if (stride > field.most - field.least) return undefined;
  return Array.from({ length: Math.floor((high - low) / stride) + 1 }, (_, index) => low + index * stride);
}

function numberOf(text: string, field: CronField): number | undefined {
  const word = field.words.indexOf(text.toLowerCase());
  if (word !== -1) return word + field.least;
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= field.least && value <= field.most ? value : undefined;
}

function expectedOf({ name, least, most, words }: CronField): string {
  const byWord = words.length > 0 ? ` or ${words[0]} to ${words.at(-1)}` : '';
  return `the ${name} to be *, ${least} to ${most}${byWord}, a range a-b, a step */n or a list of these`;
}
