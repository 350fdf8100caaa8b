import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { KeySource } from '../api-key.ts';
import type { LogFormat, LogLevel } from '../log.ts';
import type { Shard } from '../model/shard.ts';
import type { ListenAddress } from './address.ts';
import { ACCOUNT, SECTIONS } from './settings.ts';

/** An account of a hoster on the marketplace. */
export type AccountConfig = {
  /** Unique; the label `account`. */
  readonly name: string;
  /** Base address of the API, without a slash at the end of its path (which a bare host can't be without). */
  readonly apiUrl: URL;
  readonly key: KeySource;
  readonly currency: string | undefined;
};

/** Everything that can be configured, checked and with its defaults. */
export type Config = {
  readonly accounts: readonly AccountConfig[];
  /** Cron expressions with seconds, in UTC. */
  readonly poll: {
    readonly devices: string;
    readonly tunnels: string;
    readonly balance: string;
    readonly staleAfterMilliseconds: number;
  };
  readonly client: {
    readonly concurrency: number;
    readonly timeoutMilliseconds: number;
    /** Undefined for as many as come. */
    readonly requestsPerSecond: number | undefined;
    readonly caFile: string | undefined;
    readonly proxyFromEnvironment: boolean;
  };
  readonly web: {
    readonly listenAddress: ListenAddress;
    readonly telemetryPath: string;
    /** Where the web configuration file is; plain HTTP for everyone without one. */
    readonly configFile: string | undefined;
  };
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
  /** Where and how often the state is kept; without a file, nowhere. */
  readonly state: { readonly file: string | undefined; readonly intervalMilliseconds: number };
  /** Which of the phones this process looks after. */
  readonly shard: Shard;
  readonly features: {
    readonly setupStatus: boolean;
    readonly tunnelDetails: boolean;
    readonly tunnelEndpoints: boolean;
    readonly rentalIds: boolean;
    readonly tunnelDiscovery: boolean;
  };
};

const account = z.strictObject(ACCOUNT, { error: 'a map with api_url and api_key_file or api_key_env' });

const accounts = z
  .array(account.transform(toAccount), { error: 'a list of accounts' })
  .superRefine((list, context) => {
    for (const [index, { name }] of list.entries()) {
      if (list.findIndex((other) => other.name === name) === index) continue;
      const message = 'a name that no other account has';
      context.addIssue({ code: 'custom', path: [index, 'name'], message });
    }
  });

const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: 'a map of settings' });

/** The file with all of its sections, if need be empty ones, as it may be written. What comes out is checked and complete, and keeps the names of the file. */
export const fileSchema = z.strictObject(
  {
    accounts,
    poll: section(SECTIONS.poll),
    client: section(SECTIONS.client),
    web: section(SECTIONS.web),
    log: section(SECTIONS.log),
    state: section(SECTIONS.state),
    shard: section(SECTIONS.shard),
    features: section(SECTIONS.features),
  },
  { error: 'a map with accounts and sections such as poll' },
);

/** Where relative paths start: those of key files, and that of the web configuration file. */
export type Folders = { readonly keys: string; readonly web: string };

/** The configuration that a file means as this shard. */
export function toConfig(file: z.output<typeof fileSchema>, shard: Shard, folders: Folders): Config {
  const { poll, client, web, log, state, features } = file;
  return {
    accounts: file.accounts.map((known) => ({ ...known, key: locate(known.key, folders.keys) })),
    poll: {
      devices: poll.devices,
      tunnels: poll.tunnels,
      balance: poll.balance,
      staleAfterMilliseconds: poll.stale_after,
    },
    client: {
      concurrency: client.concurrency,
      timeoutMilliseconds: client.timeout,
      requestsPerSecond: client.requests_per_second,
      caFile: client.ca_file,
      proxyFromEnvironment: client.proxy_from_environment,
    },
    web: {
      listenAddress: web.listen_address,
      telemetryPath: web.telemetry_path,
      configFile: web.config_file && beneath(folders.web, web.config_file),
    },
    log,
    state: { file: state.file, intervalMilliseconds: state.interval },
    shard,
    features: {
      setupStatus: features.setup_status,
      tunnelDetails: features.tunnel_details,
      tunnelEndpoints: features.tunnel_endpoints,
      rentalIds: features.rental_ids,
      tunnelDiscovery: features.tunnel_discovery,
    },
  };
}

function toAccount(written: z.output<typeof account>, context: z.RefinementCtx): AccountConfig {
  const { name, api_url, api_key_file, api_key_env, currency } = written;
  if (api_key_file !== undefined && api_key_env === undefined) {
    return { name, apiUrl: api_url, key: { file: api_key_file }, currency };
  }
  if (api_key_env !== undefined && api_key_file === undefined) {
    return { name, apiUrl: api_url, key: { environment: api_key_env }, currency };
  }
  const message =
    api_key_file === undefined
      ? 'the path of a file that holds the API key, or api_key_env, the name of a variable that does'
      : 'only one of api_key_file and api_key_env: remove the other';
  context.addIssue({ code: 'custom', path: ['api_key_file'], message });
  return z.NEVER;
}

function locate(key: KeySource, folder: string): KeySource {
  return 'environment' in key ? key : { file: beneath(folder, key.file) };
}

function beneath(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
