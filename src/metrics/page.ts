import { inSlices } from '../slices.ts';
import type { Family } from './catalog.ts';
import { encodeHeading, type Piece } from './encode.ts';
import { type Compressor, EMPTY_RUN, extend, type Run, type Stretch } from './stretch.ts';
import { type View, viewOf } from './view.ts';

/** A stretch of a page, and the number of samples in it. */
type Segment = Stretch & { readonly series: number };

/** One family: its heading, then its batches. The segments are views into the bytes of the whole. */
type Column = Segment & { readonly segments: readonly Segment[] };

/**
 * An exposition, compressed and immutable, a column for each family. It is kept compressed only, since the text of a
 * large fleet is ten times as long, together with the view it shows, so that the next page need not make anew what
 * stays the same.
 */
export type Page = {
  readonly view: View;
  readonly columns: readonly Column[];
  readonly run: Run;
  readonly series: number;
};

export const EMPTY_PAGE: Page = pageOf(viewOf({ accounts: [] }), []);

/**
 * Renders a view, and takes over from an earlier page (of the same families) what reads the same there.
 *
 * @param breathe is awaited after each batch, and may give the event loop back
 */
export async function renderPage(
  families: readonly Family[],
  earlier: Page,
  view: View,
  compress: Compressor,
  breathe: () => Promise<void>,
): Promise<Page> {
  const convert = ({ bytes, series }: Piece): Segment => ({ ...compress.bytes(bytes), series });
  const columns: Column[] = [];
  for (const section of new Set(families.map((family) => family.section))) {
    const start = columns.length;
    const known = earlier.columns.slice(start, start + section.families);
    const batches = await inSlices(
      section.render(earlier.view, known.map(batchesOf), view, convert),
      breathe,
    );
    for (const [index, family] of families.slice(start, start + section.families).entries()) {
      const heading = known[index]?.segments[0] ?? headingOf(family, compress);
      columns.push(columnOf([heading, ...(batches[index] ?? [])], known[index]));
      await breathe();
    }
  }
  return pageOf(view, columns);
}

function headingOf(family: Family, compress: Compressor): Segment {
  return { ...compress.texts([encodeHeading(family)]), series: 0 };
}

function batchesOf({ segments }: Column): readonly Segment[] {
  return segments.slice(1);
}

/** The column of these segments: the earlier one, where it is of just them. */
function columnOf(segments: readonly Segment[], earlier: Column | undefined): Column {
  const same =
    segments.length === earlier?.segments.length &&
    segments.every((segment, index) => segment === earlier.segments[index]);
  return same ? earlier : packed(segments);
}

/** Copies the segments, each of which may hold on to far more memory than it uses, into a buffer of their size. */
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
  const { checksum, textBytes } = extend(EMPTY_RUN, segments);
  return { deflated, checksum, textBytes, series: countSeries(segments), segments };
}

function pageOf(view: View, columns: readonly Column[]): Page {
  return { view, columns, run: extend(EMPTY_RUN, columns), series: countSeries(columns) };
}

function countSeries(parts: readonly { readonly series: number }[]): number {
  return parts.reduce((total, { series }) => total + series, 0);
}
