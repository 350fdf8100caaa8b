import { isDeepStrictEqual } from 'node:util';
import type { ApiClient, ApiClientOptions } from '../api/client.ts';
import { type AccountKey, createAccountKey } from '../base/api-key.ts';
import { type Log, limitLog } from '../base/log.ts';
import type { Secret } from '../base/secret.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { AccessState, Endpoint } from '../model/enums.ts';
import { createPoller, type Poller, type PollerOptions } from '../poll/poller.ts';
import { identityOf, type Store } from '../poll/store.ts';

/** Maximum number of lines in a minute about one account, however it fails. */
const MAX_LINES = 6;

/** A configuration, and how the API is reached beside its address. */
export type LoadedConfig = {
  readonly config: Config;
  readonly network: Pick<ApiClientOptions, 'authorities' | 'proxies' | 'http'>;
};

type AccountsOptions = Pick<PollerOptions, 'judge' | 'scheduler' | 'clock'> & {
  readonly store: Store;
  readonly log: Log;
  /** Returns the key of an account as it was last read. Throws a KeyError if it can't be had. */
  readonly readKey: (account: AccountConfig) => Secret;
  /** Reads it again. Never rejects. */
  readonly refreshKey: (account: AccountConfig) => Promise<void>;
  readonly connect: (
    account: AccountConfig,
    setup: LoadedConfig,
    key: () => Secret,
    events: ApiEvents,
  ) => ApiClient;
  readonly metricsOf: (account: string) => AccountMetrics;
};

/** The accounts, each with a client and a poller of its own, so that a fault of one does not touch another. */
export type Accounts = {
  /** Polls everything once; resolves when all polls have ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Returns a sentence for each collector whose polls have stopped, for `/-/healthy`; a request may take so long. */
  readonly stalled: (timeoutMilliseconds: number) => readonly string[];
  /**
   * Changes to another setup. An account that is the same in both goes on; one whose schedules or client changed keeps
   * its readings; a new one is polled at once, and so is one whose key was refused. If it throws, such as a KeyError where
   * a key can't be had, nothing has changed.
   *
   * @param change makes the setup the one in use, before anything is polled; returns true if judgements change with it
   */
  readonly replace: (setup: LoadedConfig, change: () => boolean) => Promise<void>;
};

/** The client of one account with its key. Kept while the settings of the connection stay the same. */
type ApiConnection = {
  /** The settings that the connection depends on. */
  readonly settings: unknown;
  readonly client: ApiClient;
  readonly key: AccountKey;
  readonly metrics: AccountMetrics;
  /** Reports from now on, as the only connection of its account. */
  readonly open: () => void;
  /** Reports nothing any more, and closes every connection. */
  readonly close: () => Promise<void>;
};

type RunningAccount = {
  readonly account: AccountConfig;
  /** Settings that the poller depends on. */
  readonly settings: Config['poll'];
  readonly connection: ApiConnection;
  readonly poller: Poller;
};

export function createAccounts(setup: LoadedConfig, options: AccountsOptions): Accounts {
  let running: readonly RunningAccount[] = [];
  let started = false;
  let judgedBy = judgementSettings(setup);

  /** Makes these accounts the running ones. Nothing in it can fail; those that are gone are only aborted. */
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

/** Creates the accounts of a setup, or none: one that fails closes those before it. Has no effect until they run. */
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

/** Creates an account, or returns the running one if its settings did not change. */
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
  /** Passes reports on only while this is the connection of the account, so that metrics have one writer. */
  const whileOpen =
    <Args extends readonly unknown[]>(report: (...args: Args) => void) =>
    (...args: Args): void => {
      if (isOpen) report(...args);
    };
  const key = createAccountKey(() => readKey(account), whileOpen(metrics.keyFileError), log);
  const accessAfter = trackAccess();
  const events: ApiEvents = {
    answered: whileOpen(metrics.answered),
    failed: whileOpen(metrics.failed),
    clockSkew: whileOpen(metrics.clockSkew),
    itemRejected: whileOpen(metrics.itemRejected),
    schemaViolation: whileOpen(metrics.schemaViolation),
    unknownEnum: whileOpen(metrics.unknownEnum),
    labelSanitized: whileOpen(metrics.labelSanitized),
    access: whileOpen((endpoint, state) => {
      const access = accessAfter(endpoint, state);
      // Each response reports the state of the key. Only a change is stored.
      if (store.account(name)?.access !== access) store.takeAccess(name, access);
    }),
  };
  const client = connect(account, setup, key.current, events);
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
 * Returns a function that tells the state of a key after each response: it is refused as a whole once no endpoint has
 * accepted it since the first refusal.
 */
export function trackAccess(): (endpoint: Endpoint, state: AccessState) => AccessState {
  const states = new Map<Endpoint, AccessState>();
  return (endpoint, state) => {
    const isNewRefusal = state !== 'granted' && (states.get(endpoint) ?? 'granted') === 'granted';
    // Earlier grants of the other endpoints may not hold any more.
    if (isNewRefusal) for (const [other, known] of states) if (known === 'granted') states.delete(other);
    states.set(endpoint, state);
    return [...states.values()].includes('granted') ? 'granted' : state;
  };
}

function isRefused(name: string, { store }: AccountsOptions): boolean {
  const access = store.account(name)?.access;
  return access !== undefined && access !== 'granted';
}

/** Returns the settings that change how a poll is judged, so that one is due when they change. */
function judgementSettings({ config: { groups, offline, problems } }: LoadedConfig) {
  return { groups, offline, problems };
}
