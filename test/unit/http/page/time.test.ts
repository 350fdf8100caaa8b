import { describe, expect, it } from 'vitest';
import { createCalendar, durationText, heartbeatAge, sightOf } from '../../../../src/http/fleet/page/time.ts';
import { NOON, reading, UNREAD } from './phone.ts';

describe('a duration', () => {
  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [7_800, '2 h 10 min'],
    [86_399, '23 h 59 min'],
    [86_400, '1 d'],
    [100_000, '1 d 3 h'],
    [86_400 * 400, '400 d'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('an instant', () => {
  const calendar = createCalendar('Europe/Berlin');

  it.each([
    ['today', NOON - 3_000, '12:59:57'],
    ['at midnight', Date.UTC(2026, 1, 28, 23), '00:00:00'],
    ['yesterday', Date.UTC(2026, 1, 28, 22, 59), '28 Feb 23:59'],
    ['last year', Date.UTC(2025, 11, 24, 18), '24 Dec 2025'],
  ])('%s is brief', (_, instant, text) => {
    expect(calendar.brief(instant, NOON)).toBe(text);
  });

  it('is told in full with its zone', () => {
    expect(calendar.full(NOON)).toBe('2026-03-01 13:00:00 CET');
    expect(createCalendar('UTC').full(NOON)).toBe('2026-03-01 12:00:00 UTC');
  });
});

describe('an age', () => {
  const age = (...sight: Parameters<typeof sightOf>) => heartbeatAge(10, sightOf(...sight));

  it('grows while data is fresh', () => {
    expect(age(reading(), NOON + 20_000, undefined)).toBe(30);
  });

  it('stands still while data is held', () => {
    expect(age(reading({ state: 'held' }), NOON + 600_000, undefined)).toBe(10);
  });

  it('stands still while the exporter can’t be reached, since nothing is known of then', () => {
    const sight = sightOf(reading(), NOON + 600_000, NOON + 5_000);
    expect([heartbeatAge(10, sight), sight.state, sight.asOf]).toEqual([10, 'held', NOON]);
  });

  it('does not shrink where the clocks disagree', () => {
    expect(age(reading(), NOON - 20_000, undefined)).toBe(10);
  });

  it('is of now where nothing was ever seen', () => {
    expect(sightOf(UNREAD, NOON, undefined)).toEqual({ state: 'expired', seenAt: undefined, asOf: NOON });
  });
});
