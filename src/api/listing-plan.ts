import type { DevicePage } from './answer.ts';

/** The largest page that the API document allows: the fewer pages, the less shifts between them. */
export const PAGE_SIZE = 100;

/** Most pages of a list, enough for a million phones: a longer one is a fault, and is not read to its end. */
export const MAX_PAGES = 10_000;

/** What the pages read so far say of the list: pages 1 to `pagesRead`, each read once. */
export type ListingState = {
  readonly pagesRead: number;
  readonly rejected: number;
  /** The largest `total` of any page: a list that moves is read to its farther end. */
  readonly total: number;
  readonly totalPages: number;
  /** How many items a page has, by what the API really gives. */
  readonly pageSize: number;
};

/** The next step: pages to read side by side, or the end. */
export type ListingPlan =
  | { readonly step: 'read'; readonly pages: readonly number[] }
  | { readonly step: 'refuse' }
  | { readonly step: 'finish' };

/** Before anything was read. */
export const NOTHING_READ: ListingState = {
  pagesRead: 0,
  rejected: 0,
  total: 0,
  totalPages: 0,
  pageSize: PAGE_SIZE,
};

/** What is known with one page more. The first page has to be the first one noted. */
export function notePage(state: ListingState, page: DevicePage): ListingState {
  const items = page.devices.length + page.rejected;
  // The first page shows whether the API gives what was asked for; the last one is short by nature.
  const given = state.pagesRead === 0 && items > 0 ? items : PAGE_SIZE;
  return {
    pagesRead: state.pagesRead + 1,
    rejected: state.rejected + page.rejected,
    total: Math.max(state.total, page.total),
    totalPages: Math.max(state.totalPages, page.totalPages ?? 0),
    pageSize: Math.min(state.pageSize, page.limit ?? PAGE_SIZE, given),
  };
}

/** What to do next. Each round reads pages that were not read before, so that the plan comes to an end. */
export function planListing(state: ListingState): ListingPlan {
  const last = lastPage(state);
  if (last > MAX_PAGES) return { step: 'refuse' };
  if (state.pagesRead >= last) return { step: 'finish' };
  const first = state.pagesRead + 1;
  return { step: 'read', pages: Array.from({ length: last - state.pagesRead }, (_, index) => first + index) };
}

/**
 * Whether the list was read whole: as many different devices, and items that are none, as the list claims to have. A
 * shift between two pages that hides a phone shows another one twice, and so makes the sum too small.
 */
export function isComplete(state: ListingState, devices: number): boolean {
  return devices + state.rejected === state.total;
}

/**
 * The last page that the list can have. `totalPages` may add to what follows from the size of pages, but no page is
 * empty, so that a list has at most as many pages as items.
 */
function lastPage({ total, totalPages, pageSize }: ListingState): number {
  return Math.max(1, Math.ceil(total / pageSize), Math.min(totalPages, total));
}
