import type { Balance, Money, Movement } from '../model/money.ts';

const NO_MOVEMENT: Movement = { increaseCents: 0, decreaseCents: 0 };

/**
 * Returns the money after a poll: the balance, and the sums of its movements since the last readable amounts. In another
 * currency, the sums start again at 0.
 */
export function moneyAfter(known: Money | undefined, balance: Balance, currency?: string): Money {
  const before = isOtherCurrency(known, currency) ? undefined : known;
  const last = before?.lastAmounts;
  const { availableCents, pendingCents } = balance;
  return {
    balance,
    ...(currency !== undefined && { currency }),
    lastAmounts: {
      availableCents: availableCents ?? last?.availableCents,
      pendingCents: pendingCents ?? last?.pendingCents,
    },
    observed: {
      available: addMovement(before?.observed.available, last?.availableCents, availableCents),
      pending: addMovement(before?.observed.pending, last?.pendingCents, pendingCents),
    },
  };
}

/** Reports whether money is in another currency than before. A currency that was not configured counts as the same. */
export function isOtherCurrency(known: Money | undefined, currency: string | undefined): boolean {
  return known?.currency !== undefined && currency !== undefined && known.currency !== currency;
}

function addMovement(
  sums: Movement | undefined,
  before: number | undefined,
  now: number | undefined,
): Movement {
  const { increaseCents, decreaseCents } = sums ?? NO_MOVEMENT;
  if (before === undefined || now === undefined) return { increaseCents, decreaseCents };
  return {
    increaseCents: safe(increaseCents + Math.max(0, now - before)),
    decreaseCents: safe(decreaseCents + Math.max(0, before - now)),
  };
}

/** Returns the nearest integer that a number can hold exactly. */
function safe(cents: number): number {
  return Math.min(cents, Number.MAX_SAFE_INTEGER);
}
