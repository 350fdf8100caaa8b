import { Agent, get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { Secret } from '../../src/base/secret.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createMonitor, type Monitor } from '../../src/daemon/monitor.ts';
import { createMarketplace, type Marketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { CONFIG_SCHEMA } from '../../src/features.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { startServer } from '../../src/http/server.ts';
import { EXPOSITION_TYPE } from '../../src/metrics/encode.ts';
import { NOON } from '../builders.ts';
import { CANARY } from '../canary.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { withNastyLabels } from '../nasty-labels.ts';
import { routeSourcesOf } from '../route-sources.ts';
import { type FaultySimulator, startFaultySimulator } from './simulated/faults.ts';
import { runInVirtualTime, type TimeMode } from './virtual-time.ts';

export const KEY = `${CANARY.apiKey}harness`;
export const ACCOUNT = 'main';

/** Two pages of the device list. */
export const PHONES = 104;
/** More than the failures in a row that end a round. */
export const TUNNELS = 6;

export const INTERVAL = 30_000;
/** Data expires in the second round of polls without a success. */
export const STALE_AFTER = 45_000;

export type LogLine = { readonly at: number; readonly level: string; readonly text: string };

/** An exporter that polls a simulated marketplace over real sockets, and is scraped over real sockets. */
export type Harness = {
  readonly clock: FakeClock;
  readonly simulator: FaultySimulator;
  readonly marketplace: Marketplace;
  readonly monitor: Monitor;
  /** Every line of the log so far, at trace level. */
  readonly lines: readonly LogLine[];
  /** One round of polls. Time passes only while everyone waits for it. */
  readonly poll: () => Promise<void>;
  /** Scrapes as Prometheus does. */
  readonly scrape: (encoding?: 'gzip' | 'identity') => Promise<Scraped>;
  readonly close: () => Promise<void>;
};

export type Scraped = {
  readonly status: number;
  readonly type: string | undefined;
  /** `Content-Length`, and the number of bytes that came. */
  readonly announced: number;
  readonly received: number;
  readonly text: string;
};

/** Address of the marketplace, direct or through a gateway. */
export type Route = {
  readonly url: string;
  /** Certificates of the authorities that it trusts. */
  readonly authorities?: string;
  readonly close: () => Promise<void>;
};

export type HarnessOptions = {
  /** Builds the way to the marketplace; by default it is straight. */
  readonly route?: (simulator: FaultySimulator, clock: FakeClock) => Promise<Route>;
  /** Passing of time during a poll; by default a leap as soon as nothing happens. */
  readonly timeMode?: TimeMode;
  readonly client?: Readonly<Record<string, unknown>>;
  /** The key as it is now; by default the right one. */
  readonly key?: () => string;
  /** By default {@link STALE_AFTER}. */
  readonly staleAfterMilliseconds?: number;
  readonly phones?: number;
  /** Phones that the hoster rents himself, so that their tunnels are asked for. */
  readonly tunnels?: number;
};

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const clock = createFakeClock();
  const marketplace = marketplaceOf(options.phones ?? PHONES, options.tunnels ?? TUNNELS);
  const simulator = await startFaultySimulator({
    accounts: [{ name: ACCOUNT, key: KEY, marketplace }],
    clock,
  });
  const route = await options.route?.(simulator, clock);
  const lines: LogLine[] = [];
  const log = createLog({
    level: 'trace',
    format: 'json',
    now: clock.now,
    destination: { write: (text) => lines.push({ at: clock.now(), level: JSON.parse(text).level, text }) },
  });
  const monitor = createMonitor(
    configFor(route?.url ?? simulator.url, options),
    dependenciesOf({
      clock,
      key: () => new Secret(options.key?.() ?? KEY),
      log,
      network: { authorities: route?.authorities, proxies: undefined },
    }),
  );
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    routes: createRoutes(routeSourcesOf({ expositionType: EXPOSITION_TYPE, scrape: monitor.scrape })),
    onAnswer: monitor.metrics.httpResponded,
    onRefusal: monitor.metrics.httpRefused,
    // Time that leaps would have every reader cut off for being slow.
    clock: systemClock,
    log,
  });
  monitor.start();
  const agent = new Agent({ keepAlive: true });
  const activity = () => Object.values(simulator.counts()).reduce((sum, count) => sum + count);
  return {
    clock,
    simulator,
    marketplace,
    monitor,
    lines,
    poll: () => runInVirtualTime(monitor.pollAll(), clock, activity, options.timeMode),
    scrape: (encoding = 'gzip') => scrape(`${server.url}/metrics`, encoding, agent),
    close: async () => {
      agent.destroy();
      await monitor.stop();
      await Promise.all([server.close(), route?.close(), simulator.close()]);
    },
  };
}

function marketplaceOf(size: number, tunnels: number): Marketplace {
  const phones = withNastyLabels(createFleet({ seed: 1, size })).map((phone, index) => ({
    ...phone,
    rentalStatus: index < tunnels ? ('self_rented' as const) : ('sold' as const),
    tunnel: 'up' as const,
  }));
  return createMarketplace({ seed: 1, phones, startAt: NOON, lively: false });
}

function configFor(apiUrl: string, { client, staleAfterMilliseconds = STALE_AFTER }: HarnessOptions) {
  const everyHalfMinute = '*/30 * * * * *';
  const file = JSON.stringify({
    accounts: [{ name: ACCOUNT, api_url: apiUrl, api_key_env: 'KEY' }],
    poll: {
      devices: everyHalfMinute,
      tunnels: everyHalfMinute,
      balance: everyHalfMinute,
      stale_after: `${staleAfterMilliseconds / 1000}s`,
    },
    client: { timeout: '3s', ...client },
  });
  return loadConfig({
    schema: CONFIG_SCHEMA,
    flags: new Map([['config.file', 'harness.yml']]),
    environment: { KEY },
    readFile: () => file,
    accounts: 'required',
  }).config;
}

/** Scrapes once more where the server had closed an idle connection, as Prometheus does. */
function scrape(url: string, encoding: string, agent: Agent): Promise<Scraped> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const { headers } = response;
        const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        resolve({
          status: response.statusCode ?? 0,
          type: headers['content-type'],
          announced: Number(headers['content-length']),
          received: body.length,
          text: new TextDecoder('utf-8', { fatal: true }).decode(plain),
        });
      });
    });
    request.on('error', (error) => {
      if (request.reusedSocket) resolve(scrape(url, encoding, agent));
      else reject(error);
    });
  });
}
