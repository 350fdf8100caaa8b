/** Maximum length of a label text, in code points (metric contract). */
export const TEXT_LIMIT = 128;

/** Maximum length of a label text, in UTF-16 code units. */
export const MAX_NAME = 2 * TEXT_LIMIT;

const REPLACEMENT = '\uFFFD';

/**
 * Control (C0, DEL, C1), bidirectional and zero-width characters, which can disguise other text, for a character class. The
 * joiner (U+200D) is not included, since it joins two emoji.
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
  // Long input is cut first, so that 1 MB costs nothing: NFC never shrinks text by more than this factor.
  const bounded = text.length > limit * 8 ? text.slice(0, limit * 8) : text;
  const clean = bounded.toWellFormed().normalize('NFC').replace(UNPRINTABLE, REPLACEMENT);
  if (clean.length <= limit) return clean;
  return [...clean]
    .slice(0, limit)
    .join('')
    .replace(/\u200D$/, '');
}

/** Returns a name as a label of the API has it: NFC. macOS writes an umlaut as two characters. */
export function cleanName(name: string): string {
  return name.normalize('NFC');
}

/**
 * Lists the names in a text. Quotes, also those of phone keyboards, keep a name that contains a separator:
 * `rack-02, "Kyiv, rack 1"`. Two of them are one: `"the ""big"" rack"`.
 *
 * @param separators for a character class
 */
export function splitNames(text: string, separators = ','): readonly string[] {
  const quoted = '(?:"((?:[^"]|"")*)"|[“”„«]([^“”„«»]*)[“”»])\\s*';
  const part = new RegExp(`\\s*(?:${quoted}|([^${separators}]+))(?:[${separators}]|$)`, 'g');
  return Array.from(text.matchAll(part), ([, inQuotes, inCurlyQuotes, plain = '']) =>
    cleanName(inQuotes?.replace(/""/g, '"') ?? inCurlyQuotes ?? plain.trim()),
  ).filter((name) => name !== '');
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
