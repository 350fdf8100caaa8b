import { isAscii, isUtf8 } from 'node:buffer';
import type { FailureReason } from '../model/failure.ts';

/** A body as JSON, or why it is none. */
export type Decoded =
  | { readonly value: unknown; readonly fault: undefined }
  | { readonly value: undefined; readonly fault: FailureReason };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/**
 * A body of this many bytes, several times a page of a hundred phones, is looked at before it is parsed: a few million
 * lists within each other would hold up the event loop for a second.
 */
export const LARGEST_UNSEEN_BYTES = 256 * 1024;

/** Objects and lists within each other. The API document shows four. */
const DEEPEST = 64;

/** Decodes JSON in UTF-8, a byte order mark allowed. Faults: `truncated`, `encoding`, `schema`, else `envelope`. */
export function decodeJson(body: Uint8Array): Decoded {
  const bytes = withoutByteOrderMark(body);
  if (bytes.length > LARGEST_UNSEEN_BYTES && endOf(bytes, DEEPEST).depth > DEEPEST)
    return { value: undefined, fault: 'schema' };
  if (!isUtf8(bytes)) return { value: undefined, fault: isCutOff(bytes) ? 'truncated' : 'encoding' };
  try {
    return { value: JSON.parse(textOf(bytes)), fault: undefined };
  } catch {
    // The error is dropped, since it quotes the body, and its words differ between versions of Node.
    return { value: undefined, fault: isCutOff(bytes) ? 'truncated' : 'envelope' };
  }
}

/** The text of bytes that are UTF-8. Most answers are plain ASCII, which is taken as it is at a fraction of the time. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Whether a body is a page for a browser: its first character is `<`. */
export function isMarkup(body: Uint8Array): boolean {
  return firstCharacter(withoutByteOrderMark(body)) === 0x3c;
}

function withoutByteOrderMark(body: Uint8Array): Uint8Array {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

function firstCharacter(bytes: Uint8Array): number {
  return bytes.find((byte) => byte > 0x20) ?? 0;
}

/** Whether these bytes begin a JSON object or list that lacks its end, be it within a character. */
function isCutOff(bytes: Uint8Array): boolean {
  if (!OPENING.includes(firstCharacter(bytes)) || !isUtf8(withoutPartialCharacter(bytes))) return false;
  const { depth, inString } = endOf(bytes, Number.POSITIVE_INFINITY);
  return inString || depth > 0;
}

/** Where in the structure of a JSON text its bytes end, or go deeper than so many levels. */
function endOf(bytes: Uint8Array, deepest: number): Walked {
  return walk(bytes, 0, (depth) => depth > deepest);
}

/** Where the object that begins at `from` has its end, the place behind its last brace; undefined where it has none. */
export function endOfObject(bytes: Uint8Array, from: number): number | undefined {
  const { at, depth } = walk(bytes, from, (levels) => levels === 0);
  return depth === 0 && at > from ? at : undefined;
}

/** How far a walk over JSON came, and where in its structure that is. */
type Walked = { readonly at: number; readonly depth: number; readonly inString: boolean };

/** Walks until a brace or bracket leads to a depth that is the end, or to the end of the bytes. */
function walk(bytes: Uint8Array, from: number, isEnd: (depth: number) => boolean): Walked {
  let depth = 0;
  let inString = false;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(byte) || CLOSING.includes(byte)) {
      depth += OPENING.includes(byte) ? 1 : -1;
      if (isEnd(depth)) return { at: at + 1, depth, inString };
    }
  }
  return { at: bytes.length, depth, inString };
}

/** Without the first bytes of a character at the very end. */
function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  const lead = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return (bytes[lead] ?? 0) >= 0xc0 ? bytes.subarray(0, lead) : bytes;
}
