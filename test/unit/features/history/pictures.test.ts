import { describe, expect, it } from 'vitest';
import { createTimeZone, dateAt, dayText, midnightOf } from '../../../../src/base/time-zone.ts';
import {
  comparisonOf,
  marksOf,
  type Picture,
  picturesOf,
} from '../../../../src/features/history/browser/pictures.ts';
import { incident } from '../../fleet/fleet.ts';
import { phone } from '../../fleet/phone.ts';
import { history, historyAccount } from './documents.ts';

const UTC = createTimeZone('UTC');
const NONE = [null, null, null];

/** The line of a picture, by both titles. */
const lineOf = (pictures: readonly Picture[], picture: string, title: string) =>
  pictures.find((each) => each.title === picture)?.lines.find((each) => each.title === title);

describe('the pictures of a history', () => {
  it('are the phones, the offline ones, and the changes of the balance in each currency', () => {
    const pictures = picturesOf(
      history(
        historyAccount(3),
        historyAccount(3, { account: 'second' }),
        historyAccount(3, { account: 'third', currency: 'USD' }),
        historyAccount(3, { account: 'fourth', currency: null, increase_cents: NONE, decrease_cents: NONE }),
      ),
      undefined,
      UTC,
    );
    expect(pictures.map(({ title }) => title)).toEqual([
      'Phones',
      'Offline phones',
      'Changes in the balance, EUR',
      'Changes in the balance, USD',
    ]);
    expect(pictures.map(({ textOf }) => textOf(1_234))).toEqual(['1,234', '1,234', '€12.34', '$12.34']);
  });

  it('show what came in and went out by the hour, and a mark for a payout', () => {
    const account = historyAccount(5, {
      increase_cents: [100, 150, null, 400, 400],
      decrease_cents: [0, 0, 0, 30_000, 30_000],
    });
    const pictures = picturesOf(history(account, historyAccount(5, { account: 'second' })), 24, UTC);
    const title = 'Changes in the balance, EUR';
    expect(lineOf(pictures, title, 'In')?.values).toEqual([0, 50, null, 250, 0]);
    expect(lineOf(pictures, title, 'Out')?.values).toEqual([0, 0, 0, -30_000, 0]);
    const [money] = pictures.slice(-1);
    expect(money?.marks).toEqual([{ at: (money?.ends[3] ?? 0) - 1_800, text: '−€300.00', colour: 'soft' }]);
  });

  it('have the last hour with data in the legend, in the first minutes of the next one', () => {
    const { ends, ...account } = historyAccount(3, {
      increase_cents: [0, 200, null],
      decrease_cents: [0, 0, null],
    });
    const now = { ...account, ends: [ends[0] ?? 0, ends[1] ?? 0, (ends[1] ?? 0) + 120] };
    const [money] = picturesOf(history(now), 24, UTC).slice(-1);
    expect([money?.ends, money?.lines.map(({ values }) => values)]).toEqual([
      ends.slice(0, 2),
      [
        [0, 200],
        [0, 0],
      ],
    ]);
  });

  it('have whole amounts on the axis, and no marks of a payout a day', () => {
    const increase_cents = Array.from({ length: 240 }, (_, hour) => hour * 1e8);
    const decrease_cents = Array.from({ length: 240 }, (_, hour) => Math.floor(hour / 24) * 1e9);
    const account = historyAccount(240, { currency: 'VND', increase_cents, decrease_cents });
    const [money] = picturesOf(history(account), undefined, UTC).slice(-1);
    expect([money?.unit, money?.marks]).toEqual([100, []]);
    expect(money?.lines[1]?.values.filter((value) => value === -1e9).length).toBeGreaterThan(5);
  });

  it('show the balance of 31 days by the day', () => {
    const increase = Array.from({ length: 72 }, (_, hour) => hour);
    const pictures = picturesOf(history(historyAccount(72, { increase_cents: increase })), undefined, UTC);
    const money = pictures[pictures.length - 1];
    expect(money?.barSeconds).toBe(86_400);
    expect(money?.lines[0]?.values).toEqual([11, 24, 24, 12]);
  });

  it.each([
    ['Europe/Kyiv', '2026-03-01'],
    ['America/New_York', '2026-03-01'],
    ['Asia/Kolkata', '2026-03-01'],
    ['Pacific/Auckland', '2026-03-02'],
  ])('show the money of the days of the owner in %s', (name, today) => {
    const zone = createTimeZone(name);
    const increase = Array.from({ length: 72 }, (_, hour) => hour);
    const account = historyAccount(72, { increase_cents: increase });
    const money = picturesOf(history(account), undefined, zone).at(-1);
    expect(money?.ends.map((end) => dateAt(zone, end * 1000 - 1)).at(-1)).toBe(today);
    for (const end of money?.ends ?? []) expect(end * 1000).toBe(midnightOf(zone, dateAt(zone, end * 1000)));
    expect(money?.ends.map((end) => money.dayOf?.(end)).at(-1)).toBe(dayText(today));
    const values = money?.lines[0]?.values ?? [];
    expect(values.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBe(71);
  });

  it('draw self-rented phones above the sold ones, and say how many there are', () => {
    const pictures = picturesOf(history(historyAccount(1)), undefined, UTC);
    expect(lineOf(pictures, 'Phones', 'Self-rented, online')).toMatchObject({ values: [2], drawn: [8] });
    expect(lineOf(pictures, 'Phones', 'Sold')).toMatchObject({ values: [6], drawn: [6] });
  });

  it('have a gap where one of several accounts was not seen, and none before it was there', () => {
    const pictures = picturesOf(
      history(historyAccount(4), historyAccount(4, { account: 'new', listed: [null, 3, null, 3] })),
      undefined,
      UTC,
    );
    expect(lineOf(pictures, 'Phones', 'All phones')?.values).toEqual([10, 13, null, 13]);
  });

  it.each([
    ['seconds apart', 0, 1],
    ['on both sides of an end', -1, 1],
    ['each in a list of its own length', 0, 600],
  ])('have values for now where two accounts were polled %s', (_, one, other) => {
    const at = (account: string, seconds: number) => {
      const { ends, ...values } = historyAccount(4, { account });
      return { ...values, ends: [...ends.slice(0, -1), (ends[3] ?? 0) + seconds] };
    };
    const pictures = picturesOf(history(at('main', one), at('other', other)), 24, UTC);
    const lines = pictures.flatMap((each) => each.lines).filter(({ title }) => title !== 'Yesterday');
    const sums = { 'All phones': 20, 'Self-rented, online': 4, Sold: 12, Offline: 4, 'Sold, offline': 2 };
    expect(Object.fromEntries(lines.map(({ title, values }) => [title, values[values.length - 1]]))).toEqual({
      ...sums,
      ...{ In: 0, Out: 0 },
    });
    // The sums before it are for the same intervals.
    for (const { title, values } of lines.slice(0, 3))
      expect(values.slice(0, 3), title).toEqual(Array(3).fill(values[values.length - 1]));
  });

  it('have no line of maintenance while nothing was in it', () => {
    const none = picturesOf(history(historyAccount(2)), undefined, UTC);
    expect(lineOf(none, 'Phones', 'In maintenance')).toBeUndefined();
    const some = picturesOf(history(historyAccount(2, { maintenance: [0, 4] })), undefined, UTC);
    expect(lineOf(some, 'Phones', 'In maintenance')?.values).toEqual([0, 4]);
  });

  it('show the last day next to the day before', () => {
    const offline = Array.from({ length: 48 }, (_, index) => index);
    const pictures = picturesOf(history(historyAccount(48, { offline })), 24, UTC);
    expect(pictures[0]?.ends).toHaveLength(24);
    expect(lineOf(pictures, 'Offline phones', 'Offline')?.values).toEqual(
      offline.slice(24).map((count) => count + 1),
    );
    expect(lineOf(pictures, 'Offline phones', 'Yesterday')?.values).toEqual(
      offline.slice(0, 24).map((count) => count + 1),
    );
  });
});

describe('the comparison of the phones that are offline now with a day before', () => {
  const OFFLINE = ['sold_offline', 'offline', 'self_rented_offline', 'given_up'] as const;
  const phones = (offline: number) => [
    ...Array.from({ length: offline }, (_, index) => phone({ online: false, problem: OFFLINE[index % 4] })),
    phone({ problem: 'in_maintenance', online: false }),
    phone({ problem: 'tunnel_down' }),
    phone({}),
  ];
  const compare = (before: number | null, now: number) => {
    const offline = Array.from({ length: 48 }, (_, index) => (index === 23 ? before : 0));
    return comparisonOf(picturesOf(history(historyAccount(48, { offline })), 24, UTC), phones(now));
  };

  it.each([
    [2, 12, { text: '12 offline, 9 more than yesterday at this time', isWorse: true }],
    [4, 4, { text: '4 offline, 1 fewer than yesterday at this time', isWorse: false }],
    [3, 4, { text: '4 offline, the same as yesterday at this time', isWorse: false }],
    [null, 3, undefined],
  ])('%j and then %j', (before, now, expected) => {
    expect(compare(before, now)).toEqual(expected);
  });

  it('is not made if there is no day before', () => {
    expect(comparisonOf(picturesOf(history(historyAccount(3)), 24, UTC), phones(1))).toBeUndefined();
    expect(comparisonOf([], [])).toBeUndefined();
  });
});

describe('the marks of incidents', () => {
  it('are those of several phones or of an account, and have a name', () => {
    const at = Date.UTC(2026, 2, 1, 12) / 1000;
    const since = '2026-03-01T12:00:00.000Z';
    const rack = incident({
      problem: 'common_cause',
      phone: undefined,
      kind: 'group',
      value: 'rack-02',
      since,
    });
    const api = incident({ problem: 'api_unavailable', phone: undefined, since });
    expect(marksOf([rack, api, incident({ since }), { ...rack, since: undefined }])).toEqual([
      { at, text: 'rack-02', colour: 'bad' },
      { at, text: 'Marketplace API unavailable', colour: 'bad' },
    ]);
  });
});
