import type { ListInconsistency } from '../model/inconsistency.ts';
import type { DevicePage } from './answer.ts';

/** The largest page that the API document allows: the fewer pages, the less shifts between them. */
export const PAGE_SIZE = 100;

/** What one page says of the list that it is from. */
export type PageFacts = Pick<DevicePage, 'rejected' | 'total' | 'limit' | 'totalPages'> & {
  /** The number asked for, counted from 1. */
  readonly number: number;
  /** The number that the answer says. */
  readonly echo: number | undefined;
  readonly items: number;
  /** Tells pages with other phones apart; undefined where the page has none. */
  readonly content: string | undefined;
  /** How often this page was read before, in the same pass. */
  readonly rereads: number;
};

/** The pages of one pass by their numbers. */
export type Pages = ReadonlyMap<number, PageFacts>;

/** How often something was found, by its kind. */
export type Findings = ReadonlyMap<ListInconsistency, number>;

/** What the answer to a question for page `number` says, without its phones. */
export function factsOf(number: number, page: DevicePage): PageFacts {
  const { devices, rejected, total, limit, totalPages } = page;
  const items = devices.length + rejected;
  const content = devices[0] && `${devices[0].id} ${devices.at(-1)?.id} ${items}`;
  return { number, echo: page.page, items, rejected, total, limit, totalPages, content, rereads: 0 };
}

/** The pages with those of a round more; of one that was read again, the later reading counts. */
export function withRound(pages: Pages, round: readonly PageFacts[]): Pages {
  const facts = round.map((page) => {
    const earlier = pages.get(page.number);
    return earlier === undefined ? page : { ...page, rereads: earlier.rereads + 1 };
  });
  return new Map([...pages, ...facts.map((page) => [page.number, page] as const)]);
}

/** What follows from the pages of a pass that were read so far. */
export type Extent = {
  /** The largest `total`: a list that moves is read to its farther end. */
  readonly total: number;
  readonly items: number;
  readonly rejected: number;
  /** How many items a page has, by what the API really gives. */
  readonly pageSize: number;
  /** The last page that has items if `total` is right. */
  readonly lastByTotal: number;
  /** The last page that was seen to have items; 0 if none was. */
  readonly lastWithItems: number;
  /** The later of both. */
  readonly last: number;
  /** The last page as `totalPages` claims it. */
  readonly claimedLast: number;
};

/** At least one page has to be there. */
export function extentOf(pages: Pages): Extent {
  let [total, items, rejected, claimedLast, lastWithItems, largest] = [0, 0, 0, 0, 0, 0];
  for (const page of pages.values()) {
    total = Math.max(total, page.total);
    items += page.items;
    rejected += page.rejected;
    claimedLast = Math.max(claimedLast, page.totalPages ?? 0);
    largest = Math.max(largest, page.items);
    if (page.items > 0) lastWithItems = Math.max(lastWithItems, page.number);
  }
  const pageSize = largest > 0 && pages.size > 1 ? largest : Math.max(largest, saidSize(pages));
  const lastByTotal = Math.max(1, Math.ceil(total / pageSize));
  const last = Math.max(lastByTotal, lastWithItems);
  return { total, items, rejected, pageSize, lastByTotal, lastWithItems, last, claimedLast };
}

/**
 * A single page may be short by a fault of its own, or by nature; then the size that it says is the better guess. Where
 * it says none, its items are the only one.
 */
function saidSize(pages: Pages): number {
  const [first] = pages.values();
  return Math.min(first?.limit ?? (first?.items || PAGE_SIZE), PAGE_SIZE);
}

/** How many items a page should have, by its own `total`. */
function dueItems({ number, total }: PageFacts, pageSize: number): number {
  return Math.min(Math.max(0, total - (number - 1) * pageSize), pageSize);
}

/** Pages that should have items, by what they say themselves or by the pages behind them, and have none. */
export function emptyPages(pages: Pages): readonly PageFacts[] {
  const { pageSize, lastWithItems } = extentOf(pages);
  return [...pages.values()].filter(
    (page) => page.items === 0 && (page.number < lastWithItems || dueItems(page, pageSize) > 0),
  );
}

/** Whether every page asked for brought the same phones: what answers does not look at the number. */
export function isOnePageForAll(pages: Pages): boolean {
  const [first, ...others] = [...pages.values()].filter(({ items }) => items > 0);
  if (first?.content === undefined || others.length === 0) return false;
  return others.every(({ content }) => content === first.content);
}

/** `total` as page after page said it, without repetitions. */
export function totalsOf(pages: Pages): readonly number[] {
  return Array.from(pages.values(), ({ total }) => total).filter(
    (total, index, all) => total !== all[index - 1],
  );
}

/** What is wrong with the pages of a whole pass, as far as they show it without their phones; 0 is nothing. */
export function findingsOf(pages: Pages): Findings {
  const { total, pageSize, lastByTotal, claimedLast } = extentOf(pages);
  const all = [...pages.values()];
  const contents = all.flatMap(({ content }) => content ?? []);
  const refilled = all.filter(({ items, rereads }) => items > 0 && rereads > 0);
  const short = all.filter((page) => page.items > 0 && page.items < dueItems(page, pageSize));
  const hasOtherSize =
    all.some(({ limit, items }) => (limit ?? PAGE_SIZE) !== PAGE_SIZE || items > PAGE_SIZE) ||
    (pageSize < PAGE_SIZE && total > pageSize);
  return new Map([
    ['empty_page', emptyPages(pages).length + refilled.length],
    ['short_page', short.length],
    ['limit_ignored', hasOtherSize ? 1 : 0],
    ['page_mismatch', all.filter(({ number, echo }) => echo !== undefined && echo !== number).length],
    ['page_repeated', contents.length - new Set(contents).size],
    ['overlong', claimedLast > lastByTotal ? 1 : 0],
  ]);
}
