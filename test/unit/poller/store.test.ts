import { expect, it } from 'vitest';
import { WHOLE } from '../../../src/model/shard.ts';
import { NO_MEMORY, type Snapshot } from '../../../src/model/snapshot.ts';
import { createStore } from '../../../src/poller/store.ts';
import { accountOf, freshReading, moneyOf } from '../../builders.ts';

const ACCOUNTS = [
  { name: 'one', currency: 'EUR' },
  { name: 'two', currency: undefined },
];

it('starts with accounts of which nothing is known', () => {
  expect(createStore(ACCOUNTS, () => {}).snapshot()).toEqual({
    shard: WHOLE,
    accounts: [accountOf({ name: 'one', currency: 'EUR' }), accountOf({ name: 'two' })],
  });
});

it('replaces the snapshot as a whole, keeps the other accounts, and calls the listener', () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const before = store.snapshot();
  store.update('two', (account) => ({ ...account, access: 'granted' }));
  expect(before.accounts[1]?.access).toBeUndefined();
  expect(store.snapshot().accounts[0]).toBe(before.accounts[0]);
  expect(store.account('two').access).toBe('granted');
  expect(seen).toEqual([store.snapshot()]);
});

it('throws for an unknown account', () => {
  expect(() => createStore(ACCOUNTS, () => {}).account('three')).toThrow('no account is named three');
});

it('starts with the memory of an earlier process', () => {
  const memory = { ...NO_MEMORY, money: moneyOf(1, 2) };
  const [one] = createStore([{ name: 'one', currency: 'EUR', memory }], () => {}).snapshot().accounts;
  expect(one).toEqual(accountOf({ name: 'one', currency: 'EUR', memory }));
});

it('replaces the accounts, keeps the readings of those that stay, and calls the listener once', () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const balance = freshReading(moneyOf(100, 0));
  for (const { name } of ACCOUNTS) store.update(name, (account) => ({ ...account, balance }));
  seen.length = 0;
  store.replace(
    [
      { name: 'new', currency: undefined },
      { name: 'two', currency: undefined },
      { name: 'one', currency: 'USD' },
    ],
    new Set(['one']),
  );
  expect(seen).toEqual([store.snapshot()]);
  expect(store.snapshot().accounts).toEqual([
    accountOf({ name: 'new' }),
    accountOf({ name: 'two' }),
    accountOf({ name: 'one', currency: 'USD', balance }),
  ]);
});
