import { describe, expect, it } from 'vitest';
import { moneyAfter } from '../../../src/judge/money.ts';
import { moneyOf } from '../../builders.ts';

describe('the movements of a balance', () => {
  it('are none at the first poll', () => {
    expect(moneyAfter(undefined, moneyOf(100, 5).balance)).toEqual(moneyOf(100, 5));
  });

  it('are added up separately upwards and downwards', () => {
    const moved = [moneyOf(150, 5), moneyOf(20, 9), moneyOf(30, 0)].reduce(
      (before, { balance }) => moneyAfter(before, balance),
      moneyOf(100, 5),
    );
    expect(moved.observed).toEqual({
      available: { increaseCents: 60, decreaseCents: 130 },
      pending: { increaseCents: 4, decreaseCents: 9 },
    });
  });

  it('are counted from the last readable amount when one in between was unreadable', () => {
    const unreadable = { ...moneyOf(0, 0).balance, availableCents: undefined };
    const after = [unreadable, moneyOf(5_000, 0).balance].reduce(
      (before, balance) => moneyAfter(before, balance),
      moneyOf(1_000, 0),
    );
    expect(after.observed.available).toEqual({ increaseCents: 4_000, decreaseCents: 0 });
  });

  it('are none where an amount is missing', () => {
    const unknown = { ...moneyOf(0, 0).balance, availableCents: undefined };
    expect(moneyAfter(moneyOf(100, 0), unknown).observed.available).toEqual({
      increaseCents: 0,
      decreaseCents: 0,
    });
  });
});
