import { describe, expect, it } from 'vitest';
import { openIncident } from '../../../src/alerts/incident.ts';
import { type Account, NEW_ACCOUNT, NOTHING_KNOWN, type SavedState } from '../../../src/model/account.ts';
import { NO_CAUSES } from '../../../src/model/cause.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { createStore } from '../../../src/poll/store.ts';
import {
  accountIn,
  accountOf,
  fleetDevice,
  fleetOf,
  healthyDevice,
  moneyOf,
  NOON,
  POLLED_AT_NOON,
  snapshotOf,
} from '../../builders.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const configured = (
  name: string,
  own: { currency?: string; balanceLowCents?: number; apiUrl?: string } = {},
) => ({
  name,
  currency: own.currency,
  balanceLowCents: own.balanceLowCents,
  apiUrl: new URL(own.apiUrl ?? `https://${name}.example.com`),
  key: { environment: 'KEY' },
});

const ACCOUNTS = [configured('one', { currency: 'EUR', balanceLowCents: 500 }), configured('two')];
const KNOWN: Account = { ...NEW_ACCOUNT, money: moneyOf(100, 0) };

function setUp(earlier: SavedState = NOTHING_KNOWN) {
  let now = NOON;
  const seen: Snapshot[] = [];
  const store = createStore(
    ACCOUNTS,
    earlier,
    () => now,
    (snapshot) => seen.push(snapshot),
  );
  /** A poll of the balance that was judged. */
  const judge = (name: string, account = KNOWN) =>
    store.takeJudged({
      accounts: [{ name, before: accountIn(store, name).known, account }],
      causes: NO_CAUSES,
      events: [],
      polls: [{ name, collector: 'balance', polled: POLLED_AT_NOON }],
    });
  return {
    store,
    seen,
    judge,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const configuredAt = (name: string) => ({ apiUrl: `https://${name}.example.com`, keyVariable: 'KEY' });

describe('the store', () => {
  it('starts with accounts that nothing is known about', () => {
    expect(setUp().store.snapshot()).toEqual(
      snapshotOf(
        accountOf({ name: 'one', currency: 'EUR', balanceLowCents: 500, ...configuredAt('one') }),
        accountOf({ name: 'two', ...configuredAt('two') }),
      ),
    );
  });

  it('starts with what an earlier process knew, which is not shown before a poll', () => {
    const identity = { name: 'one', apiUrl: 'https://one.example.com/' };
    const saved = { accounts: [{ identity, goneAt: undefined, account: KNOWN }], causes: NO_CAUSES };
    const { balance } = accountIn(setUp(saved).store, 'one');
    expect([balance.data?.balance.availableCents, balance.state]).toEqual([100, 'expired']);
  });

  it('replaces the whole snapshot, keeps the other accounts, and calls the listener', () => {
    const { store, seen } = setUp();
    const before = store.snapshot();
    store.takeAccess('two', 'granted');
    expect(before.accounts[1]?.access).toBeUndefined();
    expect(store.snapshot().accounts[0]).toBe(before.accounts[0]);
    expect(accountIn(store, 'two').access).toBe('granted');
    expect(seen).toEqual([store.snapshot()]);
  });

  it('has no account that is not configured, and a change of it has no effect', () => {
    const { store, seen } = setUp();
    store.takeAccess('three', 'granted');
    store.takePoll({ name: 'three', collector: 'balance', polled: POLLED_AT_NOON });
    expect([store.account('three'), seen]).toEqual([undefined, []]);
  });

  it('shows judged data together with the poll that fetched it', () => {
    const { store, seen, judge } = setUp();
    judge('one');
    expect(seen).toHaveLength(1);
    expect(accountIn(store, 'one').balance).toEqual({ ...POLLED_AT_NOON, data: moneyOf(100, 0) });
  });

  it('drops the judgement of an account that a reload has replaced in the meantime', () => {
    const { store } = setUp();
    const before = accountIn(store, 'one').known;
    store.replace([configured('one', { apiUrl: 'https://other.example.com' })]);
    const account = { ...before, money: moneyOf(1, 0) };
    store.takeJudged({
      accounts: [{ name: 'one', before: { ...before }, account }],
      causes: NO_CAUSES,
      events: [],
      polls: [{ name: 'one', collector: 'balance', polled: POLLED_AT_NOON }],
    });
    expect(accountIn(store, 'one').balance).toMatchObject({ data: undefined, state: 'expired' });
  });

  it('replaces the accounts, keeps what is known about those that stay, and calls the listener once', () => {
    const { store, seen, judge } = setUp();
    for (const { name } of ACCOUNTS) judge(name);
    seen.length = 0;
    store.replace([
      configured('new'),
      configured('two', { apiUrl: 'https://other.example.com' }),
      configured('one', { currency: 'USD', balanceLowCents: 700 }),
    ]);
    expect(seen).toEqual([store.snapshot()]);
    expect(
      store.snapshot().accounts.map(({ name, currency, balance }) => [name, currency, balance.data]),
    ).toEqual([
      ['new', undefined, undefined],
      ['two', undefined, undefined],
      ['one', 'USD', moneyOf(100, 0)],
    ]);
  });

  it('sets aside an account that is no longer configured for a day, and restores it when it returns', () => {
    const { store, judge, pass } = setUp();
    for (const { name } of ACCOUNTS) judge(name);
    store.replace(ACCOUNTS.slice(0, 1));
    pass(23 * HOUR);
    expect(store.saved().accounts.map(({ identity, goneAt }) => [identity.name, goneAt])).toEqual([
      ['one', undefined],
      ['two', NOON],
    ]);
    store.replace(ACCOUNTS);
    expect(accountIn(store, 'two').balance.data).toEqual(moneyOf(100, 0));
    store.replace(ACCOUNTS.slice(0, 1));
    pass(25 * HOUR);
    expect(store.saved().accounts.map(({ identity }) => identity.name)).toEqual(['one']);
  });

  it('forgets an account that is aside for longer than a day, also where nothing is saved', () => {
    const { store, judge, pass } = setUp();
    judge('two');
    store.replace(ACCOUNTS.slice(0, 1));
    pass(25 * HOUR);
    judge('one');
    store.replace(ACCOUNTS);
    expect(accountIn(store, 'two').balance.data).toBeUndefined();
  });

  it('keeps an account of the state file aside that is not configured, and saves it again', () => {
    const identity = { name: 'gone', apiUrl: 'https://gone.example.com/' };
    const { store } = setUp({
      accounts: [{ identity, goneAt: undefined, account: KNOWN }],
      causes: NO_CAUSES,
    });
    expect(store.saved().accounts.at(-1)).toEqual({ identity, goneAt: NOON, account: KNOWN });
  });

  it('gives a new account at the same address the data of one with most of its phones, since it was renamed', () => {
    const { store } = setUp(withAccount('default', 'https://one.example.com/'));
    expect(store.takeRenamed('one', listed('p1', 'p2', 'new'))).toBe('default');
    expect(accountIn(store, 'one').known).toEqual(WITH_INCIDENT);
    expect([store.removed(), store.takeRenamed('one', listed('p1', 'p2'))]).toEqual([[], undefined]);
  });

  it.each([
    ['at another address', 'https://other.example.com/', ['p1', 'p2', 'p3']],
    ['with few of its phones', 'https://one.example.com/', ['p1', 'p4', 'p5']],
  ])('does not take an account %s for a renamed one', (_, apiUrl, ids) => {
    const { store } = setUp(withAccount('default', apiUrl));
    expect(store.takeRenamed('one', listed(...ids))).toBeUndefined();
    expect(accountIn(store, 'one').known).toEqual(NEW_ACCOUNT);
  });

  it('ends the incidents of a removed account once it can no longer be a renamed one', () => {
    const { store, judge, pass } = setUp(withAccount('default', 'https://one.example.com/'));
    judge('two');
    expect(store.removed()[0]?.account.incidents.open).toHaveLength(1);
    pass(11 * MINUTE);
    judge('two', { ...KNOWN });
    expect(store.removed()[0]?.account.incidents).toMatchObject({
      open: [],
      ended: [{ id: INCIDENT.id, reason: 'account_removed', endedAt: NOON }],
    });
  });
});

const INCIDENT = openIncident({ problem: 'sold_offline', since: NOON - HOUR, deviceId: 'p1' }, NOON - HOUR);

const WITH_INCIDENT: Account = {
  ...NEW_ACCOUNT,
  at: NOON,
  fleet: fleetOf(...['p1', 'p2', 'p3'].map((id) => fleetDevice(healthyDevice({ id })))),
  incidents: { ...NEW_ACCOUNT.incidents, open: [INCIDENT] },
};

/** The state of an earlier process with one account. */
function withAccount(name: string, apiUrl: string): SavedState {
  const account = { identity: { name, apiUrl }, goneAt: undefined, account: WITH_INCIDENT };
  return { accounts: [account], causes: NO_CAUSES };
}

function listed(...ids: readonly string[]): ReadonlyMap<string, unknown> {
  return new Map(ids.map((id) => [id, id]));
}
