import { createApiClient } from '../src/api/client.ts';
import { systemClock, yieldToEventLoop } from '../src/base/clock.ts';
import { createAccounts } from '../src/daemon/accounts.ts';
import { createMemory } from '../src/daemon/memory.ts';
import { createMonitor, type Monitor } from '../src/daemon/monitor.ts';
import { createExposition } from '../src/metrics/exposition.ts';
import { NOTHING_KNOWN } from '../src/model/account.ts';
import { dependenciesOf } from '../test/dependencies.ts';
import { familiesOf, USUAL_FEATURES } from '../test/features.ts';
import { silentLog } from '../test/silent-log.ts';
import { benchConfig, benchKey, benchMetrics, neverScheduler } from './dependencies.ts';
import { createLocalApi } from './local-api.ts';

export const FAMILIES = familiesOf(USUAL_FEATURES);

/** Everything of the exporter but its schedule and its listener. */
export type BenchExporter = Pick<Monitor, 'scrape' | 'snapshot' | 'metrics'> & {
  /** Lays the answers to the next poll ready, which is no work of the exporter's. */
  readonly prepare: () => Promise<void>;
  /** Polls everything once; resolves when the page shows it. */
  readonly poll: () => Promise<void>;
};

/** One that polls an API over the network. */
export function createNetworkExporter(accounts: number, apiUrl: string, concurrency: number): BenchExporter {
  const config = benchConfig(accounts, apiUrl, concurrency);
  const monitor = createMonitor(
    config,
    dependenciesOf({ key: benchKey, yieldToEventLoop, scheduler: neverScheduler }),
  );
  return { ...monitor, prepare: async () => {}, poll: monitor.pollAll };
}

/**
 * One without a network: the answers of the API lie ready, so that a poll costs what it costs the exporter.
 *
 * @param phones in all; the accounts share them evenly
 */
export function createLocalExporter(phones: number, accounts: number): BenchExporter {
  const config = benchConfig(accounts, 'http://127.0.0.1:1');
  const metrics = benchMetrics();
  const exposition = createExposition(FAMILIES, metrics, systemClock, yieldToEventLoop);
  const { store, judge } = createMemory(config, dependenciesOf({ yieldToEventLoop }), {
    earlier: NOTHING_KNOWN,
    save: async () => undefined,
    onChange: exposition.show,
    onEvents: () => {},
    settled: exposition.settled,
  });
  const apis = new Map(
    config.accounts.map(({ name }, index) => [
      name,
      createLocalApi(Math.round(phones / accounts), index + 1),
    ]),
  );
  const running = createAccounts(
    { config, network: { authorities: undefined, proxies: undefined } },
    {
      store,
      judge,
      scheduler: neverScheduler,
      clock: systemClock,
      log: silentLog,
      readKey: benchKey,
      refreshKey: async () => {},
      connect: ({ name, apiUrl }, setup, key, on) => {
        const api = apis.get(name);
        if (api === undefined) throw new Error(`no account is named ${name}`);
        return createApiClient({
          concurrency: setup.config.client.concurrency,
          timeoutMilliseconds: setup.config.client.timeout,
          requestsPerSecond: setup.config.client.requests_per_second,
          ...setup.network,
          baseUrl: apiUrl,
          key,
          userAgent: 'bench',
          http: api.http,
          clock: systemClock,
          random: () => 0.5,
          on,
        });
      },
      metricsOf: metrics.forAccount,
    },
  );
  return {
    scrape: exposition.scrape,
    metrics,
    snapshot: store.snapshot,
    prepare: async () => {
      for (const api of apis.values()) await api.prepare();
    },
    poll: async () => {
      await running.pollAll();
      await exposition.settled();
    },
  };
}
