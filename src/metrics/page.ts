import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { Snapshot } from '../model/snapshot.ts';
import { createEncoder, encodeHeading } from './encode.ts';
import type { Family } from './families.ts';

/** Text as an unfinished gzip member (RFC 1952). More text can be appended; {@link gzipBody} finishes it. */
export type Page = {
  readonly chunks: readonly Buffer[];
  /** CRC-32 of the text. */
  readonly checksum: number;
  readonly textLength: number;
  /** Number of samples in the text. */
  readonly series: number;
};

/** A gzip body, its length and the length of its text, in bytes. */
export type GzipBody = {
  readonly chunks: readonly Buffer[];
  readonly length: number;
  readonly textLength: number;
};

/** RFC 1952, 2.3: the two magic bytes, deflate, no flags, no time, no extra flags, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

export const EMPTY_PAGE: Page = { chunks: [HEADER], checksum: 0, textLength: 0, series: 0 };

/** Number of characters to compress at a time: about a millisecond of work, with rendering. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Level 1 takes 40 % of the default level's time for 4 % more bytes. Lines repeat within 8 KiB, and a small window is faster
 * to set up. A full flush ends the blocks on a byte boundary, and later blocks do not refer to them (RFC 1951, 3.2.4).
 */
const DEFLATE = { level: 1, windowBits: 13, finishFlush: constants.Z_FULL_FLUSH };

/** Maximum size of merged chunks, in bytes: each write to a socket costs microseconds. */
const MERGED_BYTES = 64 * 1024;

export function append(page: Page, text: string, series = 0): Page {
  if (text === '') return page;
  const bytes = Buffer.from(text);
  const deflated = deflateRawSync(bytes, DEFLATE);
  const last = page.chunks.at(-1);
  const isMerged = last !== undefined && last.length + deflated.length <= MERGED_BYTES;
  return {
    // Copied, since zlib's buffer is larger than its content.
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
 * @param pause yields to the event loop, and resolves with true to abort
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

/** An empty, final block with fixed codes (RFC 1951, 3.2.3), which ends flushed blocks. */
const FINAL_BLOCK = Buffer.from([3, 0]);

/** Returns a page as one gzip member: curl rejects several. */
export function gzipBody({ chunks, checksum, textLength }: Page): GzipBody {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(textLength % 2 ** 32, 4);
  const all = [...chunks, Buffer.concat([FINAL_BLOCK, trailer])];
  return { chunks: all, length: all.reduce((sum, chunk) => sum + chunk.length, 0), textLength };
}
