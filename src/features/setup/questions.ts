import type { Prompt } from '../../cli/terminal.ts';
import { ConfigError, showText } from '../../config/messages.ts';

/*
 * The questions of `setup`. Answers come from a variable, an earlier run or a person.
 */

/** The sources of answers, and the output. */
export type Wizard = {
  /** Undefined without a terminal. */
  readonly prompt: Prompt | undefined;
  readonly print: (sentence: string) => Promise<void>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  /** Uses the answers of an earlier run without asking again. */
  readonly isQuiet: boolean;
};

/** A valid answer, or the problem as a sentence. `orElse` is the answer if the person continues anyway, except for a typo. */
export type Checked<Value> =
  | { readonly value: Value }
  | { readonly problem: string; readonly orElse?: Value; readonly isTypo?: boolean };

export type Question<Value> = {
  /** Variable with the answer. For a secret, the variable with the suffix `_FILE` names a file. */
  readonly variable: string;
  readonly text: string;
  readonly check: (answer: string) => Promise<Checked<Value>>;
  /** Answer of an earlier run. */
  readonly remembered?: string | undefined;
  /** Default for an empty answer; without it, the question is repeated. */
  readonly suggestion?: string | undefined;
  readonly isSecret?: boolean;
};

/** Removes byte order marks, line ends, blanks and quotes, which pasting may add. */
export function cleanAnswer(text: string): string {
  const plain = text.replaceAll(/[\u200b-\u200d\ufeff\r\n\t]/g, '').trim();
  return /^(["']).*\1$/.test(plain) ? plain.slice(1, -1).trim() : plain;
}

/**
 * Returns the valid answer to a question. Repeats the question after an invalid answer.
 *
 * @throws ConfigError for an invalid answer without a terminal
 */
export async function answer<Value>(wizard: Wizard, question: Question<Value>): Promise<Value> {
  const { variable, remembered, isSecret = false, check } = question;
  const given = await givenAnswer(variable, isSecret, wizard);
  const isKept =
    given === undefined && (wizard.isQuiet || wizard.prompt === undefined) && remembered !== undefined;
  let text = given ?? (isKept ? remembered : undefined);
  let known = remembered ?? question.suggestion;
  for (;;) {
    text ??= await askFor(question, known, wizard);
    const checked = await check(text);
    if ('value' in checked) return checked.value;
    const named = isSecret ? `${variable}_FILE` : variable;
    const source = isKept ? 'The answer of the last run' : named;
    await refuse(checked.problem, source, wizard, isKept && checked.orElse !== undefined);
    const { orElse, isTypo } = checked;
    if (orElse !== undefined && (isKept || (!isTypo && (await confirm('Continue anyway?', wizard)))))
      return orElse;
    known = isSecret && text !== remembered ? remembered : question.suggestion;
    text = undefined;
  }
}

/** Returns a wizard that asks again, regardless of variables and an earlier run. */
export function withoutAnswers(wizard: Wizard): Wizard {
  return { ...wizard, environment: {}, isQuiet: false };
}

/** Prints a problem. Throws a ConfigError that names the source of the answer without a terminal, unless `isNoEnd`. */
export async function refuse(
  problem: string,
  source: string,
  wizard: Wizard,
  isNoEnd = false,
): Promise<void> {
  if (wizard.prompt === undefined && !isNoEnd) throw new ConfigError([`${source}: ${problem}`]);
  await wizard.print(problem.replace(/^./, (letter) => letter.toUpperCase()));
}

/** Returns the problem of an answer; `expected` may end in a question. */
export function unexpected(typed: string, expected: string): string {
  return `got ${showText(typed)}, expected ${expected}${expected.endsWith('?') ? '' : '.'}`;
}

/**
 * Asks a yes-or-no question. Without a terminal, the default applies.
 *
 * @param show shows the details if the person types d
 */
export async function confirm(
  question: string,
  { prompt }: Pick<Wizard, 'prompt'>,
  isYes = false,
  show?: () => Promise<void>,
): Promise<boolean> {
  const choices = `${isYes ? 'Y/n' : 'y/N'}${show === undefined ? '' : '/d'}`;
  const typed = cleanAnswer((await prompt?.ask(`${question} [${choices}] `, false)) ?? '');
  if (show === undefined || !/^d/i.test(typed)) return typed === '' ? isYes : /^y/i.test(typed);
  await show();
  return await confirm(question, { prompt }, isYes);
}

/** Maximum number of lines that a person is shown without asking for them. */
const SHOWN_LINES = 20;

/** Shows changes, each with a title and its lines, and asks whether to make them. */
export async function confirmChanges(
  changes: readonly { readonly title: string; readonly lines?: string }[],
  question: string,
  wizard: Wizard,
  isYes = false,
): Promise<boolean> {
  if (changes.length === 0) return true;
  const text = changes.map(({ title, lines = '' }) => `${title}\n${lines}`.trimEnd()).join('\n');
  const show = async () => await wizard.print(text);
  const isLong = wizard.prompt !== undefined && text.split('\n').length > SHOWN_LINES;
  if (!isLong) await show();
  for (const { title, lines } of isLong ? changes : [])
    await wizard.print(
      lines === undefined ? title : `${title} ${lines.split('\n').length} lines, shown with d`,
    );
  return await confirm(question, wizard, isYes, isLong ? show : undefined);
}

async function givenAnswer(
  variable: string,
  isSecret: boolean,
  { environment, readFile }: Wizard,
): Promise<string | undefined> {
  if (!isSecret) return environment[variable] ? cleanAnswer(environment[variable]) : undefined;
  const path = environment[`${variable}_FILE`];
  if (!path) return undefined;
  const text = await readFile(path).catch(() => undefined);
  if (text === undefined) throw new ConfigError([`${variable}_FILE: ${path} cannot be read by this user`]);
  const secret = cleanSecret(text);
  if (secret === '') throw new ConfigError([`${variable}_FILE: ${path} is empty: put the secret into it`]);
  return secret;
}

function cleanSecret(text: string): string {
  return cleanAnswer(text).replaceAll(/\s/g, '');
}

async function askFor(
  { variable, text, suggestion, isSecret = false }: Question<unknown>,
  known: string | undefined,
  { prompt }: Wizard,
): Promise<string> {
  if (prompt === undefined) {
    if (suggestion !== undefined) return suggestion;
    const name = isSecret ? `${variable}_FILE` : variable;
    throw new ConfigError([`${name} is not set: set it, or run this in a terminal`]);
  }
  // An address may contain a password.
  const isHidden = isSecret || (known !== undefined && /@.*@|:\/\/.*[@?#]/.test(known));
  const shown = known === undefined || known === '' ? '' : ` [${isHidden ? 'keep the current one' : known}]`;
  for (;;) {
    const typed = await prompt.ask(`${text}${isSecret ? ' (hidden)' : ''}${shown}: `, isSecret);
    const plain = isSecret ? cleanSecret(typed) : cleanAnswer(typed);
    if (plain !== '') return plain;
    if (known !== undefined) return known;
  }
}
