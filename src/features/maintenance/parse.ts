import { dateAt, dayAfter, instantOf, type TimeZone } from '../../base/time-zone.ts';
import { maskQuoted } from '../../model/text.ts';
import { UNITS } from '../../model/time.ts';

/** An end as an owner writes it: a length in milliseconds, an instant, or until phones are back. */
export type WrittenEnd = number | 'back' | { readonly until: number };

type MaintenanceWords = {
  readonly name: string;
  readonly end: WrittenEnd | undefined;
  readonly reason: string;
};

const MILLISECONDS = new Map(Object.entries(UNITS));
const UNIT = 'weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|s';
const END = new RegExp(
  `\\s(?:until\\s+)?(?:(?<back>back)|(?<clock>(?:[01]?\\d|2[0-3]):[0-5]\\d)|(?<length>(?:\\d{1,5}(?:[.,]\\d)?\\s?(?:${UNIT})\\s?)+(?:(?<=h)\\d{1,2})?))(?=\\s|$)`,
  'i',
);

/**
 * Parses a command: `rack-03 2h moving`, `rack-01 rack-02 90 min`, `rack-03 1h30`, `rack-03 until 18:00 moving`,
 * `rack-03 back`. A time of day means the next one.
 */
export function parseMaintenance(words: string, now: number, timeZone: TimeZone): MaintenanceWords {
  // A name in quotes may contain a time.
  const found = END.exec(maskQuoted(words));
  if (found === null) return { name: words.trim(), end: undefined, reason: '' };
  const { back, clock, length = '' } = found.groups ?? {};
  return {
    name: words.slice(0, found.index).trim(),
    end:
      back === undefined ? (clock === undefined ? lengthOf(length) : nextTime(clock, now, timeZone)) : 'back',
    reason: words.slice(found.index + found[0].length).trim(),
  };
}

/** Adds up `2h30m`, `90 min` or `1h30`. */
function lengthOf(text: string): number {
  const whole = text.toLowerCase().replace(/(?<=h)(\d+)\s*$/, '$1m');
  return Array.from(whole.matchAll(/(\d+(?:[.,]\d)?)\s?([wdhms])/g)).reduce(
    (sum, [, amount = '', unit = '']) =>
      sum + Number(amount.replace(',', '.')) * (MILLISECONDS.get(unit) ?? 0),
    0,
  );
}

function nextTime(clock: string, now: number, timeZone: TimeZone): WrittenEnd {
  const today = dateAt(timeZone, now);
  const at = (date: string): number => instantOf(timeZone, Date.parse(`${date}T${clock.padStart(5, '0')}Z`));
  return { until: at(today) > now ? at(today) : at(dayAfter(today)) };
}
