import { isUtf8 } from 'node:buffer';
import type { FailureReason } from '../model/failure.ts';

/** A body as JSON, or why it is none. */
export type Decoded =
  | { readonly value: unknown; readonly fault: undefined }
  | { readonly value: undefined; readonly fault: FailureReason };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x7b, 0x5b];
const CLOSING = [0x7d, 0x5d];

/** Decodes JSON in UTF-8, a byte order mark allowed. Faults: `truncated`, `encoding`, else `envelope`. */
export function decodeJson(body: Uint8Array): Decoded {
  const bytes = withoutByteOrderMark(body);
  if (!isUtf8(bytes)) return { value: undefined, fault: isCutOff(bytes) ? 'truncated' : 'encoding' };
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return { value: JSON.parse(text), fault: undefined };
  } catch {
    // The error is dropped, since it quotes the body, and its words differ between versions of Node.
    return { value: undefined, fault: isCutOff(bytes) ? 'truncated' : 'envelope' };
  }
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
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(byte)) depth += 1;
    else if (CLOSING.includes(byte)) depth -= 1;
  }
  return inString || depth > 0;
}

/** Without the first bytes of a character at the very end. */
function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  const lead = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return (bytes[lead] ?? 0) >= 0xc0 ? bytes.subarray(0, lead) : bytes;
}
