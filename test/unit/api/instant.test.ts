import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../src/api/schemas.ts';

describe('parseInstant', () => {
  it.each([
    ['2026-03-01T12:00:00Z', Date.UTC(2026, 2, 1, 12)],
    ['2024-02-29T23:59:59.999Z', Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
    ['2026-03-01T12:00:00.5Z', Date.UTC(2026, 2, 1, 12, 0, 0, 500)],
    ['2026-03-01T12:00:00.1234567890123Z', Date.UTC(2026, 2, 1, 12, 0, 0, 123)],
    ['2026-03-01T12:00:00+00:00', Date.UTC(2026, 2, 1, 12)],
    ['2026-03-01T12:00:00.250-00:00', Date.UTC(2026, 2, 1, 12, 0, 0, 250)],
    ['2026-03-01T12:00:00+05:45', Date.UTC(2026, 2, 1, 6, 15)],
    ['2026-03-01T00:30:00-02:00', Date.UTC(2026, 2, 1, 2, 30)],
    ['2026-02-28T23:30:00-01:00', Date.UTC(2026, 2, 1, 0, 30)],
    ['2026-03-01t12:00:00z', Date.UTC(2026, 2, 1, 12)],
    ['2026-03-01 12:00:00.000Z', Date.UTC(2026, 2, 1, 12)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['2016-12-31T15:59:60.5-08:00', Date.UTC(2017, 0, 1, 0, 0, 0, 500)],
  ])('parses %s', (text, milliseconds) => {
    expect(parseInstant(text)).toBe(milliseconds);
  });

  it.each([
    ['1', 'what Date.parse takes for 2001'],
    ['2026-02-31T12:00:00.000Z', 'the 31st of February'],
    ['2025-02-29T12:00:00.000Z', 'the 29th of a February that has 28'],
    ['2026-03-01T24:00:00.000Z', 'the hour 24'],
    ['2026-03-01T12:00:60.000Z', 'a leap second in the middle of a day'],
    ['2026-03-01T12:00:00.000', 'no time zone'],
    ['2026-03-01T12:00:00.000+0100', 'an offset without a colon'],
    ['2026-03-01T12:00:00.000+24:00', 'an offset of a day'],
    ['20260301T120000Z', 'the basic form of ISO 8601'],
    [' 2026-03-01T12:00:00.000Z', 'a blank before it'],
    ['2026-03-01T12:00:00.000Z\n', 'a line break behind it'],
    ['1772366400000', 'a number'],
    ['1970-01-01T00:00:00.000Z', 'a clock that was never set'],
    ['1999-12-31T23:59:59.999Z', 'the last moment before 2000'],
    ['2100-01-01T00:00:00.000Z', 'the first moment of 2100'],
  ])('rejects %j: %s', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it.each([null, undefined])('returns undefined for %s', (absent) => {
    expect(parseInstant(absent)).toBeUndefined();
  });
});
