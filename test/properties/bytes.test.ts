import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BYTES_PER_NUMBER, mostBytesOf, writeTexts, writeThousandths } from '../../src/metrics/bytes.ts';

/** The number as text, or undefined where it is left to somebody else. */
function written(value: number): string | undefined {
  const room = Buffer.alloc(MAX_BYTES_PER_NUMBER);
  const end = writeThousandths(room, 0, value);
  return end === undefined ? undefined : room.toString('latin1', 0, end);
}

describe('a number written as bytes', () => {
  it('reads as JavaScript writes it, if it has at most three decimals and fifteen digits', () => {
    const thousandths = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 1e15 - 1 }), fc.nat(100_000));
    fc.assert(
      fc.property(thousandths, (number) => {
        expect(written(number / 1000)).toBe(String(number / 1000));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is left to others where it is any other one, or reads the same', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect([undefined, String(value)]).toContain(written(value));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    [0, '0'],
    [-0, '0'],
    [7, '7'],
    [0.001, '0.001'],
    [0.01, '0.01'],
    [0.1, '0.1'],
    [10, '10'],
    [99_999.9, '99999.9'],
    [999_999, '999999'],
    [1_000_000, '1000000'],
    [1_772_366_390.123, '1772366390.123'],
    [1_772_366_390, '1772366390'],
    [999_999_999_999.999, '999999999999.999'],
    [1e12, undefined],
    [0.0001, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('%d reads %s', (value, expected) => {
    expect(written(value)).toBe(expected);
  });
});

describe('texts written as bytes', () => {
  const text = fc.string({ unit: 'binary' });

  it('are UTF-8, one behind the other', () => {
    fc.assert(
      fc.property(text, fc.array(text), text, (start, middles, end) => {
        const bytes = middles.map((middle) =>
          Buffer.concat([start, middle, end].map((part) => Buffer.from(part))),
        );
        const texts = { start, middles, end };
        const room = Buffer.alloc(mostBytesOf(texts));
        const ends = writeTexts(room, texts);
        expect([...ends]).toEqual(bytes.map((_, index) => Buffer.concat(bytes.slice(0, index + 1)).length));
        expect(room.subarray(0, ends.at(-1) ?? 0)).toEqual(Buffer.concat(bytes));
      }),
    );
  });
});
