import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowAfterKey, windowOf } from '../../../../src/http/fleet/page/windowing.ts';

describe('the rows in the document', () => {
  it.each([
    ['at the top', 0, { first: 0, end: 32 }],
    ['in the middle', 5_000, { first: 88, end: 132 }],
    ['at the end', 499_000, { first: 9_968, end: 10_000 }],
    ['while the list is still below what is in sight', -2_000, { first: 0, end: 0 }],
    ['long after its end', 900_000, { first: 10_000, end: 10_000 }],
  ])('%s', (_, scrolled, expected) => {
    expect(windowOf(scrolled, 1_000, 50, 10_000)).toEqual(expected);
  });

  it('are all in sight, and never many more', () => {
    const pixels = fc.integer({ min: -10_000, max: 600_000 });
    fc.assert(
      fc.property(pixels, fc.integer({ min: 1, max: 4_000 }), fc.nat(100_000), (scrolled, height, count) => {
        const { first, end } = windowOf(scrolled, height, 50, count);
        const firstSeen = Math.max(0, Math.floor(scrolled / 50));
        const endSeen = Math.min(count, Math.ceil((scrolled + height) / 50));
        if (firstSeen < endSeen) expect(first <= firstSeen && end >= endSeen).toBe(true);
        expect(end - first).toBeLessThanOrEqual(height / 50 + 26);
        expect(0 <= first && first <= end && end <= count).toBe(true);
      }),
    );
  });
});

describe('a key', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 0, 0],
    ['PageDown', 5, 15],
    ['PageDown', 95, 99],
    ['PageUp', 5, 0],
    ['Home', 50, 0],
    ['End', 50, 99],
    ['a', 50, undefined],
    ['constructor', 50, undefined],
  ])('%s leads from row %d to %s', (key, row, expected) => {
    expect(rowAfterKey(key, row, 10, 100)).toBe(expected);
  });
});
