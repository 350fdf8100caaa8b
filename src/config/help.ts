import { PROGRAM } from './arguments.ts';
import { optionsOf, type Setting, type Shape } from './setting.ts';
import { SETTINGS } from './settings.ts';

const WIDTH = 100;
const INDENTATION = ' '.repeat(6);

/** The part of `--help` that all commands share: the options of the program and the settings. */
export function settingsHelp(): string {
  return `${listOf(PROGRAM)}
Settings. Flags win over variables, variables over the configuration file, the file over defaults.
The API key is in the file of HOSTER_API_KEY_FILE or in HOSTER_API_KEY, never in a flag.
${listOf(SETTINGS)}`;
}

/** The part of `--help` on the options of one command. */
export function optionsHelp(own: Shape): string {
  return listOf(optionsOf(own));
}

function listOf(settings: readonly Setting[]): string {
  return settings.map(entryOf).join('');
}

function entryOf(setting: Setting): string {
  const { flag, variable, isSwitch, meaning } = setting;
  if (flag === undefined) return '';
  const short = flag === 'help' ? '-h, ' : '';
  const facts = [variable, defaultOf(setting)].filter((fact) => fact !== undefined).join(', ');
  const text = `${meaning.replaceAll('`', '')}${facts === '' ? '' : ` [${facts}]`}`;
  const head = `  ${short}--${isSwitch && setting.default !== undefined ? '[no-]' : ''}${flag}${isSwitch ? '' : ' …'}`;
  return `${head}\n${wrap(text)}\n`;
}

function defaultOf({ default: value }: Setting): string | undefined {
  if (value === undefined) return undefined;
  return `default ${String(value).includes(' ') ? `"${value}"` : value}`;
}

function wrap(text: string): string {
  const lines = [INDENTATION];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== INDENTATION && line.length + 1 + word.length > WIDTH) lines.push(`${INDENTATION}${word}`);
    else lines[lines.length - 1] = line === INDENTATION ? `${line}${word}` : `${line} ${word}`;
  }
  return lines.join('\n');
}
