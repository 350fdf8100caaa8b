import { isDeepStrictEqual } from 'node:util';
import type { ApiClient, ApiClientOptions } from '../api/client.ts';
import { type AccountKey, createAccountKey } from '../base/api-key.ts';
import { type Log, limitLog } from '../base/log.ts';
import type { Secret } from '../base/secret.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import type { OnApiEvent } from '../model/api-events.ts';
import type { AccessState, Endpoint } from '../model/enums.ts';
import { createPoller, type Poller, type PollerOptions } from '../poll/poller.ts';
import { identityOf, type Store } from '../poll/store.ts';

/** Maximum number of log lines per account and minute. */
const MAX_LINES = 6;

export type LoadedConfig = {
  readonly config: Config;
  readonly network: Pick<ApiClientOptions, 'authorities' | 'proxies' | 'http'>;
};

type AccountsOptions = Pick<PollerOptions, 'judge' | 'scheduler' | 'clock'> & {
  readonly store: Store;
  readonly log: Log;
  /** Returns an account's key as last read. Throws a KeyError if there is none. */
  readonly readKey: (account: AccountConfig) => Secret;
  /** Reads the key again. Never rejects. */
  readonly refreshKey: (account: AccountConfig) => Promise<void>;
  readonly connect: (
    account: AccountConfig,
    setup: LoadedConfig,
    key: () => Secret,
    on: OnApiEvent,
  ) => ApiClient;
  readonly metricsOf: (account: string) => AccountMetrics;
};

/** The accounts, each with its own client and poller, so that a fault in one does not affect another. */
export type Accounts = {
  /** Polls everything once. Resolves when all polls have finished, successfully or not. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Returns a sentence for each stalled collector, for `/-/healthy`. */
  readonly stalled: (timeoutMilliseconds: number) => readonly string[];
  /**
   * Changes to another setup. Unchanged accounts continue; accounts with changed schedules or clients keep their readings; new
   * ones, and those with a refused key, are polled at once. If it throws, for example a KeyError, nothing has changed.
   *
   * @param change applies the setup before anything is polled; returns true if it changes judgements
   */
  readonly replace: (setup: LoadedConfig, change: () => boolean) => Promise<void>;
};

/** An account's client with its key, kept while their settings stay the same. */
type ApiConnection = {
  readonly settings: unknown;
  readonly client: ApiClient;
  readonly key: AccountKey;
  readonly metrics: AccountMetrics;
  /** Starts to report to its account's metrics. */
  readonly open: () => void;
  /** Stops reporting and closes all connections. */
  readonly close: () => Promise<void>;
};

type RunningAccount = {
  readonly account: AccountConfig;
  readonly settings: Config['poll'];
  readonly connection: ApiConnection;
  readonly poller: Poller;
};

export function createAccounts(setup: LoadedConfig, options: AccountsOptions): Accounts {
  let running: readonly RunningAccount[] = [];
  let started = false;
  let judgedBy = judgementSettings(setup);

  /** Runs these accounts instead of the current ones. Never fails. */
  const run = (after: readonly RunningAccount[]): Promise<unknown> => {
    const gone = running.filter((each) => !after.includes(each));
    const added = after.filter((each) => !running.includes(each));
    const connections = new Set(after.map(({ connection }) => connection));
    for (const { poller } of gone) poller.stop();
    const closed = gone
      .filter(({ connection }) => !connections.has(connection))
      .map(({ connection }) => connection.close());
    for (const connection of connections) connection.open();
    for (const { poller } of added) poller.announce();
    running = after;
    return Promise.all(closed);
  };

  const replace: Accounts['replace'] = async (next, change) => {
    const before = running;
    const after = createAll(next, options, before);
    const refused = after.filter((each) => before.includes(each) && isRefused(each.account.name, options));
    const closed = run(after);
    const isChanged = change();
    options.store.replace(next.config.accounts);
    for (const { connection } of after) connection.client.forgetRefusals();
    if (started) {
      const added = after.filter((each) => !before.includes(each));
      for (const { poller } of added) poller.start();
      const isJudgedAnew = isChanged || !isDeepStrictEqual(judgementSettings(next), judgedBy);
      for (const { poller } of isJudgedAnew ? after : [...added, ...refused]) void poller.pollAll();
    }
    judgedBy = judgementSettings(next);
    await closed;
  };

  void run(createAll(setup, options, []));
  return {
    pollAll: async () => {
      await Promise.all(running.map(({ poller }) => poller.pollAll()));
    },
    start: () => {
      started = true;
      for (const { poller } of running) poller.start();
    },
    stalled: (timeoutMilliseconds) => running.flatMap(({ poller }) => poller.stalled(timeoutMilliseconds)),
    stop: async () => {
      started = false;
      for (const { poller } of running) poller.stop();
      await Promise.all(running.map(({ connection }) => connection.close()));
    },
    replace,
  };
}

