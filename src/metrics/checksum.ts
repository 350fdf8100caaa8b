/** The polynomial of CRC-32 (RFC 1952, section 8), the coefficient of x^0 in the highest bit. */
const POLYNOMIAL = 0xedb88320;

/** x^0 in that order of bits. */
const ONE = 0x80000000;

/** x^(8 · 2^index) modulo the polynomial: what 2^index bytes of zeros behind a text do to its checksum. */
const POWERS = powersOfAByte();

/**
 * The CRC-32 of two texts laid end to end, from that of each and the length of the second in bytes. A checksum is the
 * remainder of a polynomial, so the first one is multiplied by x to the number of bits that come behind it, and the
 * second one added (zlib calls this crc32_combine, and Node does not offer it).
 */
export function combineChecksums(first: number, second: number, secondLength: number): number {
  let shifted = first;
  for (let rest = secondLength, index = 0; rest > 0; rest = Math.floor(rest / 2), index += 1) {
    if (rest % 2 === 1) shifted = multiply(shifted, POWERS[index] ?? ONE);
  }
  return (shifted ^ second) >>> 0;
}

/**
 * The product of two polynomials over GF(2), modulo {@link POLYNOMIAL}. Masks stand in for branches, since a processor
 * guesses every other one wrong: the bits are as good as random.
 */
function multiply(left: number, right: number): number {
  let product = 0;
  let factor = right;
  for (let shift = 31; shift >= 0; shift -= 1) {
    product ^= factor & -((left >>> shift) & 1);
    factor = (factor >>> 1) ^ (POLYNOMIAL & -(factor & 1));
  }
  return product >>> 0;
}

/** For texts of up to 2^53 bytes. */
function powersOfAByte(): readonly number[] {
  const powers = [ONE >>> 8];
  for (let index = 1; index < 53; index += 1) {
    const power = powers[index - 1] ?? ONE;
    powers.push(multiply(power, power));
  }
  return powers;
}
