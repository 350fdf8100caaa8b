import { isDeepStrictEqual } from 'node:util';
import { type ApiClient, type ApiClientOptions, createApiClient } from '../api/client.ts';
import type { Clock } from '../clock.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import { pathsOf } from '../http/routes.ts';
import { OTHER_PATH } from '../http/server.ts';
import type { Log, LogLevel } from '../log.ts';
import { catalog } from '../metrics/catalog.ts';
import { createExposition, type ScrapeBody } from '../metrics/exposition.ts';
import { type Build, createSelfMetrics } from '../metrics/self.ts';
import type { UpkeepMetrics } from '../metrics/upkeep.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { Memory } from '../model/memory.ts';
import type { RefusalReason } from '../model/refusal.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { measureAwakeTime } from '../poller/awake.ts';
import { watchClocks } from '../poller/clock-watch.ts';
import { createDeadMan } from '../poller/dead-man.ts';
import type { Scheduler } from '../poller/schedule.ts';
import { createStore } from '../poller/store.ts';
import type { Secret } from '../secret.ts';
import { createMembers, type Setup } from './members.ts';

/** What the rim gives to the daemon. */
export type Surroundings = {
  readonly build: Build;
  readonly clock: Clock;
  /** A number in [0, 1), another one at each call. */
  readonly random: () => number;
  readonly scheduler: Scheduler;
  /** Reads the key of an account where it is kept. Throws a KeyError if it can't be had. */
  readonly key: (account: AccountConfig) => Secret;
  /** How the API is reached, beside its address. */
  readonly network: Pick<ApiClientOptions, 'authorities' | 'proxies' | 'transport'>;
  /** Gives the event loop back between two slices of long work. */
  readonly pause: () => Promise<void>;
  /** A file of the fleet page, as the build laid it out. Throws where there is none of this name. */
  readonly readPageFile: (name: string) => Buffer;
  /** Reads the configuration and all that it leads to anew. Throws a ConfigError or KeyError if it can't be used. */
  readonly readSetup: () => Setup;
  readonly log: Log;
  readonly setLogLevel: (level: LogLevel) => void;
  /** Tells of each line of the log that was dropped. */
  readonly onLogDropped: (listener: () => void) => void;
};

/** Everything but the listener: polls the accounts and renders what they bring. */
export type Monitor = {
  /** Polls everything once; resolves when the page shows it. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly snapshot: () => Snapshot;
  readonly scrape: () => Promise<ScrapeBody>;
  readonly httpAnswered: (path: string, status: number) => void;
  readonly httpRefused: (reason: RefusalReason) => void;
  /** Which polls have stopped happening, in sentences; none while all is well. */
  readonly silences: () => readonly string[];
  /** Goes on with another setup, as {@link Members} does; resolves when the page shows it. */
  readonly replace: (setup: Setup) => Promise<void>;
  readonly upkeep: UpkeepMetrics;
};

export function createClient(
  account: AccountConfig,
  config: Config,
  surroundings: Surroundings,
  events: ApiEvents,
): ApiClient {
  const { build, clock, random, key, network, pause } = surroundings;
  return createApiClient({
    ...config.client,
    ...network,
    shard: config.shard,
    baseUrl: account.apiUrl,
    key: () => key(account),
    userAgent: `hoster-exporter/${build.version}`,
    clock,
    random,
    pause,
    events,
  });
}

/** @param memories what an earlier process knew of the accounts, by name */
export function createMonitor(
  config: Config,
  surroundings: Surroundings,
  memories: ReadonlyMap<string, Memory> = new Map(),
): Monitor {
  const { build, clock, log, pause, network } = surroundings;
  const self = createSelfMetrics(build, [...pathsOf(config.web.telemetryPath), OTHER_PATH], config.shard);
  const exposition = createExposition(catalog(config.features), self, clock, pause);
  const known = config.accounts.map((account) => ({ ...account, memory: memories.get(account.name) }));
  const store = createStore(known, exposition.show, config.shard);
  exposition.show(store.snapshot());
  surroundings.onLogDropped(self.logLineDropped);
  const awake = measureAwakeTime(clock);
  const deadMan = createDeadMan(awake.elapsed);
  const members = createMembers(
    { config, network },
    {
      ...surroundings,
      store,
      readKey: surroundings.key,
      connect: (account, setup, key, events) =>
        createClient(account, setup.config, { ...surroundings, network: setup.network, key }, events),
      metricsOf: (account) => deadMan.watch(account, self.forAccount(account)),
    },
  );
  let { features, client } = config;
  let stopWatching = (): void => {};
  return {
    pollAll: async () => {
      await members.pollAll();
      await exposition.settled();
    },
    start: () => {
      stopWatching = watchClocks(clock, self.clockStepped, log);
      members.start();
    },
    stop: () => {
      stopWatching();
      awake.stop();
      return members.stop();
    },
    snapshot: store.snapshot,
    scrape: exposition.scrape,
    httpAnswered: self.httpAnswered,
    httpRefused: self.httpRefused,
    silences: () =>
      deadMan.silences(
        store.snapshot().accounts.map(({ name }) => name),
        client.timeoutMilliseconds,
      ),
    replace: async (next) => {
      const before = store.snapshot();
      const { accounts, log, features: wanted } = next.config;
      await members.replace(next);
      surroundings.setLogLevel(log.level);
      if (!isDeepStrictEqual(wanted, features)) exposition.choose(catalog(wanted));
      features = wanted;
      client = next.config.client;
      exposition.show(store.snapshot());
      const names = new Set(accounts.map(({ name }) => name));
      for (const { name } of before.accounts) if (!names.has(name)) await self.forget(name);
      await exposition.settled();
    },
    upkeep: self,
  };
}
