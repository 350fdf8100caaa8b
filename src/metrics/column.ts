import type { Output } from './batches.ts';
import type { Piece } from './encode.ts';
import { COMPRESSED_FROM, type Compressor, EMPTY_RUN, extend, type Stretch, store } from './stretch.ts';

/** A stretch of a page, and the number of samples in it. */
export type Segment = Stretch & { readonly series: number };

/** One family: its heading, then its batches. The segments are views into the bytes of the whole. */
export type Column = Segment & { readonly segments: readonly Segment[] };

/** A column may become longer than the earlier one by this share of it before it needs another block. */
const SLACK_SHARE = 1 / 32;

/** Bytes of the first block where there is no earlier column, and of slack in any case. */
const FIRST_BYTES = 4 * 1024;

/**
 * Puts a column together, one batch after the other. What is compressed is copied at once to where it stays: each piece
 * comes in a buffer that is larger than itself, and those of a whole page, kept until its end, are more than the page
 * before and the new one together. A class: see docs/decisions/0019.
 */
export class ColumnBuilder implements Output<Segment> {
  readonly before: readonly Segment[];
  readonly #earlier: Column | undefined;
  readonly #compress: Compressor;
  readonly #room: Room;
  /** So many of the earlier segments begin this column, as long as it has none of its own. */
  #kept: number;
  #own: Segment[] | undefined;

  /**
   * @param heading the lines ahead of the samples
   * @param earlier the column of the same family on the page before
   */
  constructor(heading: string, earlier: Column | undefined, compress: Compressor) {
    this.before = earlier?.segments.slice(1) ?? [];
    this.#earlier = earlier;
    this.#compress = compress;
    this.#room = new Room(Math.ceil((earlier?.deflated.length ?? 0) * (1 + SLACK_SHARE)));
    this.#kept = earlier === undefined ? 0 : 1;
    if (earlier === undefined) this.#append({ ...compress.texts([heading]), series: 0 });
  }

  keep(segment: Segment): void {
    if (this.#own === undefined && segment === this.#earlier?.segments[this.#kept]) this.#kept += 1;
    else this.#append(segment);
  }

  add({ bytes, series }: Piece): void {
    const stretch = bytes.length < COMPRESSED_FROM ? store(bytes) : this.#compress.bytes(bytes);
    this.#append({ ...stretch, series });
  }

  /** The earlier column itself, if its segments are the same ones. */
  built(): Column {
    if (this.#own !== undefined) return columnOf(this.#own, this.#room.whole());
    const earlier = this.#earlier;
    const segments = earlier?.segments ?? [];
    return earlier?.segments.length === this.#kept ? earlier : packed(segments.slice(0, this.#kept));
  }

  #append(segment: Segment): void {
    if (this.#own === undefined) {
      this.#own = [];
      for (const kept of (this.#earlier?.segments ?? []).slice(0, this.#kept))
        this.#own.push(this.#place(kept));
    }
    this.#own.push(this.#place(segment));
  }

  #place({ deflated, checksum, textBytes, series }: Segment): Segment {
    return { deflated: this.#room.place(deflated), checksum, textBytes, series };
  }
}

/** Room for bytes that are laid end to end. */
class Room {
  readonly #expected: number;
  #block = Buffer.alloc(0);
  /** The bytes in the blocks before this one, and in this one. */
  #start = 0;
  #end = 0;

  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Copies the bytes to the end, and returns the copy. */
  place(bytes: Uint8Array): Buffer {
    if (this.#end + bytes.length > this.#block.length) this.#enlarge(bytes.length);
    const start = this.#end;
    this.#block.set(bytes, start);
    this.#end += bytes.length;
    return this.#block.subarray(start, this.#end);
  }

  /** All of them; undefined where they are in several blocks, or take far less than their block. */
  whole(): Buffer | undefined {
    const end = this.#end;
    const isFull = this.#start === 0 && this.#block.length - end <= 2 * (end * SLACK_SHARE + FIRST_BYTES);
    return isFull ? this.#block.subarray(0, end) : undefined;
  }

  #enlarge(bytes: number): void {
    this.#start += this.#end;
    this.#end = 0;
    const usual = this.#start === 0 ? this.#expected : this.#start >> 2;
    this.#block = Buffer.allocUnsafeSlow(Math.max(usual, bytes) + FIRST_BYTES);
  }
}

/** The segments as a column, in a buffer of just its size unless they are laid end to end already. */
function columnOf(segments: readonly Segment[], deflated: Buffer | undefined): Column {
  if (deflated === undefined) return packed(segments);
  const { checksum, textBytes } = extend(EMPTY_RUN, segments);
  const series = segments.reduce((total, segment) => total + segment.series, 0);
  return { deflated, checksum, textBytes, series, segments };
}

function packed(scattered: readonly Segment[]): Column {
  // Not Buffer.concat: what is small it puts into a pool, of 64 KiB on Node 24, and then all of that is held on to.
  const deflated = Buffer.allocUnsafeSlow(
    scattered.reduce((sum, segment) => sum + segment.deflated.length, 0),
  );
  let end = 0;
  const segments = scattered.map((segment) => {
    const start = end;
    end += segment.deflated.copy(deflated, start);
    return { ...segment, deflated: deflated.subarray(start, end) };
  });
  return columnOf(segments, deflated);
}
