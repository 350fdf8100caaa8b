import type { ListInconsistency } from '../model/inconsistency.ts';
import {
  type Extent,
  emptyPages,
  extentOf,
  isOnePageForAll,
  type PageFacts,
  type Pages,
  withRound,
} from './listing-pages.ts';
import { type Count, isComplete, isFutile, type Pass, passOf } from './listing-pass.ts';

/** Most pages of a list, enough for a million phones: a longer one is a fault, and is not read to its end. */
export const MAX_PAGES = 10_000;

/** Most items of a list, which bounds pages that are larger than asked for as well. */
export const MAX_ITEMS = 1_000_000;

/** How often a list is read from its start, at most, until nothing is missing. */
export const MAX_PASSES = 3;

/** Rounds of one pass, each of which reads on where the list turned out to be longer. More have no list with an end. */
export const MAX_ROUNDS = 10;

/** Everything that was learned of a list so far. */
export type ListingState = {
  /** Pages to ask for at first. */
  readonly expectedPages: number;
  /** The pass under way. */
  readonly pages: Pages;
  readonly rounds: number;
  /** The passes that have ended. */
  readonly passes: readonly Pass[];
  /** Whether one more pass would end in time. */
  readonly hasTime: boolean;
};

/** The next step. */
export type ListingPlan =
  /** Pages to read side by side. */
  | { readonly step: 'read'; readonly pages: readonly number[] }
  /** The pass is over: its phones have to be counted. */
  | { readonly step: 'count' }
  /** The list can't be trusted at all; `got` says why. */
  | { readonly step: 'refuse'; readonly finding: ListInconsistency; readonly got: string }
  | ({ readonly step: 'finish' } & Verdict);

/** What the passes say of the list. */
export type Verdict = {
  /** Nothing is missing. */
  readonly complete: boolean;
  /** The largest `total` of the last pass. */
  readonly total: number;
  /** How many pages the list has. */
  readonly pages: number;
  readonly passes: number;
};

/**
 * Before anything was read.
 *
 * @param expectedPages how many pages the list had the last time, all of which are asked for at once; 1 if nobody knows
 */
export function beforeListing(expectedPages: number): ListingState {
  return { expectedPages, pages: new Map(), rounds: 0, passes: [], hasTime: true };
}

/** What is known with the pages of one round more. */
export function noteRound(state: ListingState, round: readonly PageFacts[]): ListingState {
  return { ...state, pages: withRound(state.pages, round), rounds: state.rounds + 1 };
}

/** What is known when a pass has ended. */
export function notePass(state: ListingState, count: Count, hasTime: boolean): ListingState {
  const pass = passOf(state.pages, state.passes.at(-1), count);
  return { ...state, pages: new Map(), rounds: 0, passes: [...state.passes, pass], hasTime };
}

/** What to do next. The plan comes to an end whatever pages say: passes, rounds of a pass and pages are bounded. */
export function planListing(state: ListingState): ListingPlan {
  const { pages, passes, expectedPages, hasTime } = state;
  if (pages.size > 0) return planPass(state);
  const last = passes.at(-1);
  if (last === undefined) return { step: 'read', pages: upTo(expectedPages) };
  const complete = isComplete(passes);
  const isLast = complete || passes.length === MAX_PASSES || !hasTime || isFutile(passes);
  if (!isLast) return { step: 'read', pages: upTo(last.lastPage) };
  const total = Math.max(...last.totals);
  return { step: 'finish', complete, total, pages: last.lastPage, passes: passes.length };
}

/** A pass reads what is left of the list, then once more what was empty and should not be, and is over. */
function planPass({ pages, rounds }: ListingState): ListingPlan {
  const extent = extentOf(pages);
  const last = lastToRead(extent, pages, rounds);
  if (last > MAX_PAGES || extent.items > MAX_ITEMS) {
    const limits = `at most ${MAX_ITEMS} on ${MAX_PAGES} pages are read`;
    return overlong(`a list of ${Math.max(extent.total, extent.items)} devices, of which ${limits}`);
  }
  const unread = upTo(last).filter((number) => !pages.has(number));
  if (unread.length > 0 && rounds === MAX_ROUNDS) {
    return overlong(`a list that was longer each of the ${rounds} times that its end was reached`);
  }
  if (unread.length > 0) return { step: 'read', pages: unread };
  const empty = emptyPages(pages).filter(({ rereads }) => rereads === 0);
  if (empty.length > 0) return { step: 'read', pages: empty.map(({ number }) => number) };
  if (!isOnePageForAll(pages)) return { step: 'count' };
  const got = `one and the same page for each of the ${pages.size} that were asked for`;
  return { step: 'refuse', finding: 'page_repeated', got };
}

function overlong(got: string): ListingPlan {
  return { step: 'refuse', finding: 'overlong', got };
}

/**
 * The last page that there is any reason to read. Where `totalPages` claims more of them than `total` has items for, a
 * few are read to see, more each time, until one is empty: a billion pages that are claimed cost one request.
 */
function lastToRead(extent: Extent, pages: Pages, rounds: number): number {
  const last = extent.last;
  if (extent.claimedLast <= last || pages.has(last + 1)) return last;
  return Math.min(extent.claimedLast, last + 2 ** (rounds - 1));
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
