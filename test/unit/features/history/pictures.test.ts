import { describe, expect, it } from 'vitest';
import {
  comparisonOf,
  marksOf,
  type Picture,
  picturesOf,
} from '../../../../src/features/history/browser/pictures.ts';
import type { FleetIncident } from '../../../../src/fleet/document.ts';
import { phone } from '../../fleet/phone.ts';
import { history, historyAccount } from './documents.ts';

/** The line of a picture, by both titles. */
const lineOf = (pictures: readonly Picture[], picture: string, title: string) =>
  pictures.find((each) => each.title === picture)?.lines.find((each) => each.title === title);

describe('the pictures of a history', () => {
  it('are the phones, the offline ones, and the balance of each currency', () => {
    const pictures = picturesOf(
      history(
        historyAccount(3),
        historyAccount(3, { account: 'second' }),
        historyAccount(3, { account: 'third', currency: 'USD', balance_cents: [null, 1, 2] }),
        historyAccount(3, { account: 'fourth', currency: null, balance_cents: [null, null, null] }),
      ),
      undefined,
    );
    expect(pictures.map(({ title }) => title)).toEqual([
      'Phones',
      'Offline phones',
      'Balance, EUR',
      'Balance, USD',
    ]);
    expect(lineOf(pictures, 'Balance, EUR', 'Available')?.values).toEqual([24_690, 24_690, 24_690]);
    expect(lineOf(pictures, 'Balance, USD', 'Available')?.values).toEqual([null, 1, 2]);
    expect(pictures.map(({ textOf }) => textOf(1_234))).toEqual(['1,234', '1,234', '12.34', '12.34']);
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
      { at, text: 'rack-02' },
      { at, text: 'Marketplace API unavailable' },
    ]);
  });
});
