/** Instants outside of these years are rubbish: clocks that were never set, and zero values. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Days of a year before each month, and of the year, where February has 28. */
const DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const;

/** As in `2026-03-01T12:00:00Z`; a fraction of 1 to 9 digits may stand before the `Z`. */
const LENGTH = 20;
const LONGEST = LENGTH + 1 + 9;

const ZERO = 0x30;

/** Whether a number is an instant that can be meant: milliseconds since 1970 within the years 2000 to 2099. */
export function isInstant(milliseconds: number): boolean {
  return milliseconds >= EARLIEST && milliseconds < LATEST;
}

/**
 * Milliseconds since 1970 from ISO 8601 in UTC, whole ones; undefined for everything else, and for years other than 2000
 * to 2099. `Date.parse` would read `"1"` as 2001 and 31 February as 3 March, and takes three times as long: a large fleet
 * says a hundred thousand instants a poll.
 */
export function parseInstant(text: string | null | undefined): number | undefined {
  if (text == null || !isPunctuated(text) || twoDigits(text, 0) !== 20) return undefined;
  const day = dayNumber(twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8));
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  const inDay = ((hour * 60 + minute) * 60 + second) * 1000 + fractionMilliseconds(text);
  // Any part that is no number makes the sum none.
  const instant = EARLIEST + day * DAY_MILLISECONDS + inDay;
  return hour < 24 && minute < 60 && second < 60 && !Number.isNaN(instant) ? instant : undefined;
}

/** Whether a text has the length of an instant, and its signs in their places. */
function isPunctuated(text: string): boolean {
  return (
    text.length >= LENGTH &&
    text.length <= LONGEST &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':' &&
    text[text.length - 1] === 'Z'
  );
}

/**
 * Days since 2000 began; NaN where there is no such day. Every fourth year of the century is a leap year, its first too.
 *
 * @param year of the century, 0 to 99
 * @param month 1 to 12
 */
function dayNumber(year: number, month: number, day: number): number {
  const before = DAYS_BEFORE[month - 1] ?? Number.NaN;
  const isLeap = year % 4 === 0;
  const days = (DAYS_BEFORE[month] ?? Number.NaN) - before + (isLeap && month === 2 ? 1 : 0);
  if (!(day >= 1 && day <= days)) return Number.NaN;
  return year * 365 + Math.ceil(year / 4) + before + (isLeap && month > 2 ? 1 : 0) + day - 1;
}

/** What stands between the seconds and the `Z`; NaN where it is no fraction. Digits beyond the third are cut off. */
function fractionMilliseconds(text: string): number {
  if (text.length === LENGTH) return 0;
  if (text[LENGTH - 1] !== '.' || text.length === LENGTH + 1) return Number.NaN;
  let milliseconds = 0;
  let weight = 100;
  for (let at = LENGTH; at < text.length - 1; at += 1) {
    milliseconds += Math.floor(digit(text, at) * weight);
    weight /= 10;
  }
  return milliseconds;
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

/** NaN where there is none. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - ZERO;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
