import { createTask, parse, validate } from 'node-cron';
import { instantOf, type TimeZone } from '../base/time-zone.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../model/time.ts';
import { type ParseResult, parseDuration } from './values.ts';

type CronField = {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: string;
};

const FIELDS: readonly CronField[] = [
  { name: 'second', least: 0, most: 59 },
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: 'jan to dec' },
  { name: 'weekday', least: 0, most: 7, words: 'sun to sat' },
];

/** Parses a cron expression of six fields, seconds first, and normalises its spaces. */
export function parseCron(text: string): ParseResult<string> {
  const fields = text.trim().split(/ +/);
  if (fields.length !== FIELDS.length) {
    return { expected: `six fields (second minute hour day month weekday)${hintOn(text.trim(), fields)}` };
  }
  const wrong = FIELDS.find((field, index) => !isValid(fields[index] ?? '', index, field));
  if (wrong !== undefined) return { expected: expectedOf(wrong) };
  const value = fields.join(' ');
  return validate(value) ? { value } : { expected: 'a day that exists in one of the months' };
}

/** Parses a cron expression of five fields, minutes first, and normalises its spaces. */
export function parseWindowCron(text: string): ParseResult<string> {
  const fields = text.trim().split(/ +/);
  if (fields.length !== FIELDS.length - 1) return { expected: 'five fields (minute hour day month weekday)' };
  const result = parseCron(['0', ...fields].join(' '));
  return 'expected' in result ? result : { value: fields.join(' ') };
}

/** Tests one field. Rejects days such as L or 15W, which node-cron supports, and steps larger than the field. */
function isValid(text: string, index: number, { least, most }: CronField): boolean {
  const alone = FIELDS.map((_, at) => (at === index ? text : '*')).join(' ');
  const steps = Array.from(text.matchAll(/\/(\d+)/g), ([, step]) => Number(step));
  return (
    validate(alone) &&
    Math.max(...steps, 0) <= most - least &&
    Object.values(parse(alone)).every((values) => values.every(Number.isInteger))
  );
}

/** The ticks of a cron expression of six fields in UTC. */
export type Calendar = {
  readonly gaps: TickGaps;
  /** Returns the next tick from now on, in milliseconds since 1970. */
  readonly nextAt: () => number;
};

/** Times between two ticks of a schedule, in milliseconds. */
export type TickGaps = { readonly longest: number; readonly shortest: number };

/** @throws Error if {@link parseCron} rejects the expression */
export function createCalendar(expression: string): Calendar {
  // Never started: only tasks have a method for the next ticks.
  const tasks = alternativesOf(expression).map((each) => createTask(each, () => {}, { timezone: 'UTC' }));
  return {
    gaps: tickGapsOf(ticksOf(expression)),
    // `getNextRun` works for started tasks only.
    nextAt: () => Math.min(...tasks.flatMap((task) => task.getNextRuns(1)).map((tick) => tick.getTime())),
  };
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
  const { isDay, times } = ticksOf(`0 ${expression}`);
  return (upTo, laterThan) => {
    const today = Math.floor((upTo + offsetAt(upTo)) / DAY) * DAY;
    // The clock may be set back by an hour: a time of today may be before one of yesterday.
    let last: number | undefined;
    for (let day = today; day > laterThan + offsetAt(laterThan) - 2 * DAY; day -= DAY) {
      if (!isDay(day)) continue;
      const time = times.findLast((each) => instantOf(timeZone, day + each) <= upTo);
      const start = time === undefined ? laterThan : instantOf(timeZone, day + time);
      if (start > (last ?? laterThan)) last = start;
    }
    return last;
  };
}

/** Days and times at which an expression ticks. */
type Ticks = {
  /** Tests a day by its midnight. */
  readonly isDay: (midnight: number) => boolean;
  /** Milliseconds after midnight, ascending. */
  readonly times: readonly number[];
};

function ticksOf(expression: string): Ticks {
  const { hour, minute, second } = parse(expression);
  const times = hour.flatMap((h) =>
    minute.flatMap((m) => second.map((s) => h * HOUR + m * MINUTE + s * SECOND)),
  );
  const days = alternativesOf(expression)
    .map(parse)
    .map(
      ({ dayOfMonth, month, dayOfWeek }) =>
        [new Set(dayOfMonth), new Set(month), new Set(dayOfWeek)] as const,
    );
  return {
    isDay: (midnight) => {
      const date = new Date(midnight);
      return days.some(
        ([ofMonth, months, ofWeek]) =>
          ofMonth.has(date.getUTCDate()) &&
          months.has(date.getUTCMonth() + 1) &&
          ofWeek.has(date.getUTCDay()),
      );
    },
    times: [...new Set(times)].toSorted((one, other) => one - other),
  };
}

/**
 * Lists expressions that together tick like classic cron: if both a day of the month and a weekday are given, and neither
 * starts with `*`, on days that match either. node-cron ticks only if both match.
 */
function alternativesOf(expression: string): readonly string[] {
  const [second, minute, hour, day = '*', month, weekday = '*'] = expression.split(' ');
  if (day.startsWith('*') || weekday.startsWith('*')) return [expression];
  const time = `${second} ${minute} ${hour}`;
  return [`${time} ${day} ${month} *`, `${time} * ${month} ${weekday}`];
}

/** Weekdays of dates repeat after 28 years, as long as every fourth year is a leap year. */
const CALENDAR_DAYS = 10_227;

/** Returns the gaps of these years. All days with ticks have the same ones. */
function tickGapsOf({ isDay, times }: Ticks): TickGaps {
  const days = Array.from({ length: CALENDAR_DAYS }, (_, day) => day * DAY).filter(isDay);
  const overNight = DAY - (times.at(-1) ?? 0) + (times[0] ?? 0);
  const afterLast = (days[0] ?? 0) + CALENDAR_DAYS * DAY;
  const between = gapsOf([...days, afterLast]).map((gap) => gap - DAY + overNight);
  const gaps = [...gapsOf(times), ...between];
  return { longest: Math.max(...gaps), shortest: Math.min(...gaps) };
}

/** Returns the different gaps between neighbours of ascending numbers. */
function gapsOf(ascending: readonly number[]): readonly number[] {
  return [...new Set(ascending.slice(1).map((each, index) => each - (ascending[index] ?? 0)))];
}

/** Describes a wrong number of fields, and suggests an expression. */
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

/** Returns the expression for an interval; undefined if no expression has equal gaps. */
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

function expectedOf({ name, least, most, words }: CronField): string {
  const byWord = words === undefined ? '' : ` or ${words}`;
  return `the ${name} to be *, ${least} to ${most}${byWord}, a range a-b, a step */n or a list of these`;
}
