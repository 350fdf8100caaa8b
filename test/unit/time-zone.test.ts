import { describe, expect, it } from 'vitest';
import { createTimeZone, isTimeZone } from '../../src/time-zone.ts';

const HOUR = 3_600_000;

describe('a time zone', () => {
  it.each([
    ['Europe/Kyiv', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Europe/Atlantis', false],
    ['', false],
  ])('%j is known: %s', (name, known) => {
    expect(isTimeZone(name)).toBe(known);
  });

  it('is ahead of UTC by another time in summer, from the second on in which it begins', () => {
    const { offsetAt, abbreviationAt } = createTimeZone('Europe/Berlin');
    const begin = Date.UTC(2026, 2, 29, 1);
    expect([begin - 1, begin].map(offsetAt)).toEqual([HOUR, 2 * HOUR]);
    expect([begin - 1, begin].map(abbreviationAt)).toEqual(['CET', 'CEST']);
    const end = Date.UTC(2026, 9, 25, 1);
    expect([end - 1, end].map(offsetAt)).toEqual([2 * HOUR, HOUR]);
  });

  it('may be behind UTC, or ahead by half an hour', () => {
    expect(createTimeZone('America/St_Johns').offsetAt(Date.UTC(2026, 0, 1))).toBe(-3.5 * HOUR);
    expect(createTimeZone('Asia/Kolkata').offsetAt(Date.UTC(2026, 0, 1))).toBe(5.5 * HOUR);
  });
});
