import type { Clock } from '../base/clock.ts';
import type { Device } from '../model/device.ts';
import type { ListInconsistency } from '../model/enums.ts';
import { CLOCK_TOLERANCE } from '../model/heartbeat.ts';
import type { ListedDevice } from '../model/observation.ts';
import type { ApiClient } from './client.ts';
import { ApiError } from './errors.ts';
import type { ApiResponse } from './response.ts';
import { asRound } from './round.ts';
import { PAGE_SIZE } from './schemas.ts';

/** Maximum number of pages and items of a list. A longer list is an API fault and is rejected. */
const MAX_PAGES = 10_000;
const MAX_ITEMS = 1_000_000;

/** Maximum number of rounds of one pass. Each round reads the pages that earlier rounds found missing. */
const MAX_ROUNDS = 10;

/** Estimated duration of a second pass, as a multiple of the first. */
const PASS_ALLOWANCE = 1.5;

/** The complete device list, and facts about how it was read. */
type Listing = {
  /** Each device once, by id, with its newest description and the API time of its page. */
  readonly devices: ReadonlyMap<string, ListedDevice>;
  /** True if the number of devices is the total of the list. */
  readonly complete: boolean;
  /** The largest `total` of the last pass. */
  readonly total: number;
  readonly pages: number;
  /** Number of times the list was read from the start: 1 or 2. */
  readonly passes: number;
  /** Number of items without a usable id, and whether a field had a value of an unexpected form. */
  readonly rejected: number;
  readonly faulty: boolean;
};

export type ListingOptions = {
  /** The likely number of pages, all of which are requested at once; 1 if unknown. */
  readonly expectedPages: number;
  /** A second pass starts only if the listing can still finish within this time. */
  readonly budgetMilliseconds: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly inconsistent: (kind: ListInconsistency, count: number) => void;
};

/**
 * Lists all devices. Reads the pages in parallel. If the number of devices differs from the list's total, reads them all
 * again: a device that moves between two pages may be missed once, but is unlikely to be missed twice.
 *
 * The API time is that of the latest response. If a page fails, the whole listing rejects with its {@link ApiError}: half
 * a list would look as if half the fleet had left.
 */
export async function listDevices(
  client: Pick<ApiClient, 'devicePage'>,
  signal: AbortSignal,
  options: ListingOptions,
): Promise<ApiResponse<Listing>> {
  const { expectedPages, budgetMilliseconds, clock, inconsistent } = options;
  const startedAt = clock.monotonic();
  const listing: ListingState = { devices: new Map(), apiTime: 0, receivedAt: new Map() };
  const refuse = (kind: ListInconsistency, got: string): ApiError => {
    inconsistent(kind, 1);
    return new ApiError({ reason: 'inconsistent', endpoint: 'devices', got });
  };
  const readPass = async (pages: number): Promise<Pass> => {
    const pass = await readAllPages(client, signal, pages, listing, { refuse, clock });
    for (const [kind, count] of inconsistenciesOf(pass)) if (count > 0) inconsistent(kind, count);
    return pass;
  };

  const first = await readPass(expectedPages);
  const spent = clock.monotonic() - startedAt;
  const isLast = isWhole([first]) || spent + PASS_ALLOWANCE * spent > budgetMilliseconds;
  const second = isLast ? undefined : await readPass(first.lastPage);
  const last = second ?? first;
  const unusable = `${last.rejected} of ${last.items} devices without a usable deviceId`;
  if (last.rejected > last.items / 2)
    throw new ApiError({ reason: 'schema', endpoint: 'devices', got: unusable });
  const { devices, apiTime } = withOneClock(listing);
  return {
    value: {
      devices,
      complete: isWhole([last]) || (second !== undefined && isWhole([first, second])),
      total: Math.max(...last.totals),
      pages: last.lastPage,
      passes: second === undefined ? 1 : 2,
      rejected: last.rejected,
      faulty: last.faulty,
    },
    apiTime,
  };
}

