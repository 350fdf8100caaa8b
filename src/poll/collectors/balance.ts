import type { ApiClient } from '../../api/client.ts';
import type { CollectorTask } from '../poll.ts';

export function balanceCollector(client: Pick<ApiClient, 'balance'>): CollectorTask {
  return {
    name: 'balance',
    collect: async (_, signal, { sinceObserved }) => {
      const { value, apiTime } = await client.balance(signal);
      return { kind: 'balance', elapsed: sinceObserved(), balance: value, apiTime };
    },
  };
}
