import type { ApiClient } from '../../api/client.ts';
import type { Balance, LastAmounts, Money, Movement } from '../../model/money.ts';
import type { CollectorTask } from '../poll.ts';

const NO_MOVEMENT: Movement = { increaseCents: 0, decreaseCents: 0 };

/** Creates the collector of the balance. Its first poll is compared with what is remembered from before a restart. */
export function balanceCollector(client: Pick<ApiClient, 'balance'>): CollectorTask<Money> {
  return {
    name: 'balance',
    reading: (account) => account.balance,
    withReading: ({ memory, ...account }, balance) => ({
      ...account,
      balance,
      // Compared once: the amounts of this process count from now on.
      memory: balance.data === undefined ? memory : { ...memory, lastAmounts: undefined },
    }),
    collect: async (_, signal) => {
      const { value } = await client.balance(signal);
      return ({ balance, memory }) => mergeBalance(balance.data, value, memory.lastAmounts);
    },
  };
}

/**
 * Returns the money after a poll: the balance, and its movements since the last readable amounts added to the sums.
 *
 * @param remembered amounts from before a restart, for the first poll
 */
export function mergeBalance(
  previous: Money | undefined,
  balance: Balance,
  remembered?: LastAmounts | undefined,
): Money {
  const last = previous?.lastAmounts ?? remembered;
  const { availableCents, pendingCents } = balance;
  return {
    balance,
    lastAmounts: {
      availableCents: availableCents ?? last?.availableCents,
      pendingCents: pendingCents ?? last?.pendingCents,
    },
    observed: {
      available: addMovement(previous?.observed.available, last?.availableCents, availableCents),
      pending: addMovement(previous?.observed.pending, last?.pendingCents, pendingCents),
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
    increaseCents: increaseCents + Math.max(0, now - before),
    decreaseCents: decreaseCents + Math.max(0, before - now),
  };
}
