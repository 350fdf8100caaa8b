import { inSlices } from '../slices.ts';
import type { Family } from './catalog.ts';
import { type Column, ColumnBuilder } from './column.ts';
import { Encoder, encodeHeading } from './encode.ts';
import { type Compressor, createCompressor, EMPTY_RUN, extend, type Run } from './stretch.ts';
import { type View, viewOf } from './view.ts';

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

/** What pages are made with, one after the other; to be kept: see docs/decisions/0019. */
export type Press = { readonly encoder: Encoder; readonly compress: Compressor };

export function createPress(): Press {
  return { encoder: new Encoder(), compress: createCompressor() };
}

/**
 * Renders a view, and takes over from an earlier page (of the same families) what reads the same there.
 *
 * @param breathe is awaited after each batch, and may give the event loop back
 */
export async function renderPage(
  families: readonly Family[],
  earlier: Page,
  view: View,
  { encoder, compress }: Press,
  breathe: () => Promise<void>,
): Promise<Page> {
  const columns: Column[] = [];
  for (const section of new Set(families.map((family) => family.section))) {
    const start = columns.length;
    const builders: ColumnBuilder[] = [];
    for (const family of families.slice(start, start + section.families)) {
      const before = earlier.columns[start + builders.length];
      builders.push(new ColumnBuilder(encodeHeading(family), before, compress));
    }
    await inSlices(section.render(earlier.view, view, builders, encoder), breathe);
    for (const builder of builders) {
      columns.push(builder.built());
      await breathe();
    }
  }
  return pageOf(view, columns);
}

function pageOf(view: View, columns: readonly Column[]): Page {
  const series = columns.reduce((total, column) => total + column.series, 0);
  return { view, columns, run: extend(EMPTY_RUN, columns), series };
}
