/** Maximum length of a label text, in code points (metric contract). */
export const TEXT_LIMIT = 128;

/** Maximum length of a label text, in UTF-16 code units. */
export const MAX_NAME = 2 * TEXT_LIMIT;

const REPLACEMENT = '\uFFFD';

/**
 * Control (C0, DEL, C1), bidirectional and zero-width characters, which can disguise other text, for a character class. Not
 * the joiner (U+200D), since it joins emoji.
 */
export const INVISIBLE = String.raw`\p{Cc}\u061C\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF`;

const UNPRINTABLE = new RegExp(
  String.raw`[${INVISIBLE}]|(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|\u200D(?!\p{Extended_Pictographic})`,
  'gu',
);

/**
 * Makes text printable: NFC, U+FFFD for every invisible character and unpaired surrogate, at most `limit` code points.
 * Idempotent. The encoder escapes it.
 */
export function cleanText(text: string, limit = TEXT_LIMIT): string {
  // Long input is cut first, so that 1 MB costs next to nothing: NFC never shrinks text by more than this factor.
  const bounded = text.length > limit * 8 ? text.slice(0, limit * 8) : text;
  const clean = bounded.toWellFormed().normalize('NFC').replace(UNPRINTABLE, REPLACEMENT);
  if (clean.length <= limit) return clean;
  return [...clean]
    .slice(0, limit)
    .join('')
    .replace(/\u200D$/, '');
}

/** Returns a name in the form that the API uses for labels: NFC. macOS writes an umlaut as two characters. */
export function cleanName(name: string): string {
  return name.normalize('NFC');
}

/** Double quotes other than the straight one, as keyboards produce them. */
const CURLY = '“”„‟«»‹›〝〞〟「」『』＂';
const ANY_CURLY = new RegExp(`[${CURLY}]`, 'g');

/** Letters without a decomposition, and how people type them on other keyboards. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  'ıi đd ðd łl øo æae œoe ßss þth ħh ŧt'.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const WITHOUT_MARK = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g');

/**
 * Returns text for comparison: without accents, case, or kinds of quotes, dashes and spaces. `Đà Nẵng` is `da nang`.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // Most names need nothing more, and a page folds 10,000 of them.
  if (/^[ -~\n]*$/.test(lower)) return lower.replace(/ +/g, ' ').trim();
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(WITHOUT_MARK, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .replace(ANY_CURLY, '"')
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * A name in straight, curly or single quotes. A straight quote inside is doubled; single quotes need a separator after
 * them.
 */
const QUOTED = `(?:"((?:[^"]|"")*)"|[${CURLY}]([^${CURLY}]*)[${CURLY}]|[‘’‚‛']([^‘’‚‛']+)[‘’‚‛'](?=[\\s,]|$))`;

/**
 * Lists the names in a text. Quotes, including those of phone keyboards, keep together a name that contains a
 * separator: `rack-02, "Kyiv, rack 1"`. Doubled, they are one: `"the ""big"" rack"`.
 *
 * @param separators for a character class
 */
export function splitNames(text: string, separators = ','): readonly string[] {
  const part = new RegExp(`\\s*(?:${QUOTED}\\s*|([^${separators}]+))(?:[${separators}]|$)`, 'g');
  return Array.from(text.matchAll(part), (found) =>
    cleanName(withoutQuotes(found) ?? found[4]?.trim() ?? ''),
  ).filter((name) => name !== '');
}

/**
 * Splits text into the name at its start and the rest. The name is in quotes, or as many words as make a name, or one word.
 *
 * Example: `Kyiv, rack 1/slot 11 battery swollen` is a phone and a note.
 */
export function splitFirstName(
  text: string,
  isName: (words: string) => boolean,
): { readonly name: string; readonly rest: string } {
  const inQuotes = new RegExp(`^\\s*${QUOTED}[\\s,:]*`).exec(text);
  if (inQuotes !== null) {
    const name = cleanName(withoutQuotes(inQuotes) ?? '');
    return { name, rest: text.slice(inQuotes[0].length).trim() };
  }
  const words = text.trim().split(/\s+/);
  let count = words.length;
  while (count > 1 && !isName(words.slice(0, count).join(' '))) count -= 1;
  return { name: words.slice(0, count).join(' '), rest: words.slice(count).join(' ') };
}

/** Returns the name that {@link QUOTED} found; undefined if it found none. */
function withoutQuotes([, straight, curly, single]: readonly (string | undefined)[]): string | undefined {
  return straight?.replace(/""/g, '"') ?? curly ?? single;
}

/** Replaces quoted names with as many underscores, so that nothing inside them is parsed. */
export function maskQuoted(text: string): string {
  return text.replace(new RegExp(QUOTED, 'g'), (name) => '_'.repeat(name.length));
}

/** Returns the FNV-1a hash of a text as eight hexadecimal digits. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Parses JSON; undefined if it is invalid. Drops the error, which quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
