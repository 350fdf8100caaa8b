import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { FleetAccount } from '../../../src/fleet/document.ts';
import {
  countGroups,
  indexPhones,
  type PhoneIndex,
  phoneState,
  sumBalances,
  sumTotals,
} from '../../../src/fleet/phones.ts';
import { account, phone } from './phone.ts';

describe('the name of a phone', () => {
  it('names a phone without a label by its id', () => {
    expect(indexPhones([phone({ id: 'c', label: '' })]).entries[0]?.name).toBe('c');
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

describe('an index made of the one before it', () => {
  const labels = ['slot-10', 'slot-9'];
  const indexed = (before?: PhoneIndex) =>
    indexPhones(
      labels.map((label) => phone({ id: label, label })),
      before,
    );

  it('has the same names and order, of the new phones', () => {
    const [first, second] = [indexed(), indexed(indexed())];
    expect(second.ordered('phone', false)).toEqual(first.ordered('phone', false));
    expect(second.ordered('phone', false)[0]?.phone).not.toBe(first.ordered('phone', false)[0]?.phone);
  });

  it('keeps nothing of it', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const makeBoth = () => {
      const first = indexed();
      return { second: indexed(first), first: new WeakRef(first.entries) };
    };
    const { first, second } = makeBoth();
    // A reference that was just made is held until the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(first.deref()).toBeUndefined();
    expect(second.entries).toHaveLength(2);
  });
});

describe('countGroups', () => {
  it('lists the groups of each account, those with most offline phones first', () => {
    const phones = [
      phone({ group: 'rack-10' }),
      phone({ group: 'rack-9' }),
      phone({ group: 'rack-9' }),
      phone({ group: 'rack-11', online: false }),
      phone({ group: '' }),
      phone({ account: 'other', group: 'rack-9' }),
    ];
    expect(countGroups(phones)).toEqual([
      { account: 'main', group: 'rack-11', offline: 1 },
      { account: 'main', group: 'rack-9', offline: 0 },
      { account: 'other', group: 'rack-9', offline: 0 },
      { account: 'main', group: 'rack-10', offline: 0 },
    ]);
  });
});

it('phoneState puts each phone into one state', () => {
  const states = [
    phone({}),
    phone({ problem: 'rotation_stopped' }),
    phone({ online: false, problem: 'given_up' }),
    phone({ online: false, problem: 'heartbeat_unreadable' }),
    phone({ online: false, problem: 'not_set_up' }),
    phone({ online: false, problem: 'in_maintenance' }),
  ].map(phoneState);
  expect(states).toEqual(['online', 'online', 'offline', 'offline', 'not_set_up', 'in_maintenance']);
});

const NO_PROBLEMS = {
  sold_offline: 0,
  self_rented_offline: 0,
  tunnel_missing: 0,
  tunnel_down: 0,
  tunnel_without_login: 0,
  offline: 0,
  heartbeat_unreadable: 0,
  rotation_stopped: 0,
  not_set_up: 0,
  not_listed: 0,
  idle_too_long: 0,
  given_up: 0,
  in_maintenance: 0,
};

const cents = (
  availableCents: number | undefined,
  pendingCents: number | undefined,
): FleetAccount['balance'] => ({
  availableCents,
  pendingCents,
  totalCents: undefined,
});

it('sumTotals adds up the totals of the accounts that have them', () => {
  const problems = { ...NO_PROBLEMS, not_set_up: 1, in_maintenance: 1 };
  const totals = {
    ...{ phones: 9, online: 4, offline: 3, sold: 2, selfRented: 1, idle: 2, listed: 5 },
    problems,
  };
  expect(sumTotals([account({ totals }), account(), account({ totals })])).toEqual({
    phones: 18,
    online: 8,
    offline: 6,
    notSetUp: 2,
    sold: 4,
    selfRented: 2,
    idle: 4,
    inMaintenance: 2,
    accounts: 2,
  });
});

it('sumBalances adds up balances within one currency only', () => {
  expect(
    sumBalances({
      accounts: [
        account({ currency: 'EUR', balance: cents(100, undefined) }),
        account({ currency: 'USD', balance: cents(7, 8) }),
        account({ currency: 'EUR', balance: cents(11, 5) }),
        account({ currency: 'EUR', balance: cents(undefined, 5) }),
        account({ balance: cents(3, undefined) }),
        account(),
      ],
      observed: [],
    }),
  ).toEqual([
    { currency: 'EUR', availableCents: 111, pendingCents: 5 },
    { currency: 'USD', availableCents: 7, pendingCents: 8 },
    { currency: undefined, availableCents: 3, pendingCents: undefined },
  ]);
});

it('sumBalances adds up the observed changes of the accounts with one currency', () => {
  const movement = (increaseCents: number, since: string) => ({ increaseCents, decreaseCents: 1, since });
  const [balance] = sumBalances({
    accounts: ['one', 'two', 'three'].map((name) => account({ name, balance: cents(1, undefined) })),
    observed: [
      { account: 'one', today: movement(5, '2026-03-01T02:00:00.000Z') },
      { account: 'two', today: movement(7, '2026-03-01T00:00:00.000Z'), month: movement(9, '2026-03-01') },
    ],
  });
  expect(balance).toMatchObject({
    today: { increaseCents: 12, decreaseCents: 2, since: '2026-03-01T00:00:00.000Z' },
    month: { increaseCents: 9, decreaseCents: 1 },
  });
});
