import type { ApiClient } from '../../api/client.ts';
import type { Money } from '../../model/reading.ts';
import { rememberedMoney } from '../memory.ts';
import { settleBalance } from '../settle.ts';
import type { CollectorTask } from './collector.ts';

export function balanceCollector(client: Pick<ApiClient, 'balance'>): CollectorTask<Money> {
  return {
    name: 'balance',
    reading: (account) => account.balance,
    withReading: (account, balance) => ({ ...account, balance }),
    collect: async (account, signal) => {
      const { value } = await client.balance(signal);
      return settleBalance(rememberedMoney(account), value);
    },
  };
}
