import { expect, it } from 'vitest';
import { NO_MEMORY, type Snapshot } from '../../../src/model/snapshot.ts';
import { createStore } from '../../../src/poller/store.ts';
import { accountIn, accountOf, freshReading, moneyOf, snapshotOf } from '../../builders.ts';

const ACCOUNTS = [
  { name: 'one', currency: 'EUR', balanceLowCents: 500, key: { environment: 'KEY' } },
  { name: 'two', currency: undefined, balanceLowCents: undefined, key: { environment: 'KEY' } },
];

it('the store starts with accounts without data', () => {
  expect(createStore(ACCOUNTS, () => {}).snapshot()).toEqual(
    snapshotOf(accountOf({ name: 'one', currency: 'EUR', balanceLowCents: 500 }), accountOf({ name: 'two' })),
  );
});

it('an update of the store replaces the whole snapshot, keeps the other accounts, and calls the listener', () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const before = store.snapshot();
  store.update('two', (account) => ({ ...account, access: 'granted' }));
  expect(before.accounts[1]?.access).toBeUndefined();
  expect(store.snapshot().accounts[0]).toBe(before.accounts[0]);
  expect(accountIn(store, 'two').access).toBe('granted');
  expect(seen).toEqual([store.snapshot()]);
});

it('the store has no account that is not configured, and a change of it has no effect', () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  store.update('three', (account) => ({ ...account, access: 'granted' }));
  expect([store.account('three'), seen]).toEqual([undefined, []]);
});

it('the store starts with the memory of an earlier process', () => {
  const memory = { ...NO_MEMORY, money: moneyOf(1, 2) };
  const [one] = createStore(
    [{ name: 'one', currency: 'EUR', balanceLowCents: undefined, key: { environment: 'KEY' }, memory }],
    () => {},
  ).snapshot().accounts;
  expect(one).toEqual(accountOf({ name: 'one', currency: 'EUR', memory }));
});

it('the store replaces the accounts, keeps the readings of those that stay, and calls the listener once', () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const balance = freshReading(moneyOf(100, 0));
  for (const { name } of ACCOUNTS) store.update(name, (account) => ({ ...account, balance }));
  seen.length = 0;
  store.replace(
    [
      { name: 'new', currency: undefined, balanceLowCents: undefined, key: { environment: 'KEY' } },
      { name: 'two', currency: undefined, balanceLowCents: undefined, key: { environment: 'KEY' } },
      { name: 'one', currency: 'USD', balanceLowCents: 700, key: { environment: 'KEY' } },
    ],
    new Set(['one']),
  );
  expect(seen).toEqual([store.snapshot()]);
  expect(store.snapshot().accounts).toEqual([
    accountOf({ name: 'new' }),
    accountOf({ name: 'two' }),
    accountOf({ name: 'one', currency: 'USD', balanceLowCents: 700, balance }),
  ]);
});
