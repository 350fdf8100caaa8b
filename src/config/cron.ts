import type { ParseResult } from './values.ts';

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
  return { value: fields.join(' ') };
}

/** Says what is wrong with a number of fields, and how to write an expression of classic cron. */
function hintOn(text: string, fields: readonly string[]): string {
  if (/^(?:CRON_)?TZ=/.test(text)) return ' and no time zone: schedules are in UTC';
  const not = `, not ${text === '' ? 0 : fields.length}`;
  if (fields.length !== FIELDS.length - 1) return not;
  const withSeconds = ['0', ...fields].join(' ');
  return 'value' in parseCron(withSeconds) ? `${not}: "${withSeconds}" means the same` : not;
}

function parseField(text: string, field: CronField): ParseResult<readonly number[]> {
  const values: number[] = [];
  for (const part of text.split(',')) {
    const selected = parsePart(part, field);
    if (selected === undefined) return { expected: expectedOf(field) };
    values.push(...selected);
  }
  return { value: values };
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
