import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { combineChecksums } from '../../../src/metrics/checksum.ts';

describe('the checksum of two texts laid end to end', () => {
  it.each([
    ['', ''],
    ['a', ''],
    ['', 'b'],
    ['hoster_up', '{account="main"} 1\n'],
    ['x', 'y'.repeat(65_537)],
    ['z'.repeat(100_000), '\u0000'.repeat(4_097)],
  ])('follows from those of both and the length of the second (%#)', (first, second) => {
    expect(combineChecksums(crc32(first), crc32(second), second.length)).toBe(crc32(first + second));
  });

  it('is right beyond 4 GiB, where a length no longer fits 32 bits', () => {
    const gibibyte = (checksum: number) => combineChecksums(checksum, 0, 2 ** 30);
    expect(combineChecksums(1, 0, 5 * 2 ** 30)).toBe([1, 2, 3, 4, 5].reduce(gibibyte, 1));
  });
});
