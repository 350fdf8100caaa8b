import { parse, validateDetailed } from 'node-cron';
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts';
import { type ParseResult, parseDuration } from './values.ts';

/** The allowed values of each field, by node-cron's name for it. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['second', 'the second to be *, 0 to 59'],
  ['minute', 'the minute to be *, 0 to 59'],
  ['hour', 'the hour to be *, 0 to 23'],
  ['dayOfMonth', 'the day of the month to be *, 1 to 31'],
  ['month', 'the month to be *, 1 to 12 or jan to dec'],
  ['dayOfWeek', 'the weekday to be *, 0 to 7 or sun to sat'],
]);

/** Parses a cron expression of six fields, seconds first, and normalises its spaces. */
export function parseCron(text: string): ParseResult<string> {
  const parts = text.trim().split(/ +/);
  if (parts.length !== FIELDS.size)
    return { expected: `six fields (second minute hour day month weekday)${hintOn(text.trim(), parts)}` };
  const value = parts.join(' ');
  const { errors, fields } = validateDetailed(value);
  if (errors[0]?.message.includes('impossible'))
    return { expected: 'a day that exists in one of the months' };
  // node-cron accepts days such as L or 15W, and steps larger than the field.
  const isOdd = ([, values]: [string, readonly unknown[]], index: number): boolean =>
    !values.every(Number.isInteger) || (/^\*\//.test(parts[index] ?? '') && !values[1]);
  const wrong = errors[0]?.field ?? Object.entries(fields ?? {}).find(isOdd)?.[0];
  if (wrong === undefined) return { value };
  return { expected: `${FIELDS.get(wrong) ?? 'fields of *'}, a range a-b, a step */n or a list of these` };
}

/** Suggests an expression for a wrong number of fields. */
function hintOn(text: string, parts: readonly string[]): string {
  if (/^(?:CRON_)?TZ=/.test(text)) return ' and no time zone: schedules are in UTC';
  const not = `, not ${text === '' ? 0 : parts.length}`;
  const every = cronEvery((parseDuration(text) ?? 0) / SECOND);
  if (every !== undefined) return `${not}: "${every}" is every ${text}`;
  const withSeconds = `0 ${parts.join(' ')}`;
  const isOneShort = parts.length === FIELDS.size - 1 && 'value' in parseCron(withSeconds);
  return isOneShort ? `${not}: "${withSeconds}" means the same` : not;
}

/** Returns the expression for an interval in seconds; undefined if no expression has equal gaps. */
function cronEvery(seconds: number): string | undefined {
  const field = seconds < 60 ? 0 : seconds < 3_600 ? 1 : 2;
  const [size, whole] = [seconds / 60 ** field, field === 2 ? 24 : 60];
  if (!Number.isInteger(size) || whole % size !== 0) return undefined;
  return `${'0 '.repeat(field)}${size === whole ? 0 : size === 1 ? '*' : `*/${size}`}${' *'.repeat(5 - field)}`;
}

/** Returns a function that lists the ticks of a valid expression on a day: milliseconds after midnight, ascending. */
export function ticksOf(expression: string): (midnight: number) => readonly number[] {
  const { hour, minute, second, dayOfMonth, month, dayOfWeek } = parse(expression);
  const inMinutes = hour.flatMap((h) => minute.map((m) => h * HOUR + m * MINUTE));
  const all = new Set(inMinutes.flatMap((time) => second.map((s) => time + s * SECOND)));
  const times = [...all].toSorted((one, other) => one - other);
  // If both days are given, classic cron ticks on either, but node-cron only on both.
  const [day = '*', , weekday = '*'] = expression.split(' ').slice(3);
  const isEither = !day.startsWith('*') && !weekday.startsWith('*');
  return (midnight) => {
    const date = new Date(midnight);
    const days = [dayOfMonth.includes(date.getUTCDate()), dayOfWeek.includes(date.getUTCDay())];
    const isDay = days.includes(true) && (isEither || !days.includes(false));
    return isDay && month.includes(date.getUTCMonth() + 1) ? times : [];
  };
}

/** Dates fall on the same weekdays again after 28 years, as long as every fourth year is a leap year. */
const CALENDAR_DAYS = 10_227;

/** Returns the times between two ticks of a valid expression in UTC, and its first tick after an instant, in milliseconds. */
export function createCalendar(expression: string) {
  const ticks = ticksOf(expression);
  const days = Array.from({ length: CALENDAR_DAYS }, (_, day) => day * DAY).filter(
    (day) => ticks(day).length > 0,
  );
  const [first = 0] = days;
  const times = ticks(first);
  const overNight = (times[0] ?? 0) - (times.at(-1) ?? 0);
  const nights = gapsOf([...days, first + CALENDAR_DAYS * DAY]).map((gap) => gap + overNight);
  const gaps = [...gapsOf(times), ...nights];
  return {
    gaps: { longest: Math.max(...gaps), shortest: Math.min(...gaps) },
    nextAfter: (instant: number): number => {
      for (let day = Math.floor(instant / DAY) * DAY; ; day += DAY) {
        const time = ticks(day).find((each) => day + each > instant);
        if (time !== undefined) return day + time;
      }
    },
  };
}

/** Returns the distinct gaps between consecutive ascending numbers. */
function gapsOf(ascending: readonly number[]): readonly number[] {
  return [...new Set(ascending.slice(1).map((each, index) => each - (ascending[index] ?? 0)))];
}
