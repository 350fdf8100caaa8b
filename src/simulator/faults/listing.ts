import type { Answer } from '../answer.ts';
import { isObject, type Json, type JsonObject, listOf } from '../json.ts';
import { type Fault, faultsOf, type Occasion } from './fault.ts';

/** Device list page as these faults see it. */
type Page = {
  readonly items: readonly Json[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
};

/** The page in an answer; undefined if it is no success. */
function pageIn(answer: Answer): Page | undefined {
  const data = isObject(answer.body) ? answer.body['data'] : undefined;
  if (!isObject(data)) return undefined;
  const number = (name: string) => Number(data[name]);
  const items = listOf(data['items']);
  return {
    ...{ items, total: number('total'), page: number('page') },
    ...{ limit: number('limit'), totalPages: number('totalPages') },
  };
}

type Change = (page: Page, occasion: Occasion) => JsonObject;

/** Changes some of the page in a successful answer and leaves every other answer alone. */
const changing =
  (change: Change) =>
  (answer: Answer, occasion: Occasion): Answer => {
    const page = pageIn(answer);
    if (page === undefined) return answer;
    return { ...answer, body: { success: true, data: { ...page, ...change(page, occasion) } } };
  };

const itemsOfPage = (number: number, { ask }: Occasion): readonly Json[] =>
  pageIn(ask({ page: String(number) }))?.items ?? [];

const counted = (total: number, limit: number) => ({ total, totalPages: Math.ceil(total / limit) });

/** A phone moved forward between the reading of two pages: the last item of a page comes again as the first of the next. */
const shiftedBack: Change = ({ items, page }, occasion) =>
  page === 1 ? {} : { items: [...itemsOfPage(page - 1, occasion).slice(-1), ...items.slice(0, -1)] };

/** A phone went away between the reading of two pages: the first item of the next page has slipped past the reader. */
const shiftedOn: Change = ({ items, page }, occasion) =>
  page === 1 ? {} : { items: [...items.slice(1), ...itemsOfPage(page + 1, occasion).slice(0, 1)] };

const middle = (totalPages: number) => Math.ceil(totalPages / 2);

const DEFAULT_LIMIT = 20;

/** A device list that contradicts itself from page to page or from listing to listing. */
export const LISTING_FAULTS: readonly Fault[] = faultsOf(
  'listing',
  ['devices'],
  [
    {
      name: 'duplicate-devices',
      description: 'each page from the second on begins with the last phone of the page before',
      onAnswer: changing(shiftedBack),
    },
    {
      name: 'omitted-devices',
      description: 'each page from the second on lacks its first phone, as if the list had shifted',
      onAnswer: changing(shiftedOn),
    },
    {
      name: 'total-grows',
      description: 'total is one more with each request',
      onAnswer: changing(({ total, limit }, { count }) => counted(total + count + 1, limit)),
    },
    {
      name: 'total-shrinks',
      description: 'total is one less with each request',
      onAnswer: changing(({ total, limit }, { count }) => counted(Math.max(0, total - count - 1), limit)),
    },
    {
      name: 'empty-middle-page',
      description: 'the page in the middle has no items',
      onAnswer: changing(({ page, totalPages }) => (page === middle(totalPages) ? { items: [] } : {})),
    },
    {
      name: 'limit-ignored',
      description: 'pages of 20 whatever limit was asked for, and limit says so',
      onAnswer: (answer, { ask }) =>
        pageIn(answer) === undefined ? answer : ask({ limit: String(DEFAULT_LIMIT) }),
    },
    {
      name: 'same-page-for-ever',
      description: 'the first page whatever page was asked for, as from a cache',
      onAnswer: (answer, { ask }) => (pageIn(answer) === undefined ? answer : ask({ page: '1' })),
    },
    {
      name: 'total-pages-huge',
      description: 'totalPages is 1,000,000,000',
      onAnswer: changing(() => ({ totalPages: 1_000_000_000 })),
    },
    {
      name: 'fleet-vanishes',
      description: 'an account without a phone',
      onAnswer: changing(() => ({ items: [], total: 0, totalPages: 0 })),
    },
  ],
);
