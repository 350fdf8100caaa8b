import { cleanText } from '../model/text.ts';

/** An invalid configuration or command line. Each problem is a sentence for its author. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Names of settings into which a key may have been pasted. */
const SECRET_NAME = /key|password|secret|token/i;

/** Addresses with credentials or a query, and bot tokens. */
const SECRET_VALUE = /\S@|:\/\/.*[?#]|\d{5,}:[\w-]{20,}/s;

const MAX_SHOWN_LENGTH = 60;

/** Reports whether messages must not show the value with this name. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Formats a value for a message: texts are quoted, cut and sanitized. A value that may be a secret, judging by its name or
 * content, becomes `[not shown]`.
 */
export function showValue(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return showKind(value);
  if (isSecretName(name)) return '[not shown]';
  return typeof value === 'string' ? showText(value) : String(value);
}

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
 * Finds the candidate with the smallest edit distance to a misspelt word; undefined if all need more than three edits, or more
 * than 40 % of the letters.
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

/** Returns the Levenshtein distance. */
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
