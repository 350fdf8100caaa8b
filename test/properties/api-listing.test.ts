import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DevicePage } from '../../src/api/answer.ts';
import type { ApiClient } from '../../src/api/client.ts';
import { type ListingOptions, listDevices } from '../../src/api/listing.ts';
import { MAX_PAGES, MAX_PASSES } from '../../src/api/listing-plan.ts';
import { Union } from '../../src/api/union.ts';
import { compareIds, type Device } from '../../src/model/device.ts';
import { packPhones } from '../../src/poller/pack.ts';
import { atOnce } from '../../src/slices.ts';
import { bareDevice, fleetDevice, listed } from '../builders.ts';

const never = new AbortController().signal;

const options: ListingOptions = {
  expectedPages: 1,
  budgetMilliseconds: 1,
  clock: { monotonic: () => 0 },
  pause: async () => {},
  inconsistent: () => {},
};

const device = fc
  .record({ number: fc.nat(60), lastHeartbeatAt: fc.option(fc.nat(5), { nil: undefined }) })
  .map(({ number, lastHeartbeatAt }) => bareDevice({ id: `phone-${number}`, lastHeartbeatAt }));

/** The union of pages, the plain way. */
function plainUnion(pages: readonly (readonly Device[])[]): readonly Device[] {
  const phones = new Map<string, Device>();
  for (const device of pages.flat()) {
    const earlier = phones.get(device.id);
    const isOlder = (earlier?.lastHeartbeatAt ?? 0) > (device.lastHeartbeatAt ?? 0);
    if (earlier === undefined || !isOlder) phones.set(device.id, device);
  }
  return [...phones.values()].toSorted((one, other) => compareIds(one.id, other.id));
}

describe('the union of any pages', () => {
  it('is the same whatever was known before: nothing, these phones, some of them, or others', async () => {
    const states = [bareDevice().state, bareDevice({ rentalStatus: 'idle' }).state];
    const kinds = [bareDevice().kind, bareDevice({ brand: 'Google' }).kind];
    const phone: fc.Arbitrary<Device> = fc.record(
      {
        id: fc.nat(40).map((number) => `phone-${number}`),
        label: fc.constantFrom('', 'Rack A'),
        kind: fc.constantFrom(...kinds),
        state: fc.constantFrom(...states),
        lastHeartbeatAt: fc.option(fc.nat(5), { nil: undefined }),
        rentalId: fc.constantFrom(undefined, 'rental'),
      },
      { noNullPrototype: true },
    );
    const known = fc.uniqueArray(phone, { selector: ({ id }) => id });
    const pages = fc.array(fc.array(phone, { maxLength: 20 }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(known, pages, async (before, given) => {
        const inOrder = before.toSorted((one, other) => compareIds(one.id, other.id));
        const phones = atOnce(packPhones(inOrder.map((device) => fleetDevice(device))));
        const union = new Union(phones, async () => {});
        for (const page of given) union.add(page);
        const { devices, duplicates, conflicts } = await union.joined();
        expect(listed(devices)).toEqual(plainUnion(given));
        expect(duplicates + conflicts).toBe(given.flat().length - devices.length);
      }),
      { numRuns: 3_000 },
    );
  });

  it('has each phone once, in order, with its newest heartbeat, and counts the others', async () => {
    const pages = fc.array(fc.array(device, { maxLength: 20 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pages, async (given) => {
        const newest = new Map<string, number>();
        for (const { id, lastHeartbeatAt } of given.flat()) {
          newest.set(id, Math.max(newest.get(id) ?? 0, lastHeartbeatAt ?? 0));
        }
        const union = new Union(undefined, async () => {});
        for (const page of given) union.add(page);
        const { devices, duplicates, conflicts } = await union.joined();
        expect(listed(devices).map(({ id, lastHeartbeatAt }) => [id, lastHeartbeatAt ?? 0])).toEqual(
          [...newest].toSorted(([one], [other]) => (one < other ? -1 : 1)),
        );
        expect({ duplicates, conflicts }).toEqual({
          duplicates: given.flat().length - devices.length,
          conflicts: 0,
        });
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a listing of a fleet that stands still', () => {
  it('is complete in one pass, whatever size of page the API gives and says, and whatever was expected', async () => {
    const fleet = fc.record({
      phones: fc.integer({ min: 0, max: 700 }),
      size: fc.integer({ min: 1, max: 300 }),
      saysLimit: fc.boolean(),
      saysTotalPages: fc.boolean(),
      expectedPages: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fleet, async ({ phones, size, saysLimit, saysTotalPages, expectedPages }) => {
        const all: readonly Device[] = Array.from({ length: phones }, (_, index) =>
          bareDevice({ id: `phone-${String(index).padStart(4, '0')}` }),
        );
        const devicePage: ApiClient['devicePage'] = async (number, _, taker) => ({
          apiTime: 0,
          value: taker.take(
            {
              devices: all.slice((number - 1) * size, number * size),
              rejected: 0,
              total: phones,
              page: number,
              limit: saysLimit ? size : undefined,
              totalPages: saysTotalPages ? Math.ceil(phones / size) : undefined,
            },
            number,
          ),
        });
        const { value } = await listDevices({ devicePage }, never, { ...options, expectedPages });
        expect(value.devices).toEqual(all);
        expect(value).toMatchObject({
          complete: true,
          passes: 1,
          pages: Math.max(1, Math.ceil(phones / size)),
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('a listing of any pages', () => {
  it('comes to an end, and asks for no page beyond the limit and for none too often', async () => {
    const number = fc.oneof(fc.nat(300), fc.maxSafeNat());
    const page = fc.record<DevicePage>({
      devices: fc.array(device, { maxLength: 3 }),
      rejected: fc.nat(100),
      total: number,
      page: fc.constant(undefined),
      limit: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      totalPages: fc.option(number, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 10 }), async (pages) => {
        const asked = new Map<number, number>();
        const devicePage: ApiClient['devicePage'] = async (wanted, _, taker) => {
          const times = (asked.get(wanted) ?? 0) + 1;
          asked.set(wanted, times);
          expect(wanted).toBeLessThanOrEqual(MAX_PAGES);
          expect(times).toBeLessThanOrEqual(2 * MAX_PASSES);
          const value = pages[wanted % pages.length];
          if (value === undefined) throw new Error('there are pages');
          return { value: taker.take(value, wanted), apiTime: 0 };
        };
        await listDevices({ devicePage }, never, options).catch((error: unknown) => {
          expect(error).toMatchObject({ reason: 'inconsistent' });
        });
        expect(asked.size).toBeLessThanOrEqual(MAX_PAGES);
      }),
      { numRuns: 300 },
    );
  });
});
