import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { KeySource } from '../base/api-key.ts';
import type { MaintenanceWindow } from '../features/maintenance/model.ts';
import type { Price } from '../model/money.ts';
import { ACCOUNT, CONFIG_SECTIONS, fixedSettingsOf, GENERAL, MAINTENANCE, PRICE } from './settings.ts';

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

const price = z
  .strictObject(PRICE, { error: 'a map with cents_per_day' })
  .transform(({ group, model, cents_per_day: centsPerDay }): Price => ({ group, model, centsPerDay }));

const prices = z.array(price, { error: 'a list of prices' });

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
    tags: section(CONFIG_SECTIONS.tags),
    state: section(CONFIG_SECTIONS.state),
    months: section(CONFIG_SECTIONS.months),
    features: section(CONFIG_SECTIONS.features),
  },
  { error: 'a map with accounts and sections such as poll' },
);

/**
 * The whole configuration, validated, with defaults: the settings by their names in the file. Durations are in milliseconds;
 * a setting without a value is undefined.
 */
export type Config = z.output<typeof fileSchema>;

/** Resolves relative paths. `folders` are the bases of those of key files, of the web configuration file and of the file of tags. */
export function withPaths(
  config: Config,
  folders: { readonly keys: string; readonly web: string; readonly tags: string },
): Config {
  const { accounts: list, web, tags } = config;
  return {
    ...config,
    accounts: list.map((each) => ({ ...each, key: resolveKey(each.key, folders.keys) })),
    web: { ...web, config_file: web.config_file && resolvePath(folders.web, web.config_file) },
    tags: { file: tags.file && resolvePath(folders.tags, tags.file) },
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

/** Returns the windows that recur; one without a time zone is in that of the owner. */
export function windowsOf({ maintenance, time_zone: ownZone }: Config): readonly MaintenanceWindow[] {
  return maintenance.map(
    ({
      name,
      schedule,
      duration,
      time_zone: timeZone = ownZone,
      accounts: of = [],
      groups = [],
      devices = [],
    }) => ({
      name,
      scope: { accounts: of, groups, devices },
      schedule,
      timeZone,
      durationMilliseconds: duration,
    }),
  );
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
  running: Config,
  wanted: Config,
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
  return { config: { ...wanted, ...Object.fromEntries(sections) }, pending };
}

/** Returns the values of a section by their keys. */
function valuesOf(config: Config, name: string): Map<string, unknown> {
  const section: unknown = new Map<string, unknown>(Object.entries(config)).get(name);
  return new Map(Object.entries(section ?? {}));
}
