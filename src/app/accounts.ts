import { isDeepStrictEqual } from 'node:util';
import type { ApiClient, ApiClientOptions } from '../api/client.ts';
import { type AccountKey, holdKey } from '../api-key.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/exporter-metrics.ts';
import type { ApiEvents } from '../model/api-events.ts';
import type { AccessState, Endpoint } from '../model/enums.ts';
import type { PollObserver } from '../poller/poll.ts';
import { createPoller, type Poller, type PollerOptions } from '../poller/poller.ts';
import type { Secret } from '../secret.ts';

/** A configuration, and how the API is reached beside its address. */
export type Setup = {
  readonly config: Config;
  readonly network: Pick<ApiClientOptions, 'authorities' | 'proxies' | 'http'>;
};

type AccountsOptions = Pick<PollerOptions, 'store' | 'scheduler' | 'clock' | 'yieldToEventLoop'> & {
  readonly log: Log;
  /** Returns the key of an account as it was last read. Throws a KeyError if it can't be had. */
  readonly readKey: (account: AccountConfig) => Secret;
  /** Reads it again. Never rejects. */
  readonly refreshKey: (account: AccountConfig) => Promise<void>;
  readonly connect: (account: AccountConfig, setup: Setup, key: () => Secret, events: ApiEvents) => ApiClient;
  readonly metricsOf: (account: string) => AccountMetrics;
  readonly observerOf: (account: string) => PollObserver;
};

/** The accounts, each with a client and a poller of its own, so that a fault of one does not touch another. */
export type Accounts = {
  /** Polls everything once; resolves when all polls have ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /**
   * Changes to another setup. An account that is the same in both goes on; one whose schedules or client changed keeps
   * its readings; a new one is polled at once, and so is one whose key was refused. Throws a KeyError if a key can't be
   * had, and then nothing has changed.
   */
  readonly replace: (setup: Setup) => Promise<void>;
};

/** The client of one account with its key. Kept while the settings of the connection stay the same. */
type AccountClient = {
  /** The settings that the connection depends on. */
  readonly settings: unknown;
  readonly client: ApiClient;
  readonly key: AccountKey;
  readonly metrics: AccountMetrics;
  readonly close: () => Promise<void>;
};

type RunningAccount = {
  readonly account: AccountConfig;
  /** Settings that the poller depends on. */
  readonly settings: Pick<Config, 'poll' | 'groups'>;
  readonly connection: AccountClient;
  readonly poller: Poller;
};

export function createAccounts(setup: Setup, options: AccountsOptions): Accounts {
  let running = setup.config.accounts.map((account) => createAccount(account, setup, options, undefined));
  let started = false;

  const replace = async (next: Setup): Promise<void> => {
    const before = new Map(running.map((each) => [each.account.name, each]));
    const after = next.config.accounts.map((account) =>
      createAccount(account, next, options, before.get(account.name)),
    );
    const kept = after.filter(({ account }) => isSameAccount(account, before.get(account.name)?.account));
    const refused = after.filter((each) => running.includes(each) && isRefused(each.account.name, options));
    const gone = running.filter((each) => !after.includes(each));
    const added = after.filter((each) => !running.includes(each));
    for (const { poller } of gone) poller.stop();
    options.store.replace(next.config.accounts, new Set(kept.map(({ account }) => account.name)));
    running = after;
    for (const { connection } of after) connection.client.forgetRefusals();
    if (started) {
      for (const { poller } of added) poller.start();
      for (const { poller } of [...added, ...refused]) void poller.pollAll();
    }
    const connections = new Set(after.map(({ connection }) => connection));
    const closing = gone.filter(({ connection }) => !connections.has(connection));
    await Promise.all(closing.map(({ connection }) => connection.close()));
  };

  return {
    pollAll: async () => {
      await Promise.all(running.map(({ poller }) => poller.pollAll()));
    },
    start: () => {
      started = true;
      for (const { poller } of running) poller.start();
    },
    stop: async () => {
      started = false;
      for (const { poller } of running) poller.stop();
      await Promise.all(running.map(({ connection }) => connection.close()));
    },
    replace,
  };
}

/** Creates an account, or returns the running one if its settings did not change. */
function createAccount(
  account: AccountConfig,
  setup: Setup,
  options: AccountsOptions,
  before: RunningAccount | undefined,
): RunningAccount {
  const settings = { ...accountIdentity(account), client: setup.config.client, ...setup.network };
  const kept = isDeepStrictEqual(settings, before?.connection.settings) ? before : undefined;
  const { poll, groups } = setup.config;
  if (kept !== undefined && isDeepStrictEqual({ poll, groups }, kept.settings)) return kept;
  const connection = kept?.connection ?? connect(account, setup, options, settings);
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
    groups,
    schedules: poll,
    staleAfterMilliseconds: poll.staleAfterMilliseconds,
    metrics,
    observer: options.observerOf(account.name),
    log: options.log.child({ account: account.name }),
  });
  return { account, settings: { poll, groups }, connection, poller };
}

function connect(
  account: AccountConfig,
  setup: Setup,
  { store, log, readKey, connect, metricsOf }: AccountsOptions,
  settings: unknown,
): AccountClient {
  const { name } = account;
  const metrics = metricsOf(name);
  const key = holdKey(() => readKey(account), metrics.keyFileError, log.child({ account: name }));
  const accessAfter = trackAccess();
  let open = true;
  const client = connect(account, setup, key.current, {
    ...metrics,
    concurrencyLimit: (limit) => log.debug({ account: name, limit }, 'the concurrency limit changed'),
    access: (endpoint, state) => {
      const access = accessAfter(endpoint, state);
      // Each response reports the state of the key. Only a change is stored, and nothing after the account was closed.
      if (open && store.account(name).access !== access)
        store.update(name, (known) => ({ ...known, access }));
    },
  });
  const close = (): Promise<void> => {
    open = false;
    return client.close();
  };
  return { settings, client, key, metrics, close };
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
  const { access } = store.account(name);
  return access !== undefined && access !== 'granted';
}

function isSameAccount(account: AccountConfig, before: AccountConfig | undefined): boolean {
  return before !== undefined && isDeepStrictEqual(accountIdentity(account), accountIdentity(before));
}

/** Identifies an account. If any of this changes, the account may be another hoster's, and its readings are dropped. */
function accountIdentity({ name, apiUrl, key }: AccountConfig) {
  return { name, apiUrl: apiUrl.href, key };
}
