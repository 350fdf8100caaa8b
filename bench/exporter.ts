import { createApiClient } from '../src/api/client.ts';
import { createMembers } from '../src/app/members.ts';
import { createMonitor, type Monitor } from '../src/app/monitor.ts';
import { systemClock } from '../src/clock.ts';
import { catalog } from '../src/metrics/catalog.ts';
import { createExposition } from '../src/metrics/exposition.ts';
import { type Shard, WHOLE } from '../src/model/shard.ts';
import { createStore } from '../src/poller/store.ts';
import { USUAL_FEATURES } from '../test/features.ts';
import { silentLog } from '../test/silent-log.ts';
import { surroundingsOf } from '../test/surroundings.ts';
import { createLocalApi } from './local-api.ts';
import { benchConfig, benchKey, benchSelfMetrics, neverScheduler, pause } from './surroundings.ts';

export const FAMILIES = catalog(USUAL_FEATURES);

/** Everything of the exporter but its schedule and its listener. */
export type BenchExporter = Pick<Monitor, 'scrape' | 'httpAnswered' | 'snapshot'> & {
  /** Lays the answers to the next poll ready, which is no work of the exporter's. */
  readonly prepare: () => Promise<void>;
  /** Polls everything once; resolves when the page shows it. */
  readonly poll: () => Promise<void>;
};

/** One that polls an API over the network. */
export function createNetworkExporter(
  accounts: number,
  apiUrl: string,
  concurrency: number,
  shard: Shard = WHOLE,
): BenchExporter {
  const config = { ...benchConfig(accounts, apiUrl, concurrency), shard };
  const monitor = createMonitor(config, surroundingsOf({ key: benchKey, pause, scheduler: neverScheduler }));
  return { ...monitor, prepare: async () => {}, poll: monitor.pollAll };
}

/**
 * One without a network: the answers of the API lie ready, so that a poll costs what it costs the exporter.
 *
 * @param phones in all; the accounts share them evenly
 */
export function createLocalExporter(phones: number, accounts: number): BenchExporter {
  const config = benchConfig(accounts, 'http://127.0.0.1:1');
  const self = benchSelfMetrics();
  const exposition = createExposition(FAMILIES, self, systemClock, pause);
  const store = createStore(config.accounts, exposition.show);
  const apis = new Map(
    config.accounts.map(({ name }, index) => [
      name,
      createLocalApi(Math.round(phones / accounts), index + 1),
    ]),
  );
  const members = createMembers(
    { config, network: { authorities: undefined, proxies: undefined } },
    {
      store,
      scheduler: neverScheduler,
      clock: systemClock,
      pause,
      log: silentLog,
      readKey: benchKey,
      connect: ({ name, apiUrl }, setup, key, events) => {
        const api = apis.get(name);
        if (api === undefined) throw new Error(`no account is named ${name}`);
        return createApiClient({
          ...setup.config.client,
          ...setup.network,
          baseUrl: apiUrl,
          key,
          userAgent: 'bench',
          transport: api.transport,
          clock: systemClock,
          random: () => 0.5,
          pause,
          events,
        });
      },
      metricsOf: self.forAccount,
    },
  );
  return {
    scrape: exposition.scrape,
    httpAnswered: self.httpAnswered,
    snapshot: store.snapshot,
    prepare: async () => {
      for (const api of apis.values()) await api.prepare();
    },
    poll: async () => {
      await members.pollAll();
      await exposition.settled();
    },
  };
}
