/*
 * Writing a text exposition as the bytes that it is sent as: to put lines together as strings, lay a batch of them out
 * flat and turn that into UTF-8 leaves four times their length behind as garbage. Whoever calls has made sure that
 * there is room.
 */

/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
export const MAX_BYTES_PER_CHARACTER = 3;

/** No number is longer: `-1.2345678901234567e-308`. */
export const MAX_BYTES_PER_NUMBER = 24;

const ZERO = 0x30;
const POINT = 0x2e;
const LAST_ASCII = 0x7f;

/** Texts that begin and end alike, and differ in between. */
export type AlikeTexts = {
  readonly start: string;
  readonly middles: readonly string[];
  readonly end: string;
};

/** The most bytes that texts can take. */
export function mostBytesOf({ start, middles, end }: AlikeTexts): number {
  const around = (start.length + end.length) * middles.length;
  return middles.reduce((sum, { length }) => sum + length, around) * MAX_BYTES_PER_CHARACTER;
}

/** Texts as UTF-8, from the start of the room; returns where each of them ends. */
export function writeTexts(
  room: Buffer,
  { start, middles, end: last }: AlikeTexts,
): Uint32Array<ArrayBuffer> {
  const ends = new Uint32Array(middles.length);
  let end = 0;
  for (let index = 0; index < middles.length; index += 1) {
    const middleAt = writeText(room, end, start);
    const lastAt = writeText(room, middleAt, middles[index] ?? '');
    end = writeText(room, lastAt, last);
    ends[index] = end;
  }
  return ends;
}

/** Text as UTF-8. */
function writeText(room: Buffer, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > LAST_ASCII) return at + room.write(text, at);
    room[at + index] = code;
  }
  return at + text.length;
}

/** Below this a number of thousandths has at most 15 digits, and no other number is written with them. */
const MOST_THOUSANDTHS = 1e15;

/**
 * A number of at least 0 as JavaScript writes it, if it has no more than three decimals, as every number of seconds has
 * that was made of milliseconds; undefined where it is another one.
 */
export function writeThousandths(room: Uint8Array, at: number, value: number): number | undefined {
  const thousandths = Math.round(value * 1000);
  // Also false for what is not a number. A double has at least 15 digits, so that what reads the same is the same.
  if (!(value >= 0 && thousandths < MOST_THOUSANDTHS && thousandths / 1000 === value)) return undefined;
  const whole = Math.floor(thousandths / 1000);
  const decimals = thousandths - whole * 1000;
  const end = writeWhole(room, at, whole);
  if (decimals === 0) return end;
  room[end] = POINT;
  writePadded(room, end + 1, decimals, 3);
  return end + 1 + (decimals % 100 === 0 ? 1 : decimals % 10 === 0 ? 2 : 3);
}

/** Digits that are written at once, as a number of 31 bits, with which V8 reckons fastest. */
const BLOCK_DIGITS = 6;
const BLOCK = 10 ** BLOCK_DIGITS;

function writeWhole(room: Uint8Array, at: number, whole: number): number {
  if (whole < BLOCK) {
    const digits = digitsOf(whole);
    writePadded(room, at, whole, digits);
    return at + digits;
  }
  const high = Math.floor(whole / BLOCK);
  const end = writeWhole(room, at, high);
  writePadded(room, end, whole - high * BLOCK, BLOCK_DIGITS);
  return end + BLOCK_DIGITS;
}

function digitsOf(number: number): number {
  let digits = 1;
  for (let rest = number; rest >= 10; rest /= 10) digits += 1;
  return digits;
}

/** So many digits, with zeros ahead if need be. */
function writePadded(room: Uint8Array, at: number, number: number, digits: number): void {
  let rest = number | 0;
  for (let index = at + digits - 1; index >= at; index -= 1) {
    const shorter = (rest / 10) | 0;
    room[index] = ZERO + rest - shorter * 10;
    rest = shorter;
  }
}
