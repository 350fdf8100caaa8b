import { constants, crc32, createDeflateRaw } from 'node:zlib';
import type { AccountSnapshot, Snapshot } from '../model/snapshot.ts';
import { createEncoder, encodeHeading } from './encode.ts';
import type { Family } from './families.ts';

/**
 * Text, compressed so that it can be laid end to end with other segments: raw deflate blocks that end on a byte boundary
 * and refer to nothing before them.
 */
export type Segment = {
  readonly deflated: Buffer;
  /** CRC-32 (RFC 1952) of the text. */
  readonly checksum: number;
  readonly textBytes: number;
  /** Number of samples in the text. */
  readonly series: number;
};

/** An exposition, compressed and immutable: its segments laid end to end. */
export type Page = {
  readonly chunks: readonly Buffer[];
  readonly deflatedBytes: number;
  readonly checksum: number;
  readonly textBytes: number;
  readonly series: number;
};

/** A gzip body: its chunks in order, their length in bytes, and the length of the text. */
export type GzipBody = {
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly textLength: number;
};

/** Characters of text that are encoded and compressed at a time; encoding them takes less than a millisecond. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Compresses segments, one after the other, on the thread pool. */
export type Compressor = {
  /** Adds text to the present segment; resolves when it is compressed. */
  readonly add: (text: string) => Promise<void>;
  /** Ends the present segment. */
  readonly end: (series: number) => Segment;
};

/** Creates a compressor. It keeps one deflate stream, since setting one up costs more than compressing a chunk. */
export function createCompressor(): Compressor {
  // Level 1 costs 40 % of the default level's time for 4 % more bytes. A full flush ends each chunk on a byte boundary,
  // and nothing behind it refers to what was before (RFC 1951, 3.2.4).
  const stream = createDeflateRaw({ level: 1, flush: constants.Z_FULL_FLUSH });
  let parts: Buffer[] = [];
  let checksum = 0;
  let textBytes = 0;
  stream.on('data', (part: Buffer) => parts.push(part));
  return {
    add: (text) => {
      const bytes = Buffer.from(text);
      checksum = crc32(bytes, checksum);
      textBytes += bytes.length;
      return new Promise((resolve) => stream.write(bytes, () => resolve()));
    },
    end: (series) => {
      // Copied into a buffer of just its size: zlib's own are larger than what is in them.
      const segment = { deflated: Buffer.concat(parts), checksum, textBytes, series };
      parts = [];
      checksum = 0;
      textBytes = 0;
      return segment;
    },
  };
}

/** Compresses a text as one segment. */
export async function toSegment(text: string, compressor: Compressor, series = 0): Promise<Segment> {
  if (text !== '') await compressor.add(text);
  return compressor.end(series);
}

/**
 * Creates a renderer of pages of these families. The segment of a family and an account is kept as long as it is read from
 * the same object, and rendered anew when that is another one.
 */
export function createRenderer(families: readonly Family[]): (snapshot: Snapshot) => Promise<Page> {
  type Kept = { readonly source: object; readonly segment: Segment };
  const compressor = createCompressor();
  const headings = new Map<Family, Segment>();
  const samples = new Map(families.map((family) => [family, new Map<string, Kept>()]));

  const renderHeading = async (family: Family): Promise<Segment> => {
    const { name, help, type } = family;
    const segment = headings.get(family) ?? (await toSegment(encodeHeading(name, help, type), compressor));
    headings.set(family, segment);
    return segment;
  };

  return async ({ accounts }) => {
    const segments: Segment[] = [];
    for (const [family, before] of samples) {
      const kept = new Map<string, Kept>();
      segments.push(await renderHeading(family));
      for (const account of accounts) {
        const source = family.source(account);
        if (source === undefined) continue;
        const known = before.get(account.name);
        const segment =
          known?.source === source ? known.segment : await renderSamples(family, account, compressor);
        kept.set(account.name, { source, segment });
        segments.push(segment);
      }
      samples.set(family, kept);
    }
    return layEndToEnd(segments);
  };
}

