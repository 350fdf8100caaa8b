/** Instants outside of these years are rubbish: clocks that were never set, and zero values. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const ISO_8601_UTC = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Whether a number is an instant that can be meant: milliseconds since 1970 within the years 2000 to 2099. */
export function isInstant(milliseconds: number): boolean {
  return milliseconds >= EARLIEST && milliseconds < LATEST;
}

/**
 * Milliseconds since 1970 from ISO 8601 in UTC; undefined for everything else. `Date.parse` alone would read `"1"` as
 * 2001 and 31 February as 3 March.
 */
export function parseInstant(text: string | null | undefined): number | undefined {
  if (text == null || !ISO_8601_UTC.test(text)) return undefined;
  const instant = Date.parse(text);
  const day = Number(text.slice(8, 10));
  // A day that its month does not have becomes one of the next month; every month has 28.
  const isCalendarDate = day <= 28 || new Date(instant).getUTCDate() === day;
  return isCalendarDate && isInstant(instant) ? instant : undefined;
}
