import { expect, it } from 'vitest';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { createStore } from '../../../src/poller/store.ts';
import { accountOf } from '../../builders.ts';

const ACCOUNTS = [
  { name: 'one', currency: 'EUR' },
  { name: 'two', currency: undefined },
];

it('begins with accounts of which nothing is known', () => {
  expect(createStore(ACCOUNTS, () => {}).snapshot()).toEqual({
    accounts: [accountOf({ name: 'one', currency: 'EUR' }), accountOf({ name: 'two' })],
  });
});

it('replaces the snapshot whole, leaves the other accounts as they were, and tells', () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const before = store.snapshot();
  store.update('two', (account) => ({ ...account, access: 'granted' }));
  expect(before.accounts[1]?.access).toBeUndefined();
  expect(store.snapshot().accounts[0]).toBe(before.accounts[0]);
  expect(store.account('two').access).toBe('granted');
  expect(seen).toEqual([store.snapshot()]);
});

it('refuses an account that it was not made for', () => {
  expect(() => createStore(ACCOUNTS, () => {}).account('three')).toThrow('no account is named three');
});
