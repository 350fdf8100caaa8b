import { KeyError, readKey } from '../base/api-key.ts';
import { createFileCache, type FileCache } from '../base/files.ts';
import type { AdjustableLog, LogFormat, LogLevel } from '../base/log.ts';
import type { Secret } from '../base/secret.ts';
import { type Arguments, parseArguments } from '../config/flags.ts';
import { readConfig } from '../config/load.ts';
import { ConfigError } from '../config/messages.ts';
import { readNetwork } from '../config/network.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { Shape } from '../config/settings.ts';
import type { LoadedConfig } from '../daemon/accounts.ts';
import type { DaemonFeature } from '../daemon/feature.ts';
import type { Dependencies } from '../daemon/monitor.ts';
import type { ChatPart } from '../fleet/chat.ts';
import { readWebConfig } from '../http/web-config/parse.ts';
import type { Terminal } from './terminal.ts';

/** Input and output of a command, and everything else it needs from the process. */
export type Io = Omit<
  Dependencies,
  'features' | 'key' | 'refreshKey' | 'network' | 'readSetup' | 'log' | 'setLogLevel'
> & {
  readonly features: readonly Feature[];
  /** Writes to standard output; resolves once the text is written and the process may end. */
  readonly print: (text: string) => Promise<void>;
  readonly printError: (text: string) => void;
  /** True if standard output is a terminal with colours. */
  readonly colour: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the terminal for questions; undefined without one. */
  readonly openTerminal?: () => Promise<Terminal | undefined>;
  /** Tests whether every user of the machine may read a file. Rejects with Node's error. */
  readonly isReadableByAll: (path: string) => Promise<boolean>;
  readonly openLog: (level: LogLevel, format: LogFormat) => AdjustableLog;
  /** Resolves on SIGINT and SIGTERM, and on Windows when the console is closed. */
  readonly interrupted: Promise<void>;
  /** Calls the listener on each SIGHUP since the program started; never on Windows. For the daemon only. */
  readonly onHangup: (listener: () => void) => void;
};

export type Feature = DaemonFeature & {
  readonly commands?: readonly ListedCommand[];
  readonly chat?: () => ChatPart;
};

/** A command in the help. Its code is loaded only when it runs, so a health check does not load the API client. */
export type ListedCommand = {
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /** It normally ends by being interrupted. */
  readonly endsWhenInterrupted?: true;
  readonly load: () => Promise<Command>;
};

/** 0 success, 1 failure, 2 invalid usage or configuration, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

export type Command = {
  /** Options of this command, apart from the settings. */
  readonly options: Shape;
  /** False for a command that takes no settings of the daemon. */
  readonly takesSettings?: boolean;
  /** Throws a ConfigError or KeyError for problems that the user can fix. */
  readonly run: (argv: readonly string[], io: Io) => Promise<ExitCode>;
};

export function defineCommand<Options extends Shape>(definition: {
  readonly options: Options;
  readonly takesSettings?: boolean;
  readonly run: (parsed: ReturnType<typeof parseArguments<Options>>, io: Io) => Promise<ExitCode>;
}): Command {
  const { options, takesSettings = true, run } = definition;
  return {
    ...definition,
    run: (argv, io) => run(parseArguments(argv, options, takesSettings ? io.schema.settings : undefined), io),
  };
}

/**
 * Loads the configuration and all files it refers to, so that problems appear before anything starts.
 *
 * @throws ConfigError with all problems
 */
export async function prepare(
  flags: Arguments['flags'],
  io: Io,
): Promise<{ readonly config: Config; readonly dependencies: Dependencies }> {
  const files = createFileCache(io.readFile);
  const load = async () => {
    const { setup, warnings } = await readSetup(flags, io, files);
    const exposed = await exposedKeys(setup.config.accounts, io);
    return { setup, warnings: [...warnings, ...exposed] };
  };
  const { setup, warnings } = await load();
  const { config, network } = setup;
  const log = io.openLog(config.log.level, config.log.format);
  const warn = (sentences: readonly string[]): void => {
    for (const sentence of sentences) log.warn({}, sentence);
  };
  warn(warnings);
  const dependencies: Dependencies = {
    ...io,
    key: (account) => readKey(account.key, files.text, io.environment),
    refreshKey: async ({ key }) => {
      if ('file' in key) await files.refresh(key.file);
    },
    network,
    readSetup: async () => {
      const again = await load();
      warn(again.warnings);
      return again.setup;
    },
    log,
    setLogLevel: log.setLevel,
  };
  return { config, dependencies };
}

