import { describe, expect, it } from 'vitest';
import {
  afterPass,
  afterRound,
  beforeListing,
  factsOf,
  type ListingState,
  MAX_ROUNDS,
  type PassCounts,
  planListing,
} from '../../../src/api/device-list-plan.ts';
import type { DevicePage } from '../../../src/api/schemas.ts';
import { pageOf, pagesOf, phones } from './listed-pages.ts';

const full = phones(1, 100);

/** The state after rounds of pages, each given by their numbers. */
function stateAfter(...rounds: readonly Readonly<Record<number, DevicePage>>[]): ListingState {
  return rounds.reduce<ListingState>((state, round) => {
    const facts = Object.entries(round).map(([number, page]) => factsOf(Number(number), page));
    return afterRound(state, facts);
  }, beforeListing(1));
}

/** The next step in words. */
function planOf(state: ListingState): string {
  const plan = planListing(state);
  if (plan.step === 'refuse') return `refuse ${plan.kind}: ${plan.got}`;
  if (plan.step === 'read') return `read ${plan.pages.at(0)} to ${plan.pages.at(-1)}`;
  return plan.step === 'finish' ? `finish ${plan.complete ? 'complete' : 'incomplete'}` : plan.step;
}

/** The state after a pass over pages, all of whose phones were different unless told otherwise. */
function ended(state: ListingState, count: Partial<PassCounts> = {}, hasTime = true): ListingState {
  const items = [...state.pages.values()].reduce((sum, page) => sum + page.items - page.rejected, 0);
  const { distinct = items, known = distinct, duplicates = 0, conflicts = 0 } = count;
  return afterPass(state, { distinct, known, duplicates, conflicts }, hasTime);
}

function inconsistenciesOf(state: ListingState): object {
  return Object.fromEntries(state.passes.at(-1)?.inconsistencies ?? []);
}

