import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countGroups,
  DEFAULT_VIEW,
  fragmentOf,
  indexPhones,
  parseView,
  problems,
  selectPhones,
  sumBalances,
  sumTotals,
  TABLE_COLUMNS,
  type TableView,
} from '../../../src/fleet-page/view.ts';
import { causeProof, causeTitle, moneyText, shareText, statusText } from '../../../src/fleet-page/words.ts';
import type { FleetBalance } from '../../../src/http/fleet-document.ts';
import { PROBLEMS } from '../../../src/model/problem.ts';
import { account, phone } from './phone.ts';

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

it('the fleet page lists the problems in the order of their cost', () => {
  expect(problems()).toEqual(PROBLEMS);
});

describe('countGroups', () => {
  it('counts the phones of each group of an account, those with most offline phones first', () => {
    const phones = [
      phone({ group: 'rack-10' }),
      phone({ group: 'rack-9' }),
      phone({ group: 'rack-9' }),
      phone({ group: 'rack-11', online: false }),
      phone({ group: '' }),
      phone({ account: 'other', group: 'rack-9' }),
    ];
    expect(countGroups(phones)).toEqual([
      { account: 'main', group: 'rack-11', phones: 1, offline: 1, inMaintenance: 0 },
      { account: 'main', group: 'rack-9', phones: 2, offline: 0, inMaintenance: 0 },
      { account: 'other', group: 'rack-9', phones: 1, offline: 0, inMaintenance: 0 },
      { account: 'main', group: 'rack-10', phones: 1, offline: 0, inMaintenance: 0 },
    ]);
  });
});

it('countGroups marks a rack that was cut in the account that it was cut in', () => {
  const phones = [
    phone({ group: 'rack-1', cause: 'group:rack-1' }),
    phone({ account: 'other', group: 'rack-1' }),
  ];
  expect(countGroups(phones).map(({ account, isCause }) => [account, isCause])).toEqual([
    ['main', true],
    ['other', undefined],
  ]);
});

describe('the description of a common cause', () => {
  const rack = {
    id: 'group:rack-03',
    kind: 'group',
    value: 'rack-03',
    phones: 38,
    soldPhones: 27,
    ownPhones: 38,
    others: 0,
    since: '2026-03-01T14:02:00.000Z',
    withinSeconds: 17.2,
  } as const;

  it('contains how many phones are silent since when, and why it is this cause', () => {
    expect(`${causeTitle(rack, '14:02:00')} ${causeProof(rack)}`).toBe(
      'All 38 working phones of rack-03 went silent within 18 s of each other, 27 of them sold, since 14:02:00. Nobody else went silent then: power or uplink?',
    );
  });

  it('contains what contradicts the cause', () => {
    const version = {
      ...rack,
      kind: 'app_version',
      value: '2.15',
      ownPhones: 40,
      soldPhones: 0,
      others: 3,
      withinSeconds: 5_000,
    } as const;
    expect(`${causeTitle(version, '14:02:00')} ${causeProof(version)}`).toBe(
      '38 of the 40 working phones of app version 2.15 went silent within 84 min of each other, since 14:02:00. 3 other phones went silent then: an update of the app?',
    );
  });
});

const FLEET = indexPhones([
  phone({ id: 'a', label: 'slot 10', problem: 'silent', heartbeatAgeSeconds: 1_000, online: false }),
  phone({
    id: 'b',
    label: 'slot 9',
    rentalStatus: 'idle',
    marketplaceStatus: 'not_listed',
    problem: 'not_listed',
  }),
  phone({ id: 'c', label: '', problem: 'sold_silent', heartbeatAgeSeconds: 700, online: false }),
  phone({
    id: 'd',
    label: 'Attic',
    account: 'other',
    heartbeatAgeSeconds: undefined,
    online: false,
    problem: 'heartbeat_unreadable',
    model: 'A54',
  }),
  phone({ id: 'e', label: 'slot 1', problem: 'sold_silent', heartbeatAgeSeconds: 9_000, online: false }),
]);

const idsOf = (view: Partial<TableView>): string =>
  selectPhones(FLEET, { ...DEFAULT_VIEW, ...view })
    .map(({ phone: { id } }) => id)
    .join('');

