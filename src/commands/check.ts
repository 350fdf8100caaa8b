import type { ApiClient } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { createClient, type Surroundings } from '../app/monitor.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { ApiEvents } from '../model/api-events.ts';
import { hasLiveSelfRent } from '../model/device.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { command } from './command.ts';
import { prepare } from './prepare.ts';
import { table } from './table.ts';

/** Nobody measures a check. */
const UNHEARD: ApiEvents = {
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

/** What came of asking one endpoint; `-` is for one that there was no reason to ask. */
type Finding = {
  readonly account: string;
  readonly endpoint: Endpoint;
  readonly works: 'yes' | 'NO' | '-';
  readonly text: string;
};

export const check = command({
  name: 'check',
  summary: 'Validates the configuration, asks the API once per account, and says what works.',
  options: {},
  run: async ({ flags: given }, io) => {
    const { config, surroundings } = prepare(given, io);
    const checks = config.accounts.map((account) => checkAccount(account, config, surroundings));
    const perAccount = await Promise.race([Promise.all(checks), io.interrupted]);
    if (!perAccount) return 1;
    const findings = perAccount.flat();
    const rows = findings.map(({ account, endpoint, works, text }) => [account, endpoint, works, text]);
    await io.print(table(['account', 'endpoint', 'works', 'finding'], rows));
    return findings.some(({ works }) => works === 'NO') ? 1 : 0;
  },
});

async function checkAccount(
  account: AccountConfig,
  config: Config,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const client = createClient(account, config, surroundings, UNHEARD);
  const { signal } = new AbortController();
  const finding = async (
    endpoint: Endpoint,
    ask: () => Promise<Pick<Finding, 'works' | 'text'>>,
  ): Promise<Finding> => {
    try {
      return { account: account.name, endpoint, ...(await ask()) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { account: account.name, endpoint, works: 'NO', text: error.message };
    }
  };
  let firstSelfRented: string | undefined;
  const findings = [
    await finding('devices', async () => {
      const { value } = await client.devicePage(1, signal, { take: (page) => page });
      firstSelfRented = value.devices.find(hasLiveSelfRent)?.id;
      return { works: 'yes', text: value.total === 1 ? '1 phone' : `${value.total} phones` };
    }),
    await finding('tunnel', () => checkTunnel(client, firstSelfRented, signal)),
    await finding('balance', async () => {
      await client.balance(signal);
      return { works: 'yes', text: 'readable' };
    }),
  ];
  await client.close();
  return findings;
}

async function checkTunnel(
  client: ApiClient,
  deviceId: string | undefined,
  signal: AbortSignal,
): Promise<Pick<Finding, 'works' | 'text'>> {
  if (deviceId === undefined)
    return { works: '-', text: 'not asked: no self-rented phone on the first page of devices' };
  const { value } = await client.tunnel(deviceId, signal);
  return { works: 'yes', text: `phone ${deviceId} has ${value === undefined ? 'none' : 'one'}` };
}
