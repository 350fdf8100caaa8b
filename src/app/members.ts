import { isDeepStrictEqual } from 'node:util';
import type { ApiClient, ApiClientOptions } from '../api/client.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { Log } from '../log.ts';
import type { AccountMetrics } from '../metrics/self.ts';
import type { ApiEvents } from '../model/api-events.ts';
import { type HeldKey, holdKey } from '../poller/held-key.ts';
import { createPoller, type Poller, type PollerOptions } from '../poller/poller.ts';
import type { Secret } from '../secret.ts';

/** What a reload brings anew: the configuration, and what it leads to outside of it. */
export type Setup = {
  readonly config: Config;
  /** How the API is reached, beside its address. */
  readonly network: Pick<ApiClientOptions, 'authorities' | 'proxies' | 'transport'>;
};

export type MembersOptions = Pick<PollerOptions, 'store' | 'scheduler' | 'clock' | 'pause'> & {
  readonly log: Log;
  /** Reads the key of an account where it is kept. Throws a KeyError if it can't be had. */
  readonly readKey: (account: AccountConfig) => Secret;
  readonly connect: (account: AccountConfig, setup: Setup, key: () => Secret, events: ApiEvents) => ApiClient;
  readonly metricsOf: (account: string) => AccountMetrics;
};

/** The accounts at work, each with a client and a poller of its own, so that what befalls one does not touch another. */
export type Members = {
  /** Polls everything once; resolves when all of it has ended, well or badly. */
  readonly pollAll: () => Promise<void>;
  /** Polls on schedule from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /**
   * Goes on with another setup. An account that is the same in both notices nothing; one whose schedules or client
   * changed keeps its readings; a new one is polled at once, and so is one whose key was refused, since somebody may
   * have mended that. Throws a KeyError if a key can't be had, and then nothing has changed.
   */
  readonly replace: (setup: Setup) => Promise<void>;
};

/** The way to the API of one account. It is kept as long as it leads to the same place, with all that it learned of it. */
type Line = {
  readonly leadsTo: unknown;
  readonly client: ApiClient;
  readonly key: HeldKey;
  readonly metrics: AccountMetrics;
  readonly close: () => Promise<void>;
};

type Member = {
  readonly account: AccountConfig;
  readonly schedules: Config['poll'];
  readonly line: Line;
  readonly poller: Poller;
};

export function createMembers(setup: Setup, options: MembersOptions): Members {
  let members = setup.config.accounts.map((account) => createMember(account, setup, options, undefined));
  let running = false;

  const replace = async (next: Setup): Promise<void> => {
    const before = new Map(members.map((member) => [member.account.name, member]));
    const after = next.config.accounts.map((account) =>
      createMember(account, next, options, before.get(account.name)),
    );
    const kept = after.filter(({ account }) => isSameAccount(account, before.get(account.name)?.account));
    const gone = members.filter((member) => !after.includes(member));
    const added = after.filter((member) => !members.includes(member));
    for (const { poller } of gone) poller.stop();
    options.store.replace(next.config.accounts, new Set(kept.map(({ account }) => account.name)));
    members = after;
    if (running) for (const { poller } of added) poller.start();
    if (running) for (const { poller } of added) void poller.pollAll();
    const lines = new Set(after.map(({ line }) => line));
    await Promise.all(gone.filter(({ line }) => !lines.has(line)).map(({ line }) => line.close()));
  };

  return {
    pollAll: async () => {
      await Promise.all(members.map(({ poller }) => poller.pollAll()));
    },
    start: () => {
      running = true;
      for (const { poller } of members) poller.start();
    },
    stop: async () => {
      running = false;
      for (const { poller } of members) poller.stop();
      await Promise.all(members.map(({ line }) => line.close()));
    },
    replace,
  };
}

/** The member that there is already, where a new one would not differ from it. */
function createMember(
  account: AccountConfig,
  setup: Setup,
  options: MembersOptions,
  before: Member | undefined,
): Member {
  const leadsTo = { ...identityOf(account), client: setup.config.client, ...setup.network };
  const kept = isDeepStrictEqual(leadsTo, before?.line.leadsTo) ? before : undefined;
  const schedules = setup.config.poll;
  if (kept !== undefined && isDeepStrictEqual(schedules, kept.schedules)) {
    const { access } = options.store.account(account.name);
    if (access === undefined || access === 'granted') return kept;
  }
  const line = kept?.line ?? createLine(account, setup, options, leadsTo);
  const { client, key, metrics } = line;
  const poller = createPoller({
    ...options,
    account: account.name,
    client,
    concurrency: setup.config.client.concurrency,
    refreshKey: key.refresh,
    shard: setup.config.shard,
    schedules,
    staleAfterMilliseconds: schedules.staleAfterMilliseconds,
    metrics,
    log: options.log.child({ account: account.name }),
  });
  return { account, schedules, line, poller };
}

function createLine(
  account: AccountConfig,
  setup: Setup,
  { store, log, readKey, connect, metricsOf }: MembersOptions,
  leadsTo: unknown,
): Line {
  const { name } = account;
  const metrics = metricsOf(name);
  const key = holdKey(() => readKey(account), metrics, log.child({ account: name }));
  let open = true;
  const client = connect(account, setup, key.current, {
    ...metrics,
    access: (access) => {
      // Every answer says this; only a change is news, and none at all is it for an account that is gone.
      if (open && store.account(name).access !== access)
        store.update(name, (known) => ({ ...known, access }));
    },
  });
  const close = (): Promise<void> => {
    open = false;
    return client.close();
  };
  return { leadsTo, client, key, metrics, close };
}

function isSameAccount(account: AccountConfig, before: AccountConfig | undefined): boolean {
  return before !== undefined && isDeepStrictEqual(identityOf(account), identityOf(before));
}

/** What makes an account another hoster's, and its readings worthless for this one, if it changes. */
function identityOf({ name, apiUrl, key }: AccountConfig) {
  return { name, apiUrl: apiUrl.href, key };
}
