import { dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { type FileCache, readProblem } from '../base/files.ts';
import { coveringIndex, type Price } from '../model/money.ts';
import {
  type Environment,
  FILE_VARIABLE,
  isSet,
  KEY_VARIABLE,
  type Override,
  readOverrides,
  readSingleAccount,
  type SingleAccount,
  warnOfMissingAddress,
  warnOfUnknownVariables,
} from './environment.ts';
import { type ConfigFile, isMapping, type Path, parseFile, pathText, settingName, valueAt } from './file.ts';
import { ConfigError, isSecretName, nearest, showKind, showValue } from './messages.ts';
import { type Config, type ConfigSchema, type Content, configOf } from './schema.ts';
import type { Setting } from './settings.ts';
import { homeAdvice } from './values.ts';

export type ConfigSources = {
  readonly schema: ConfigSchema;
  /** Texts of flags by setting, from `parseArguments`. */
  readonly flags: ReadonlyMap<string, string>;
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
  /** With `required`, a configuration without a usable account is rejected. */
  readonly accounts: 'required' | 'optional';
};

/** Reads the configuration file, and loads the configuration as {@link loadConfig} does. */
export async function readConfig(
  sources: Omit<ConfigSources, 'readFile'>,
  files: FileCache,
): Promise<ReturnType<typeof loadConfig>> {
  await files.refresh(fileOf(sources));
  return loadConfig({ ...sources, readFile: files.text });
}

function fileOf({ flags, environment }: Pick<ConfigSources, 'flags' | 'environment'>): string | undefined {
  return flags.get('config.file') || environment[FILE_VARIABLE] || undefined;
}

/**
 * Loads the configuration: flags win over variables, variables over the file, the file over defaults. It reads only the
 * configuration file. For keys, it checks that their variables are set.
 *
 * @throws ConfigError with all problems, each with its origin, the value and the expected form
 */
export function loadConfig(sources: ConfigSources): {
  readonly config: Config;
  /** Sentences about input that has no effect. */
  readonly warnings: readonly string[];
} {
  const { schema, flags, environment, readFile } = sources;
  const path = fileOf(sources);
  const file = path === undefined ? NO_FILE : openFile(path, readFile);
  const overrides = readOverrides(schema.settings, environment, flags);
  const single = readSingleAccount(overrides, environment);
  const originOf = originLookup(file, overrides, single);

  const given = file.content ?? {};
  const content = isMapping(given) ? mergeContent(schema, given, overrides, single) : given;
  const { error } = schema.file.safeParse(content);
  const problems = (error?.issues ?? []).flatMap((issue) =>
    describeIssue(schema.settings, issue, content, originOf),
  );
  problems.push(...(single?.problems ?? []));
  if (!isMapping(given) || problems.length > 0)
    throw new ConfigError([...new Set(problems)].sort(BY_LINE.compare));

  // Relative paths in flags and variables start at the working directory.
  const located = withPaths(schema, given, path === undefined ? '' : dirname(path));
  const config = configOf(mergeContent(schema, located, overrides, single));
  const unusable = sources.accounts === 'required' ? unusableAccounts(config, environment, originOf) : [];
  if (unusable.length > 0) throw new ConfigError(unusable);

  const keyVariables = config.accounts.flatMap(({ key }) => ('environment' in key ? key.environment : []));
  const warnings = [
    ...warnOfReplacedAccounts(file.content, single),
    ...warnOfUsersWithoutLogins(config.web, originOf),
    ...warnOfCoveredPrices(config.prices, originOf),
    ...schema.groups.flatMap(({ warnings: ofGroup }) => ofGroup?.(config, originOf) ?? []),
    ...warnOfMissingAddress(overrides, environment, keyVariables),
    ...warnOfUnknownVariables(schema.settings, environment, keyVariables),
  ];
  return { config, warnings };
}

/** Sorts line 10 after line 9. */
const BY_LINE = new Intl.Collator('en', { numeric: true });

const NO_FILE: ConfigFile = { content: undefined, where: () => 'configuration' };

function openFile(path: string, readFile: (path: string) => string): ConfigFile {
  const home = homeAdvice(path);
  if (home !== undefined) throw new ConfigError([`${path}: expected ${home}`]);
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const problem = readProblem(error, 'create it, or name another one with --config.file');
    throw new ConfigError([`${path}: ${problem}`]);
  }
  return parseFile(text, path);
}

/** Returns the origin of a value: a flag, a variable, or a line and column of the file. */
type OriginOf = (path: Path) => string;

function originLookup(
  file: ConfigFile,
  overrides: ReadonlyMap<string, Override>,
  single: SingleAccount | undefined,
): OriginOf {
  return (path) => {
    const [section, , accountKey] = path;
    if (section !== 'accounts')
      return overrides.get(path.slice(0, 2).map(String).join('.'))?.origin ?? file.where(path);
    return single === undefined
      ? file.where(path)
      : (single.origins.get(String(accountKey)) ?? single.origin);
  };
}

/**
 * Merges flags and variables into the content of the file, without validation. Missing and empty sections become empty maps.
 */
