import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CELL_STATES } from '../../../../src/features/page/browser/cards.ts';
import {
  DEFAULT_VIEW,
  exactFirst,
  fragmentOf,
  parseView,
  selectionTarget,
  selectorOf,
  type TableView,
} from '../../../../src/features/page/browser/view.ts';
import { indexPhones, type PhoneIndex, TABLE_COLUMNS } from '../../../../src/fleet/phones.ts';
import { PROBLEMS } from '../../../../src/model/problem.ts';
import { phone } from '../../fleet/phone.ts';

describe('the view in the fragment', () => {
  it('writes the default view as an empty fragment', () => {
    expect(fragmentOf(DEFAULT_VIEW)).toBe('#');
    expect(parseView('')).toEqual(DEFAULT_VIEW);
    expect(parseView('#')).toEqual(DEFAULT_VIEW);
  });

  it.each([
    [
      '#q=rack+1&show=sold&account=main&sort=-heartbeat',
      { query: 'rack 1', show: 'sold', account: 'main', sort: 'heartbeat', descending: true },
    ],
    ['#group=rack-07', { group: 'rack-07' }],
    ['#cause=group%3Arack-07', { cause: 'group:rack-07' }],
    ['#show=tunnel_missing', { show: 'tunnel_missing' }],
    ['#cell=rented_away', { cell: 'rented_away' }],
    ['#sort=phone', { sort: 'phone' }],
    ['#sort=-problem', { descending: true }],
  ])('parses the fragment %s and writes it again', (fragment, chosen) => {
    expect(parseView(fragment)).toEqual({ ...DEFAULT_VIEW, ...chosen });
    expect(fragmentOf(parseView(fragment))).toBe(fragment);
  });

  it.each(['#show=everything', '#sort=-price', '#sort=__proto__', '#phones', '#%', '#show=&sort=&account='])(
    'ignores the invalid fragment %s',
    (fragment) => {
      expect(parseView(fragment)).toEqual(DEFAULT_VIEW);
    },
  );

  it('parses every view that it has written', () => {
    const view = fc.record({
      query: fc.string({ unit: 'grapheme' }),
      show: fc.constantFrom('all', 'attention', 'idle', ...PROBLEMS),
      account: fc.option(fc.stringMatching(/^[a-z]+$/), { nil: undefined }),
      cause: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
      group: fc.option(fc.stringMatching(/^[a-z/]+$/), { nil: undefined }),
      tag: fc.option(fc.stringMatching(/^[a-z]+=[^\n]+$/), { nil: undefined }),
      cell: fc.option(fc.constantFrom(...CELL_STATES), { nil: undefined }),
      sort: fc.constantFrom(...TABLE_COLUMNS),
      descending: fc.boolean(),
      phone: fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
    });
    fc.assert(
      fc.property(view, (one) => {
        expect(parseView(fragmentOf(one))).toEqual(one);
      }),
    );
  });
});

const unlisted = { marketplaceStatus: 'not_listed', problem: 'not_listed' } as const;
const unreadable = {
  heartbeatAgeSeconds: undefined,
  online: false,
  problem: 'heartbeat_unreadable',
} as const;

const FLEET = indexPhones([
  phone({ id: 'a', label: 'slot 10', problem: 'offline', heartbeatAgeSeconds: 1_000, online: false }),
  phone({ id: 'b', label: 'slot 9', rentalStatus: 'idle', ...unlisted }),
  phone({ id: 'c', label: '', problem: 'sold_offline', heartbeatAgeSeconds: 700, online: false }),
  phone({ id: 'd', label: 'Attic', account: 'other', model: 'A54', ...unreadable }),
  phone({ id: 'e', label: 'slot 1', problem: 'sold_offline', heartbeatAgeSeconds: 9_000, online: false }),
]);

/** The phones of a view in its order. */
const selectPhones = (phones: PhoneIndex, view: TableView) =>
  phones.ordered(view.sort, view.descending).filter(selectorOf(view));

const idsOf = (view: Partial<TableView>): string =>
  selectPhones(FLEET, { ...DEFAULT_VIEW, ...view })
    .map(({ phone: { id } }) => id)
    .join('');

