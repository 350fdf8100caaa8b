import type { Prompt } from '../../cli/terminal.ts';
import { ConfigError } from '../../config/messages.ts';

/*
 * How the questions of `setup` get their answers: from a variable, from an earlier run, or from a person.
 */

/** Where answers come from, and what is said meanwhile. */
export type Talk = {
  /** Undefined where nobody can be asked. */
  readonly prompt: Prompt | undefined;
  readonly say: (sentence: string) => Promise<void>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  /** Takes the answers of an earlier run without asking again. */
  readonly isQuiet: boolean;
};

/** An answer that can be used, or a sentence why not; `orElse` is what it means where the person goes on anyway. */
export type Checked<Value> =
  | { readonly value: Value }
  | { readonly problem: string; readonly orElse?: Value };

export type Question<Value> = {
  /** Name of the variable that answers it; of a secret, the name with `_FILE` behind it names a file. */
  readonly variable: string;
  readonly text: string;
  readonly check: (answer: string) => Promise<Checked<Value>>;
  /** Answer of an earlier run. */
  readonly remembered?: string | undefined;
  /** What an empty answer means; without it, an empty answer is asked for again. */
  readonly suggestion?: string | undefined;
  readonly isSecret?: boolean;
};

/** Removes what pasting adds: byte order marks, line ends, blanks and quotes around it. */
export function cleanAnswer(text: string): string {
  const plain = text.replaceAll(/[\u200b-\u200d\ufeff\r\n\t]/g, '').trim();
  return /^(["']).*\1$/.test(plain) ? plain.slice(1, -1).trim() : plain;
}

/**
 * Returns the checked answer to a question, and asks again while a person gives one that cannot be used.
 *
 * @throws ConfigError where nobody can be asked for another one
 */
export async function answer<Value>(talk: Talk, question: Question<Value>): Promise<Value> {
  const { variable, remembered, isSecret = false, check } = question;
  const given = await givenAnswer(variable, isSecret, talk);
  const isKept =
    given === undefined && (talk.isQuiet || talk.prompt === undefined) && remembered !== undefined;
  let text = given ?? (isKept ? remembered : undefined);
  let known = remembered ?? question.suggestion;
  for (;;) {
    text ??= await askFor(question, known, talk);
    const checked = await check(text);
    if ('value' in checked) return checked.value;
    await refuse(
      checked.problem,
      isSecret ? `${variable}_FILE` : variable,
      talk,
      isKept && checked.orElse !== undefined,
    );
    if (checked.orElse !== undefined && (isKept || (await confirm('Go on anyway?', talk))))
      return checked.orElse;
    known = isSecret && text !== remembered ? remembered : question.suggestion;
    text = undefined;
  }
}

/** Returns a talk in which a person gives other answers, whatever the variables and an earlier run say. */
export function anew(talk: Talk): Talk {
  return { ...talk, environment: {}, isQuiet: false };
}

/** Says a problem. Throws a ConfigError where nobody can mend it, unless it is no end. */
export async function refuse(problem: string, variable: string, talk: Talk, isNoEnd = false): Promise<void> {
  if (talk.prompt === undefined && !isNoEnd) throw new ConfigError([`${variable}: ${problem}`]);
  await talk.say(problem);
}

/** Asks for a yes; no where nobody can be asked. */
export async function confirm(question: string, { prompt }: Talk, isYes = false): Promise<boolean> {
  const text = await prompt?.ask(`${question} ${isYes ? '[Y/n]' : '[y/N]'} `, false);
  if (text === undefined) return isYes;
  const plain = cleanAnswer(text);
  return plain === '' ? isYes : /^y/i.test(plain);
}

async function givenAnswer(
  variable: string,
  isSecret: boolean,
  { environment, readFile }: Talk,
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
  { prompt }: Talk,
): Promise<string> {
  if (prompt === undefined) {
    if (suggestion !== undefined) return suggestion;
    const name = isSecret ? `${variable}_FILE` : variable;
    throw new ConfigError([
      `Nobody can be asked here, and ${name} is not set: set it, or run this in a terminal`,
    ]);
  }
  const shown = known === undefined || known === '' ? '' : ` [${isSecret ? 'the one that is there' : known}]`;
  for (;;) {
    const typed = await prompt.ask(`${text}${isSecret ? ' (nothing is shown)' : ''}${shown}: `, isSecret);
    const plain = isSecret ? cleanSecret(typed) : cleanAnswer(typed);
    if (plain !== '') return plain;
    if (known !== undefined) return known;
  }
}
