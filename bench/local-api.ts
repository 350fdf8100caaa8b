import { type AskOptions, createAsk } from '../src/api/ask.ts';
import type { ApiClient } from '../src/api/client.ts';
import type { Reply, Transport } from '../src/api/transport.ts';
import { readBalance } from '../src/api/wire/balance.ts';
import { readDevicePage } from '../src/api/wire/device-page.ts';
import { readTunnel } from '../src/api/wire/tunnel.ts';
import { createWire } from '../src/api/wire/wire.ts';
import { answer } from '../src/simulator/answer.ts';
import { encode } from '../src/simulator/message.ts';
import { createBenchMarketplace, START } from './marketplace.ts';
import { KEY } from './surroundings.ts';

/** Milliseconds between two polls. */
const POLL_INTERVAL = 30_000;

const BALANCE_PATH = '/hoster/v1/balance';
const devicesPath = (page: number): string => `/hoster/v1/devices?page=${page}&limit=100`;
const tunnelPath = (deviceId: string): string => `/hoster/v1/devices/${deviceId}/self-rent/tunnel`;

/** An API without a network: its answers are bytes that lie ready, so that a poll costs what it costs the poller. */
export type LocalApi = {
  /** Lets time go by until the next poll, and lays the answers to it ready. */
  readonly prepare: () => void;
  readonly client: (options: Omit<AskOptions, 'transport'>) => ApiClient;
};

export function createLocalApi(phones: number, seed: number): LocalApi {
  const marketplace = createBenchMarketplace(phones, seed);
  const accounts = [{ name: 'bench', key: KEY, marketplace }];
  let replies = new Map<string, Reply>();
  let now = START;
  const reply = (target: string): Reply => {
    const { pathname, search } = new URL(target, 'http://bench');
    const query = new URLSearchParams(search);
    const request = { method: 'GET', path: pathname, query, headers: { 'x-api-key': KEY } };
    return encode(answer(accounts, request), now);
  };
  const transport: Transport = {
    get: async (target) => replies.get(target) ?? reply(target),
    close: async () => {},
  };
  return {
    prepare: () => {
      now += POLL_INTERVAL;
      marketplace.advance(now);
      const pages = Array.from({ length: Math.max(1, Math.ceil(phones / 100)) }, (_, index) =>
        devicesPath(index + 1),
      );
      const tunnels = marketplace
        .phones()
        .filter(({ deviceId }) => marketplace.tunnel(deviceId) !== undefined)
        .map(({ deviceId }) => tunnelPath(deviceId));
      replies = new Map([...pages, ...tunnels].map((target) => [target, reply(target)]));
    },
    client: (options) => createLocalClient({ ...options, transport }),
  };
}

/** The client of the daemon, but for what stands between it and the network. */
function createLocalClient(options: AskOptions): ApiClient {
  const ask = createAsk(options);
  const wire = createWire(options.events);
  return {
    devicePage: (page, signal) =>
      ask({
        endpoint: 'devices',
        path: devicesPath(page),
        signal,
        read: (data) => usable(readDevicePage(data, wire)),
      }),
    tunnel: (deviceId, signal) =>
      ask({
        endpoint: 'tunnel',
        path: tunnelPath(deviceId),
        signal,
        read: (data) => (data === undefined ? { value: undefined } : usable(readTunnel(data, wire))),
      }),
    balance: (signal) =>
      ask({
        endpoint: 'balance',
        path: BALANCE_PATH,
        signal,
        read: (data) => usable(readBalance(data, wire)),
      }),
    close: options.transport.close,
  };
}

function usable<Value>(value: Value | undefined): { readonly value: Value } | undefined {
  return value === undefined ? undefined : { value };
}