describe('a view', () => {
  it.each([{ cause: 'group:rack-1' }, { group: 'rack-1' }])('keeps only the phones of %j', (own) => {
    const phones = indexPhones([phone({ id: 'a', ...own }), phone({ id: 'b', group: 'rack-2' })]);
    const selected = selectPhones(phones, { ...DEFAULT_VIEW, ...own });
    expect(selected.map(({ phone: { id } }) => id)).toEqual(['a']);
  });

  it('keeps only the phones whose cell on the wall shows the selected state', () => {
    expect([...idsOf({ cell: 'offline' })].toSorted().join('')).toBe('ad');
    expect(idsOf({ cell: 'off' })).toBe('b');
  });

  it.each<[string, Partial<TableView>, string]>([
    ['by problem, most expensive first and longest offline first', {}, 'ecadb'],
    ['by name, with numbers in their order', { sort: 'phone' }, 'dceba'],
    ['by name, backwards', { sort: 'phone', descending: true }, 'abecd'],
    ['by heartbeat, the unknown ones last', { sort: 'heartbeat' }, 'bcaed'],
    ['by heartbeat backwards, the unknown ones last too', { sort: 'heartbeat', descending: true }, 'eacbd'],
    ['by account', { sort: 'account', descending: true }, 'dabec'],
  ])('sorts phones %s', (_, view, ids) => {
    expect(idsOf(view)).toBe(ids);
  });

  it.each(TABLE_COLUMNS)('keeps all phones when it sorts by %s', (sort) => {
    for (const descending of [false, true])
      expect([...idsOf({ sort, descending })].toSorted().join('')).toBe('abcde');
  });

  it.each<[Partial<TableView>, string]>([
    [{ show: 'attention' }, 'abcde'],
    [{ show: 'online' }, 'b'],
    [{ show: 'offline' }, 'acde'],
    [{ show: 'idle' }, 'b'],
    [{ show: 'listed' }, 'acde'],
    [{ account: 'other' }, 'd'],
    [{ query: ' slot   1 ' }, 'abe'],
    [{ query: 'attic a54' }, 'd'],
    [{ query: 'slot', show: 'sold_offline' }, 'e'],
    [{ query: '.*' }, ''],
  ])('selects by %j the phones %s', (view, ids) => {
    expect([...idsOf(view)].toSorted().join('')).toBe(ids);
  });
});

describe('the maintenance target of a selection', () => {
  const targetOf = (part: Partial<TableView>) => {
    const view = { ...DEFAULT_VIEW, ...part };
    return selectionTarget(view, selectPhones(FLEET, view));
  };

  it.each<[string, Partial<TableView>, ReturnType<typeof selectionTarget>]>([
    [
      'is the group, however many phones it has',
      { account: 'main', group: 'rack-01', sort: 'phone' },
      { title: 'rack-01', scope: { accounts: ['main'], groups: ['rack-01'] } },
    ],
    [
      'is each phone where a search narrows the group',
      { group: 'rack-01', query: 'slot' },
      { title: '3 phones', scope: { devices: ['e', 'b', 'a'] } },
    ],
    [
      'is the account, however many phones it has',
      { account: 'main' },
      { title: 'all phones of main', scope: { accounts: ['main'] } },
    ],
    [
      'has the name of a single phone',
      { account: 'other', query: 'attic' },
      { title: 'Attic', scope: { accounts: ['other'], devices: ['d'] } },
    ],
  ])('%s', (_, part, target) => {
    expect(targetOf({ sort: 'phone', ...part })).toEqual(target);
  });
});

describe('a search', () => {
  const labels = ['Đà Nẵng 10', 'Đà Nẵng 1', 'Da Nang 1', 'Straße'];
  const { entries } = indexPhones(labels.map((label) => phone({ id: label, label })));
  const found = (query: string) =>
    exactFirst(entries.filter(selectorOf({ ...DEFAULT_VIEW, query })), query).map(({ name }) => name);

  it.each([
    ['da nang', ['Đà Nẵng 10', 'Đà Nẵng 1', 'Da Nang 1']],
    ['Da Nang 1', ['Da Nang 1', 'Đà Nẵng 1', 'Đà Nẵng 10']],
    ['zagreb', []],
  ])('for %s ignores marks and case, and has an exact name first', (query, names) => {
    expect(found(query)).toEqual(names);
  });
});
