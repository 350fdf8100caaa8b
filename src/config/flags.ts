import { parseArgs } from 'node:util';
import * as z from 'zod';
import { hideKey } from '../base/api-key.ts';
import { ConfigError, isSecretName, nearest, showText, showValue } from './messages.ts';
import { optionsOf, type Setting, type Shape } from './settings.ts';

type Flag = Omit<Setting, 'key' | 'schema'>;

/** Flags of the program that are not settings in the file. */
const PROGRAM_FLAGS: readonly Flag[] = [
  {
    name: 'config.file',
    flag: 'config.file',
    variable: 'HOSTER_CONFIG_FILE',
    isSwitch: false,
    description: 'Configuration file; not needed for a single account.',
    example: '/etc/hoster-exporter/hoster-exporter.yml',
  },
  informationFlag('help', 'Print help, with the most common settings.'),
  informationFlag('help-all', 'Print help, with all settings.'),
  informationFlag('version', 'Print the version.'),
];

function informationFlag(name: string, description: string): Flag {
  return { name, flag: name, variable: undefined, isSwitch: true, description };
}

/** Flags that print information instead of running a command. The first one wins. */
const INFORMATION = ['help-all', 'help', 'version'] as const;

/** Returns the information that a command line requests, with one hyphen or two; undefined if none. */
export function requestedInformation(argv: readonly string[]): (typeof INFORMATION)[number] | undefined {
  const given = argv.map((argument) =>
    argument === '-h' ? '--help' : withTwoHyphens(argument).replace(/=true$/, ''),
  );
  return INFORMATION.find((name) => given.includes(`--${name}`));
}

/** A parsed command line. */
export type Arguments<Options = unknown> = {
  /** Texts of settings by name, not validated yet. */
  readonly flags: ReadonlyMap<string, string>;
  /** Options of the command, validated, with their defaults. */
  readonly options: Options;
};

/**
 * Parses the arguments after the command. `shape` declares its options, apart from the settings; `settings` is undefined
 * for a command without settings.
 *
 * @throws ConfigError with all problems
 */
export function parseArguments<Options extends Shape>(
  argv: readonly string[],
  shape: Options,
  settings: readonly Setting[] | undefined,
): Arguments<z.output<z.ZodObject<Options>>> {
  const declared = optionsOf(shape);
  const flags = [...programFlags(settings !== undefined), ...(settings ?? []), ...declared];
  const { texts, problems } = parseFlags(argv, flags);
  const given = declared.flatMap(({ name }) => {
    const text = texts.get(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const parsed = z.strictObject(shape).safeParse(Object.fromEntries(given));
  const invalid = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const option = declared.find(({ name }) => name === path.join('.'));
    return flagProblem(option?.flag ?? '', texts.get(option?.name ?? ''), message);
  });
  if (!parsed.success || problems.length > 0) throw new ConfigError([...problems, ...invalid]);
  return {
    flags: new Map([...texts].filter(([name]) => declared.every((option) => option.name !== name))),
    options: parsed.data,
  };
}

/** Returns the text of each flag by setting. An argument after an unknown flag may be a key, and is not shown. */
function parseFlags(
  argv: readonly string[],
  flags: readonly Flag[],
): { readonly texts: ReadonlyMap<string, string>; readonly problems: readonly string[] } {
  const byFlag = new Map(flags.flatMap((each) => (each.flag ? [[each.flag, each]] : [])));
  const texts = new Map<string, string>();
  const problems: string[] = [];
  let afterUnknown = false;
  for (const token of tokenise(argv.map(withTwoHyphens), byFlag)) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (!afterUnknown) problems.push(`got ${showText(hideKey(token.value))}, expected only flags`);
      continue;
    }
    const setting = byFlag.get(token.name);
    const negated = token.rawName === `--no-${token.name}`;
    afterUnknown = setting === undefined || (negated && !setting.isSwitch);
    if (setting === undefined || afterUnknown) {
      problems.push(`${token.rawName}: ${describeUnknownFlag(token.name, [...byFlag.keys()])}`);
      continue;
    }
    const result = textOf(setting, token, negated);
    if ('problem' in result) problems.push(result.problem);
    else if (texts.has(setting.name)) problems.push(`--${setting.flag}: given more than once`);
    else texts.set(setting.name, result.text);
  }
  return { texts, problems };
}