type ListingState = {
  readonly devices: Map<string, ListedDevice>;
  apiTime: number;
  /** When pages were received, by API time. Uses the monotonic clock. */
  readonly receivedAt: Map<number, number>;
};

/** The facts about one page, without its devices. */
type PageFacts = {
  readonly items: number;
  readonly rejected: number;
  readonly faulty: boolean;
  readonly total: number;
  readonly limit: number | undefined;
  readonly totalPages: number;
  /** Text that differs between pages with different devices; undefined if the page is empty. */
  readonly fingerprint: string | undefined;
};

/** A finished pass over the whole list. */
type Pass = {
  readonly lastPage: number;
  readonly items: number;
  /** The distinct totals of the pages, in order. */
  readonly totals: readonly number[];
  /** Number of items that were not a device with a usable id. */
  readonly rejected: number;
  /** Some field had a value of an unexpected form. */
  readonly faulty: boolean;
  /** Number of distinct devices in this pass, and in all passes so far. */
  readonly distinct: number;
  readonly known: number;
  readonly duplicates: number;
};

/** Reads all pages in rounds, because the list may be longer than expected and may grow while it is read. */
async function readAllPages(
  client: Pick<ApiClient, 'devicePage'>,
  signal: AbortSignal,
  expectedPages: number,
  listing: ListingState,
  {
    refuse,
    clock,
  }: Pick<ListingOptions, 'clock'> & { readonly refuse: (kind: ListInconsistency, got: string) => ApiError },
): Promise<Pass> {
  const pages = new Map<number, PageFacts>();
  const seen = new Set<string>();
  let duplicates = 0;
  const readPage = async (number: number, round: AbortSignal): Promise<void> => {
    const { value, apiTime } = await client.devicePage(number, round);
    listing.apiTime = Math.max(listing.apiTime, apiTime);
    listing.receivedAt.set(apiTime, clock.monotonic());
    for (const device of value.devices) {
      const earlier = listing.devices.get(device.id);
      if (seen.has(device.id)) duplicates += 1;
      seen.add(device.id);
      if (earlier === undefined || isNewer(device, earlier.device))
        listing.devices.set(device.id, { device, listedAt: apiTime });
    }
    const { devices, rejected, faulty, total, limit, totalPages = 0 } = value;
    const items = devices.length + rejected;
    const fingerprint = devices[0] && `${devices[0].id} ${devices.at(-1)?.id} ${items}`;
    pages.set(number, { items, rejected, faulty, total, limit, totalPages, fingerprint });
  };

  let lastPage = expectedPages;
  for (let rounds = 0; ; rounds += 1) {
    const unread = numbersUpTo(lastPage).filter((number) => !pages.has(number));
    if (unread.length === 0) break;
    if (rounds === MAX_ROUNDS) throw refuse('overlong', `the list kept growing for ${rounds} rounds`);
    await asRound(signal, (round) => Promise.all(unread.map((number) => readPage(number, round.signal))));
    lastPage = lastPageOf(pages);
    const items = Math.max(sum(pages, 'items'), ...Array.from(pages.values(), ({ total }) => total));
    if (lastPage > MAX_PAGES || items > MAX_ITEMS)
      throw refuse(
        'overlong',
        `a list of ${items} devices, expected at most ${MAX_ITEMS} on ${MAX_PAGES} pages`,
      );
  }
  if (isOnePageForAll(pages))
    throw refuse('page_repeated', `the same page for each of the ${pages.size} requested pages`);
  const totals = numbersUpTo(pages.size).flatMap((number) => pages.get(number)?.total ?? []);
  return {
    lastPage,
    items: sum(pages, 'items'),
    totals: totals.filter((total, index) => total !== totals[index - 1]),
    rejected: sum(pages, 'rejected'),
    faulty: [...pages.values()].some((page) => page.faulty),
    distinct: seen.size,
    known: listing.devices.size,
    duplicates,
  };
}

/**
 * Returns the devices with times by one clock. If the API's servers have different clocks, the slowest one counts: the
 * judgement notices heartbeats that are in its future.
 */