describe('selectPhones', () => {
  it('keeps only the phones of the selected cause', () => {
    const phones = indexPhones([phone({ id: 'a', cause: 'group:rack-1' }), phone({ id: 'b' })]);
    const selected = selectPhones(phones, { ...DEFAULT_VIEW, cause: 'group:rack-1' });
    expect(selected.map(({ phone: { id } }) => id)).toEqual(['a']);
  });

  it('keeps only the phones of the selected group', () => {
    const phones = indexPhones([phone({ id: 'a', group: 'rack-1' }), phone({ id: 'b', group: 'rack-2' })]);
    const selected = selectPhones(phones, { ...DEFAULT_VIEW, group: 'rack-2' });
    expect(selected.map(({ phone: { id } }) => id)).toEqual(['b']);
  });

  it('sorts by problem, most expensive first and longest silent first', () => {
    expect(idsOf({})).toBe('ecadb');
  });

  it.each<[string, Partial<TableView>, string]>([
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
    [{ show: 'sold_silent' }, 'ce'],
    [{ show: 'online' }, 'b'],
    [{ show: 'offline' }, 'acde'],
    [{ show: 'idle' }, 'b'],
    [{ show: 'listed' }, 'acde'],
    [{ account: 'other' }, 'd'],
    [{ query: 'SLOT' }, 'abe'],
    [{ query: ' slot   1 ' }, 'abe'],
    [{ query: 'attic a54' }, 'd'],
    [{ query: 'slot', show: 'sold_silent' }, 'e'],
    [{ query: '.*' }, ''],
  ])('selects by %j the phones %s', (view, ids) => {
    expect([...idsOf(view)].toSorted().join('')).toBe(ids);
  });

  it('names a phone without a label by its id', () => {
    expect(FLEET.entries[2]?.name).toBe('c');
  });

  it('tells phones of an account apart that have the same label', () => {
    const namesOf = (...ids: readonly string[]) =>
      indexPhones([
        ...ids.map((id) => phone({ id, label: 'slot' })),
        phone({ account: 'other', id: 'z', label: 'slot' }),
      ]).entries.map(({ name }) => name);
    expect(namesOf('63b0d408b3374f882000001e', '63b0d408b3374f8820000abc')).toEqual([
      'slot · 00001e',
      'slot · 000abc',
      'slot',
    ]);
    expect(namesOf('a-same-end', 'b-same-end').slice(0, 2)).toEqual([
      'slot · a-same-end',
      'slot · b-same-end',
    ]);
  });
});

const NO_PROBLEMS = {
  sold_silent: 0,
  self_rented_silent: 0,
  tunnel_missing: 0,
  tunnel_down: 0,
  tunnel_without_login: 0,
  silent: 0,
  heartbeat_unreadable: 0,
  rotation_stopped: 0,
  not_set_up: 0,
  not_listed: 0,
  idle_too_long: 0,
  given_up: 0,
  in_maintenance: 0,
};

const cents = (availableCents: number | undefined, pendingCents: number | undefined): FleetBalance => ({
  availableCents,
  pendingCents,
  totalCents: undefined,
});

it('sumTotals adds up the totals of the accounts that have them', () => {
  const totals = { phones: 5, online: 4, sold: 2, selfRented: 1, idle: 2, listed: 5, problems: NO_PROBLEMS };
  expect(sumTotals([account({ totals }), account(), account({ totals })])).toEqual({
    phones: 10,
    online: 8,
    sold: 4,
    selfRented: 2,
    idle: 4,
    inMaintenance: 0,
    accounts: 2,
  });
});

it('sumBalances adds up balances within one currency only', () => {
  expect(
    sumBalances([
      account({ currency: 'EUR', balance: cents(100, undefined) }),
      account({ currency: 'USD', balance: cents(7, 8) }),
      account({ currency: 'EUR', balance: cents(11, 5) }),
      account({ currency: 'EUR', balance: cents(undefined, 5) }),
      account({ balance: cents(3, undefined) }),
      account(),
    ]),
  ).toEqual([
    { currency: 'EUR', availableCents: 111, pendingCents: 5 },
    { currency: 'USD', availableCents: 7, pendingCents: 8 },
    { currency: undefined, availableCents: 3, pendingCents: undefined },
  ]);
});

it.each([
  [moneyText(125_000, 'EUR'), '1,250.00 EUR'],
  [moneyText(-5, undefined), '-0.05'],
  [shareText(1, 3), '33.3%'],
  [shareText(0, 0), '–'],
  [statusText('awaiting_agent'), 'awaiting agent'],
  [statusText('constructor'), 'constructor'],
  [statusText(undefined), '–'],
])('the fleet page formats a value as %s', (written, text) => {
  expect(written).toBe(text);
});
