import type { ApiClient } from '../../api/client.ts';
import type { Balance, Money, Movement } from '../../model/money.ts';
import type { CollectorTask } from '../poll.ts';

const NO_MOVEMENT: Movement = { increaseCents: 0, decreaseCents: 0 };

/** Creates the collector of the balance. Its first poll goes on from what is remembered from before a restart. */
export function balanceCollector(client: Pick<ApiClient, 'balance'>): CollectorTask<Money> {
  return {
    name: 'balance',
    reading: (account) => account.balance,
    withReading: (account, balance) => ({ ...account, balance }),
    collect: async ({ balance, memory }, signal) => {
      const { value } = await client.balance(signal);
      return settleBalance(balance.data ?? memory.money, value);
    },
  };
}

/** Returns the money after a poll: the balance, and its movements since the poll before added to the sums. */
export function settleBalance(previous: Money | undefined, balance: Balance): Money {
  return {
    balance,
    observed: {
      available: addMovement(
        previous?.observed.available,
        previous?.balance.availableCents,
        balance.availableCents,
      ),
      pending: addMovement(previous?.observed.pending, previous?.balance.pendingCents, balance.pendingCents),
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