/** Renders the samples of one account, chunk by chunk; the event loop has its turn while a chunk is compressed. */
async function renderSamples(
  family: Family,
  account: AccountSnapshot,
  compressor: Compressor,
): Promise<Segment> {
  const encode = createEncoder(family.name, family.ownLabels);
  let series = 0;
  let text = '';
  for (const { identity, samples } of family.samples(account)) {
    text += encode(identity, samples);
    series += samples.length;
    if (text.length < CHUNK_CHARACTERS) continue;
    await compressor.add(text);
    text = '';
  }
  return toSegment(text, compressor, series);
}

/** Lays segments end to end. Their bytes are not touched. */
export function layEndToEnd(segments: readonly (Segment | Page)[]): Page {
  const chunks: Buffer[] = [];
  let [deflatedBytes, checksum, textBytes, series] = [0, 0, 0, 0];
  for (const segment of segments) {
    const own = 'chunks' in segment ? segment.chunks : [segment.deflated];
    chunks.push(...own);
    deflatedBytes += own.reduce((sum, { length }) => sum + length, 0);
    checksum = combineChecksums(checksum, segment.checksum, segment.textBytes);
    textBytes += segment.textBytes;
    series += segment.series;
  }
  return { chunks: mergeSmall(chunks), deflatedBytes, checksum, textBytes, series };
}

/** RFC 1952, 2.3: the two magic bytes, deflate, no flags, no time, no extra flags, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty, final block with fixed codes (RFC 1951, 3.2.3): it ends blocks that were flushed but not finished. */
const FINAL_BLOCK = Buffer.from([3, 0]);

/** Returns a page as one gzip member, since curl refuses a body of several. */
export function gzipBody({ chunks, deflatedBytes, checksum, textBytes }: Page): GzipBody {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(textBytes % 2 ** 32, 4);
  return {
    chunks: mergeSmall([GZIP_HEADER, ...chunks, FINAL_BLOCK, trailer]),
    length: GZIP_HEADER.length + deflatedBytes + FINAL_BLOCK.length + trailer.length,
    textLength: textBytes,
  };
}

/** Maximum size of a chunk that is copied rather than sent by itself, since each write costs some microseconds. */
const SMALL_BYTES = 64 * 1024;

/** Concatenates neighbouring small buffers. */
function mergeSmall(buffers: readonly Buffer[]): readonly Buffer[] {
  const merged: Buffer[] = [];
  let small: Buffer[] = [];
  const endSmall = (): void => {
    const [first] = small;
    if (first !== undefined) merged.push(small.length === 1 ? first : Buffer.concat(small));
    small = [];
  };
  for (const buffer of buffers) {
    if (buffer.length <= SMALL_BYTES) small.push(buffer);
    else {
      endSmall();
      merged.push(buffer);
    }
  }
  endSmall();
  return merged;
}

/** The polynomial of CRC-32 (RFC 1952, section 8), the coefficient of x^0 in the highest bit. */
const POLYNOMIAL = 0xedb88320;

/** x^8, for one byte behind a text, in that order of bits. */
const ONE_BYTE = 0x00800000;

/** Powers of x for 1, 2, 4 … bytes behind a text, up to 2^53. */
const POWERS: readonly number[] = powersOfX();

function powersOfX(): readonly number[] {
  const powers = [ONE_BYTE];
  for (let power = ONE_BYTE; powers.length < 53; powers.push(power))
    power = multiplyPolynomials(power, power);
  return powers;
}

/**
 * Returns the CRC-32 of two texts laid end to end, from that of each and the length of the second in bytes. A checksum is
 * the remainder of a polynomial: the first one is multiplied by x for each bit behind it, and the second one added (zlib
 * calls this crc32_combine, and Node does not offer it).
 */
function combineChecksums(first: number, second: number, secondBytes: number): number {
  let shifted = first;
  for (let rest = secondBytes, bit = 0; rest > 0; rest = Math.floor(rest / 2), bit += 1) {
    if (rest % 2 === 1) shifted = multiplyPolynomials(shifted, POWERS[bit] ?? 0);
  }
  return (shifted ^ second) >>> 0;
}

/** Returns the product of two polynomials over GF(2), modulo {@link POLYNOMIAL}. */
function multiplyPolynomials(left: number, right: number): number {
  let product = 0;
  let factor = right;
  for (let shift = 31; shift >= 0; shift -= 1) {
    if ((left >>> shift) & 1) product ^= factor;
    factor = (factor >>> 1) ^ (factor & 1 ? POLYNOMIAL : 0);
  }
  return product >>> 0;
}
