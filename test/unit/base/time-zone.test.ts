import { describe, expect, it } from 'vitest';
import { createTimeZone, dateAt, instantOf, isTimeZone, midnightOf } from '../../../src/base/time-zone.ts';

const HOUR = 3_600_000;

describe('a time zone', () => {
  it.each([
    ['Europe/Kyiv', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Europe/Atlantis', false],
    ['Europe/Kiev', true],
    ['europe/kyiv', true],
    ['Etc/GMT-3', true],
    ['GMT', true],
    ['CET', true],
    ['US/Eastern', true],
    ['', false],
    ['UTC+2', false],
    ['+02:00', false],
    ['BST', false],
    ['IST', false],
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

describe('a local time', () => {
  it.each([
    ['2026-06-01T02:30', '2026-06-01T00:30:00.000Z'],
    ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ])('%s in Berlin is %s: skipped times are later, and double ones the first', (local, instant) => {
    const berlin = createTimeZone('Europe/Berlin');
    expect(new Date(instantOf(berlin, Date.parse(`${local}Z`))).toISOString()).toBe(instant);
  });

  it('is the same again at its instant in each time zone, unless the clock skips it', () => {
    const zones = [
      'Europe/Kyiv',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'America/Nuuk',
      'Africa/Casablanca',
    ];
    const wrong = zones.flatMap((name) => {
      const zone = createTimeZone(name);
      const hours = Array.from({ length: 366 * 8 }, (_, index) => Date.UTC(2026, 0, 1) + index * 3 * HOUR);
      return hours.filter((local) => {
        const instant = instantOf(zone, local);
        const shown = instant + zone.offsetAt(instant);
        return shown < local || shown > local + HOUR;
      });
    });
    expect(wrong).toEqual([]);
  });
});

describe('a local date', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00Z'],
    ['Pacific/Apia', '2026-11-24', '2026-11-23T11:00:00Z'],
  ])(
    'begins in %s on %s at its first instant, also where the clock skips midnight',
    (name, date, instant) => {
      const zone = createTimeZone(name);
      const midnight = midnightOf(zone, date);
      expect(new Date(midnight).toISOString()).toBe(instant.replace('Z', '.000Z'));
      expect([midnight - 1, midnight].map((at) => dateAt(zone, at) < date)).toEqual([true, false]);
    },
  );
});
