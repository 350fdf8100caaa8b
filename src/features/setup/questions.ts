import type { Prompt } from '../../cli/terminal.ts';
import { ConfigError, showText } from '../../config/messages.ts';
import { foldText } from '../../model/text.ts';
import { say } from '../../text/say.ts';

/* The questions of `setup`. Answers come from a variable, an earlier run or a person. */

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

/**
 * A valid answer, or the problem as a sentence. `orElse` is the value kept for an answer from an earlier run. A person may also
 * continue with it, unless the answer is known to be wrong.
 */
export type Checked<Value> =
  | { readonly value: Value }
  | { readonly problem: string; readonly orElse?: Value; readonly isWrong?: boolean };

export type Question<Value> = {
  /** Variable with the answer. For a secret, the variable with the suffix `_FILE` names a file. */
  readonly variable: string;
  readonly text: string;
  readonly check: (answer: string) => Promise<Checked<Value>>;
  /** Answer from an earlier run. */
  readonly remembered?: string | undefined;
  /** Default for an empty answer. Without it, the question is repeated. */
  readonly suggestion?: string | undefined;
  readonly isSecret?: boolean;
};

/** Removes byte order marks, line breaks, spaces and quotes, which pasting may add. */
export function cleanAnswer(text: string): string {
  const plain = text.replaceAll(/[\p{Cf}\r\n\t]/gu, '').trim();
  return /^(["']).*\1$/.test(plain) ? plain.slice(1, -1).trim() : plain;
}

/** Reports whether answers from an earlier run are used without asking again. */
export function isUnattended({ isQuiet, prompt }: Wizard): boolean {
  return isQuiet || prompt === undefined;
}

/**
 * Returns the valid answer to a question. Repeats the question after an invalid answer. An answer from an earlier run that a
 * service now refuses stays in use, with a warning, so that the program can still be upgraded or restored.
 *
 * @throws ConfigError if an answer is invalid and there is no terminal
 */
export async function answer<Value>(wizard: Wizard, question: Question<Value>): Promise<Value> {
  const { variable, remembered, isSecret = false, check } = question;
  const given = await givenAnswer(variable, isSecret, wizard);
  const isKept = isUnattended(wizard) && remembered !== undefined && (given ?? remembered) === remembered;
  let text = given ?? (isKept ? remembered : undefined);
  let known = remembered ?? question.suggestion;
  for (;;) {
    text ??= await askFor(question, known, wizard);
    const checked = await check(text);
    if ('value' in checked) return checked.value;
    const named = isSecret ? `${variable}_FILE` : variable;
    const source = isKept ? 'The answer of the last run' : named;
    await refuse(checked.problem, source, wizard, isKept && checked.orElse !== undefined);
    const { orElse, isWrong } = checked;
    if (
      orElse !== undefined &&
      (isKept || (!isWrong && (await confirm(say('setup-continue-anyway'), wizard))))
    )
      return orElse;
    known = isSecret && text !== remembered ? remembered : question.suggestion;
    text = undefined;
  }
}

/** Returns a wizard that asks again, regardless of variables and earlier runs. */
export function withoutAnswers(wizard: Wizard): Wizard {
  return { ...wizard, environment: {}, isQuiet: false };
}

/**
 * Prints a problem.
 *
 * @param isKept the answer stays in use
 * @throws ConfigError without a terminal, unless the answer stays in use
 */
export async function refuse(problem: string, source: string, wizard: Wizard, isKept = false): Promise<void> {
  if (wizard.prompt === undefined && !isKept) throw new ConfigError([`${source}: ${problem}`]);
  const sentence = problem.replace(/^./, (letter) => letter.toUpperCase());
  await wizard.print(isKept ? `${sentence} ${say('setup-kept')}` : sentence);
}

/** Returns the problem with an answer; `expected` may end in a question. */
export function unexpected(typed: string, expected: string): string {
  return `got ${showText(typed)}, expected ${expected}${expected.endsWith('?') ? '' : '.'}`;
}

/** Words for yes and no in the languages of those who answer. */
const YES =
  'y yes yeah yep ok okay true on 1 da да д так т ага ja j jo sí si s oui o sim tak ano evet ya có vâng hai';
const NO = 'n no nope false off 0 нет не н ні nein ne nee non não nao nie nu hayır hayir không tidak';
const MEANINGS = new Map([
  ...YES.split(' ').map((word) => [foldText(word), true] as const),
  ...NO.split(' ').map((word) => [foldText(word), false] as const),
]);

/** Returns whether an answer means yes; undefined if it is neither yes nor no. */
function meaningOf(typed: string): boolean | undefined {
  return MEANINGS.get(foldText(typed).replace(/[.!,;]+$/, ''));
}

/**
 * Returns the yes or no in a variable; undefined if it is not set.
 *
 * @throws ConfigError if it is neither
 */
export function yesOrNo(variable: string, { environment }: Pick<Wizard, 'environment'>): boolean | undefined {
  const given = cleanAnswer(environment[variable] ?? '');
  if (given === '') return undefined;
  const isYes = meaningOf(given);
  if (isYes === undefined) throw new ConfigError([`${variable}: ${unexpected(given, 'yes or no')}`]);
  return isYes;
}

/** Number of answers that are neither yes nor no before the answer counts as no. */
const UNCLEAR = 3;

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
  for (let unclear = 0; unclear < UNCLEAR; unclear += 1) {
    const typed = cleanAnswer((await prompt?.ask(`${question} [${choices}] `, false)) ?? '');
    if (typed === '') return isYes;
    if (show !== undefined && /^d(?:etails)?$/i.test(typed)) {
      await show();
      return await confirm(question, { prompt }, isYes);
    }
    const meant = meaningOf(typed);
    if (meant !== undefined) return meant;
  }
  return false;
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
      lines === undefined ? title : say('setup-lines', { title, count: lines.split('\n').length }),
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
  const shown = known === undefined || known === '' ? '' : ` [${isHidden ? say('setup-keep') : known}]`;
  for (;;) {
    const typed = await prompt.ask(`${text}${isSecret ? ` ${say('setup-hidden')}` : ''}${shown}: `, isSecret);
    const plain = isSecret ? cleanSecret(typed) : cleanAnswer(typed);
    if (plain !== '') return plain;
    if (known !== undefined) return known;
  }
}
