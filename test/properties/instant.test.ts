import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInstant, parseInstant } from '../../src/api/instant.ts';

const ISO_8601_UTC = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** What an instant is, in terms of `Date`. */
function byDate(text: string): number | undefined {
  if (!ISO_8601_UTC.test(text)) return undefined;
  const instant = Date.parse(text);
  const day = Number(text.slice(8, 10));
  return new Date(instant).getUTCDate() === day && isInstant(instant) ? instant : undefined;
}

const padded = (digits: number, least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((number) => String(number).padStart(digits, '0'));

const fraction = fc.oneof(
  fc.constant(''),
  fc.stringMatching(/^\.\d{1,9}$/),
  fc.stringMatching(/^[.,]?\d{0,11}$/),
);

/** Texts of the form of an instant, most of them instants. */
const almost = fc
  .tuple(
    fc.oneof(padded(4, 1998, 2102), padded(4, 0, 9999)),
    padded(2, 0, 14),
    padded(2, 0, 33),
    padded(2, 0, 25),
    padded(2, 0, 61),
    padded(2, 0, 61),
    fraction,
  )
  .map(
    ([year, month, day, hour, minute, second, rest]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}Z`,
  );

/** Such a text with one character, that it has or that stands behind it, replaced, or left out. */
const mutilated = fc
  .tuple(
    almost,
    fc.nat(32),
    fc.oneof(fc.constantFrom('', '/', ':', '-', '+', ' ', 'T', 'Z', '\0', '٣'), fc.string()),
  )
  .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1));

describe('an instant is what Date says it is', () => {
  it.each([
    ['in texts of its form', almost],
    ['in texts that are not quite of its form', mutilated],
    ['in any texts', fc.string({ maxLength: 40 })],
    ['in what Date prints', fc.date({ noInvalidDate: true }).map((date) => date.toISOString())],
  ])('%s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseInstant(text)).toBe(byDate(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('on each day of its century', () => {
    const days = Array.from({ length: 36_525 }, (_, day) => Date.UTC(2000, 0, 1 + day, 23, 59, 59, 999));
    expect(days.map((day) => parseInstant(new Date(day).toISOString()))).toEqual(days);
  });
});
