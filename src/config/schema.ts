import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { KeySource } from '../api-key.ts';
import type { LogFormat, LogLevel } from '../log.ts';
import type { GroupSettings } from '../model/group.ts';
import type { MaintenanceWindow } from '../model/maintenance.ts';
import type { Price } from '../model/money.ts';
import { ACCOUNT, CONFIG_SECTIONS, fixedSettingsOf, GENERAL, MAINTENANCE, PRICE } from './settings.ts';
import type { ListenAddress } from './values.ts';

/** A hoster's account on the marketplace. */
export type AccountConfig = {
  /** Unique; the label `account`. */
  readonly name: string;
  /** Base address of the API, without a slash at the end of its path (except the root). */
  readonly apiUrl: URL;
  readonly key: KeySource;
  readonly currency: string | undefined;
  /** Balance below which it is low; undefined for no limit. */
  readonly balanceLowCents: number | undefined;
};

/** The whole configuration, validated, with defaults. */
export type Config = {
  /** What it was built from. */
  readonly settings: Settings;
  readonly accounts: readonly AccountConfig[];
  /** The owner's time zone, a name of the IANA database. */
  readonly timeZone: string;
  /** Windows that recur. */
  readonly maintenance: readonly MaintenanceWindow[];
  /** What a sold day brings; the first one that names a phone's group and model counts. */
  readonly prices: readonly Price[];
  /** Cron expressions with seconds, in UTC. */
  readonly poll: {
    readonly devices: string;
    readonly tunnels: string;
    readonly balance: string;
    readonly staleAfterMilliseconds: number;
  };
  /** Heartbeat age above which every device is silent; undefined where each has a learned limit. */
  readonly silence: { readonly afterSeconds: number | undefined };
  readonly problems: { readonly idleAfterSeconds: number; readonly givenUpAfterSeconds: number };
  readonly client: {
    readonly concurrency: number;
    readonly timeoutMilliseconds: number;
    /** Undefined for no limit. */
    readonly requestsPerSecond: number | undefined;
    readonly caFile: string | undefined;
    readonly proxyFromEnvironment: boolean;
  };
  readonly web: {
    /** Lets the owner say at run time which phones are worked on. */
    readonly enableMaintenance: boolean;
    readonly listenAddress: ListenAddress;
    readonly telemetryPath: string;
    /** Path of the web configuration file; without one, plain HTTP without authentication. */
    readonly configFile: string | undefined;
    /** Address by which people open the exporter, where another server stands in front of it. */
    readonly externalUrl: URL | undefined;
    readonly grafanaUrl: URL | undefined;
    /** Turns `POST /-/reload` on. */
    readonly enableLifecycle: boolean;
  };
  readonly log: {
    readonly level: LogLevel;
    readonly format: LogFormat;
    /** Writes a log line for each event of the fleet. */
    readonly events: boolean;
  };
  /** The part of a label that is the group of its device. */
  readonly groups: GroupSettings;
  /** State file and the interval of its writes; without a file, no state is kept. */
  readonly state: { readonly file: string | undefined; readonly intervalMilliseconds: number };
  /** Folder of the month files, by default beside the state file, and how many are kept. */
  readonly months: { readonly directory: string | undefined; readonly keep: number };
  readonly features: {
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

const window = z.strictObject(MAINTENANCE, { error: 'a map with name, schedule and duration' });

const windows = z.array(window, { error: 'a list of windows' }).superRefine((list, context) => {
  for (const [index, { name }] of list.entries()) {
    if (list.findIndex((other) => other.name === name) === index) continue;
    const message = 'a name that no other window has';
    context.addIssue({ code: 'custom', path: [index, 'name'], message });
  }
});

const prices = z.array(z.strictObject(PRICE, { error: 'a map with cents_per_day' }), {
  error: 'a list of prices',
});

const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: 'a map of settings' });

/** Schema of the file. All sections have to be there, possibly empty; the output keeps the names of the file. */
export const fileSchema = z.strictObject(
  {
    accounts,
    ...GENERAL,
    maintenance: windows,
    prices,
    poll: section(CONFIG_SECTIONS.poll),
    silence: section(CONFIG_SECTIONS.silence),
    problems: section(CONFIG_SECTIONS.problems),
    client: section(CONFIG_SECTIONS.client),
    web: section(CONFIG_SECTIONS.web),
    log: section(CONFIG_SECTIONS.log),
    groups: section(CONFIG_SECTIONS.groups),
    state: section(CONFIG_SECTIONS.state),
    months: section(CONFIG_SECTIONS.months),
    features: section(CONFIG_SECTIONS.features),
  },
  { error: 'a map with accounts and sections such as poll' },
);