describe('the plan of a pass', () => {
  it('starts with the first page if the number of pages is unknown', () => {
    expect(planOf(beforeListing(1))).toBe('read 1 to 1');
  });

  it('starts with all pages of the last listing', () => {
    expect(planOf(beforeListing(10))).toBe('read 1 to 10');
  });

  it.each<[string, DevicePage, string]>([
    ['ends after the only page of an empty list', pageOf([]), 'count'],
    ['ends after the only page of a list of 100 devices', pageOf(full), 'count'],
    ['reads a second page of a list of 101 devices', pageOf(full, { total: 101 }), 'read 2 to 2'],
    [
      'reads ten pages of a list of 1,000 devices',
      pageOf(full, { total: 1000, totalPages: 10 }),
      'read 2 to 10',
    ],
    [
      'uses total where totalPages is too small',
      pageOf(full, { total: 1000, totalPages: 1 }),
      'read 2 to 10',
    ],
    [
      'reads one page more where totalPages is larger than total requires',
      pageOf(full, { total: 1000, totalPages: 12 }),
      'read 2 to 11',
    ],
    ['reads one page more where totalPages is a billion', pageOf(full, { totalPages: 1e9 }), 'read 2 to 2'],
    [
      'uses the limit in the response as the page size',
      pageOf(phones(1, 50), { total: 1000, limit: 50 }),
      'read 2 to 20',
    ],
    [
      'uses the limit in the response although the page is shorter',
      pageOf(phones(1, 20), { total: 1000, limit: 100 }),
      'read 2 to 10',
    ],
    [
      'uses the number of items of a page that is larger than requested',
      pageOf(phones(1, 250), { total: 1000, limit: 250 }),
      'read 2 to 4',
    ],
    [
      'ignores a limit that is larger than the page',
      pageOf(full, { total: 1000, limit: 1000 }),
      'read 2 to 10',
    ],
    [
      'includes rejected items in the page size',
      pageOf(phones(1, 60), { total: 1000, rejected: 40 }),
      'read 2 to 10',
    ],
    ['reads the pages after an empty one', pageOf([], { total: 300 }), 'read 2 to 3'],
    ['reads a list of a million devices', pageOf(full, { total: 1_000_000 }), 'read 2 to 10000'],
    [
      'refuses a list of more than a million devices',
      pageOf(full, { total: 1_000_001 }),
      'refuse overlong: a list of 1000001 devices, expected at most 1000000 on 10000 pages',
    ],
  ])('%s', (_, page, expected) => {
    expect(planOf(stateAfter({ 1: page }))).toBe(expected);
  });

  it('reads more pages where they are smaller than their limit', () => {
    const small = (number: number) =>
      pageOf(phones(number * 20 - 19, number * 20), { total: 250, limit: 100 });
    expect(planOf(stateAfter({ 1: small(1) }, { 2: small(2), 3: small(3) }))).toBe('read 4 to 13');
  });

  it('reads another page where the list grew while it was read', () => {
    const second = pageOf(phones(101, 200), { total: 201 });
    expect(planOf(stateAfter({ 1: pageOf(full, { total: 200 }) }, { 2: second }))).toBe('read 3 to 3');
  });

  it('reads all pages of the larger total where the list shrank', () => {
    const second = pageOf(phones(101, 200), { total: 200 });
    expect(planOf(stateAfter({ 1: pageOf(full, { total: 300 }), 2: second }))).toBe('read 3 to 3');
  });

  it('does not require an expected page that is beyond the end', () => {
    const pages = { ...pagesOf(phones(1, 150)), 3: pageOf([], { total: 150, totalPages: 2 }) };
    expect(planOf(stateAfter(pages))).toBe('count');
    expect(inconsistenciesOf(ended(stateAfter(pages)))).toEqual({});
  });

  it('reads an empty page once more, if it should have items', () => {
    const pages = { ...pagesOf(phones(1, 300)), 2: pageOf([], { total: 300 }) };
    expect(planOf(stateAfter(pages))).toBe('read 2 to 2');
    expect(planOf(stateAfter(pages, { 2: pageOf([], { total: 300 }) }))).toBe('count');
    expect(planOf(stateAfter(pages, pagesOf(phones(1, 300))))).toBe('count');
  });

  it('does not use the size of a short last page as the page size', () => {
    const pages = { ...pagesOf(phones(1, 105)), 1: pageOf([], { total: 105 }) };
    expect(planOf(stateAfter(pages))).toBe('read 1 to 1');
    expect(planOf(stateAfter(pages, { 1: pageOf([], { total: 105 }) }))).toBe('count');
  });

  it('ends at the first empty page where totalPages claims too many', () => {
    const claim = { total: 100, totalPages: 1e9 };
    expect(planOf(stateAfter({ 1: pageOf(full, claim) }, { 2: pageOf([], claim) }))).toBe('count');
  });

  it('reads twice as many pages each time while pages beyond total have items', () => {
    const claim = { total: 100, totalPages: 1e9 };
    const rounds = [1, 2, 3, 4].map((number) => ({
      [number]: pageOf(phones(number * 100 - 99, number * 100), claim),
    }));
    expect([2, 3, 4].map((count) => planOf(stateAfter(...rounds.slice(0, count))))).toEqual([
      'read 3 to 4',
      'read 4 to 7',
      'read 5 to 12',
    ]);
  });

  it('refuses a list that is longer each time its end is reached', () => {
    const rounds = Array.from({ length: MAX_ROUNDS }, (_, index) => ({
      [index + 1]: pageOf(phones(index * 100 + 1, index * 100 + 100), { total: (index + 2) * 100 }),
    }));
    expect(planOf(stateAfter(...rounds.slice(0, -1)))).toBe('read 10 to 10');
    expect(planOf(stateAfter(...rounds))).toBe(
      'refuse overlong: a list that grew in each of 10 rounds, expected an end',
    );
  });

  it('refuses a list whose pages are all the same', () => {
    const same = pageOf(full, { total: 300 });
    expect(planOf(stateAfter({ 1: same }, { 2: same, 3: same }))).toBe(
      'refuse page_repeated: the same page for each of the 3 requested pages',
    );
  });

  it('does not treat pages without any usable id as repeated', () => {
    const useless = pageOf([], { rejected: 100, total: 200 });
    expect(planOf(stateAfter({ 1: useless, 2: useless }))).toBe('count');
  });
});

describe('the plan after a pass', () => {
  const pages = pagesOf(phones(1, 300));
  const first = stateAfter(pages);
  const again = (state: ListingState) =>
    afterRound(
      state,
      Object.entries(pages).map(([number, page]) => factsOf(Number(number), page)),
    );

  it('finishes if nothing is missing', () => {
    expect(planOf(ended(first))).toBe('finish complete');
    expect(planListing(ended(first))).toEqual({
      step: 'finish',
      complete: true,
      total: 300,
      pages: 3,
      passes: 1,
    });
  });

  it('plans another pass if something is missing', () => {
    expect(planOf(ended(first, { distinct: 299, duplicates: 1 }))).toBe('read 1 to 3');
  });

  it('finishes when all passes together hold everything', () => {
    const second = again(ended(first, { distinct: 299, duplicates: 1 }));
    expect(planOf(ended(second, { distinct: 299, known: 300, duplicates: 1 }))).toBe('finish complete');
  });

  it('never plans a fourth pass', () => {
    const second = again(ended(first, { distinct: 297, duplicates: 3 }));
    const third = again(ended(second, { distinct: 298, known: 298, duplicates: 2 }));
    expect(planOf(third)).toBe('count');
    expect(planOf(ended(third, { distinct: 299, known: 299, duplicates: 1 }))).toBe('finish incomplete');
  });

  it('plans no other pass if there is no time', () => {
    expect(planOf(ended(first, { distinct: 299, duplicates: 1 }, false))).toBe('finish incomplete');
  });

  it('plans no other pass if the last one brought nothing new and nothing moved', () => {
    const second = again(ended(first, { distinct: 290 }));
    expect(planOf(ended(second, { distinct: 290, known: 290 }))).toBe('finish incomplete');
    expect(planOf(ended(second, { distinct: 289, known: 290, duplicates: 1 }))).toBe('read 1 to 3');
  });
});

