import { describe, expect, it } from 'vitest';
import { NOTHING_KNOWN } from '../../../src/model/account.ts';
import { groupValue } from '../../../src/model/cause.ts';
import type { Device } from '../../../src/model/device.ts';
import type { FleetEvent } from '../../../src/model/event.ts';
import type { ListObservation } from '../../../src/model/observation.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { createJudge } from '../../../src/poll/judge.ts';
import { createStore } from '../../../src/poll/store.ts';
import { accountIn, bareDevice, NOON, POLLED_AT_NOON, STEP_SETTINGS } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { listObservation } from '../list-observation.ts';
import { configuredAccount } from './test-poller.ts';

const INTERVAL = 30;

const ACCOUNTS = ['one', 'two'].map(configuredAccount);

/** A list at some seconds after noon. */
const listOf = (devices: readonly Device[], seconds: number): ListObservation =>
  listObservation(devices, NOON + seconds * 1000, INTERVAL * 1000, INTERVAL * 1000);

/** Three racks at some seconds after noon; the last one has been offline since then. */
function racks(seconds: number): ListObservation {
  const devices = Array.from({ length: 24 }, (_, index) => {
    const rack = index >> 3;
    const lastHeartbeatAt = NOON + (rack === 2 ? 0 : seconds) * 1000;
    return bareDevice({ id: `p${index}`, label: `rack-${rack}/${index}`, lastHeartbeatAt });
  });
  return listOf(devices, seconds);
}

function setUp(yieldToEventLoop: () => Promise<void> = () => new Promise(setImmediate)) {
  const clock = createFakeClock();
  const seen: Snapshot[] = [];
  const told: FleetEvent[] = [];
  const store = createStore(
    ACCOUNTS,
    NOTHING_KNOWN,
    () => NOON,
    (snapshot) => seen.push(snapshot),
  );
  const judge = createJudge({
    store,
    settings: () => STEP_SETTINGS,
    onEvents: (events) => told.push(...events),
    yieldToEventLoop,
    clock,
  });
  const observe = (name: string, observation: ListObservation) =>
    judge.observe({ name, observation, poll: { name, collector: 'devices', polled: POLLED_AT_NOON } });
  return { store, observe, seen, told, clock };
}

describe('the judge', () => {
  it('counts the time since a list that another poller brought, as before a reload of the schedule', async () => {
    const { store, observe, clock } = setUp();
    const phones = [bareDevice({ id: 'p1', rentalStatus: 'sold', lastHeartbeatAt: NOON })];
    await observe('one', listOf(phones, 0));
    clock.advance(45_000);
    const list = listOf(phones, 45);
    await observe('one', { ...list, times: { ...list.times, elapsed: undefined } });
    const [phone] = accountIn(store, 'one').known.fleet?.devices.values() ?? [];
    expect(Object.values(phone?.times.milliseconds ?? {})).toEqual([45_000]);
  });

  it('puts the known data, its judgement and the poll into the store together', async () => {
    const { store, observe, seen } = setUp();
    await observe('one', racks(960));
    expect(seen).toHaveLength(1);
    expect(accountIn(store, 'one')).toMatchObject({
      devices: { state: 'fresh' },
      known: { judgement: { online: 16, counts: { offline: 8 } } },
    });
  });

  it('names the common cause of offline devices, and reports it once', async () => {
    const { store, observe, told } = setUp();
    for (let seconds = 0; seconds <= 1_020; seconds += INTERVAL) await observe('one', racks(seconds));
    expect(accountIn(store, 'one').known.causes).toMatchObject([
      { cause: { kind: 'group', value: groupValue('rack-2', 'one'), devices: 8 } },
    ]);
    expect(told.map(({ event }) => event)).toEqual(['incident opened']);
    expect(store.snapshot().events).toHaveLength(1);
  });

  it('judges polls of several accounts that end together in one snapshot', async () => {
    const { store, observe, seen } = setUp();
    await Promise.all([observe('one', racks(960)), observe('two', racks(990))]);
    expect(seen).toHaveLength(1);
    for (const { name } of ACCOUNTS) expect(accountIn(store, name).known.judgement?.counts.offline).toBe(8);
  });

  it('takes observations that come together one after the other', async () => {
    const { store, observe } = setUp();
    await Promise.all([observe('one', racks(0)), observe('one', racks(960))]);
    expect(accountIn(store, 'one').devices.data?.apiTime).toBe(NOON + 960_000);
  });

  it('keeps what changed while it judged', async () => {
    let meanwhile = (): void => {};
    const { store, observe } = setUp(async () => meanwhile());
    meanwhile = () => store.takeAccess('one', 'granted');
    await observe('one', racks(960));
    expect(accountIn(store, 'one')).toMatchObject({
      access: 'granted',
      devices: { state: 'fresh' },
      known: { judgement: { online: 16 } },
    });
  });

  it('drops what it judged of an account that was removed meanwhile', async () => {
    const { store, observe } = setUp();
    const judged = observe('two', racks(960));
    store.replace(ACCOUNTS.slice(0, 1));
    await judged;
    expect(store.snapshot().accounts.map(({ name }) => name)).toEqual(['one']);
  });

  it('keeps the same object while the causes are equal, so that their text is encoded once', async () => {
    const { store, observe } = setUp();
    for (const seconds of [960, 990]) await observe('one', racks(seconds));
    const { causes } = accountIn(store, 'one').known;
    await observe('one', racks(1_020));
    expect(causes).not.toEqual([]);
    expect(accountIn(store, 'one').known.causes).toBe(causes);
  });

  it('leaves the other accounts alone where one cannot be judged, which stays as it was', async () => {
    const { store, observe } = setUp();
    await observe('one', racks(0));
    const known = accountIn(store, 'one');
    const broken = new Map<string, never>();
    // As a bug would: the error comes in the middle of the fold.
    broken[Symbol.iterator] = () => {
      throw new Error('a bug');
    };
    const outcomes = await Promise.allSettled([
      observe('one', { ...racks(960), devices: broken }),
      observe('two', racks(960)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(accountIn(store, 'one').known).toEqual(known.known);
    expect(accountIn(store, 'two').known.judgement?.counts.offline).toBe(8);
    await observe('one', racks(990));
    expect(accountIn(store, 'one').devices.data?.apiTime).toBe(NOON + 990_000);
  });

  it('keeps the last hundred events', async () => {
    const { store, observe } = setUp();
    for (let sale = 0; sale < 130; sale += 1) {
      const rentalStatus = sale % 2 === 0 ? 'idle' : 'sold';
      await observe('one', listOf([bareDevice({ rentalStatus })], sale * INTERVAL));
    }
    expect(store.snapshot().events).toHaveLength(100);
  });
});
