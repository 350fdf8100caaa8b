import { type ApiClient, createApiClient } from './api/client.ts';
import { type ApiEvents, ENUM_FIELDS, REJECTION_REASONS, TEXT_LABELS } from './api/events.ts';
import type { Clock } from './clock.ts';
import type { AccountConfig, Config } from './config/schema.ts';
import { createRoutes, pathsOf } from './http/routes.ts';
import { OTHER_PATH, startServer } from './http/server.ts';
import type { Log } from './log.ts';
import { catalog } from './metrics/catalog.ts';
import { createExposition, EXPOSITION_TYPE, type ScrapeBody } from './metrics/exposition.ts';
import { type AccountMetrics, type Build, createSelfMetrics } from './metrics/self.ts';
import type { Snapshot } from './model/snapshot.ts';
import { createPoller, type Poller } from './poller/poller.ts';
import type { Scheduler } from './poller/schedule.ts';
import { createStore, type Store } from './poller/store.ts';
import type { Secret } from './secret.ts';

/** What the rim gives to the daemon. */
export type Surroundings = {
  readonly build: Build;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** The key of an account as it is now. */
  readonly key: (account: AccountConfig) => Secret;
  /** Gives the event loop back between two slices of long work. */
  readonly pause: () => Promise<void>;
  readonly log: Log;
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
};

/** The monitor behind a listener. */
export type Daemon = {
  readonly url: string;
  /** Resolves when the first round of polls has ended, well or badly. */
  readonly firstRound: Promise<void>;
  /** Stops polling, lets scrapes under way be answered, and closes everything. */
  readonly stop: () => Promise<void>;
};

export function createClient(
  account: AccountConfig,
  config: Config,
  surroundings: Surroundings,
  events: ApiEvents,
): ApiClient {
  const { build, clock, key } = surroundings;
  return createApiClient({
    baseUrl: account.apiUrl,
    key: () => key(account),
    concurrency: config.client.concurrency,
    timeoutMilliseconds: config.client.timeoutMilliseconds,
    userAgent: `hoster-exporter/${build.version}`,
    clock,
    events,
  });
}

export function createMonitor(config: Config, surroundings: Surroundings): Monitor {
  const { build, clock, pause } = surroundings;
  const self = createSelfMetrics(build, {
    rejectionReasons: REJECTION_REASONS,
    enumFields: ENUM_FIELDS,
    sanitizedLabels: TEXT_LABELS,
    httpPaths: [...pathsOf(config.web.telemetryPath), OTHER_PATH],
  });
  const exposition = createExposition(catalog(config.features), self, clock, pause);
  const store = createStore(config.accounts, exposition.show);
  exposition.show(store.snapshot());
  surroundings.onLogDropped(self.logLineDropped);
  const members = config.accounts.map((account) =>
    createMember(account, config, surroundings, store, self.forAccount(account.name)),
  );
  return {
    pollAll: async () => {
      await Promise.all(members.map(({ poller }) => poller.pollAll()));
      await exposition.settled();
    },
    start: () => {
      for (const { poller } of members) poller.start();
    },
    stop: async () => {
      for (const { poller } of members) poller.stop();
      await Promise.all(members.map(({ client }) => client.close()));
    },
    snapshot: store.snapshot,
    scrape: exposition.scrape,
    httpAnswered: self.httpAnswered,
  };
}

type Member = { readonly client: ApiClient; readonly poller: Poller };

/** One account: its own client and poller, so that what befalls one does not touch another. */
function createMember(
  account: AccountConfig,
  config: Config,
  surroundings: Surroundings,
  store: Store,
  metrics: AccountMetrics,
): Member {
  const client = createClient(account, config, surroundings, {
    ...metrics,
    access: (access) => {
      // Every answer says this; only a change is news.
      if (store.account(account.name).access === access) return;
      store.update(account.name, (known) => ({ ...known, access }));
    },
  });
  const poller = createPoller({
    account: account.name,
    client,
    store,
    schedules: config.poll,
    staleAfterMilliseconds: config.poll.staleAfterMilliseconds,
    scheduler: surroundings.scheduler,
    clock: surroundings.clock,
    metrics,
    log: surroundings.log.child({ account: account.name }),
  });
  return { client, poller };
}

/** Listens first, so that an address that cannot be had costs no request; then polls at once, and on schedule. */
export async function startDaemon(config: Config, surroundings: Surroundings): Promise<Daemon> {
  const { build, clock, log } = surroundings;
  const monitor = createMonitor(config, surroundings);
  let ready = false;
  const routes = createRoutes({
    version: build.version,
    telemetryPath: config.web.telemetryPath,
    expositionType: EXPOSITION_TYPE,
    scrape: monitor.scrape,
    ready: () => ready,
  });
  const { host, port } = config.web.listenAddress;
  const server = await startServer({ host, port, routes, onAnswer: monitor.httpAnswered, clock, log });
  monitor.start();
  const firstRound = monitor.pollAll().then(() => {
    ready = true;
  });
  return {
    url: server.url,
    firstRound,
    stop: async () => {
      await monitor.stop();
      await server.close();
    },
  };
}
