import { describe, expect, it } from 'vitest';
import type { Balance, Money } from '../../../src/model/money.ts';
import { type AccountSnapshot, NO_MEMORY } from '../../../src/model/snapshot.ts';
import { balanceCollector, mergeBalance } from '../../../src/poller/collectors/balance.ts';
import { accountOf, freshReading, moneyOf, NOON } from '../../builders.ts';

/** The money after a poll of an account. */
async function balanceAfter(
  collect: ReturnType<typeof balanceCollector>['collect'],
  account: AccountSnapshot,
): Promise<Money> {
  const settle = await collect(account, new AbortController().signal, {
    deadline: 0,
    freshFor: 0,
    lifetime: 0,
    staleAfter: 0,
  });
  return settle(account);
}

const collectorOf = (value: Balance) => balanceCollector({ balance: async () => ({ value, apiTime: NOON }) });

describe('the balance collector', () => {
  it('records no movement at the first poll', () => {
    expect(mergeBalance(undefined, moneyOf(100, 5).balance)).toEqual(moneyOf(100, 5));
  });

  it('adds up increases and decreases separately', () => {
    const moved = [moneyOf(150, 5), moneyOf(20, 9), moneyOf(30, 0)].reduce(
      (before, { balance }) => mergeBalance(before, balance),
      moneyOf(100, 5),
    );
    expect(moved.observed).toEqual({
      available: { increaseCents: 60, decreaseCents: 130 },
      pending: { increaseCents: 4, decreaseCents: 9 },
    });
  });

  it('compares with the last readable amount when one in between was unreadable', () => {
    const unreadable = { ...moneyOf(0, 0).balance, availableCents: undefined };
    const after = [unreadable, moneyOf(5_000, 0).balance].reduce(
      (before, balance) => mergeBalance(before, balance),
      moneyOf(1_000, 0),
    );
    expect(after.observed.available).toEqual({ increaseCents: 4_000, decreaseCents: 0 });
  });

  it('drops the remembered amounts after the first comparison', () => {
    const memory = { ...NO_MEMORY, lastAmounts: { availableCents: 100, pendingCents: 0 } };
    const { withReading } = collectorOf(moneyOf(8, 0).balance);
    const account = withReading(accountOf({ memory }), freshReading(moneyOf(8, 0)));
    expect(account.memory.lastAmounts).toBeUndefined();
  });

  it('records no movement where an amount is missing', () => {
    const unknown = { ...moneyOf(0, 0).balance, availableCents: undefined };
    expect(mergeBalance(moneyOf(100, 0), unknown).observed.available).toEqual({
      increaseCents: 0,
      decreaseCents: 0,
    });
  });

  it('compares its first balance with the remembered one', async () => {
    const memory = { ...NO_MEMORY, lastAmounts: { availableCents: 100, pendingCents: 5 } };
    const { collect } = collectorOf({ availableCents: 130, pendingCents: 0, totalCents: 130 });
    expect((await balanceAfter(collect, accountOf({ memory })))?.observed).toEqual({
      available: { increaseCents: 30, decreaseCents: 0 },
      pending: { increaseCents: 0, decreaseCents: 5 },
    });
  });

  it('compares with the last poll rather than with the remembered balance', async () => {
    const memory = { ...NO_MEMORY, lastAmounts: { availableCents: 100, pendingCents: 0 } };
    const account = accountOf({ memory, balance: freshReading(moneyOf(7, 0)) });
    expect(
      (await balanceAfter(collectorOf(moneyOf(8, 0).balance).collect, account))?.observed.available,
    ).toEqual({
      increaseCents: 1,
      decreaseCents: 0,
    });
  });
});
