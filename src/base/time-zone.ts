import { DAY, HOUR } from '../model/time.ts';
import { language, perLanguage } from '../text/say.ts';

/*
 * Time in the owner's zone. Instants are milliseconds since 1970; a local time is the same count as if the zone were UTC.
 */

/**
 * Forms that only some versions of Node accept, such as `+02:00`, and Node's own abbreviations that are not in the IANA
 * database: its BST is Bangladesh.
 */
const OTHER_FORM = /^(?:[^a-z].*|(?!(?:utc|gmt|uct|cet|eet|met|wet|est|mst|hst|prc|roc|rok)$)[a-z]{3})$/i;

/** Reports whether a name is that of an IANA time zone, in any case, such as Europe/Kyiv or Etc/GMT-3. */
export function isTimeZone(name: string): boolean {
  if (OTHER_FORM.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export type TimeZone = {
  readonly name: string;
  /** Milliseconds by which local time is ahead of UTC at an instant. */
  readonly offsetAt: (instant: number) => number;
  /** Abbreviation at an instant, such as CET or GMT+3. */
  readonly abbreviationAt: (instant: number) => string;
};

/** An Intl format takes a millisecond to create, and each answer in the chat asked for one. */
const zones = new Map<string, TimeZone>();

/** @param name a name that {@link isTimeZone} accepts; undefined for the zone of this machine */
export function createTimeZone(name?: string): TimeZone {
  // This machine's zone may change.
  if (name === undefined) return zoneOf(name);
  const zone = zones.get(name) ?? zoneOf(name);
  zones.set(name, zone);
  return zone;
}

/** Returns the time zone of the parameter `time_zone`, such as that of a chat; the owner's own without a valid one. */
export function zoneFor(query: URLSearchParams, own: TimeZone): TimeZone {
  const name = query.get('time_zone') ?? '';
  return isTimeZone(name) ? createTimeZone(name) : own;
}

function zoneOf(name: string | undefined): TimeZone {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...(name !== undefined && { timeZone: name }),
    hourCycle: 'h23',
    timeZoneName: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const read = (instant: number): ReadonlyMap<string, string> =>
    new Map(parts.formatToParts(instant).map(({ type, value }) => [type, value]));
  const { timeZone } = parts.resolvedOptions();
  return {
    name: name ?? timeZone,
    offsetAt: (instant) => {
      const local = read(instant);
      const part = (type: string): number => Number(local.get(type));
      const wholeSecond = Math.floor(instant / 1000) * 1000;
      const date = [part('year'), part('month') - 1, part('day')] as const;
      return Date.UTC(...date, part('hour'), part('minute'), part('second')) - wholeSecond;
    },
    abbreviationAt: (instant) => read(instant).get('timeZoneName') ?? timeZone,
  };
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const DAY_AND_MONTH = perLanguage(
  (own) => new Intl.DateTimeFormat(own, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

/** Writes a local date for people, such as 24 Nov. */
export function dayText(date: string): string {
  // English puts the day first here, whichever variant: in American order, it would be Nov 24.
  if (language() !== 'en') return DAY_AND_MONTH().format(Date.parse(date.slice(0, 10)));
  return `${Number(date.slice(8, 10))} ${MONTH.format(Date.parse(date.slice(0, 10)))}`;
}

/** Writes an instant in the owner's time, such as 24 Nov 14:05 EET. */
export function localText(timeZone: TimeZone, instant: number): string {
  const local = dateTimeAt(timeZone, instant);
  return `${dayText(local)} ${local.slice(11, 16)} ${timeZone.abbreviationAt(instant)}`;
}

/** Returns the local date and time at an instant, such as 2026-11-24 14:05:30. */
export function dateTimeAt({ offsetAt }: TimeZone, instant: number): string {
  return new Date(instant + offsetAt(instant)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns the local date at an instant, such as 2026-11-24. */
export function dateAt(timeZone: TimeZone, instant: number): string {
  return dateTimeAt(timeZone, instant).slice(0, 10);
}

/**
 * Returns the instant of a local time. A time that the clock skips when summer time begins is moved on by as much as it
 * skips. A time that exists twice when summer time ends is the first of the two. In Berlin 2026-03-29 02:30 is 03:30, which
 * is 01:30 UTC, and 2026-10-25 02:30 is 00:30 UTC.
 */
export function instantOf({ offsetAt }: Pick<TimeZone, 'offsetAt'>, local: number): number {
  const before = offsetAt(local - DAY);
  const first = local - before;
  if (offsetAt(first) === before) return first;
  const second = local - offsetAt(local + DAY);
  return second + offsetAt(second) === local ? second : first;
}

/** Returns the instant at which a local date begins. */
export function midnightOf(timeZone: TimeZone, date: string): number {
  return instantOf(timeZone, Date.parse(date));
}

/** Returns how long after UTC hours the local hours of a day begin, in milliseconds: half an hour in India. */
export function hourShift(timeZone: TimeZone, instant: number): number {
  return midnightOf(timeZone, dateAt(timeZone, instant)) % HOUR;
}

export function dayAfter(date: string): string {
  return new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);
}
