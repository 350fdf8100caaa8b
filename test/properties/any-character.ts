import fc from 'fast-check';

/**
 * Any code point, control characters and unpaired surrogates included, as the unit of `fc.string`. For its own unit `binary`,
 * fast-check fills a table of all code points first, which takes seconds.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((codePoint) => String.fromCodePoint(codePoint));
