import type { Balance, Money, Movement } from '../model/money.ts';

const NO_MOVEMENT: Movement = { increaseCents: 0, decreaseCents: 0 };

/** Returns the money after a poll: the balance, and the sums of its movements since the last readable amounts. */
export function moneyAfter(before: Money | undefined, balance: Balance): Money {
  const last = before?.lastAmounts;
  const { availableCents, pendingCents } = balance;
  return {
    balance,
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

/** Returns the nearest integer that a number holds exactly. */
function safe(cents: number): number {
  return Math.min(cents, Number.MAX_SAFE_INTEGER);
}
