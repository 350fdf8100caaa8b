import type { ApiClient } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { createClient, type Dependencies } from '../app/monitor.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { ApiEvents } from '../model/api-events.ts';
import { hasLiveSelfRent } from '../model/device.ts';
import type { Endpoint } from '../model/enums.ts';
import { defineCommand, formatTable, prepare } from './command.ts';

/** A check counts nothing. */
const NO_EVENTS: ApiEvents = {
  answered: () => {},
  failed: () => {},
  retried: () => {},
  throttledUntil: () => {},
  circuit: () => {},
  concurrencyLimit: () => {},
  access: () => {},
  clockSkew: () => {},
  itemRejected: () => {},
  schemaViolation: () => {},
  unknownEnum: () => {},
  labelSanitized: () => {},
};

/** Result for one endpoint; `-` means that it was not requested. */
type EndpointCheck = {
  readonly account: string;
  readonly endpoint: Endpoint;
  readonly works: 'yes' | 'NO' | '-';
  readonly text: string;
};

export const check = defineCommand({
  name: 'check',
  summary: 'Validates the configuration, asks the API once per account, and says what works.',
  options: {},
  run: async ({ flags }, io) => {
    const { config, dependencies } = await prepare(flags, io);
    const checks = config.accounts.map((account) => checkAccount(account, config, dependencies));
    const perAccount = await Promise.race([Promise.all(checks), io.interrupted]);
    if (!perAccount) return 1;
    const results = perAccount.flat();
    const rows = results.map(({ account, endpoint, works, text }) => [account, endpoint, works, text]);
    await io.print(formatTable(['account', 'endpoint', 'works', 'finding'], rows));
    return results.some(({ works }) => works === 'NO') ? 1 : 0;
  },
});

async function checkAccount(
  account: AccountConfig,
  config: Config,
  dependencies: Dependencies,
): Promise<readonly EndpointCheck[]> {
  const client = createClient(account, config, dependencies, NO_EVENTS);
  const { signal } = new AbortController();
  const checkEndpoint = async (
    endpoint: Endpoint,
    request: () => Promise<Pick<EndpointCheck, 'works' | 'text'>>,
  ): Promise<EndpointCheck> => {
    try {
      return { account: account.name, endpoint, ...(await request()) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { account: account.name, endpoint, works: 'NO', text: error.message };
    }
  };
  let firstSelfRented: string | undefined;
  const results = [
    await checkEndpoint('devices', async () => {
      const { value } = await client.devicePage(1, signal);
      firstSelfRented = value.devices.find(hasLiveSelfRent)?.id;
      return { works: 'yes', text: value.total === 1 ? '1 phone' : `${value.total} phones` };
    }),
    await checkEndpoint('tunnel', () => checkTunnel(client, firstSelfRented, signal)),
    await checkEndpoint('balance', async () => {
      await client.balance(signal);
      return { works: 'yes', text: 'readable' };
    }),
  ];
  await client.close();
  return results;
}

async function checkTunnel(
  client: ApiClient,
  deviceId: string | undefined,
  signal: AbortSignal,
): Promise<Pick<EndpointCheck, 'works' | 'text'>> {
  if (deviceId === undefined)
    return { works: '-', text: 'not asked: no self-rented phone on the first page of devices' };
  const { value } = await client.tunnel(deviceId, signal);
  return { works: 'yes', text: `phone ${deviceId} has ${value === undefined ? 'none' : 'one'}` };
}
