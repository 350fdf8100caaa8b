import type { ListInconsistency } from '../model/enums.ts';
import type { DevicePage } from './schemas.ts';

/** The largest page that the API document allows: the fewer pages, the fewer shifts between them. */
export const PAGE_SIZE = 100;

/** Maximum number of pages of a list, enough for a million devices: a longer one is a fault, and is not read to its end. */
export const MAX_PAGES = 10_000;

/** Maximum number of items of a list, which bounds pages that are larger than requested as well. */
export const MAX_LISTED_ITEMS = 1_000_000;

/** Maximum number of times that a list is read from its start until nothing is missing. */
export const MAX_PASSES = 3;

/** Maximum number of rounds of one pass. Each round reads the pages by which the list turned out to be longer. */
export const MAX_ROUNDS = 10;

/** The facts about one page, without its devices. */
export type PageFacts = Pick<DevicePage, 'rejected' | 'total' | 'limit' | 'totalPages'> & {
  /** The requested number, counted from 1. */
  readonly number: number;
  /** The number in the response. */
  readonly pageInResponse: number | undefined;
  readonly items: number;
  /** A text that differs between pages with other devices; undefined where the page has none. */
  readonly fingerprint: string | undefined;
  /** Number of times that this page was read before in the same pass. */
  readonly rereads: number;
};

/** The pages of one pass by their numbers. */
type Pages = ReadonlyMap<number, PageFacts>;

/** Number of inconsistencies, by kind. */
type Inconsistencies = ReadonlyMap<ListInconsistency, number>;

/** Counts of devices when a pass ends. */
export type PassCounts = {
  /** Distinct devices of this pass. */
  readonly distinct: number;
  /** Distinct devices of this pass and those before it. */
  readonly known: number;
  /** Devices that came twice and differ in nothing but their heartbeat, and those that differ in more. */
  readonly duplicates: number;
  readonly conflicts: number;
};

/** A finished pass over the whole list. */
type Pass = PassCounts & {
  readonly lastPage: number;
  /** `total` as page after page gave it, without repetitions. */
  readonly totals: readonly number[];
  /** Number of items that were no device with a usable id. */
  readonly rejected: number;
  /** The inconsistencies of the pass, without zeros. */
  readonly inconsistencies: Inconsistencies;
};

/** Everything that is known of a listing in progress. */
export type ListingState = {
  /** Number of pages to request at first. */
  readonly expectedPages: number;
  /** The pages of the present pass. */
  readonly pages: Pages;
  readonly rounds: number;
  /** The finished passes. */
  readonly passes: readonly Pass[];
  /** One more pass would end in time. */
  readonly hasTime: boolean;
};

/** The next step of a listing. */
type ListingPlan =
  /** Read these pages in parallel. */
  | { readonly step: 'read'; readonly pages: readonly number[] }
  /** The pass is over: count its devices. */
  | { readonly step: 'count' }
  /** The list can't be trusted at all; `got` says why. */
  | { readonly step: 'refuse'; readonly kind: ListInconsistency; readonly got: string }
  | ({ readonly step: 'finish' } & ListingResult);

/** The facts about the list after all passes. */
export type ListingResult = {
  /** Nothing is missing. */
  readonly complete: boolean;
  /** The largest `total` of the last pass. */
  readonly total: number;
  /** Number of pages of the list. */
  readonly pages: number;
  readonly passes: number;
};

/**
 * Returns the state before anything was read.
 *
 * @param expectedPages number of pages of the last listing, all of which are requested at once; 1 if unknown
 */
export function beforeListing(expectedPages: number): ListingState {
  return { expectedPages, pages: new Map(), rounds: 0, passes: [], hasTime: true };
}

/** Returns the facts about a page that was requested by its number. */
export function factsOf(number: number, page: DevicePage): PageFacts {
  const { devices, rejected, total, limit, totalPages } = page;
  const items = devices.length + rejected;
  const fingerprint = devices[0] && `${devices[0].id} ${devices.at(-1)?.id} ${items}`;
  return {
    number,
    pageInResponse: page.page,
    items,
    rejected,
    total,
    limit,
    totalPages,
    fingerprint,
    rereads: 0,
  };
}

/** Returns the state after one more round of pages. Of a page that was read again, the later reading counts. */
export function afterRound(state: ListingState, round: readonly PageFacts[]): ListingState {
  const pages = new Map(state.pages);
  for (const page of round) {
    const earlier = state.pages.get(page.number);
    pages.set(page.number, earlier === undefined ? page : { ...page, rereads: earlier.rereads + 1 });
  }
  return { ...state, pages, rounds: state.rounds + 1 };
}

