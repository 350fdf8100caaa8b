/** Maximum length of a label text, in code points (metric contract). */
export const TEXT_LIMIT = 128;

const REPLACEMENT = '\uFFFD';

/**
 * Control (C0, DEL, C1), bidirectional and zero-width characters, which can disguise other text, as a part of a class of a
 * regular expression. A joiner (U+200D) between two emoji makes one of both, and is not in it.
 */
export const INVISIBLE = String.raw`\p{Cc}\u061C\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF`;

const UNPRINTABLE = new RegExp(
  String.raw`[${INVISIBLE}]|(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|\u200D(?!\p{Extended_Pictographic})`,
  'gu',
);

/**
 * Makes text printable: NFC, U+FFFD for every invisible character and unpaired surrogate, at most `limit` code
 * points. Idempotent. Escaping is left to the encoder.
 */
export function cleanText(text: string, limit = TEXT_LIMIT): string {
  // Long input is cut first (NFC of a code unit cannot need more than TEXT_LIMIT * 4), so that 1 MB costs nothing.
  const bounded = text.length > limit * 8 ? text.slice(0, limit * 8) : text;
  const clean = bounded.toWellFormed().normalize('NFC').replace(UNPRINTABLE, REPLACEMENT);
  if (clean.length <= limit) return clean;
  return [...clean]
    .slice(0, limit)
    .join('')
    .replace(/\u200D$/, '');
}

/** Returns eight hexadecimal digits that stand for a text: its FNV-1a hash. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Returns the value of a JSON text; undefined if it is none. The error is dropped, since it quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
