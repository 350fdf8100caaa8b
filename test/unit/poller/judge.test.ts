import { describe, expect, it } from 'vitest';
import type { FleetEvent } from '../../../src/model/event.ts';
import type { Fleet } from '../../../src/model/fleet.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { createJudge } from '../../../src/poller/judge.ts';
import { createStore } from '../../../src/poller/store.ts';
import {
  accountIn,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  NOON,
  PROBLEM_SETTINGS,
} from '../../builders.ts';

const ACCOUNTS = ['one', 'two'].map((name) => ({
  name,
  currency: undefined,
  balanceLowCents: undefined,
  key: { environment: 'KEY' },
}));

/** A fleet of three racks; the last one has been silent for some seconds. Each list has an uptime of its own. */
function racks(seconds: number, uptime: number): Fleet {
  const entries = Array.from({ length: 24 }, (_, index) => {
    const rack = index >> 3;
    const lastHeartbeatAt = NOON - (rack === 2 ? seconds : 10) * 1000;
    return fleetDevice(bareDevice({ id: `p${index}`, label: `rack-${rack}/${index}`, lastHeartbeatAt }));
  });
  const fleet = fleetOf(...entries);
  return { ...fleet, uptime, changed: seconds > 600 ? [...fleet.devices.keys()].slice(16) : [] };
}

function setUp(yieldToEventLoop: () => Promise<void> = () => new Promise(setImmediate)) {
  const seen: Snapshot[] = [];
  const told: FleetEvent[] = [];
  const store = createStore(ACCOUNTS, (snapshot) => seen.push(snapshot));
  const judge = createJudge({
    store,
    settings: () => PROBLEM_SETTINGS,
    onEvents: (events) => told.push(...events),
    yieldToEventLoop,
  });
  const submit = (name: string, devices: Fleet) =>
    judge.submit(name, (account) => ({ ...account, devices: freshReading(devices) }));
  return { store, submit, seen, told };
}

describe('the judge', () => {
  it('puts data and judgement into the store together', async () => {
    const { store, submit, seen } = setUp();
    await submit('one', racks(960, 1));
    expect(seen).toHaveLength(1);
    expect(accountIn(store, 'one').judgement).toMatchObject({ online: 16, counts: { silent: 8 } });
  });

  it('names the common cause of silent devices, and reports it once', async () => {
    const { store, submit, told } = setUp();
    await submit('one', racks(10, 1));
    await submit('one', racks(960, 2));
    await submit('one', racks(990, 3));
    await submit('one', racks(1_020, 4));
    expect(accountIn(store, 'one').causes).toMatchObject([
      { cause: { kind: 'group', value: 'rack-2', devices: 8 } },
    ]);
    expect(told.map(({ event }) => event)).toEqual(['common cause begun']);
    expect(store.snapshot().events).toHaveLength(1);
  });

  it('judges polls of several accounts that end together in one snapshot', async () => {
    const { store, submit, seen } = setUp();
    await Promise.all([submit('one', racks(960, 1)), submit('two', racks(990, 1))]);
    expect(seen).toHaveLength(1);
    for (const { name } of ACCOUNTS) expect(accountIn(store, name).judgement?.counts.silent).toBe(8);
  });

  it('keeps what changed while it judged', async () => {
    let meanwhile = (): void => {};
    const { store, submit } = setUp(async () => meanwhile());
    meanwhile = () => store.update('one', (account) => ({ ...account, access: 'granted' }));
    await submit('one', racks(960, 1));
    expect(accountIn(store, 'one')).toMatchObject({
      access: 'granted',
      devices: { state: 'fresh' },
      judgement: { online: 16 },
    });
  });

  it('drops what it judged of an account that was removed meanwhile', async () => {
    const { store, submit } = setUp();
    const judged = submit('two', racks(960, 1));
    store.replace(ACCOUNTS.slice(0, 1), new Set(['one']));
    await judged;
    expect(store.snapshot().accounts.map(({ name }) => name)).toEqual(['one']);
  });

  it('keeps a judgement while polls fail and data expires', async () => {
    const { store, submit } = setUp();
    await submit('one', racks(960, 1));
    const { judgement } = accountIn(store, 'one');
    store.update('one', (account) => ({ ...account, devices: { ...account.devices, state: 'expired' } }));
    expect(accountIn(store, 'one').judgement).toBe(judgement);
  });

  it('keeps the same object while the causes are equal, so that their text is encoded once', async () => {
    const { store, submit } = setUp();
    for (const uptime of [1, 2]) await submit('one', racks(960, uptime));
    const { causes } = accountIn(store, 'one');
    await submit('one', racks(960, 3));
    expect(causes).not.toEqual([]);
    expect(accountIn(store, 'one').causes).toBe(causes);
  });

  it('keeps the last hundred events', async () => {
    const { store, submit } = setUp();
    for (let sale = 0; sale < 130; sale += 1) {
      const rentalStatus = sale % 2 === 0 ? 'idle' : 'sold';
      await submit('one', { ...fleetOf(fleetDevice(bareDevice({ rentalStatus }))), uptime: sale });
    }
    expect(store.snapshot().events).toHaveLength(100);
  });
});
