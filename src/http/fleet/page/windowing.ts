/** The rows that are in the document, from `first` up to but not including `end`. */
export type Window = { readonly first: number; readonly end: number };

/** Rows above and below those in sight, so that a quick scroll does not meet an empty place. */
const SPARE_ROWS = 12;

/**
 * The rows of a long list that are in sight, and some more.
 *
 * @param scrolled how far the beginning of the list lies above the top of what is in sight, in pixels; negative below it
 * @param height of what is in sight, in pixels
 */
export function windowOf(scrolled: number, height: number, rowHeight: number, count: number): Window {
  const first = Math.floor(scrolled / rowHeight) - SPARE_ROWS;
  const end = Math.ceil((scrolled + height) / rowHeight) + SPARE_ROWS;
  return { first: clamp(first, count), end: clamp(end, count) };
}

/** Where a key leads from a row, in a list of `count` rows of which `page` are in sight; undefined for other keys. */
export function rowAfterKey(key: string, row: number, page: number, count: number): number | undefined {
  const target = targetOf(key, row, page, count);
  return target === undefined ? undefined : Math.max(0, Math.min(target, count - 1));
}

function targetOf(key: string, row: number, page: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return row + 1;
    case 'ArrowUp':
      return row - 1;
    case 'PageDown':
      return row + page;
    case 'PageUp':
      return row - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function clamp(row: number, count: number): number {
  return Math.max(0, Math.min(row, count));
}
