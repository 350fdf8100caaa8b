import { parseArgs } from 'node:util';
import { showText, showValue } from './problems.ts';
import type { Setting } from './setting.ts';
import { unknownFlag } from './unknown.ts';

/** The text of each flag that was given, by the name of its setting, and what is wrong with the others. */
export type Flags = { readonly texts: ReadonlyMap<string, string>; readonly problems: readonly string[] };

/** Reads flags. What follows a flag that does not exist may be a key, and is not repeated. */
export function readFlags(argv: readonly string[], settings: readonly Setting[]): Flags {
  const byFlag = new Map(settings.flatMap((setting) => (setting.flag ? [[setting.flag, setting]] : [])));
  const texts = new Map<string, string>();
  const problems: string[] = [];
  let afterUnknown = false;
  for (const token of tokenise(argv, byFlag)) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (!afterUnknown) problems.push(`got ${showText(token.value)}, expected only flags`);
      continue;
    }
    const setting = byFlag.get(token.name);
    const negated = token.rawName === `--no-${token.name}`;
    afterUnknown = setting === undefined || (negated && !setting.isSwitch);
    if (setting === undefined || afterUnknown) {
      problems.push(`${token.rawName}: ${unknownFlag(token.name, [...byFlag.keys()])}`);
      continue;
    }
    const fit = textOf(setting, token, negated);
    if ('problem' in fit) problems.push(fit.problem);
    else if (texts.has(setting.name)) problems.push(`--${setting.flag}: given more than once`);
    else texts.set(setting.name, fit.text);
  }
  return { texts, problems };
}

/** What is wrong with the value of a flag. */
export function flagProblem(flag: string, got: string | undefined, expected: string): string {
  return `--${flag}: got ${showValue(flag, got)}, expected ${expected}`;
}

function tokenise(argv: readonly string[], byFlag: ReadonlyMap<string, Setting>) {
  const options = Object.fromEntries(
    Array.from(byFlag, ([flag, { isSwitch }]) => {
      const type = isSwitch ? ('boolean' as const) : ('string' as const);
      return [flag, flag === 'help' ? { type, short: 'h' } : { type }];
    }),
  );
  // Not strict, since parseArgs would stop at the first fault, and repeat values in its messages.
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

type OptionToken = { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined };

function textOf(
  { flag = '', isSwitch }: Setting,
  { value, inlineValue }: OptionToken,
  negated: boolean,
): { readonly text: string } | { readonly problem: string } {
  if (isSwitch) {
    const text = value ?? String(!negated);
    if (text === 'true' || text === 'false') return { text };
    return { problem: flagProblem(flag, text, 'true or false') };
  }
  if (value === undefined) return { problem: `--${flag}: needs a value: write --${flag}=…` };
  if (inlineValue !== true && value.startsWith('-')) {
    return { problem: `--${flag}: needs a value: write --${flag}=… for one that begins with a hyphen` };
  }
  return { text: value };
}
