import { expect, it } from 'vitest';
import { NO_MEMORY, type Snapshot } from '../../../src/model/snapshot.ts';
import { createStore } from '../../../src/poller/store.ts';
import {
  accountIn,
  accountOf,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  moneyOf,
  NOON,
} from '../../builders.ts';

const ACCOUNTS = [
  { name: 'one', currency: 'EUR', key: { environment: 'KEY' } },
  { name: 'two', currency: undefined, key: { environment: 'KEY' } },
];

it('the store starts with accounts without data', () => {
  expect(createStore(ACCOUNTS, () => {}).snapshot()).toEqual({
    accounts: [accountOf({ name: 'one', currency: 'EUR' }), accountOf({ name: 'two' })],
  });
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
    [{ name: 'one', currency: 'EUR', key: { environment: 'KEY' }, memory }],
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
      { name: 'new', currency: undefined, key: { environment: 'KEY' } },
      { name: 'two', currency: undefined, key: { environment: 'KEY' } },
      { name: 'one', currency: 'USD', key: { environment: 'KEY' } },
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

/** A fleet of three racks; the last one fell silent some seconds ago. */
function racks(seconds: number) {
  const entries = Array.from({ length: 24 }, (_, index) => {
    const rack = index >> 3;
    const lastHeartbeatAt = NOON - (rack === 2 ? seconds : 10) * 1000;
    return fleetDevice(bareDevice({ id: `p${index}`, label: `rack-${rack}/${index}`, lastHeartbeatAt }));
  });
  return freshReading(fleetOf(...entries));
}

it('the store names the common cause of silent devices, and reports it to the listener once', () => {
  const told: string[] = [];
  const store = createStore(ACCOUNTS, (_, events) => told.push(...events.map(({ event }) => event)));
  for (const seconds of [10, 960, 990])
    store.update('one', (account) => ({ ...account, devices: racks(seconds) }));
  expect(accountIn(store, 'one').causes).toMatchObject([
    { cause: { kind: 'group', value: 'rack-2', devices: 8 } },
  ]);
  expect(told).toEqual(['common cause begun']);
  expect(store.snapshot().events).toHaveLength(1);
});

it('updates of the store in steps find the same causes, and concurrent ones share one snapshot', async () => {
  const seen: Snapshot[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const inSteps = (name: string, devices: ReturnType<typeof racks>) =>
    store.updateInSteps(
      name,
      (account) => ({ ...account, devices }),
      () => new Promise(setImmediate),
    );
  await Promise.all([inSteps('one', racks(960)), inSteps('two', racks(990))]);
  expect(seen).toHaveLength(1);
  const updated = createStore(ACCOUNTS, () => {});
  updated.update('one', (account) => ({ ...account, devices: racks(960) }));
  updated.update('two', (account) => ({ ...account, devices: racks(990) }));
  for (const { name } of ACCOUNTS) {
    expect(accountIn(store, name).causes).not.toEqual([]);
    expect(accountIn(store, name).causes).toEqual(accountIn(updated, name).causes);
  }
});

it('an update of the store in steps keeps what changed in the meantime', async () => {
  const store = createStore(ACCOUNTS, () => {});
  const updated = store.updateInSteps(
    'one',
    (account) => ({ ...account, devices: racks(960) }),
    async () => store.update('one', (account) => ({ ...account, access: 'granted' })),
  );
  store.replace(ACCOUNTS, new Set(['one']));
  await updated;
  expect(accountIn(store, 'one')).toMatchObject({ access: 'granted', devices: { state: 'fresh' } });
});

it('an update of the store in steps is dropped if the account was removed in the meantime', async () => {
  const store = createStore(ACCOUNTS, () => {});
  const updated = store.updateInSteps(
    'two',
    (account) => ({ ...account, devices: racks(960) }),
    async () => {},
  );
  store.replace(ACCOUNTS.slice(0, 1), new Set(['one']));
  await updated;
  expect(store.snapshot().accounts).toHaveLength(1);
});

it('the store keeps the same object while the causes are equal, so that their text is encoded once', () => {
  const store = createStore(ACCOUNTS, () => {});
  for (const _ of [1, 2]) {
    const before = accountIn(store, 'one').causes;
    store.update('one', (account) => ({ ...account, devices: racks(960) }));
    if (before.length > 0) expect(accountIn(store, 'one').causes).toBe(before);
  }
});

it('the store keeps the last hundred events', () => {
  const store = createStore(ACCOUNTS, () => {});
  for (let sale = 0; sale < 130; sale += 1) {
    const rentalStatus = sale % 2 === 0 ? 'idle' : 'sold';
    const devices = freshReading(fleetOf(fleetDevice(bareDevice({ rentalStatus }))));
    store.update('one', (account) => ({ ...account, devices }));
  }
  expect(store.snapshot().events).toHaveLength(100);
});
