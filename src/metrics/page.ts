import type { Family } from './catalog.ts';
import { encodeHeading, type Piece } from './encode.ts';
import { type Compressor, measure, type Stretch } from './stretch.ts';
import { type View, viewOf } from './view.ts';

/** A stretch of a page, and the number of samples in it. */
type Segment = Stretch & { readonly series: number };

/** One family: its heading, then its shards. The segments are views into the bytes of the whole. */
type Column = Segment & { readonly segments: readonly Segment[] };

/**
 * An exposition, compressed and immutable, a column for each family. It is kept compressed only, since the text of a
 * large fleet is nine times as long, together with the view it shows, so that the next page need not make anew what
 * stays the same.
 */
export type Page = {
  readonly view: View;
  readonly columns: readonly Column[];
  readonly series: number;
  readonly textBytes: number;
  readonly deflatedBytes: number;
};

export const EMPTY_PAGE: Page = pageOf(viewOf({ accounts: [] }), []);

/**
 * Renders a view, and takes over from an earlier page (of the same families) what reads the same there.
 *
 * @param breathe is awaited after each shard, and may give the event loop back
 */
export async function renderPage(
  families: readonly Family[],
  earlier: Page,
  view: View,
  compress: Compressor,
  breathe: () => Promise<void>,
): Promise<Page> {
  const columns: Column[] = [];
  const convert = ({ texts, series }: Piece): Segment => ({ ...compress(texts), series });
  for (const [index, family] of families.entries()) {
    columns.push(await renderColumn(family, earlier.columns[index], earlier.view, view, convert, breathe));
  }
  return pageOf(view, columns);
}

async function renderColumn(
  family: Family,
  earlier: Column | undefined,
  earlierView: View,
  view: View,
  convert: (piece: Piece) => Segment,
  breathe: () => Promise<void>,
): Promise<Column> {
  const [heading = convert(encodeHeading(family)), ...known] = earlier?.segments ?? [];
  const segments = [heading];
  for (const segment of family.render(earlierView, known, view, convert)) {
    segments.push(segment);
    await breathe();
  }
  const same = segments.length === earlier?.segments.length;
  return same && segments.every((segment, index) => segment === earlier.segments[index])
    ? earlier
    : columnOf(segments);
}

/** Copies the segments, each of which may hold on to far more memory than it uses, into a buffer of their size. */
function columnOf(scattered: readonly Segment[]): Column {
  const deflated = Buffer.concat(scattered.map((segment) => segment.deflated));
  let end = 0;
  const segments = scattered.map((segment) => {
    const start = end;
    end += segment.deflated.length;
    return { ...segment, deflated: deflated.subarray(start, end) };
  });
  return { ...measure(segments), deflated, series: sum(segments, ({ series }) => series), segments };
}

function pageOf(view: View, columns: readonly Column[]): Page {
  return {
    view,
    columns,
    series: sum(columns, ({ series }) => series),
    textBytes: sum(columns, ({ textBytes }) => textBytes),
    deflatedBytes: sum(columns, ({ deflated }) => deflated.length),
  };
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
