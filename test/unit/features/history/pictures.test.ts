import { describe, expect, it } from 'vitest';
import {
  comparisonOf,
  marksOf,
  type Picture,
  picturesOf,
  withPresent,
} from '../../../../src/features/history/browser/pictures.ts';
import type { FleetIncident } from '../../../../src/fleet/document.ts';
import { NOON, phone } from '../../fleet/phone.ts';
import { fleet } from '../chat/fleet.ts';
import { history, historyAccount } from './documents.ts';

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
        historyAccount(3, {
          account: 'fourth',
          currency: null,
          increase_cents: [null, null, null],
          decrease_cents: [null, null, null],
        }),
      ),
      undefined,
    );
    expect(pictures.map(({ title }) => title)).toEqual([
      'Phones',
      'Offline phones',
      'Changes of the balance, EUR',
      'Changes of the balance, USD',
    ]);
    expect(pictures.map(({ textOf }) => textOf(1_234))).toEqual(['1,234', '1,234', '€12.34', '$12.34']);
  });

  it('show what came in and went out by the hour, and a mark for a payout', () => {
    const account = historyAccount(5, {
      increase_cents: [100, 150, null, 400, 400],
      decrease_cents: [0, 0, 0, 30_000, 30_000],
    });
    const pictures = picturesOf(history(account, historyAccount(5, { account: 'second' })), 24);
    const title = 'Changes of the balance, EUR';
    expect(lineOf(pictures, title, 'In')?.values).toEqual([0, 50, null, 250, 0]);
    expect(lineOf(pictures, title, 'Out')?.values).toEqual([0, 0, 0, -30_000, 0]);
    const [money] = pictures.slice(-1);
    expect(money?.marks).toEqual([{ at: (money?.ends[3] ?? 0) - 1_800, text: '−€300.00', colour: 'soft' }]);
  });

  it('show the balance of 31 days by the day', () => {
    const increase = Array.from({ length: 72 }, (_, hour) => hour);
    const pictures = picturesOf(history(historyAccount(72, { increase_cents: increase })), undefined);
    const money = pictures[pictures.length - 1];
    expect(money?.barSeconds).toBe(86_400);
    expect(money?.lines[0]?.values).toEqual([11, 24, 24, 12]);
  });

  it('end with what the page says now', () => {
    const offline = phone({ problem: 'sold_offline', online: false });
    const document = fleet({
      phones: [phone(), offline, phone({ problem: 'in_maintenance', online: false })],
    });
    const past = history(historyAccount(2, { ends: [NOON / 1000 - 7_200, NOON / 1000 - 3_600] }));
    const [present] = withPresent(past, document).accounts;
    expect(present).toMatchObject({
      ends: [NOON / 1000 - 7_200, NOON / 1000 - 3_600, NOON / 1000],
      listed: [10, 10, 3],
      sold_online: [5, 5, 1],
      sold_offline: [1, 1, 1],
      maintenance: [0, 0, 1],
    });
    expect(lineOf(picturesOf(withPresent(past, document), 24), 'Offline phones', 'Offline')?.values).toEqual([
      2, 2, 1,
    ]);
  });

  it('draw self-rented phones above the sold ones, and say how many there are', () => {
    const pictures = picturesOf(history(historyAccount(1)), undefined);
    expect(lineOf(pictures, 'Phones', 'Self-rented')).toMatchObject({ values: [2], drawn: [8] });
    expect(lineOf(pictures, 'Phones', 'Sold')).toMatchObject({ values: [6], drawn: [6] });
  });

  it('have a gap where one of several accounts was not seen, and none before it was there', () => {
    const pictures = picturesOf(
      history(historyAccount(4), historyAccount(4, { account: 'new', listed: [null, 3, null, 3] })),
      undefined,
    );
    expect(lineOf(pictures, 'Phones', 'Listed')?.values).toEqual([10, 13, null, 13]);
  });

  it('have no line of maintenance while nothing was in it', () => {
    const none = picturesOf(history(historyAccount(2)), undefined);
    expect(lineOf(none, 'Phones', 'In maintenance')).toBeUndefined();
    const some = picturesOf(history(historyAccount(2, { maintenance: [0, 4] })), undefined);
    expect(lineOf(some, 'Phones', 'In maintenance')?.values).toEqual([0, 4]);
  });

  it('show the last day beside the day before', () => {
    const offline = Array.from({ length: 48 }, (_, index) => index);
    const pictures = picturesOf(history(historyAccount(48, { offline })), 24);
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
  const phones = (offline: number) => [
    ...Array.from({ length: offline }, (_, index) =>
      phone({
        online: false,
        problem: (['sold_offline', 'offline', 'self_rented_offline', 'given_up'] as const)[index % 4],
      }),
    ),
    phone({ problem: 'in_maintenance', online: false }),
    phone({ problem: 'tunnel_down' }),
    phone({}),
  ];
  const compare = (before: number | null, now: number) => {
    const offline = Array.from({ length: 48 }, (_, index) => (index === 23 ? before : 0));
    return comparisonOf(picturesOf(history(historyAccount(48, { offline })), 24), phones(now));
  };

  it.each([
    [2, 12, { text: '12 offline, 9 more than yesterday at this time', isWorse: true }],
    [4, 4, { text: '4 offline, 1 fewer than yesterday at this time', isWorse: false }],
    [3, 4, { text: '4 offline, the same as yesterday at this time', isWorse: false }],
    [null, 3, undefined],
  ])('%j and then %j', (before, now, expected) => {
    expect(compare(before, now)).toEqual(expected);
  });

  it('is not made where there is no day before', () => {
    expect(comparisonOf(picturesOf(history(historyAccount(3)), 24), phones(1))).toBeUndefined();
    expect(comparisonOf([], [])).toBeUndefined();
  });
});

describe('the marks of incidents', () => {
  const incident = (own: Partial<FleetIncident>): FleetIncident => ({
    id: 'i',
    account: 'main',
    problem: 'common_cause',
    alert: 'HosterCommonCause',
    severity: 'critical',
    since: '2026-03-01T12:00:00.000Z',
    ...own,
  });

  it('are those of several phones or of an account, and have a name', () => {
    const at = Date.UTC(2026, 2, 1, 12) / 1000;
    expect(
      marksOf([
        incident({ kind: 'group', value: 'rack-02' }),
        incident({ problem: 'api_unavailable' }),
        incident({ problem: 'offline', phone: 'p1' }),
        incident({ since: undefined }),
      ]),
    ).toEqual([
      { at, text: 'rack-02', colour: 'bad' },
      { at, text: 'Marketplace API unavailable', colour: 'bad' },
    ]);
  });
});
