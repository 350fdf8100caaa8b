import { isDeepStrictEqual } from 'node:util';
import { alertFamilies } from '../alerts/rows.ts';
import { type ApiClient, createApiClient } from '../api/client.ts';
import { every } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { LogLevel } from '../base/log.ts';
import type { Secret } from '../base/secret.ts';
import type { TimeZone } from '../base/time-zone.ts';
import type { AccountConfig, Config, ConfigSchema } from '../config/schema.ts';
import { type Build, createExporterMetrics, type ExporterMetrics } from '../metrics/exporter-metrics.ts';
import { createExposition } from '../metrics/exposition.ts';
import { coreFamilies, type Family } from '../metrics/families.ts';
import type { GzipBody } from '../metrics/page.ts';
import { NOTHING_KNOWN, type SavedState } from '../model/account.ts';
import type { OnApiEvent } from '../model/api-events.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { logClockSteps } from '../poll/clock-reading.ts';
import type { Scheduler } from '../poll/schedule.ts';
import { createAccounts, type LoadedConfig } from './accounts.ts';
import { createEventLog } from './event-log.ts';
import type { DaemonFeature, ProcessContext, RunningFeature } from './feature.ts';
import { createMemory } from './memory.ts';

export type Dependencies = ProcessContext & {
  readonly build: Build;
  readonly scheduler: Scheduler;
  /** Returns an account's key as last read. Throws a KeyError if there is none. */
  readonly key: (account: AccountConfig) => Secret;
  /** Reads an account's key again. Never rejects. */
  readonly refreshKey: (account: AccountConfig) => Promise<void>;
  readonly network: LoadedConfig['network'];
  readonly features: readonly DaemonFeature[];
  /** The configuration, including the features' settings. */
  readonly schema: ConfigSchema;
  readonly stateDisk: Disk;
  /** Reads the configuration and its files again. Rejects with a ConfigError or KeyError if they are invalid. */
  readonly readSetup: () => Promise<LoadedConfig>;
  readonly setLogLevel: (level: LogLevel) => void;
};

/** The daemon without its listener: polls the accounts and renders the page of metrics. */
export type Monitor = {
  /** Polls everything once. Resolves when the page shows it. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly snapshot: () => Snapshot;
  readonly saved: () => SavedState;
  readonly scrape: () => Promise<GzipBody>;
  readonly stalled: () => readonly string[];
  /** Changes to another setup. Resolves when the page shows it. */
  readonly replace: (setup: LoadedConfig) => Promise<void>;
  readonly metrics: ExporterMetrics;
  /** Notes what is wrong with some files; undefined if nothing is. */
  readonly noteFiles: (file: string, problem: string | undefined) => void;
  /** Returns a sentence for each kind of file that cannot be written. */
  readonly fileProblems: () => readonly string[];
  /** Returns the configuration in use. */
  readonly config: () => Config;
  readonly timeZone: () => TimeZone;
  readonly features: readonly RunningFeature[];
};

export type ClientDependencies = Pick<Dependencies, 'build' | 'clock' | 'random' | 'key' | 'network'>;

export function createClient(
  account: AccountConfig,
  config: Config,
  dependencies: ClientDependencies,
  on: OnApiEvent,
): ApiClient {
  const { build, key, network } = dependencies;
  return createApiClient({
    ...dependencies,
    concurrency: config.client.concurrency,
    timeoutMilliseconds: config.client.timeout,
    requestsPerSecond: config.client.requests_per_second,
    ...network,
    baseUrl: account.apiUrl,
    key: () => key(account),
    userAgent: `hoster-exporter/${build.version}`,
    on,
  });
}

/** Interval at which the time zone's offset is updated, in milliseconds. */
const TIME_ZONE_MILLISECONDS = 60_000;

/**
 * @param earlier state of an earlier process
 * @param save saves the state; resolves to the error message, or to undefined
 */
export function createMonitor(
  config: Config,
  dependencies: Dependencies,
  earlier: SavedState = NOTHING_KNOWN,
  save: () => Promise<string | undefined> = async () => undefined,
): Monitor {
  const { build, clock, log, network, setLogLevel } = dependencies;
  const metrics = createExporterMetrics(build);
  const families = ({ features }: Config): readonly Family[] => [
    ...coreFamilies(features),
    ...alertFamilies(features),
    ...dependencies.features.flatMap((feature) => feature.families?.(features) ?? []),
  ];
  const exposition = createExposition(families(config), metrics, clock, dependencies.yieldToEventLoop);
  const eventLog = createEventLog(log, clock, config.log.events);
  const fileProblems = new Map<string, string>();
  const noteFiles: Monitor['noteFiles'] = (file, problem) => {
    if (problem === undefined) fileProblems.delete(file);
    else fileProblems.set(file, problem);
  };
  const memory = createMemory(config, dependencies, {
    earlier,
    save,
    reportFiles: (file, problem) => {
      metrics.filesWritten(file, problem === undefined);
      noteFiles(file, problem);
    },
    onChange: exposition.show,
    onEvents: eventLog.write,
    settled: exposition.settled,
  });
  const { store, judge, features } = memory;
  const showTimeZone = (): void => {
    const now = clock.now();
    const zone = memory.timeZone();
    metrics.timeZone(zone.name, {
      abbreviation: zone.abbreviationAt(now),
      seconds: zone.offsetAt(now) / 1000,
    });
  };
  showTimeZone();
  exposition.show(store.snapshot());
  const accounts = createAccounts(
    { config, network },
    {
      ...dependencies,
      store,
      judge,
      readKey: dependencies.key,
      connect: (account, setup, key, on) =>
        createClient(account, setup.config, { ...dependencies, network: setup.network, key }, on),
      metricsOf: metrics.forAccount,
    },
  );
  let stopWatching = (): void => {};
  return {
    pollAll: async () => {
      await memory.configured;
      await accounts.pollAll();
      await exposition.settled();
    },
    start: () => {
      const stopClock = logClockSteps(clock, log);
      const stopTimeZone = every(clock, TIME_ZONE_MILLISECONDS, showTimeZone);
      stopWatching = () => {
        stopClock();
        stopTimeZone();
      };
      accounts.start();
    },
    stop: () => {
      stopWatching();
      return accounts.stop();
    },
    snapshot: store.snapshot,
    saved: memory.saved,
    scrape: exposition.scrape,
    stalled: () => accounts.stalled(memory.config().client.timeout),
    replace: async (next) => {
      const before = store.snapshot();
      const { features: switches } = memory.config();
      await accounts.replace(next, await memory.configure(next.config));
      if (!isDeepStrictEqual(next.config.features, switches)) exposition.setFamilies(families(next.config));
      setLogLevel(next.config.log.level);
      eventLog.setEnabled(next.config.log.events);
      showTimeZone();
      exposition.show(store.snapshot());
      const names = new Set(next.config.accounts.map(({ name }) => name));
      for (const { name } of before.accounts) if (!names.has(name)) await metrics.forget(name);
      await exposition.settled();
    },
    metrics,
    noteFiles,
    fileProblems: () => [...fileProblems.values()],
    config: memory.config,
    timeZone: memory.timeZone,
    features,
  };
}
