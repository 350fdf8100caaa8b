import { dirname } from 'node:path';
import {
  type Environment,
  FILE_VARIABLE,
  type Given,
  givenBy,
  isSet,
  KEY_VARIABLE,
  strayVariables,
} from './environment.ts';
import { type ConfigFile, parseFile } from './file.ts';
import { pathText, problemsOf } from './issues.ts';
import { isTree, overlay } from './overlay.ts';
import { ConfigError, showValue } from './problems.ts';
import { type Config, fileSchema, toConfig } from './schema.ts';
import { readShard } from './shard.ts';
import { type SingleAccount, singleAccount, withoutAddress } from './single-account.ts';

/** Where a configuration comes from. */
export type Sources = {
  /** The flags, by the name of their setting, as `parseArguments` gives them. */
  readonly flags: ReadonlyMap<string, string>;
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
  /** Whether to insist on accounts that can be polled; not for who only wants to know where the daemon listens. */
  readonly accounts: 'required' | 'optional';
};

export type Loaded = {
  readonly config: Config;
  /** Sentences on what was given and has no effect. */
  readonly warnings: readonly string[];
};

/**
 * The configuration: flags over variables, variables over the file, the file over defaults. Does nothing but read the
 * configuration file through `readFile`; keys are not looked at, only whether their variables are set.
 *
 * @throws ConfigError with everything that is wrong, each with where it stands, what was got and what was expected
 */
export function loadConfig(sources: Sources): Loaded {
  const { flags, environment, readFile } = sources;
  const path = flags.get('config.file') || environment[FILE_VARIABLE] || undefined;
  const file = path === undefined ? NO_FILE : openFile(path, readFile);
  const given = givenBy(environment, flags);
  const single = singleAccount(given, environment);
  const origin = originsOf(file, given, single);

  const content = overlay(file.content, given, single);
  const parsed = fileSchema.safeParse(content);
  const refused = (parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, content, origin));
  refused.push(...(single?.problems ?? []));
  if (!parsed.success || refused.length > 0)
    throw new ConfigError([...new Set(refused)].sort(IN_ORDER_OF_LINES));

  const beside = path === undefined ? '' : dirname(path);
  // What a flag or a variable names starts where the person stands.
  const folders = {
    keys: single === undefined ? beside : '',
    web: given.has('web.config_file') ? '' : beside,
  };
  const shard = readShard(parsed.data.shard, environment);
  if ('expected' in shard)
    throw new ConfigError([misplaced(parsed.data.shard.index, shard.expected, origin)]);
  const config = toConfig(parsed.data, shard.value, folders);
  const unusable = sources.accounts === 'required' ? unusableAccounts(config, environment, origin) : [];
  if (unusable.length > 0) throw new ConfigError(unusable);

  const named = config.accounts.flatMap(({ key }) => ('environment' in key ? key.environment : []));
  const warnings = [
    ...replacedAccounts(file.content, single),
    ...withoutAddress(given, environment, named),
    ...strayVariables(environment, named),
  ];
  return { config, warnings };
}

/** Numbers count as numbers, so that line 10 comes after line 9. */
const IN_ORDER_OF_LINES = new Intl.Collator('en', { numeric: true }).compare;

type Origin = (path: readonly PropertyKey[]) => string;

const NO_FILE: ConfigFile = { content: undefined, where: () => 'configuration' };

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'no such file: create it, or name another one with --config.file',
  EACCES: 'this user may not read it',
  EISDIR: 'a folder, expected a file',
};

function openFile(path: string, readFile: (path: string) => string): ConfigFile {
  let text: string;
  try {
    text = readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([`${path}: ${READING[code] ?? `can't be read (${code})`}`]);
  }
  return parseFile(text, path);
}

/** Where a value comes from: a flag, a variable, or a line and column of the file. */
function originsOf(
  file: ConfigFile,
  given: ReadonlyMap<string, Given>,
  single: SingleAccount | undefined,
): Origin {
  return (path) => {
    const [section, key, accountKey] = path;
    if (section !== 'accounts')
      return given.get(`${String(section)}.${String(key)}`)?.origin ?? file.where(path);
    return single === undefined
      ? file.where(path)
      : (single.origins.get(String(accountKey)) ?? single.origin);
  };
}

function misplaced(index: number | string, expected: string, origin: Origin): string {
  const path = ['shard', 'index'];
  const name = pathText(path);
  return `${origin(path)}: ${name}: got ${showValue(name, index)}, expected ${expected}`;
}

function unusableAccounts(config: Config, environment: Environment, origin: Origin): readonly string[] {
  if (config.accounts.length === 0) {
    return [
      'no account: set HOSTER_API_URL with HOSTER_API_KEY_FILE or HOSTER_API_KEY, or list accounts in the file that --config.file names',
    ];
  }
  return config.accounts.flatMap(({ key }, index) => {
    if ('file' in key || isSet(environment, key.environment)) return [];
    const path = ['accounts', index, 'api_key_env'];
    return origin(path) === KEY_VARIABLE
      ? `${KEY_VARIABLE}: not set: put the API key into it, or the path of a file that holds it into HOSTER_API_KEY_FILE`
      : `${origin(path)}: ${pathText(path)}: got the name of a variable that is not set: set it to the API key`;
  });
}

/** Environment over file holds for the list of accounts as a whole; that it does is worth a word. */
function replacedAccounts(content: unknown, single: SingleAccount | undefined): readonly string[] {
  const listed = isTree(content) && Array.isArray(content['accounts']) ? content['accounts'].length : 0;
  if (single === undefined || listed === 0) return [];
  return [`${single.origin}: the account that it describes replaces the accounts of the file (${listed})`];
}