/** Returns the state after the present pass. */
export function afterPass(state: ListingState, counts: PassCounts, hasTime: boolean): ListingState {
  const { pages, passes } = state;
  const totals = totalsOf(pages);
  const { last, rejected } = extentOf(pages);
  const found: Inconsistencies = new Map([
    ...inconsistenciesOf(pages),
    ['duplicate', counts.duplicates],
    ['conflict', counts.conflicts],
    ['total_changed', changesOf(passes.at(-1), totals)],
  ]);
  const inconsistencies = new Map([...found].filter(([, times]) => times > 0));
  const pass: Pass = { ...counts, lastPage: last, totals, rejected, inconsistencies };
  return { ...state, pages: new Map(), rounds: 0, passes: [...passes, pass], hasTime };
}

/** Plans the next step. The plan comes to an end whatever pages say: passes, rounds of a pass and pages are bounded. */
export function planListing(state: ListingState): ListingPlan {
  const { pages, passes, expectedPages, hasTime } = state;
  if (pages.size > 0) return planPass(state);
  const last = passes.at(-1);
  if (last === undefined) return { step: 'read', pages: upTo(expectedPages) };
  const complete = isComplete(passes);
  const isLast = complete || passes.length === MAX_PASSES || !hasTime || broughtNothingNew(passes);
  if (!isLast) return { step: 'read', pages: upTo(last.lastPage) };
  const total = Math.max(...last.totals);
  return { step: 'finish', complete, total, pages: last.lastPage, passes: passes.length };
}

/** Plans a step within a pass: the unread pages, then once more the pages that are empty by mistake. */
function planPass({ pages, rounds }: ListingState): ListingPlan {
  const extent = extentOf(pages);
  const last = lastPageToRequest(extent, pages, rounds);
  if (last > MAX_PAGES || extent.items > MAX_LISTED_ITEMS) {
    const limits = `expected at most ${MAX_LISTED_ITEMS} on ${MAX_PAGES} pages`;
    return overlong(`a list of ${Math.max(extent.total, extent.items)} devices, ${limits}`);
  }
  const unread = upTo(last).filter((number) => !pages.has(number));
  if (unread.length > 0 && rounds === MAX_ROUNDS) {
    return overlong(`a list that grew in each of ${rounds} rounds, expected an end`);
  }
  if (unread.length > 0) return { step: 'read', pages: unread };
  const empty = emptyPages(pages).filter(({ rereads }) => rereads === 0);
  if (empty.length > 0) return { step: 'read', pages: empty.map(({ number }) => number) };
  if (!isOnePageForAll(pages)) return { step: 'count' };
  const got = `the same page for each of the ${pages.size} requested pages`;
  return { step: 'refuse', kind: 'page_repeated', got };
}

function overlong(got: string): ListingPlan {
  return { step: 'refuse', kind: 'overlong', got };
}

/**
 * Returns the last page worth reading. Where `totalPages` claims more pages than `total` has items for, a few are read to
 * see, more each time, until one is empty: a billion claimed pages cost one request.
 */
