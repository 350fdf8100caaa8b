import { cleanText } from '../model/text.ts';

/** A configuration or command line that can't be used. Each problem is a sentence for the person who wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Names under which a key may have been pasted, even where a path is expected. */
const SECRET_NAME = /key|password|secret|token/i;

/** Addresses with credentials, or with a query, which may hold a key; the token of a bot. */
const SECRET_VALUE = /@|:\/\/.*[?#]|\d{5,}:[\w-]{20,}/s;

const MAX_SHOWN_LENGTH = 60;

/** Returns true if the value under this name must not be repeated in a message. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Formats a value for a message: texts quoted, cut, and without characters that could disguise them. A value that may be
 * a secret, by its name or content, becomes `[not shown]`.
 */
export function showValue(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return showKind(value);
  if (isSecretName(name)) return '[not shown]';
  return typeof value === 'string' ? showText(value) : String(value);
}

/** Names the kind of a value, without the value. */
export function showKind(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** Quotes a text as {@link showValue} does. */
export function showText(text: string): string {
  if (text === '') return 'an empty text';
  if (SECRET_VALUE.test(text)) return '[not shown]';
  const cut = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
  return `"${cleanText(cut)}"`;
}

/**
 * Finds the candidate with the smallest edit distance to a misspelt word. Undefined if all need more than three edits,
 * or more than two for each five letters.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(3, Math.max(1, Math.floor(word.length * 0.4))) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Levenshtein's distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      const removed = (above[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    above = current;
  }
  return above.at(-1) ?? from.length;
}
