import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { type ListingOptions, listDevices } from '../../src/api/device-list.ts';
import type { DevicePage } from '../../src/api/schemas.ts';
import type { Device } from '../../src/model/device.ts';
import { bareDevice } from '../builders.ts';
import { never } from '../never.ts';

const options: ListingOptions = {
  expectedPages: 1,
  budgetMilliseconds: 1,
  clock: { monotonic: () => 0 },
  inconsistent: () => {},
};

const device = fc
  .record({ number: fc.nat(60), lastHeartbeatAt: fc.option(fc.nat(5), { nil: undefined }) })
  .map(({ number, lastHeartbeatAt }) => bareDevice({ id: `phone-${number}`, lastHeartbeatAt }));

const MAX_PAGES = 10_000;

describe('a listing of a fleet that does not change', () => {
  it('is complete in one pass, whatever the page size of the API and the expected number of pages', async () => {
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
        const devicePage: ApiClient['devicePage'] = async (number) => ({
          apiTime: 0,
          value: {
            devices: all.slice((number - 1) * size, number * size),
            rejected: 0,
            faulty: false,
            total: phones,
            page: number,
            limit: saysLimit ? size : undefined,
            totalPages: saysTotalPages ? Math.ceil(phones / size) : undefined,
          },
        });
        const { value } = await listDevices({ devicePage }, never, { ...options, expectedPages });
        expect(Array.from(value.devices.values(), ({ device }) => device)).toEqual(all);
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
  it('has each device once with its newest heartbeat, and counts the duplicates', async () => {
    const given = fc.array(fc.array(device, { minLength: 1, maxLength: 20 }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(given, async (pages) => {
        const newest = new Map<string, number>();
        for (const { id, lastHeartbeatAt } of pages.flat()) {
          newest.set(id, Math.max(newest.get(id) ?? 0, lastHeartbeatAt ?? 0));
        }
        const reported = new Map<string, number>();
        const devicePage: ApiClient['devicePage'] = async (number) => {
          const devices = pages[number - 1] ?? [];
          const value = { devices, rejected: 0, faulty: false, total: newest.size, page: number, limit: 20 };
          return { value: { ...value, totalPages: pages.length }, apiTime: 0 };
        };
        const listing = listDevices({ devicePage }, never, {
          ...options,
          budgetMilliseconds: -1,
          expectedPages: pages.length,
          inconsistent: (kind, count) => reported.set(kind, count),
        });
        const listed = await listing.catch(() => undefined);
        if (listed === undefined) return;
        expect(
          new Map([...listed.value.devices].map(([id, { device }]) => [id, device.lastHeartbeatAt ?? 0])),
        ).toEqual(newest);
        expect(reported.get('duplicate') ?? 0).toBe(pages.flat().length - newest.size);
      }),
      { numRuns: 500 },
    );
  });

  it('ends, requests no page beyond the limit and repeats no page too often', async () => {
    const number = fc.oneof(fc.nat(300), fc.maxSafeNat());
    const page = fc.record<DevicePage>({
      devices: fc.array(device, { maxLength: 3 }),
      rejected: fc.nat(100),
      faulty: fc.boolean(),
      total: number,
      page: fc.constant(undefined),
      limit: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      totalPages: fc.option(number, { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 10 }), async (pages) => {
        const asked = new Map<number, number>();
        const devicePage: ApiClient['devicePage'] = async (wanted) => {
          const times = (asked.get(wanted) ?? 0) + 1;
          asked.set(wanted, times);
          expect(wanted).toBeLessThanOrEqual(MAX_PAGES);
          expect(times).toBeLessThanOrEqual(2);
          const value = pages[wanted % pages.length];
          if (value === undefined) throw new Error('there are pages');
          return { value, apiTime: 0 };
        };
        await listDevices({ devicePage }, never, options).catch((error: unknown) => {
          expect(error).toMatchObject({ reason: expect.stringMatching(/^(?:inconsistent|schema)$/) });
        });
        expect(asked.size).toBeLessThanOrEqual(MAX_PAGES);
      }),
      { numRuns: 300 },
    );
  });
});
