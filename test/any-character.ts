import fc from 'fast-check';

/**
 * Any code point, control characters and unpaired surrogates included, as the unit of `fc.string`: of each number of bytes in
 * UTF-8 equally often. For its own unit `binary`, fast-check fills a table of all code points first, which takes seconds.
 */
export const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0x80, max: 0x7ff }),
    fc.integer({ min: 0x800, max: 0xffff }),
    fc.integer({ min: 0x10000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
