import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Snapshot } from '../model/snapshot.ts';
import { createEncoder, encodeHeading } from './encode.ts';
import type { Family } from './families.ts';

/** Text as the beginning of a gzip member (RFC 1952). More text can be appended; {@link gzipBody} adds the end. */
export type Page = {
  readonly chunks: readonly Buffer[];
  /** CRC-32 of the text. */
  readonly checksum: number;
  /** Length of the text, in bytes. */
  readonly textLength: number;
  /** Number of samples in the text. */
  readonly series: number;
};

/** A gzip body: its chunks in order, their length in bytes, and the length of the text. */
export type GzipBody = {
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly textLength: number;
};

/** RFC 1952, 2.3: the two magic bytes, deflate, no flags, no time, no extra flags, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

export const EMPTY_PAGE: Page = { chunks: [HEADER], checksum: 0, textLength: 0, series: 0 };

/** Characters of text that are compressed at a time: about a millisecond of work, with making them. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Level 1 costs 40 % of the default level's time for 4 % more bytes. Lines repeat within 8 KiB, and a window of that size is
 * set up faster than a larger one. A full flush ends the blocks on a byte boundary, and nothing behind them refers to what
 * was before (RFC 1951, 3.2.4).
 */
const DEFLATE = { level: 1, windowBits: 13, finishFlush: constants.Z_FULL_FLUSH };

/** Size up to which chunks are merged, in bytes: each write to a socket costs some microseconds. */
const MERGED_BYTES = 64 * 1024;

/** Returns the page with a text of so many samples behind it. */
export function append(page: Page, text: string, series = 0): Page {
  if (text === '') return page;
  const bytes = Buffer.from(text);
  const deflated = deflateRawSync(bytes, DEFLATE);
  const last = page.chunks.at(-1);
  const isMerged = last !== undefined && last.length + deflated.length <= MERGED_BYTES;
  return {
    // Copied into a buffer of just its size: zlib's own is larger than what is in it.
    chunks: isMerged
      ? [...page.chunks.slice(0, -1), Buffer.concat([last, deflated])]
      : [...page.chunks, Buffer.from(deflated)],
    checksum: crc32(bytes, page.checksum),
    textLength: page.textLength + bytes.length,
    series: page.series + series,
  };
}

/**
 * Renders the page of a snapshot: each family with its samples of all accounts.
 *
 * @param pause gives the event loop a turn, and resolves with true to end without a page
 */
export async function renderPage(
  families: readonly Family[],
  { accounts }: Snapshot,
  pause: () => Promise<boolean>,
): Promise<Page | undefined> {
  let page = EMPTY_PAGE;
  let [text, series] = ['', 0];
  for (const family of families) {
    const encode = createEncoder(family.name, family.ownLabels);
    text += encodeHeading(family.name, family.help, family.type);
    for (const account of accounts) {
      for (const { identity, samples } of family.samples(account)) {
        text += encode(identity, samples);
        series += samples.length;
        if (text.length < CHUNK_CHARACTERS) continue;
        page = append(page, text, series);
        [text, series] = ['', 0];
        if (await pause()) return undefined;
      }
    }
  }
  return append(page, text, series);
}

/** An empty, final block with fixed codes (RFC 1951, 3.2.3): it ends blocks that were flushed but not finished. */
const FINAL_BLOCK = Buffer.from([3, 0]);

/** Returns a page as one gzip member, since curl refuses a body of several. */
export function gzipBody({ chunks, checksum, textLength }: Page): GzipBody {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(textLength % 2 ** 32, 4);
  const all = [...chunks, Buffer.concat([FINAL_BLOCK, trailer])];
  return { chunks: all, length: all.reduce((sum, chunk) => sum + chunk.length, 0), textLength };
}