async function readSetup(
  flags: Arguments['flags'],
  { schema, environment }: Io,
  files: FileCache,
): Promise<{ readonly setup: LoadedConfig; readonly warnings: readonly string[] }> {
  const { config, warnings } = await readConfig({ schema, flags, environment, accounts: 'required' }, files);
  const { config_file: configFile } = config.web;
  await files.refresh(config.client.ca_file, ...keyFilesOf(config.accounts));
  const keyOf = ({ key }: AccountConfig): Secret => readKey(key, files.text, environment);
  const problems = await Promise.all([
    ...config.accounts.map((account) => problemsOf(() => keyOf(account))),
    ...(configFile === undefined ? [] : [problemsOf(() => readWebConfig(configFile, files))]),
  ]);
  // Several accounts may share a key file.
  const different = [...new Set(problems.flat())];
  if (different.length > 0) throw new ConfigError(different);
  return {
    setup: { config, network: readNetwork(config.client, environment, files.text) },
    warnings: [...warnings, ...sharedKeys(config.accounts, keyOf)],
  };
}

function keyFilesOf(accounts: readonly AccountConfig[]): readonly string[] {
  return accounts.flatMap(({ key }) => ('file' in key ? key.file : []));
}

/** Returns a sentence for each account that has the same address and key as an earlier one. */
export function sharedKeys(
  accounts: readonly AccountConfig[],
  keyOf: (account: AccountConfig) => Secret,
): readonly string[] {
  const known = accounts.map((account) => ({ ...account, secret: keyOf(account) }));
  return known.flatMap((account, index) => {
    const first = known
      .slice(0, index)
      .find((other) => other.apiUrl.href === account.apiUrl.href && other.secret.equals(account.secret));
    if (first === undefined) return [];
    return `accounts "${first.name}" and "${account.name}" have the same key, so each phone counts twice: remove one, or give it another key`;
  });
}

/** Returns a sentence for each key file that every user of the machine can read. */
async function exposedKeys(
  accounts: readonly AccountConfig[],
  { isReadableByAll }: Io,
): Promise<readonly string[]> {
  const exposed = Array.from(new Set(keyFilesOf(accounts)), async (path) =>
    (await isReadableByAll(path).catch(() => false))
      ? `every user of this machine can read the key file ${path}: run chmod o-rwx ${path}`
      : [],
  );
  return (await Promise.all(exposed)).flat();
}

async function problemsOf(read: () => unknown): Promise<readonly string[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (error instanceof KeyError) return [error.message];
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** A command that is selected by the first word after another, such as `start` in `maintenance start`. */
type Subcommand = {
  /** Descriptions of the words that it takes: `the ID of an incident`. */
  readonly words?: readonly string[];
  readonly command: (...words: readonly string[]) => Command;
};

/**
 * Defines a command with subcommands.
 *
 * @param options for the help
 * @param otherwise the command without a subcommand; by default one is required
 */
export function subcommands(
  name: string,
  own: Readonly<Record<string, Subcommand>>,
  options: Shape,
  otherwise?: Command,
): Command {
  const expected = `${Object.keys(own).join(', ')}${otherwise === undefined ? '' : ', or only flags'}`;
  return {
    options,
    run: async (argv, io) => {
      const [word = '', ...rest] = argv;
      if (otherwise !== undefined && (word === '' || word.startsWith('-')))
        return await otherwise.run(argv, io);
      const found = Object.hasOwn(own, word) ? own[word] : undefined;
      if (found === undefined)
        throw new ConfigError([`${name}: expected ${expected}. See hoster-exporter ${name} --help`]);
      const { words = [], command } = found;
      // Words may begin with dashes, as in `note ID '-- loose'`; after `--`, anything is a word.
      const isPlain = rest[0] === '--';
      const all = isPlain ? rest.slice(1) : rest;
      const [given, flags] = [all.slice(0, words.length), all.slice(words.length)];
      if (
        given.length < words.length ||
        (!isPlain && given.some((each) => /^--[a-z][\w.-]*(?:=|$)/i.test(each)))
      )
        throw new ConfigError([`${name} ${word}: expected ${words.join(', and ')}`]);
      return await command(...given).run(flags, io);
    },
  };
}

export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => widthOf(row[column]))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
  return all.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

const CHARACTERS = new Intl.Segmenter();

/** Characters that take two columns. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

/** Returns how many terminal columns a text takes. */
function widthOf(text = ''): number {
  return [...CHARACTERS.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}