/** The settings by their names in the file, validated, with defaults. */
export type Settings = z.output<typeof fileSchema>;

/** Resolves relative paths. `folders` are the bases of those of key files and of the web configuration file. */
export function withPaths(
  settings: Settings,
  folders: { readonly keys: string; readonly web: string },
): Settings {
  const { accounts: list, web } = settings;
  return {
    ...settings,
    accounts: list.map((each) => ({ ...each, key: resolveKey(each.key, folders.keys) })),
    web: { ...web, config_file: web.config_file && resolvePath(folders.web, web.config_file) },
  };
}

/** Builds the configuration. */
export function toConfig(file: Settings): Config {
  const { poll, silence, problems, client, web, log, groups, state, months, features } = file;
  return {
    settings: file,
    accounts: file.accounts,
    timeZone: file.time_zone,
    maintenance: file.maintenance.map((each) => toWindow(each, file.time_zone)),
    prices: file.prices.map(({ group, model, cents_per_day: centsPerDay }) => ({
      group,
      model,
      centsPerDay,
    })),
    poll: {
      devices: poll.devices,
      tunnels: poll.tunnels,
      balance: poll.balance,
      staleAfterMilliseconds: poll.stale_after,
    },
    silence: { afterSeconds: silence.after === undefined ? undefined : silence.after / 1000 },
    problems: {
      idleAfterSeconds: problems.idle_after / 1000,
      givenUpAfterSeconds: problems.given_up_after / 1000,
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
      configFile: web.config_file,
      externalUrl: web.external_url,
      grafanaUrl: web.grafana_url,
      enableLifecycle: web.enable_lifecycle,
      enableMaintenance: web.enable_maintenance,
    },
    log,
    groups,
    state: { file: state.file, intervalMilliseconds: state.interval },
    months,
    features: {
      tunnelEndpoints: features.tunnel_endpoints,
      rentalIds: features.rental_ids,
      tunnelDiscovery: features.tunnel_discovery,
    },
  };
}

function toAccount(parsed: z.output<typeof account>, context: z.RefinementCtx): AccountConfig {
  const { name, api_url, api_key_file, api_key_env, currency, balance_low_cents: balanceLowCents } = parsed;
  if (api_key_file !== undefined && api_key_env === undefined) {
    return { name, apiUrl: api_url, key: { file: api_key_file }, currency, balanceLowCents };
  }
  if (api_key_env !== undefined && api_key_file === undefined) {
    return { name, apiUrl: api_url, key: { environment: api_key_env }, currency, balanceLowCents };
  }
  const message =
    api_key_file === undefined
      ? 'the path of a file that holds the API key, or api_key_env, the name of a variable that does'
      : 'only one of api_key_file and api_key_env: remove the other';
  context.addIssue({ code: 'custom', path: ['api_key_file'], message });
  return z.NEVER;
}

function toWindow(
  { name, schedule, duration, time_zone, accounts = [], groups = [], devices = [] }: z.output<typeof window>,
  timeZone: string,
): MaintenanceWindow {
  return {
    name,
    scope: { accounts, groups, devices },
    schedule,
    timeZone: time_zone ?? timeZone,
    durationMilliseconds: duration,
  };
}

function resolveKey(key: KeySource, folder: string): KeySource {
  return 'environment' in key ? key : { file: resolvePath(folder, key.file) };
}

function resolvePath(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/**
 * Returns the part of a new configuration that a running daemon can apply. `pending` names the settings that need a
 * restart and keep their old values.
 */
export function splitByRestart(
  { settings: running }: Config,
  { settings: wanted }: Config,
): { readonly config: Config; readonly pending: readonly string[] } {
  const pending: string[] = [];
  const sections = Object.entries(CONFIG_SECTIONS).map(([name, shape]) => {
    const [values, before] = [valuesOf(wanted, name), valuesOf(running, name)];
    const fixed = fixedSettingsOf(shape);
    for (const key of fixed)
      if (!isDeepStrictEqual(values.get(key), before.get(key))) pending.push(`${name}.${key}`);
    for (const key of fixed) values.set(key, before.get(key));
    return [name, Object.fromEntries(values)] as const;
  });
  return { config: toConfig({ ...wanted, ...Object.fromEntries(sections) }), pending };
}

/** Returns the values of a section by their keys. */
function valuesOf(settings: Settings, name: string): Map<string, unknown> {
  const section: unknown = new Map<string, unknown>(Object.entries(settings)).get(name);
  return new Map(Object.entries(section ?? {}));
}
