import { describe, expect, it } from 'vitest';
import type { FleetAccount } from '../../../src/fleet/document.ts';
import {
  amountsText,
  balancesText,
  compareAmounts,
  partOf,
  sumAmounts,
  sumBalances,
} from '../../../src/fleet/money.ts';
import { accountOf, fleet } from './fleet.ts';
import { account } from './phone.ts';

describe('amounts', () => {
  const [euros, dollars] = [
    { currency: 'EUR', cents: 250 },
    { currency: 'USD', cents: 90_000 },
  ];

  it('of one currency are added, and those of others are kept apart', () => {
    expect(sumAmounts([euros, dollars, euros, { cents: 5 }])).toEqual([
      { currency: 'EUR', cents: 500 },
      { currency: 'USD', cents: 90_000 },
      { cents: 5 },
    ]);
    expect(sumAmounts([])).toEqual([]);
  });

  it('are written with their currencies', () => {
    expect(amountsText([euros, dollars])).toBe('€2.50 + $900.00');
    expect(amountsText(partOf([{ currency: 'EUR', cents: 2_400 }], 1 / 24))).toBe('€1.00');
    expect(amountsText([])).toBe('');
  });

  it('are compared only within one currency', () => {
    expect(compareAmounts([euros], [{ currency: 'EUR', cents: 300 }])).toBe(50);
    expect(compareAmounts([euros], [dollars])).toBe(0);
    expect(compareAmounts([], [euros])).toBe(250);
  });
});

const cents = (
  availableCents: number | undefined,
  pendingCents: number | undefined,
): FleetAccount['balance'] => ({
  availableCents,
  pendingCents,
  totalCents: undefined,
});

it('sumBalances adds up balances within one currency only', () => {
  expect(
    sumBalances({
      accounts: [
        account({ currency: 'EUR', balance: cents(100, undefined) }),
        account({ currency: 'USD', balance: cents(7, 8) }),
        account({ currency: 'EUR', balance: cents(11, 5) }),
        account({ currency: 'EUR', balance: cents(undefined, 5) }),
        account({ balance: cents(3, undefined) }),
        account(),
      ],
      observed: [],
    }),
  ).toEqual([
    { currency: 'EUR', availableCents: 111, pendingCents: 5 },
    { currency: 'USD', availableCents: 7, pendingCents: 8 },
    { currency: undefined, availableCents: 3, pendingCents: undefined },
  ]);
});

it('sumBalances adds up the observed changes of the accounts with one currency', () => {
  const movement = (increaseCents: number, since: string) => ({ increaseCents, decreaseCents: 1, since });
  const [balance] = sumBalances({
    accounts: ['one', 'two', 'three'].map((name) => account({ name, balance: cents(1, undefined) })),
    observed: [
      { account: 'one', today: movement(5, '2026-03-01T02:00:00.000Z') },
      { account: 'two', today: movement(7, '2026-03-01T00:00:00.000Z'), month: movement(9, '2026-03-01') },
    ],
  });
  expect(balance).toMatchObject({
    today: { increaseCents: 12, decreaseCents: 2, since: '2026-03-01T00:00:00.000Z' },
    month: { increaseCents: 9, decreaseCents: 1 },
  });
});

describe('the names beside a balance', () => {
  const account = (name: string, currency: string) =>
    accountOf({ name, currency, balance: { availableCents: 7_901 } });

  it.each([
    ['one account', [account('default', 'EUR')], ''],
    ['accounts with other currencies', [account('main', 'EUR'), account('balti', 'USD')], 'main'],
    [
      'accounts with one currency',
      [account('main', 'EUR'), account('balti', 'EUR')],
      'main €79.01, balti €79.01',
    ],
    [
      'many accounts',
      ['a', 'b', 'c', 'd', 'e'].map((name) => account(name, 'EUR')),
      'a €79.01, b €79.01, c €79.01, and 2 more',
    ],
  ])('are those of %s', (_, accounts, text) => {
    expect(balancesText(fleet({ accounts }), 'EUR')).toBe(text);
  });
});
