import { z } from 'zod';
import { flagProblem, readFlags } from './flags.ts';
import { ConfigError } from './problems.ts';
import { optionsOf, type Setting, type Shape } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** What a command line says. */
export type Arguments<Own = unknown> = {
  readonly help: boolean;
  readonly version: boolean;
  /** Texts of the flags that were given, by the name of the setting; {@link loadConfig} checks them. */
  readonly given: ReadonlyMap<string, string>;
  /** The options of the command itself, checked and with their defaults. */
  readonly own: Own;
};

/** Options of the program that are no settings of the file. */
export const PROGRAM: readonly Setting[] = [
  {
    name: 'config.file',
    flag: 'config.file',
    variable: 'HOSTER_CONFIG_FILE',
    isSwitch: false,
    meaning: 'The configuration file; none is needed for a single account.',
    example: '/etc/hoster-exporter/hoster-exporter.yml',
  },
  { name: 'help', flag: 'help', variable: undefined, isSwitch: true, meaning: 'Print this help.' },
  { name: 'version', flag: 'version', variable: undefined, isSwitch: true, meaning: 'Print the version.' },
];

/**
 * Reads the arguments that stand after the command. `own` are options that the command has on top of the settings,
 * declared with {@link setting} and one of the forms; their flags follow from their names.
 *
 * @throws ConfigError with everything that is wrong with the arguments
 */
export function parseArguments<Own extends Shape>(
  argv: readonly string[],
  own: Own,
): Arguments<z.output<z.ZodObject<Own>>> {
  const options = optionsOf(own);
  const { texts, problems } = readFlags(argv, [...PROGRAM, ...SETTINGS, ...options]);
  const written = options.flatMap(({ name }) => {
    const text = texts.get(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const parsed = z.strictObject(own).safeParse(Object.fromEntries(written));
  const misfits = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const option = options.find(({ name }) => name === path.join('.'));
    return flagProblem(option?.flag ?? '', texts.get(option?.name ?? ''), message);
  });
  if (!parsed.success || problems.length > 0) throw new ConfigError([...problems, ...misfits]);
  const settings = [...texts].filter(([name]) => options.every((option) => option.name !== name));
  return {
    help: texts.get('help') === 'true',
    version: texts.get('version') === 'true',
    given: new Map(settings),
    own: parsed.data,
  };
}
