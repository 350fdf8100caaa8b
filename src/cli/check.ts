import { API_PATHS, type ApiClient } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { PAGE_SIZE } from '../api/schemas.ts';
import { createTimeZone, dateTimeAt } from '../base/time-zone.ts';
import { createCalendar } from '../config/cron.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import { formatDuration } from '../config/values.ts';
import { type ClientDependencies, createClient } from '../daemon/monitor.ts';
import { moneyText } from '../fleet/words.ts';
import { type Device, hasLiveSelfRent } from '../model/device.ts';
import { COLLECTORS, type Endpoint, type FailureReason } from '../model/enums.ts';
import { say } from '../text/say.ts';
import { defineCommand, formatTable, type Io, prepare, sharedKeys } from './command.ts';

/** Result for one endpoint; `-` means that it was not requested. */
type EndpointCheck = {
  readonly endpoint: Endpoint;
  readonly works: 'yes' | 'NO' | '-';
  readonly text: string;
  readonly reason?: FailureReason;
};

export type AccountCheck = {
  readonly account: string;
  readonly endpoints: readonly EndpointCheck[];
  /** Length of the device list and the ids on its first page, to compare accounts; empty without a list. */
  readonly deviceList: string;
};

export const check = defineCommand({
  options: {},
  run: async ({ flags }, io) => {
    const { config, dependencies } = await prepare(flags, io);
    const running = config.accounts.map((account) => checkAccount(account, config, dependencies));
    const checks = await Promise.race([Promise.all(running), io.interrupted]);
    if (!checks) return 1;
    const rows = checks.flatMap(({ account, endpoints }) =>
      endpoints.map(({ endpoint, works, text }) => [account, endpoint, works, text]),
    );
    const shared = sharedKeys(config.accounts, dependencies.key);
    // The same key implies the same phones.
    const problems = shared.length > 0 ? shared : sameDeviceLists(checks);
    const warnings = await Promise.all(io.features.map((feature) => feature.check?.(config, io) ?? []));
    await io.print(
      [
        formatTable(['account', 'endpoint', 'works', 'finding'], rows),
        formatSchedules(config, io.clock.now()),
        ...rareSchedules(config, io).map((sentence) => `${sentence}.\n`),
        ...warnings.flat().map((warning) => `${warning}.\n`),
        ...problems.map((problem) => `${problem}.\n`),
      ].join('\n'),
    );
    return problems.length > 0 || rows.some(([, , works]) => works === 'NO') ? 1 : 0;
  },
});

