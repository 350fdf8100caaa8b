import type { Output } from './batches.ts';
import { type Compressor, EMPTY_RUN, extend, type Stretch } from './stretch.ts';

/** A stretch of a page, and the number of samples in it. */
export type Segment = Stretch & { readonly series: number };

/** One family: its heading, then its batches. The segments are views into the bytes of the whole. */
export type Column = Segment & { readonly segments: readonly Segment[] };

/** Puts a column together, one batch after the other. */
export type ColumnBuilder = Output<Segment> & {
  /** The earlier column itself, if its segments are the same ones. */
  readonly built: () => Column;
};

/** A column may become longer than the earlier one by this share of it before it needs another block. */
const SLACK_SHARE = 1 / 32;

/** Bytes of the first block where there is no earlier column, and of slack in any case. */
const FIRST_BYTES = 4 * 1024;

/**
 * What is compressed is copied at once to where it stays: each piece comes in a buffer that is larger than itself, and
 * those of a whole page, kept until its end, are more than the page before and the new one together.
 *
 * @param heading the lines ahead of the samples
 * @param earlier the column of the same family on the page before
 */
export function createColumnBuilder(
  heading: string,
  earlier: Column | undefined,
  compress: Compressor,
): ColumnBuilder {
  const room = createRoom(Math.ceil((earlier?.deflated.length ?? 0) * (1 + SLACK_SHARE)));
  const place = (segment: Segment): Segment => ({ ...segment, deflated: room.place(segment.deflated) });
  /** So many of the earlier segments begin this column, as long as it has none of its own. */
  let kept = earlier === undefined ? 0 : 1;
  let own: Segment[] | undefined;
  const append = (segment: Segment): void => {
    own ??= (earlier?.segments ?? []).slice(0, kept).map(place);
    own.push(place(segment));
  };
  if (earlier === undefined) append({ ...compress.texts([heading]), series: 0 });
  return {
    before: earlier?.segments.slice(1) ?? [],
    keep: (segment) => {
      if (own === undefined && segment === earlier?.segments[kept]) kept += 1;
      else append(segment);
    },
    add: ({ bytes, series }) => append({ ...compress.bytes(bytes), series }),
    built: () => {
      if (own !== undefined) return columnOf(own, room.whole());
      const segments = earlier?.segments ?? [];
      return earlier?.segments.length === kept ? earlier : packed(segments.slice(0, kept));
    },
  };
}

/** Room for bytes that are laid end to end. */
type Room = {
  /** Copies the bytes to the end, and returns the copy. */
  readonly place: (bytes: Uint8Array) => Buffer;
  /** All of them; undefined where they are in several blocks, or take far less than their block. */
  readonly whole: () => Buffer | undefined;
};

function createRoom(expected: number): Room {
  let block = Buffer.alloc(0);
  let start = 0;
  let end = 0;
  const enlarge = (bytes: number): void => {
    start += end;
    end = 0;
    block = Buffer.allocUnsafeSlow(Math.max(start === 0 ? expected : start >> 2, bytes) + FIRST_BYTES);
  };
  return {
    place: (bytes) => {
      if (end + bytes.length > block.length) enlarge(bytes.length);
      block.set(bytes, end);
      end += bytes.length;
      return block.subarray(end - bytes.length, end);
    },
    whole: () => {
      const isFull = start === 0 && block.length - end <= 2 * (end * SLACK_SHARE + FIRST_BYTES);
      return isFull ? block.subarray(0, end) : undefined;
    },
  };
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
