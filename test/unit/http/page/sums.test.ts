import { expect, it } from 'vitest';
import type { FleetBalance } from '../../../../src/http/fleet/document.ts';
import { sumBalances, sumTotals } from '../../../../src/http/fleet/page/sums.ts';
import { moneyText, shareText, statusText } from '../../../../src/http/fleet/page/words.ts';
import { account } from './phone.ts';

const findings = {
  sold_silent: 0,
  self_rented_silent: 0,
  tunnel_missing: 0,
  tunnel_down: 0,
  silent: 0,
  idle_too_long: 0,
  unlisted: 0,
  not_set_up: 0,
  given_up: 0,
};

const cents = (availableCents: number | undefined, pendingCents: number | undefined): FleetBalance => ({
  availableCents,
  pendingCents,
  totalCents: undefined,
});

it('totals are those of the accounts that are known', () => {
  const totals = { phones: 5, online: 4, sold: 2, selfRented: 1, idle: 2, listed: 5, findings };
  expect(sumTotals([account({ totals }), account(), account({ totals })])).toEqual({
    phones: 10,
    online: 8,
    sold: 4,
    selfRented: 2,
    idle: 4,
    accounts: 2,
  });
});

it('balances are added within one currency, and never across two', () => {
  expect(
    sumBalances([
      account({ currency: 'EUR', balance: cents(100, undefined) }),
      account({ currency: 'USD', balance: cents(7, 8) }),
      account({ currency: 'EUR', balance: cents(11, 5) }),
      account({ currency: 'EUR', balance: cents(undefined, 5) }),
      account({ balance: cents(3, undefined) }),
      account(),
    ]),
  ).toEqual([
    { currency: 'EUR', availableCents: 111, pendingCents: 5 },
    { currency: 'USD', availableCents: 7, pendingCents: 8 },
    { currency: undefined, availableCents: 3, pendingCents: undefined },
  ]);
});

it.each([
  [moneyText(125_000, 'EUR'), '1,250.00 EUR'],
  [moneyText(-5, undefined), '-0.05'],
  [shareText(1, 3), '33.3%'],
  [shareText(0, 0), '–'],
  [statusText('awaiting_agent'), 'awaiting agent'],
  [statusText('constructor'), 'constructor'],
  [statusText(undefined), '–'],
])('%s is said', (said, text) => {
  expect(said).toBe(text);
});
