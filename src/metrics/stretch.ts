import { constants, crc32, deflateRawSync } from 'node:zlib';
import { MAX_BYTES_PER_CHARACTER } from './bytes.ts';
import { combineChecksums } from './checksum.ts';

/**
 * Text, compressed so that it can be laid end to end with other stretches: raw deflate blocks that end on a byte
 * boundary and refer to nothing before them.
 */
export type Stretch = {
  readonly deflated: Buffer;
  /** CRC-32 (RFC 1952) of the text. */
  readonly checksum: number;
  readonly textBytes: number;
};

/** Compresses texts that are laid end to end, or the bytes of one. */
export type Compressor = {
  readonly texts: (texts: readonly string[]) => Stretch;
  readonly bytes: (bytes: Uint8Array) => Stretch;
};

/** A compressor with a buffer of its own for the bytes of the texts, since one made anew each time is garbage. */
export function createCompressor(): Compressor {
  let room = Buffer.alloc(0);
  const texts = (texts: readonly string[]): Stretch => {
    const characters = texts.reduce((length, text) => length + text.length, 0);
    if (room.length < characters * MAX_BYTES_PER_CHARACTER) {
      room = Buffer.allocUnsafe(characters * MAX_BYTES_PER_CHARACTER);
    }
    let end = 0;
    for (const text of texts) end += room.write(text, end);
    return deflate(room.subarray(0, end));
  };
  return { texts, bytes: deflate };
}

/** What zlib allocates for its output at a time: most batches fit, and none keeps much more than it needs. */
const CHUNK_BYTES = 4 * 1024;

/** Level 1 costs 40 % of the default level's time for 4 % more bytes. */
function deflate(bytes: Uint8Array): Stretch {
  const deflated = deflateRawSync(bytes, {
    level: 1,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: CHUNK_BYTES,
  });
  return { deflated, checksum: crc32(bytes), textBytes: bytes.length };
}

/** Characters or bytes of a text from which on it pays to compress it: what there is once for an account has fewer. */
export const COMPRESSED_FROM = 1024;

/** Most bytes in a stored block: RFC 1951, 3.2.4. */
const STORED_BYTES = 0xffff;

/** The same without compressing, for what is short or sent only once: setting zlib up takes longer than sending some kilobytes. */
export function store(content: string | Uint8Array): Stretch {
  const bytes = Buffer.from(content);
  const blocks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += STORED_BYTES) {
    const block = bytes.subarray(start, start + STORED_BYTES);
    const heading = Buffer.alloc(5);
    heading.writeUInt16LE(block.length, 1);
    heading.writeUInt16LE(STORED_BYTES - block.length, 3);
    blocks.push(heading, block);
  }
  return { deflated: Buffer.concat(blocks), checksum: crc32(bytes), textBytes: bytes.length };
}

/** Chunks up to this many bytes are copied rather than sent each by itself. */
const SMALL_BYTES = 64 * 1024;

/** Stretches that are laid end to end, and what is known of them as a whole. */
export type Run = {
  readonly chunks: readonly Buffer[];
  readonly deflatedBytes: number;
  readonly checksum: number;
  readonly textBytes: number;
};

export const EMPTY_RUN: Run = { chunks: [], deflatedBytes: 0, checksum: 0, textBytes: 0 };

/** A run with more stretches at its end. Costs nothing for what is in it, and touches no byte. */
export function extend(run: Run, stretches: readonly Stretch[]): Run {
  let { deflatedBytes, checksum, textBytes } = run;
  for (const stretch of stretches) {
    deflatedBytes += stretch.deflated.length;
    checksum = combineChecksums(checksum, stretch.checksum, stretch.textBytes);
    textBytes += stretch.textBytes;
  }
  const chunks = [...run.chunks, ...stretches.map(({ deflated }) => deflated)];
  return { chunks, deflatedBytes, checksum, textBytes };
}

/**
 * A run of fewer chunks, since each that is sent costs some microseconds: those up to {@link SMALL_BYTES} are laid
 * together.
 */
export function compact(run: Run): Run {
  return { ...run, chunks: laidTogether(run.chunks) };
}

/** Stretches as one, in a buffer of its own. */
export function joined(stretches: readonly Stretch[]): Stretch {
  const { chunks, deflatedBytes, checksum, textBytes } = extend(EMPTY_RUN, stretches);
  return { deflated: Buffer.concat(chunks, deflatedBytes), checksum, textBytes };
}

/** RFC 1952, 2.3: the two magic bytes, deflate, no flags, no time, no extra flags, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty, final block with fixed codes (RFC 1951, 3.2.3): it ends blocks that were flushed but not finished. */
const FINAL_BLOCK = Buffer.from([3, 0]);

/** A body to be sent as it is: its chunks in order, and their length in bytes. */
export type Body = {
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly textLength: number;
};

/** A run as one gzip member, since curl refuses a body of several. */
export function gzipBody({ chunks, deflatedBytes, checksum, textBytes }: Run): Body {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(textBytes % 2 ** 32, 4);
  return {
    chunks: laidTogether([GZIP_HEADER, ...chunks, FINAL_BLOCK, trailer]),
    length: GZIP_HEADER.length + deflatedBytes + FINAL_BLOCK.length + trailer.length,
    textLength: textBytes,
  };
}

function laidTogether(buffers: readonly Buffer[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let small: Buffer[] = [];
  for (const buffer of buffers) {
    if (buffer.length <= SMALL_BYTES) {
      small.push(buffer);
      continue;
    }
    chunks.push(Buffer.concat(small), buffer);
    small = [];
  }
  chunks.push(Buffer.concat(small));
  return chunks.filter(({ length }) => length > 0);
}
