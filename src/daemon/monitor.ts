import { isDeepStrictEqual } from 'node:util';
import { type ApiClient, createApiClient } from '../api/client.ts';
import { type Clock, every } from '../base/clock.ts';
import type { Log, LogLevel } from '../base/log.ts';
import type { Secret } from '../base/secret.ts';
import { createTimeZone, type TimeZone } from '../base/time-zone.ts';
import { lastStartOf } from '../config/cron.ts';
import { type AccountConfig, type Config, windowsOf } from '../config/schema.ts';
import { createMaintenance, type RuntimeMaintenance } from '../features/maintenance/requests.ts';
import type { TagBook } from '../features/tags/book.ts';
import { type Build, createExporterMetrics, type ExporterMetrics } from '../metrics/exporter-metrics.ts';
import { createExposition } from '../metrics/exposition.ts';
import { familiesOf } from '../metrics/families.ts';
import type { GzipBody } from '../metrics/page.ts';
import { NOTHING_KNOWN, type SavedState } from '../model/account.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { Observation } from '../model/observation.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { logClockSteps } from '../poll/clock-reading.ts';
import { createJudge, type Judge, type SharedSettings } from '../poll/judge.ts';
import type { Scheduler } from '../poll/schedule.ts';
import { createStore } from '../poll/store.ts';
import { createAccounts, type LoadedConfig } from './accounts.ts';
import { createEventLog } from './event-log.ts';

/** The effects that the daemon depends on: clocks, chance, files, the log. */
export type Dependencies = {
  readonly build: Build;
  readonly clock: Clock;
  /** Returns a number in [0, 1), another one at each call. */
  readonly random: () => number;
  readonly scheduler: Scheduler;
  /** Returns the key of an account as it was last read. Throws a KeyError if it can't be had. */
  readonly key: (account: AccountConfig) => Secret;
  /** Reads the key of an account again, for `key`. Never rejects. */
  readonly refreshKey: (account: AccountConfig) => Promise<void>;
  readonly network: LoadedConfig['network'];
  readonly tags: TagBook;
  /** Reads the file of tags; the same book as before as long as the file stays the same. Never rejects. */
  readonly readTags: (path: string | undefined) => Promise<TagBook>;
  readonly yieldToEventLoop: () => Promise<void>;
  /** Reads a file of the fleet page, as the build laid it out. Throws where there is none of this name. */
  readonly readPageFile: (name: string) => Buffer;
  /** Reads the configuration and the files it names again. Throws a ConfigError or KeyError if it can't be used. */
  readonly readSetup: () => Promise<LoadedConfig>;
  readonly log: Log;
  readonly setLogLevel: (level: LogLevel) => void;
};

/** The daemon without its listener: polls the accounts and renders their page. */
export type Monitor = {
  /** Polls everything once; resolves when the page shows it. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly snapshot: () => Snapshot;
  /** Returns everything that is known, for the state file. */
  readonly saved: () => SavedState;
  readonly scrape: () => Promise<GzipBody>;
  /** Returns a sentence for each collector whose polls have stopped; none while all is well. */
  readonly stalled: () => readonly string[];
  /** Changes to another setup; resolves when the page shows it. */
  readonly replace: (setup: LoadedConfig) => Promise<void>;
  readonly metrics: ExporterMetrics;
  /** Takes the owner's word at run time. */
  readonly maintenance: RuntimeMaintenance;
  readonly timeZone: () => TimeZone;
  /** Returns the tags of phones, as they were last read. */
  readonly tags: () => TagBook;
  /** Takes other tags, with the next list of each account. */
  readonly takeTags: (tags: TagBook) => void;
  /** Takes an observation of an account that no poll made. */
  readonly observe: (name: string, observation: Observation) => Promise<void>;
};

/** What a client of the API needs. */
export type ClientDependencies = Pick<Dependencies, 'build' | 'clock' | 'random' | 'key' | 'network'>;

export function createClient(
  account: AccountConfig,
  config: Config,
  dependencies: ClientDependencies,
  events: ApiEvents,
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
    events,
  });
}