/** Converts `-web.listen-address` to `--web.listen-address`: parseArgs would parse ten flags. */
function withTwoHyphens(argument: string): string {
  return /^-[a-z][\w.-]+/i.test(argument) ? `-${argument}` : argument;
}

function tokenise(argv: readonly string[], byFlag: ReadonlyMap<string, Flag>) {
  const options = Object.fromEntries(
    Array.from(byFlag, ([flag, { isSwitch }]) => {
      const type = isSwitch ? ('boolean' as const) : ('string' as const);
      return [flag, flag === 'help' ? { type, short: 'h' } : { type }];
    }),
  );
  // Not strict: parseArgs would stop at the first error and show values in its messages.
  const parsed = parseArgs({
    args: [...argv],
    options,
    strict: false,
    tokens: true,
    allowNegative: true,
    allowPositionals: true,
  });
  return parsed.tokens;
}

function textOf(
  { flag = '', isSwitch }: Flag,
  token: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
  negated: boolean,
): { readonly text: string } | { readonly problem: string } {
  const { value, inlineValue } = token;
  if (isSwitch) {
    const text = value ?? String(!negated);
    if (/^(?:true|false|on|off)$/.test(text)) return { text };
    return { problem: flagProblem(flag, text, 'true or false') };
  }
  if (value === undefined) return { problem: `--${flag}: needs a value: write --${flag}=…` };
  if (inlineValue !== true && value.startsWith('-'))
    return { problem: `--${flag}: needs a value: write --${flag}=… for one that starts with a hyphen` };
  return { text: value };
}

function flagProblem(flag: string, got: string | undefined, expected: string): string {
  return `--${flag}: got ${showValue(flag, got)}, expected ${expected}`;
}

function describeUnknownFlag(flag: string, flags: readonly string[]): string {
  const suggestion = nearest(flag, flags);
  if (suggestion !== undefined) return `unknown flag. Did you mean --${suggestion}?`;
  if (isSecretName(flag))
    return 'unknown flag. Keys are not accepted on the command line: use --api.key-file or HOSTER_API_KEY_FILE';
  const longer = flags.find((each) => each.startsWith(`${flag}.`) || each.endsWith(`.${flag}`));
  return `unknown flag. ${longer === undefined ? 'See --help' : `Did you mean --${longer}?`}`;
}

/** Returns the help of the flags that are not settings. */
export function programFlagsHelp(takesSettings: boolean): string {
  return helpOf(programFlags(takesSettings));
}

function programFlags(takesSettings: boolean): readonly Flag[] {
  return PROGRAM_FLAGS.filter(({ flag }) => takesSettings || flag !== 'config.file');
}

/** Returns the help of the program flags and the settings: all, or the most common ones. */
export function settingsHelp(settings: readonly Setting[], all: boolean): string {
  return `${programFlagsHelp(true)}
Settings. Flags win over variables, variables over the configuration file, the file over defaults.
Put the API key into a file, and its path into HOSTER_API_KEY_FILE; flags do not accept the key.
${helpOf(all ? settings : settings.filter(({ isUsual }) => isUsual))}`;
}

export function optionsHelp(shape: Shape): string {
  return helpOf(optionsOf(shape));
}

function helpOf(settings: readonly Flag[]): string {
  return settings.map(helpEntry).join('');
}

function helpEntry(setting: Flag): string {
  const { flag, variable, isSwitch, description } = setting;
  if (flag === undefined) return '';
  const short = flag === 'help' ? '-h, ' : '';
  const facts = [variable, helpDefault(setting)].filter((fact) => fact !== undefined).join(', ');
  const text = `${description.replaceAll('`', '')}${facts === '' ? '' : ` [${facts}]`}`;
  const head = `  ${short}--${isSwitch && setting.default !== undefined ? '[no-]' : ''}${flag}${isSwitch ? '' : ' …'}`;
  return `${head}\n${wrap(text)}\n`;
}

function helpDefault({ default: value }: Flag): string | undefined {
  if (value === undefined) return undefined;
  return `default ${String(value).includes(' ') ? `"${value}"` : value}`;
}

const HELP_WIDTH = 100;
const INDENTATION = ' '.repeat(6);

function wrap(text: string): string {
  const lines = [INDENTATION];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== INDENTATION && line.length + 1 + word.length > HELP_WIDTH)
      lines.push(`${INDENTATION}${word}`);
    else lines[lines.length - 1] = line === INDENTATION ? `${line}${word}` : `${line} ${word}`;
  }
  return lines.join('\n');
}
