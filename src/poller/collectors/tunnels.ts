import type { ApiClient } from '../../api/client.ts';
import { hasLiveSelfRent } from '../../model/device.ts';
import type { Fleet, TunnelAnswer, Tunnels } from '../../model/reading.ts';
import { settleTunnels } from '../settle.ts';
import type { CollectorTask } from './collector.ts';

/**
 * Asks for the tunnel of each phone whose rental is live, as the device list last told. One tunnel that can't be read
 * costs that tunnel only; the poll fails if none could be read although there are some.
 */
export function tunnelsCollector(
  client: ApiClient,
  staleAfterMilliseconds: number,
  now: () => number,
): CollectorTask<Tunnels> {
  return {
    name: 'tunnels',
    reading: (account) => account.tunnels,
    withReading: (account, tunnels) => ({ ...account, tunnels }),
    collect: async (account, signal) => {
      const live = liveDeviceIds(account.devices.data);
      const answers = await askEach(client, live, now, signal);
      return settleTunnels(account.tunnels.data, live, answers, now(), staleAfterMilliseconds);
    },
  };
}

function liveDeviceIds(fleet: Fleet | undefined): readonly string[] {
  return fleet?.devices.filter(({ device }) => hasLiveSelfRent(device)).map(({ device }) => device.id) ?? [];
}

async function askEach(
  client: ApiClient,
  deviceIds: readonly string[],
  now: () => number,
  signal: AbortSignal,
): Promise<Tunnels> {
  const answers = new Map<string, TunnelAnswer>();
  const failures: unknown[] = [];
  await Promise.all(
    deviceIds.map(async (deviceId) => {
      try {
        const { value } = await client.tunnel(deviceId, signal);
        answers.set(deviceId, { tunnel: value, answeredAt: now() });
      } catch (error) {
        failures.push(error);
      }
    }),
  );
  if (answers.size === 0 && failures.length > 0) throw failures[0];
  return answers;
}