/** Time between two looks at the offset of the owner's time zone, which changes with summer time. */
const TIME_ZONE_MILLISECONDS = 60_000;

/**
 * @param earlier what an earlier process knew
 * @param save saves the state, or resolves to the reason why it cannot
 */
export function createMonitor(
  config: Config,
  dependencies: Dependencies,
  earlier: SavedState = NOTHING_KNOWN,
  save: () => Promise<string | undefined> = async () => undefined,
): Monitor {
  const { build, clock, log, network, setLogLevel } = dependencies;
  const metrics = createExporterMetrics(build);
  const exposition = createExposition(
    familiesOf(config.features),
    metrics,
    clock,
    dependencies.yieldToEventLoop,
  );
  const eventLog = createEventLog(log, clock, config.log.events);
  const store = createStore(config.accounts, earlier, clock.now, exposition.show);
  let { features, client } = config;
  let timeZone = createTimeZone(config.time_zone);
  const showTimeZone = (): void => {
    const now = clock.now();
    const seconds = timeZone.offsetAt(now) / 1000;
    metrics.timeZone(timeZone.name, { abbreviation: timeZone.abbreviationAt(now), seconds });
  };
  let { tags } = dependencies;
  let settings = settingsOf(config, tags);
  const takeTags = (next: TagBook): void => {
    // What was read before stays while the file cannot be read.
    tags = next.lines === undefined ? { ...next, names: tags.names, lines: tags.lines } : next;
    settings = { ...settings, tags };
  };
  const judge = createJudge({
    store,
    settings: () => settings,
    onEvents: eventLog.write,
    yieldToEventLoop: dependencies.yieldToEventLoop,
  });
  showTimeZone();
  exposition.show(store.snapshot());
  const accounts = createAccounts(
    { config, network, tags },
    {
      ...dependencies,
      store,
      judge,
      readKey: dependencies.key,
      connect: (account, setup, key, events) =>
        createClient(account, setup.config, { ...dependencies, network: setup.network, key }, events),
      metricsOf: metrics.forAccount,
    },
  );
  /** What was said is answered when the page shows it. */
  const observe: Judge['observe'] = async (observed) => {
    await judge.observe(observed);
    await exposition.settled();
  };
  const maintenance = createMaintenance({ ...dependencies, snapshot: store.snapshot, observe, save });
  let stopWatching = (): void => {};
  return {
    pollAll: async () => {
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
    saved: () => maintenance.withSaid(store.saved()),
    scrape: exposition.scrape,
    stalled: () => accounts.stalled(client.timeout),
    replace: async (next) => {
      const before = store.snapshot();
      await accounts.replace(next);
      setLogLevel(next.config.log.level);
      eventLog.setEnabled(next.config.log.events);
      if (!isDeepStrictEqual(next.config.features, features))
        exposition.setFamilies(familiesOf(next.config.features));
      ({ features, client } = next.config);
      settings = settingsOf(next.config, tags);
      takeTags(next.tags);
      timeZone = createTimeZone(next.config.time_zone);
      showTimeZone();
      exposition.show(store.snapshot());
      const names = new Set(next.config.accounts.map(({ name }) => name));
      for (const { name } of before.accounts) if (!names.has(name)) await metrics.forget(name);
      await exposition.settled();
    },
    metrics,
    maintenance,
    timeZone: () => timeZone,
    tags: () => tags,
    takeTags,
    observe: (name, observation) => judge.observe({ name, observation, poll: undefined }),
  };
}

/** Returns the settings that judgements depend on. */
export function settingsOf(config: Config, tags: TagBook): SharedSettings {
  const { groups, silence, problems, poll } = config;
  const windows = windowsOf(config).map((window) => {
    const lastStart = lastStartOf(window.schedule, createTimeZone(window.timeZone));
    return { ...window, lastStart };
  });
  return {
    groups,
    tags,
    windows,
    silentAfterSeconds: silence.after === undefined ? undefined : silence.after / 1000,
    problems: {
      idleAfterSeconds: problems.idle_after / 1000,
      givenUpAfterSeconds: problems.given_up_after / 1000,
    },
    staleAfterMilliseconds: poll.stale_after,
  };
}