function lastPageToRequest(extent: Extent, pages: Pages, rounds: number): number {
  const last = extent.last;
  if (extent.claimedLast <= last || pages.has(last + 1)) return last;
  return Math.min(extent.claimedLast, last + 2 ** (rounds - 1));
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/**
 * Tells whether nothing is missing: the last pass alone, or all of them together, held exactly as many distinct devices as
 * the list claims to have. A shift between two pages that hides a device shows another one twice, and so makes that number
 * too small. Where `total` fell meanwhile, a device that left could stand in for one that was hidden.
 */
function isComplete(passes: readonly Pass[]): boolean {
  const last = passes.at(-1);
  return last !== undefined && (isWhole([last], last.distinct) || isWhole(passes, last.known));
}

function isWhole(passes: readonly Pass[], devices: number): boolean {
  const totals = passes.flatMap((pass) => pass.totals);
  const fell = totals.some((total, index) => total < (totals[index - 1] ?? 0));
  // Items without an id cannot be deduplicated, so the pass with the fewest of them counts.
  const rejected = Math.min(...passes.map((pass) => pass.rejected));
  return !fell && devices + rejected === totals.at(-1);
}

/** Tells whether the last pass brought nothing new and nothing moved: another one would bring the same again. */
function broughtNothingNew(passes: readonly Pass[]): boolean {
  const [before, last] = passes.slice(-2);
  if (before === undefined || last === undefined) return false;
  const isStill = last.duplicates + last.conflicts === 0 && changesOf(before, last.totals) === 0;
  return isStill && last.distinct === last.known && last.known === before.known;
}

/** Counts the changes of `total` within a pass, and since the one before. */
function changesOf(before: Pass | undefined, totals: readonly number[]): number {
  const isOther = before !== undefined && before.totals.at(-1) !== totals[0];
  return totals.length - 1 + (isOther ? 1 : 0);
}

/** The extent of the list according to the pages that were read so far. */
type Extent = {
  /** The largest `total`: a list that moves is read to its farther end. */
  readonly total: number;
  readonly items: number;
  readonly rejected: number;
  /** Number of items on a page, by what the API really returns. */
  readonly pageSize: number;
  /** The last page that has items if `total` is right. */
  readonly lastByTotal: number;
  /** The last page that had items; 0 if none had. */
  readonly lastWithItems: number;
  /** The later of both. */
  readonly last: number;
  /** The last page as `totalPages` claims it. */
  readonly claimedLast: number;
};

/** Returns the extent; there has to be at least one page. */
function extentOf(pages: Pages): Extent {
  let [total, items, rejected, claimedLast, lastWithItems, largest] = [0, 0, 0, 0, 0, 0];
  for (const page of pages.values()) {
    total = Math.max(total, page.total);
    items += page.items;
    rejected += page.rejected;
    claimedLast = Math.max(claimedLast, page.totalPages ?? 0);
    largest = Math.max(largest, page.items);
    if (page.items > 0) lastWithItems = Math.max(lastWithItems, page.number);
  }
  const claimed = claimedSize(pages);
  // A short last page alone says nothing about the size of the pages before it.
  const isAsClaimed = [...pages.values()].every(
    (page) => page.items === 0 || page.items === expectedItems(page, claimed),
  );
  const isMeasured = largest > 0 && pages.size > 1 && !isAsClaimed;
  const pageSize = isMeasured ? largest : Math.max(largest, claimed);
  const lastByTotal = Math.max(1, Math.ceil(total / pageSize));
  const last = Math.max(lastByTotal, lastWithItems);
  return { total, items, rejected, pageSize, lastByTotal, lastWithItems, last, claimedLast };
}

/**
 * Returns the page size of the first page. A single page may be short by a fault of its own, or by nature; then the size
 * that it claims is the better guess. Where it claims none, its items are the only one.
 */
function claimedSize(pages: Pages): number {
  const [first] = pages.values();
  return Math.min(first?.limit ?? (first?.items || PAGE_SIZE), PAGE_SIZE);
}

/** Returns the number of items that a page should have by its own `total`. */
function expectedItems({ number, total }: PageFacts, pageSize: number): number {
  return Math.min(Math.max(0, total - (number - 1) * pageSize), pageSize);
}

/** Returns the pages that should have items, by their own `total` or by the pages behind them, and have none. */
function emptyPages(pages: Pages): readonly PageFacts[] {
  const { pageSize, lastWithItems } = extentOf(pages);
  return [...pages.values()].filter(
    (page) => page.items === 0 && (page.number < lastWithItems || expectedItems(page, pageSize) > 0),
  );
}

/** Tells whether every page brought the same devices: the server ignores the number. */
function isOnePageForAll(pages: Pages): boolean {
  const [first, ...others] = [...pages.values()].filter(({ items }) => items > 0);
  if (first?.fingerprint === undefined || others.length === 0) return false;
  return others.every(({ fingerprint }) => fingerprint === first.fingerprint);
}

/** Returns `total` as page after page gave it, without repetitions. */
function totalsOf(pages: Pages): readonly number[] {
  return Array.from(pages.values(), ({ total }) => total).filter(
    (total, index, all) => total !== all[index - 1],
  );
}

/** Counts the inconsistencies of a whole pass that its pages show without their devices. */
function inconsistenciesOf(pages: Pages): Inconsistencies {
  const { total, pageSize, lastByTotal, claimedLast } = extentOf(pages);
  const all = [...pages.values()];
  const fingerprints = all.flatMap(({ fingerprint }) => fingerprint ?? []);
  const refilled = all.filter(({ items, rereads }) => items > 0 && rereads > 0);
  const short = all.filter((page) => page.items > 0 && page.items < expectedItems(page, pageSize));
  const hasOtherSize =
    all.some(({ limit, items }) => (limit ?? PAGE_SIZE) !== PAGE_SIZE || items > PAGE_SIZE) ||
    (pageSize < PAGE_SIZE && total > pageSize);
  return new Map([
    ['empty_page', emptyPages(pages).length + refilled.length],
    ['short_page', short.length],
    ['limit_ignored', hasOtherSize ? 1 : 0],
    [
      'page_mismatch',
      all.filter(({ number, pageInResponse }) => pageInResponse !== undefined && pageInResponse !== number)
        .length,
    ],
    ['page_repeated', fingerprints.length - new Set(fingerprints).size],
    ['overlong', claimedLast > lastByTotal ? 1 : 0],
  ]);
}