/** Creates all accounts of a setup, or none if one fails. They have no effect until they run. */
function createAll(
  setup: LoadedConfig,
  options: AccountsOptions,
  before: readonly RunningAccount[],
): readonly RunningAccount[] {
  const created: RunningAccount[] = [];
  try {
    for (const account of setup.config.accounts) {
      const known = before.find((each) => each.account.name === account.name);
      created.push(createAccount(account, setup, options, known));
    }
    return created;
  } catch (error) {
    const connections = new Set(before.map(({ connection }) => connection));
    for (const { connection } of created) if (!connections.has(connection)) void connection.close();
    throw error;
  }
}

/** Creates an account, or returns the running one with the same settings. */
function createAccount(
  account: AccountConfig,
  setup: LoadedConfig,
  options: AccountsOptions,
  before: RunningAccount | undefined,
): RunningAccount {
  const { key: source } = account;
  const settings = { ...identityOf(account), source, client: setup.config.client, ...setup.network };
  const kept = isDeepStrictEqual(settings, before?.connection.settings) ? before : undefined;
  const { poll } = setup.config;
  if (kept !== undefined && isDeepStrictEqual(poll, kept.settings)) return kept;
  const log = limitLog(options.log.child({ account: account.name }), options.clock, MAX_LINES);
  const connection = kept?.connection ?? connect(account, setup, { ...options, log }, settings);
  const { client, key, metrics } = connection;
  const poller = createPoller({
    ...options,
    account: account.name,
    client,
    concurrency: setup.config.client.concurrency,
    refreshKey: async () => {
      await options.refreshKey(account);
      key.refresh();
    },
    schedules: poll,
    staleAfterMilliseconds: poll.stale_after,
    metrics,
    log,
  });
  return { account, settings: poll, connection, poller };
}

function connect(
  account: AccountConfig,
  setup: LoadedConfig,
  { store, log, readKey, connect, metricsOf }: AccountsOptions,
  settings: unknown,
): ApiConnection {
  const { name } = account;
  const metrics = metricsOf(name);
  let isOpen = false;
  const accessAfter = trackAccess();
  // Only an open connection reports, so that the metrics have one writer.
  const countKeyError = (): void => {
    if (isOpen) metrics.keyFileError();
  };
  const key = createAccountKey(() => readKey(account), countKeyError, log);
  const client = connect(account, setup, key.current, (event) => {
    if (!isOpen) return;
    if (event.kind !== 'access') {
      metrics.on(event);
      return;
    }
    const access = accessAfter(event.endpoint, event.state);
    if (store.account(name)?.access !== access) store.takeAccess(name, access);
  });
  return {
    settings,
    client,
    key,
    metrics,
    open: () => {
      if (!isOpen) metrics.connected();
      isOpen = true;
    },
    close: () => {
      isOpen = false;
      return client.close();
    },
  };
}

/**
 * Returns a function that takes each response and returns the state of the key: refused if no endpoint has accepted it since
 * the first refusal.
 */
export function trackAccess(): (endpoint: Endpoint, state: AccessState) => AccessState {
  const states = new Map<Endpoint, AccessState>();
  return (endpoint, state) => {
    const isNewRefusal = state !== 'granted' && (states.get(endpoint) ?? 'granted') === 'granted';
    // Earlier grants of other endpoints may be outdated.
    if (isNewRefusal) for (const [other, known] of states) if (known === 'granted') states.delete(other);
    states.set(endpoint, state);
    return [...states.values()].includes('granted') ? 'granted' : state;
  };
}

function isRefused(name: string, { store }: AccountsOptions): boolean {
  const access = store.account(name)?.access;
  return access !== undefined && access !== 'granted';
}

/** Returns the settings that judgements depend on. A change in them needs a new poll. */
function judgementSettings({ config: { groups, offline, problems } }: LoadedConfig) {
  return { groups, offline, problems };
}