function withOneClock({
  devices,
  apiTime,
  receivedAt,
}: ListingState): Pick<ListingState, 'devices' | 'apiTime'> {
  const offsets = Array.from(receivedAt, ([time, received]) => time - received);
  const least = Math.min(...offsets);
  if (Math.max(...offsets) - least <= CLOCK_TOLERANCE) return { devices, apiTime };
  const timeOf = (listedAt: number): number => Math.round(least + (receivedAt.get(listedAt) ?? 0));
  return {
    devices: new Map(
      Array.from(devices, ([id, { device, listedAt }]) => [id, { device, listedAt: timeOf(listedAt) }]),
    ),
    apiTime: Math.max(...Array.from(receivedAt.keys(), timeOf)),
  };
}

type Pages = ReadonlyMap<number, PageFacts>;

/**
 * Returns the last page to read: the last one with items according to the largest `total`, or the last one that had items. If
 * `totalPages` claims more, the page after a full one is read too.
 */
function lastPageOf(pages: Pages): number {
  const withItems = [...pages].filter(([, { items }]) => items > 0).map(([number]) => number);
  const lastWithItems = Math.max(0, ...withItems);
  const total = Math.max(...Array.from(pages.values(), (page) => page.total));
  const size = pageSizeOf(pages, lastWithItems);
  const last = Math.max(1, Math.ceil(total / size), lastWithItems);
  const { items = 0, totalPages = 0 } = pages.get(last) ?? {};
  return totalPages > last && items >= size ? last + 1 : last;
}

/**
 * Returns the page size: the largest number of items if more pages follow, otherwise the limit in the response, because the
 * last page may be short.
 */
function pageSizeOf(pages: Pages, lastWithItems: number): number {
  let [largest, claimed, isMeasured] = [0, 0, false];
  for (const [number, { items, limit }] of pages) {
    largest = Math.max(largest, items);
    claimed = Math.max(claimed, Math.min(limit ?? (items || PAGE_SIZE), PAGE_SIZE));
    if (items > 0 && number < lastWithItems) isMeasured = true;
  }
  return isMeasured ? largest : Math.max(largest, claimed);
}

/** Reports whether every page has the same devices, because the server ignores the page number. */
function isOnePageForAll(pages: Pages): boolean {
  const [first, ...others] = [...pages.values()].filter(({ items }) => items > 0);
  if (first?.fingerprint === undefined || others.length === 0) return false;
  return others.every(({ fingerprint }) => fingerprint === first.fingerprint);
}

/**
 * Reports whether the passes together have exactly as many devices as the list claims. A shift between two pages hides one
 * device and shows another twice, so the number is too small. If `total` fell, a device that left may hide another.
 */
function isWhole(passes: readonly Pass[]): boolean {
  const totals = passes.flatMap((pass) => pass.totals);
  const fell = totals.some((total, index) => total < (totals[index - 1] ?? 0));
  // Items without an id cannot be deduplicated, so the pass with the fewest of them counts.
  const rejected = Math.min(...passes.map((pass) => pass.rejected));
  const [last] = passes.slice(-1);
  const devices = passes.length === 1 ? last?.distinct : last?.known;
  return !fell && (devices ?? 0) + rejected === totals.at(-1);
}

function inconsistenciesOf({
  totals,
  distinct,
  rejected,
  duplicates,
}: Pass): readonly (readonly [ListInconsistency, number])[] {
  return [
    ['duplicate', duplicates],
    ['total_changed', totals.length - 1],
    ['incomplete', Math.abs(distinct + rejected - (totals.at(-1) ?? 0))],
  ];
}

/** Reports whether the later description is the newer one, that is, its heartbeat is not older. */
function isNewer(later: Device, earlier: Device): boolean {
  return (later.lastHeartbeatAt ?? 0) >= (earlier.lastHeartbeatAt ?? 0);
}

function numbersUpTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function sum(pages: Pages, fact: 'items' | 'rejected'): number {
  return [...pages.values()].reduce((total, page) => total + page[fact], 0);
}
