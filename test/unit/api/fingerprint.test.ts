import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/api/wire/fingerprint.ts';

const PADDING = 3;

/** Of Latin-1 text that does not begin where a word does. */
function fingerprint(text: string, [holeFrom, holeTo] = [text.length, text.length]): number {
  const bytes = Buffer.from(' '.repeat(PADDING) + text, 'latin1');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return fingerprintOf(view, {
    from: PADDING,
    to: bytes.length,
    holeFrom: PADDING + holeFrom,
    holeTo: PADDING + holeTo,
  });
}

const TEXT = '{"deviceId":"65f0c0ffee65f0c0ffee0001","label":"Küche"}';

describe('a fingerprint', () => {
  it('is a whole number that is the same for the same bytes', () => {
    expect(fingerprint(TEXT)).toBe(fingerprint(TEXT));
    expect(Number.isSafeInteger(fingerprint(TEXT))).toBe(true);
  });

  it('is another one if any bit of any byte is, or two bytes change their places', () => {
    const bytes = [...Buffer.from(TEXT, 'latin1')];
    const flipped = bytes.flatMap((byte, index) =>
      Array.from({ length: 8 }, (_, bit) => bytes.with(index, byte ^ (1 << bit))),
    );
    const swapped = bytes
      .slice(1)
      .map((next, index) => bytes.with(index, next).with(index + 1, bytes[index] ?? 0));
    const others = [bytes, ...flipped, ...swapped];
    const texts = new Set(others.map((other) => Buffer.from(other).toString('latin1')));
    expect(new Set([...texts].map((text) => fingerprint(text))).size).toBe(texts.size);
  });

  it('does not see what is in the hole, wherever that is', () => {
    for (let from = 0; from <= TEXT.length - 5; from += 1) {
      const other = `${TEXT.slice(0, from)}hello${TEXT.slice(from + 5)}`;
      expect(fingerprint(other, [from, from + 5])).toBe(fingerprint(TEXT, [from, from + 5]));
    }
  });

  it('sees what is beside the hole', () => {
    const other = TEXT.replace('label', 'lable');
    expect(fingerprint(other, [0, 10])).not.toBe(fingerprint(TEXT, [0, 10]));
  });

  it('is another one for a hundred thousand ids that differ in little', () => {
    const prints = Array.from({ length: 100_000 }, (_, index) => fingerprint(`{"deviceId":"${index}"}`));
    expect(new Set(prints).size).toBe(prints.length);
  });
});