describe('the passes of a listing', () => {
  type Pass = ListingState['passes'][number];
  const pass = (fields: Partial<Pass>): Pass => ({
    ...{ lastPage: 1, totals: [3], rejected: 0, distinct: 3, known: 3, duplicates: 0, conflicts: 0 },
    ...{ inconsistencies: new Map() },
    ...fields,
  });

  it.each<[string, readonly Partial<Pass>[], boolean]>([
    ['that hold all devices are complete', [{}], true],
    ['that count an item without an id are complete', [{ distinct: 2, known: 2, rejected: 1 }], true],
    ['that lack a device are incomplete', [{ distinct: 2, known: 2 }], false],
    ['that hold one device too many are incomplete', [{ distinct: 4, known: 4 }], false],
    ['during which the list grew are complete with the new device', [{ totals: [2, 3] }], true],
    ['during which the list grew are incomplete without the new device', [{ totals: [3, 4] }], false],
    ['during which the list shrank are incomplete', [{ totals: [4, 3] }], false],
    [
      'are complete together',
      [
        { distinct: 2, known: 2 },
        { distinct: 2, known: 3 },
      ],
      true,
    ],
    [
      'are incomplete together if the list shrank in between',
      [{ totals: [4], known: 2 }, { distinct: 2 }],
      false,
    ],
    [
      'are complete if the last one alone is',
      [
        { totals: [4, 3], known: 2 },
        { distinct: 3, known: 4 },
      ],
      true,
    ],
    [
      'count an item without an id as often as the pass that had it least',
      [
        { distinct: 1, known: 1, rejected: 1 },
        { distinct: 1, known: 1, rejected: 2 },
      ],
      true,
    ],
  ])('%s', (_, passes, complete) => {
    const state = { ...beforeListing(1), passes: passes.map(pass), hasTime: false };
    expect(planListing(state)).toMatchObject({ step: 'finish', complete });
  });
});

describe('the inconsistencies of a pass', () => {
  const list = pagesOf(phones(1, 300));
  const withPage = (number: number, page: DevicePage) => ({ ...list, [number]: page });

  it.each<[string, Readonly<Record<number, DevicePage>>, object]>([
    ['nothing in a consistent list', list, {}],
    ['nothing for a single page that is shorter than its limit', { 1: pageOf(phones(1, 5)) }, {}],
    ['an empty page in the middle', withPage(2, pageOf([], { total: 300 })), { empty_page: 1 }],
    ['an empty last page', withPage(3, pageOf([], { total: 300 })), { empty_page: 1 }],
    ['a short page', withPage(2, pageOf(phones(101, 190), { total: 300 })), { short_page: 1 }],
    [
      'pages that are smaller than requested, as their limit says',
      pagesOf(phones(1, 300), 20),
      { limit_ignored: 1 },
    ],
    [
      'pages that are smaller than requested, although their limit is not',
      { 1: pageOf(phones(1, 20), { total: 40 }), 2: pageOf(phones(21, 40), { total: 40 }) },
      { limit_ignored: 1 },
    ],
    ['pages that are larger than requested', { 1: pageOf(phones(1, 300)) }, { limit_ignored: 1 }],
    [
      'a page with another number than requested',
      withPage(2, pageOf(phones(101, 200), { total: 300, page: 7 })),
      { page_mismatch: 1 },
    ],
    [
      'a page that repeats the one before',
      withPage(3, pageOf(phones(101, 200), { total: 300 })),
      { page_repeated: 1 },
    ],
    ['a total that changes', withPage(2, pageOf(phones(101, 200), { total: 299 })), { total_changed: 2 }],
    [
      'a totalPages that is larger than total allows',
      withPage(3, pageOf(phones(201, 300), { total: 300, totalPages: 9 })),
      { overlong: 1 },
    ],
  ])('count %s', (_, pages, expected) => {
    expect(inconsistenciesOf(ended(stateAfter(pages)))).toEqual(expected);
  });

  it('count an empty page even if it is full when it is read again', () => {
    const state = stateAfter(withPage(2, pageOf([], { total: 300 })), { 2: list[2] ?? pageOf([]) });
    expect(inconsistenciesOf(ended(state))).toEqual({ empty_page: 1 });
  });

  it('count each duplicate device and each conflict', () => {
    expect(inconsistenciesOf(ended(stateAfter(list), { duplicates: 3, conflicts: 2 }))).toEqual({
      duplicate: 3,
      conflict: 2,
    });
  });

  it('count a total that differs from the pass before', () => {
    const second = afterRound(ended(stateAfter(list), { distinct: 1 }), [factsOf(1, pageOf(full))]);
    expect(inconsistenciesOf(ended(second))).toEqual({ total_changed: 1 });
  });
});