function mergeContent(
  { groups }: ConfigSchema,
  file: Content,
  overrides: ReadonlyMap<string, Override>,
  single: SingleAccount | undefined,
): Content {
  const merged = groups.map(({ section, list, settings }): Content => {
    if (list !== undefined) return { [section]: file[section] ?? [] };
    const texts = settings.flatMap(({ key, name }) => {
      const text = overrides.get(name)?.text;
      return text === undefined ? [] : [[key, text] as const];
    });
    if (section === '') return Object.fromEntries(texts);
    const value = file[section] ?? {};
    return { [section]: isMapping(value) ? { ...value, ...Object.fromEntries(texts) } : value };
  });
  return { ...file, ...Object.assign({}, ...merged), ...(single && { accounts: [single.content] }) };
}

/** Resolves relative paths in a valid file from its folder. */
function withPaths({ groups }: ConfigSchema, content: Content, folder: string): Content {
  const located = groups.flatMap(({ section, settings }) => {
    const keys = settings.flatMap(({ key, isPath }) => (isPath ? key : []));
    const of = (entry: unknown): unknown => withLocated(entry, keys, folder);
    const value = content[section];
    return keys.length === 0 ? [] : [[section, Array.isArray(value) ? value.map(of) : of(value)] as const];
  });
  return { ...content, ...Object.fromEntries(located) };
}

function withLocated(entry: unknown, keys: readonly string[], folder: string): unknown {
  if (!isMapping(entry)) return entry;
  const located = keys.flatMap((key) => {
    const path = entry[key];
    const isRelative = typeof path === 'string' && path !== '' && !isAbsolute(path);
    return isRelative ? [[key, join(folder, path)] as const] : [];
  });
  return { ...entry, ...Object.fromEntries(located) };
}

function describeIssue(
  settings: readonly Setting[],
  issue: z.core.$ZodIssue,
  content: unknown,
  originOf: OriginOf,
): readonly string[] {
  const names = settings.map(({ name }) => name);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return `${originOf(path)}: ${pathText(path)}: ${describeUnknownKey(names, settingName(path))}`;
    });
  const { path, message } = issue;
  const value = valueAt(content, path);
  // A value in place of a map or list may be a key.
  const isSetting = names.includes(settingName(path));
  const got = isSetting ? showValue(settingName(path), value) : showKind(value);
  return [
    `${originOf(path)}: ${path.length === 0 ? '' : `${pathText(path)}: `}got ${got}, expected ${message}`,
  ];
}

/** @param path in the form of a setting's name, such as `accounts[].api_url` */
function describeUnknownKey(names: readonly string[], path: string): string {
  const cut = path.lastIndexOf('.') + 1;
  const key = path.slice(cut);
  const inSection = names.filter((name) => name.startsWith(path.slice(0, cut)));
  const siblings = [...new Set(inSection.map((name) => name.slice(cut).replace(/[[.].*/, '')))];
  const suggestion = nearest(key, siblings);
  if (suggestion !== undefined) return `unknown key. Did you mean ${suggestion}?`;
  const elsewhere = names.find((name) => name.endsWith(`.${key}`));
  if (elsewhere !== undefined) return `unknown key. Did you mean ${elsewhere}?`;
  if (isSecretName(key) && path.startsWith('web.'))
    return 'unknown key. Passwords and TLS are in a file of their own: set config_file to its path';
  if (isSecretName(key))
    return 'unknown key. The API key must not be in this file: set api_key_file to the path of a file with it';
  return `unknown key. Expected one of ${siblings.join(', ')}`;
}

function unusableAccounts(config: Config, environment: Environment, originOf: OriginOf): readonly string[] {
  if (config.accounts.length === 0)
    return [
      'no account yet: run `hoster-exporter setup`, or `hoster-exporter demo` to try it. To configure one yourself, set HOSTER_API_URL and HOSTER_API_KEY_FILE, or list accounts in the file of --config.file',
    ];
  return config.accounts.flatMap(({ key }, index) => {
    if ('file' in key || isSet(environment, key.environment)) return [];
    const path = ['accounts', index, 'api_key_env'];
    return originOf(path) === KEY_VARIABLE
      ? `${KEY_VARIABLE}_FILE: not set: set it to the path of a file with the API key`
      : `${originOf(path)}: ${pathText(path)}: the variable is not set: set it to the API key`;
  });
}

function warnOfUsersWithoutLogins(
  { change_users: users, config_file: logins }: Config['web'],
  originOf: OriginOf,
): readonly string[] {
  const name = 'web.change_users';
  return users === undefined || logins !== undefined
    ? []
    : [`${originOf(name.split('.'))}: ${name}: there are no logins: set web.config_file`];
}

function warnOfCoveredPrices(prices: readonly Price[], originOf: OriginOf): readonly string[] {
  return prices.flatMap((price, index) => {
    const earlier = coveringIndex(prices, price);
    const path = ['prices', index];
    return earlier === index
      ? []
      : `${originOf(path)}: ${pathText(path)}: never applies, since ${pathText(['prices', earlier])} covers all of its phones: put it first`;
  });
}

function warnOfReplacedAccounts(content: unknown, single: SingleAccount | undefined): readonly string[] {
  const listed = isMapping(content) && Array.isArray(content['accounts']) ? content['accounts'].length : 0;
  if (single === undefined || listed === 0) return [];
  return [`${single.origin}: its account replaces the accounts of the file (${listed})`];
}
