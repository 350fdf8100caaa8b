import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  countGroups,
  indexPhones,
  type PhoneIndex,
  phoneState,
  sumTotals,
} from '../../../src/fleet/phones.ts';
import { totals } from './fleet.ts';
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
  expect(states).toEqual(['online', 'online', 'offline', 'offline', 'not_set_up', 'muted']);
});

it('sumTotals adds up the totals of the accounts that have them', () => {
  const own = totals(
    { phones: 9, online: 4, offline: 3, sold: 2, selfRented: 1, idle: 2, listed: 5 },
    { not_set_up: 1, in_maintenance: 1 },
  );
  expect(sumTotals([account({ totals: own }), account(), account({ totals: own })])).toEqual({
    ...{ phones: 18, online: 8, offline: 6, notSetUp: 2, sold: 4, selfRented: 2, idle: 4, muted: 2 },
    ...{ soldOffline: 0, accounts: 2 },
  });
});