export async function checkAccount(
  account: AccountConfig,
  config: Config,
  dependencies: ClientDependencies,
): Promise<AccountCheck> {
  const client = createClient(account, config, dependencies, () => {});
  const { signal } = new AbortController();
  const checkEndpoint = async (
    endpoint: Endpoint,
    request: () => Promise<Pick<EndpointCheck, 'works' | 'text'>>,
  ): Promise<EndpointCheck> => {
    try {
      return { endpoint, ...(await request()) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return {
        endpoint,
        works: 'NO',
        text: `${error.message}${hintOn(error, account)}`,
        reason: error.reason,
      };
    }
  };
  let firstPage: { readonly total: number; readonly ids: readonly string[] } | undefined;
  let firstSelfRented: Device | undefined;
  const endpoints = [
    await checkEndpoint('devices', async () => {
      const { value } = await client.devicePage(1, signal);
      firstPage = { total: value.total, ids: value.devices.map(({ id }) => id) };
      firstSelfRented = value.devices.find(hasLiveSelfRent);
      return { works: 'yes', text: describeCount(value.total) };
    }),
    await checkEndpoint('tunnel', () => checkTunnel(client, firstPage, firstSelfRented, signal)),
    await checkEndpoint('balance', async () => {
      const { availableCents } = (await client.balance(signal)).value;
      return { works: 'yes', text: describeBalance(availableCents, account.currency) };
    }),
  ];
  await client.close();
  const deviceList = firstPage === undefined || firstPage.total === 0 ? '' : JSON.stringify(firstPage);
  return { account: account.name, endpoints, deviceList };
}

async function checkTunnel(
  client: ApiClient,
  firstPage: { readonly total: number } | undefined,
  phone: Pick<Device, 'id' | 'label'> | undefined,
  signal: AbortSignal,
): Promise<Pick<EndpointCheck, 'works' | 'text'>> {
  if (firstPage === undefined)
    return { works: '-', text: 'not requested: could not read the list of phones' };
  if (firstPage.total === 0) return { works: '-', text: 'not requested: there are no phones' };
  if (phone === undefined) {
    const seen = firstPage.total > PAGE_SIZE ? `the first ${PAGE_SIZE} phones` : 'the phones';
    return { works: '-', text: `not requested: none of ${seen} is self-rented, so none has a tunnel` };
  }
  const { value } = await client.tunnel(phone.id, signal);
  return {
    works: 'yes',
    text: `${value === undefined ? 'no tunnel' : 'tunnel'} found for phone ${phone.label || phone.id}`,
  };
}

function describeCount(phones: number): string {
  const count = say('phones', { count: phones });
  return phones === 0 ? `${count}. ${say('check-right-key')}` : count;
}

function describeBalance(availableCents: number | undefined, currency: string | undefined): string {
  if (availableCents === undefined) return say('check-no-amount');
  return say('check-available', { amount: moneyText(availableCents, currency) });
}

function hintOn({ reason, code, endpoint }: ApiError, { apiUrl, key }: AccountConfig): string {
  if (reason === 'unauthorized') return ` The key is from ${'file' in key ? key.file : key.environment}.`;
  if (reason === 'not_found') {
    const prefix = apiUrl.pathname.replace(/\/+$/, '');
    const without = prefix === '' ? '' : ` Without the path ${prefix}, api_url is ${apiUrl.origin}.`;
    return ` The address was ${apiUrl.origin}${prefix}${API_PATHS[endpoint]}.${without}`;
  }
  const mayBeTls = ['reset', 'envelope', 'bad_request', 'edge_block'].includes(reason) && code === undefined;
  if (apiUrl.protocol === 'http:' && mayBeTls)
    return ' If this server uses https, write https:// in api_url.';
  return '';
}

function sameDeviceLists(checks: readonly AccountCheck[]): readonly string[] {
  return checks.flatMap(({ account, deviceList }, index) => {
    const first = checks
      .slice(0, index)
      .find((other) => deviceList !== '' && other.deviceList === deviceList);
    if (first === undefined) return [];
    return `accounts "${first.account}" and "${account}" have the same phones, so each phone counts twice: remove one`;
  });
}

function formatSchedules({ poll, time_zone }: Config, now: number): string {
  const [utc, own] = [createTimeZone('UTC'), createTimeZone(time_zone)];
  const rows = COLLECTORS.map((collector) => {
    const next = createCalendar(poll[collector]).nextAfter(now);
    return [collector, poll[collector], dateTimeAt(utc, next), dateTimeAt(own, next)];
  });
  return formatTable(['polls', 'schedule', 'next in UTC', `next in local time (${own.name})`], rows);
}

/** Subject of each collector's alerts, and the longest gap between two polls before they come too late. */
const PROMPT_GAPS = [
  { collector: 'devices', about: 'phones', seconds: 300 },
  { collector: 'tunnels', about: 'tunnels', seconds: 300 },
  { collector: 'balance', about: 'the balance', seconds: 3_600 },
] as const;

/** Returns a sentence for each schedule that delays alerts. */
function rareSchedules({ poll }: Config, { scheduler }: Io): readonly string[] {
  return PROMPT_GAPS.flatMap(({ collector, about, seconds }) => {
    const gap = scheduler(poll[collector], () => {}).intervalSeconds;
    if (gap <= seconds) return [];
    const delay = formatDuration(gap * 1_000);
    return `poll.${collector}: polls are up to ${delay} apart, so alerts about ${about} open and resolve up to ${delay} later`;
  });
}
