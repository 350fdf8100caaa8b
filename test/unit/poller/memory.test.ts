import { describe, expect, it } from 'vitest';
import { type Memory, NO_MEMORY, NO_PHONES, type PhoneMemory } from '../../../src/model/memory.ts';
import type { Fleet } from '../../../src/model/reading.ts';
import { balanceCollector } from '../../../src/poller/collectors/balance.ts';
import { phonesAfter, recallFleet, rememberedMoney, rememberedPhones } from '../../../src/poller/memory.ts';
import { inSlices } from '../../../src/slices.ts';
import { accountOf, bareDevice, fleetDevice, fleetOf, freshReading, moneyOf, NOON } from '../../builders.ts';

const HOUR = 3_600_000;
const SECONDS = { sold: 86_400, self_rented: 0, idle: 60.5, other: 0 };

const soldSince = (since: number): PhoneMemory => ({
  rentalStatus: 'sold',
  rentalStatusSince: since,
  rentalStatusSeconds: SECONDS,
});

const sold = fleetDevice(bareDevice({ id: 'a', rentalStatus: 'sold' }));
const PHONES: Memory['phones'] = new Map([['a', soldSince(NOON - HOUR)]]);

/** The entry of the first phone after it was recalled. */
async function recalled(fleet: Fleet, previous: Fleet | undefined, phones = PHONES) {
  const { devices } = await inSlices(recallFleet(fleet, previous, phones), async () => {});
  return devices.at(0);
}

describe('a phone that comes back after a restart', () => {
  it('goes on from its counters, and has its status since when it had it', async () => {
    expect(await recalled(fleetOf(sold), undefined)).toEqual({
      ...sold,
      rentalStatusSince: NOON - HOUR,
      rentalStatusSeconds: SECONDS,
    });
  });

  it('has another status since now', async () => {
    const idle = fleetDevice(bareDevice({ id: 'a', rentalStatus: 'idle' }));
    expect(await recalled(fleetOf(idle), undefined)).toEqual({ ...idle, rentalStatusSeconds: SECONDS });
  });

  it('has no status since a time that is still to come', async () => {
    const phones = new Map([['a', soldSince(NOON + 1)]]);
    expect((await recalled(fleetOf(sold), undefined, phones))?.rentalStatusSince).toBe(NOON);
  });

  it('is recalled once, and then counts by itself', async () => {
    expect(await recalled(fleetOf(sold), fleetOf(sold))).toStrictEqual(sold);
  });

  it('may come with a later listing than the others', async () => {
    const other = fleetOf(fleetDevice(bareDevice({ id: 'b' })));
    expect((await recalled(fleetOf(sold), other))?.rentalStatusSeconds).toStrictEqual(SECONDS);
  });
});

describe('a fleet of which nothing is remembered', () => {
  it('is the same fleet', async () => {
    const fleet = fleetOf(sold);
    expect(await inSlices(recallFleet(fleet, undefined, NO_PHONES), async () => {})).toBe(fleet);
    expect(await recalled(fleetOf(fleetDevice(bareDevice({ id: 'new' }))), undefined)).toEqual(
      fleetDevice(bareDevice({ id: 'new' })),
    );
  });
});

describe('the memory of phones', () => {
  it('is kept until a listing was complete', () => {
    const complete = fleetOf(sold);
    const incomplete = { ...complete, listing: { ...complete.listing, complete: false } };
    expect(phonesAfter(undefined, PHONES)).toBe(PHONES);
    expect(phonesAfter(incomplete, PHONES)).toBe(PHONES);
    expect(phonesAfter(complete, PHONES)).toBe(NO_PHONES);
  });

  it('survives another restart before the first listing', () => {
    const account = accountOf({ memory: { ...NO_MEMORY, phones: PHONES } });
    expect(new Map(rememberedPhones(account))).toEqual(PHONES);
  });

  it('gives way to what is known by now', () => {
    const account = accountOf({
      devices: freshReading(fleetOf(sold)),
      memory: {
        ...NO_MEMORY,
        phones: new Map([
          ['a', soldSince(NOON - HOUR)],
          ['b', soldSince(0)],
        ]),
      },
    });
    expect(new Map(rememberedPhones(account))).toEqual(
      new Map([
        [
          'a',
          { rentalStatus: 'sold', rentalStatusSince: NOON, rentalStatusSeconds: sold.rentalStatusSeconds },
        ],
        ['b', soldSince(0)],
      ]),
    );
  });
});

describe('the memory of money', () => {
  it('holds until the first balance', () => {
    const memory = { ...NO_MEMORY, money: moneyOf(100, 0) };
    expect(rememberedMoney(accountOf({ memory }))).toEqual(moneyOf(100, 0));
    expect(rememberedMoney(accountOf({ memory, balance: freshReading(moneyOf(7, 0)) }))).toEqual(
      moneyOf(7, 0),
    );
    expect(rememberedMoney(accountOf())).toBeUndefined();
  });

  it('is what the first balance is compared with', async () => {
    const memory = { ...NO_MEMORY, money: moneyOf(100, 5) };
    const now = { availableCents: 130, pendingCents: 0, totalCents: 130 };
    const { collect } = balanceCollector({ balance: async () => ({ value: now, apiTime: NOON }) });
    const { signal } = new AbortController();
    expect((await collect(accountOf({ memory }), signal, 0)).observed).toEqual({
      available: { increaseCents: 30, decreaseCents: 0 },
      pending: { increaseCents: 0, decreaseCents: 5 },
    });
  });
});
