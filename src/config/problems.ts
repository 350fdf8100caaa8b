import { cleanText } from '../model/text.ts';

/** A configuration or a command line that can't be used; `problems` are sentences for the person who wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Names under which a key may have been pasted, even where the path of a file is expected. */
const SECRET_NAME = /key|password|secret|token/i;

/** Addresses with a login in front of the host, or with a query, which may hold a key. */
const SECRET_VALUE = /@|:\/\/.*[?#]/s;

const LONGEST_SHOWN = 60;

/** Whether what stands under this name must not be repeated in a message. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * What was got, for a message: texts quoted, cut and without characters that could disguise them; `[not shown]` where
 * the name of the setting or the value itself hints at a secret.
 */
export function showValue(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return showKind(value);
  if (isSecretName(name)) return '[not shown]';
  return typeof value === 'string' ? showText(value) : String(value);
}

/** What kind of thing was got, without the thing itself. */
export function showKind(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** A text in quotes, as {@link showValue} prints it. */
export function showText(text: string): string {
  if (text === '') return 'an empty text';
  if (SECRET_VALUE.test(text)) return '[not shown]';
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return `"${cleanText(cut)}"`;
}
