import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DevicePage } from '../../src/api/answer.ts';
import { listDevices } from '../../src/api/listing.ts';
import { MAX_PAGES, NOTHING_READ, notePage, planListing } from '../../src/api/listing-plan.ts';
import { addPage, joinRuns, type Runs } from '../../src/api/union.ts';
import type { Device } from '../../src/model/device.ts';
import { bareDevice } from '../builders.ts';

const never = new AbortController().signal;

const device = fc
  .record({ number: fc.nat(60), lastHeartbeatAt: fc.option(fc.nat(5), { nil: undefined }) })
  .map(({ number, lastHeartbeatAt }) => bareDevice({ id: `phone-${number}`, lastHeartbeatAt }));

describe('the union of any pages', () => {
  it('has each phone once, in order, with its newest heartbeat', () => {
    fc.assert(
      fc.property(fc.array(fc.array(device, { maxLength: 20 }), { maxLength: 20 }), (pages) => {
        const newest = new Map<string, number>();
        for (const { id, lastHeartbeatAt } of pages.flat()) {
          newest.set(id, Math.max(newest.get(id) ?? 0, lastHeartbeatAt ?? 0));
        }
        const joined = joinRuns(pages.reduce<Runs>(addPage, []));
        expect(joined.map(({ id, lastHeartbeatAt }) => [id, lastHeartbeatAt ?? 0])).toEqual(
          [...newest].toSorted(([one], [other]) => (one < other ? -1 : 1)),
        );
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a listing of a fleet that stands still', () => {
  it('is complete, whatever size of page the API gives and says', async () => {
    const fleet = fc.record({
      phones: fc.integer({ min: 0, max: 700 }),
      size: fc.integer({ min: 1, max: 100 }),
      saysLimit: fc.boolean(),
      saysTotalPages: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fleet, async ({ phones, size, saysLimit, saysTotalPages }) => {
        const all: readonly Device[] = Array.from({ length: phones }, (_, index) =>
          bareDevice({ id: `phone-${String(index).padStart(4, '0')}` }),
        );
        const devicePage = async (number: number) => ({
          apiTime: 0,
          value: {
            devices: all.slice((number - 1) * size, number * size),
            rejected: 0,
            total: phones,
            page: number,
            limit: saysLimit ? size : undefined,
            totalPages: saysTotalPages ? Math.ceil(phones / size) : undefined,
          },
        });
        const { value } = await listDevices({ devicePage }, never);
        expect(value.devices).toEqual(all);
        expect(value).toMatchObject({ complete: true, pages: Math.max(1, Math.ceil(phones / size)) });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the plan for any pages', () => {
  it('never asks twice for a page, nor for more than the limit', () => {
    const number = fc.oneof(fc.nat(3_000), fc.maxSafeNat());
    const page = fc.record<DevicePage>({
      devices: fc.array(device, { maxLength: 3 }),
      rejected: fc.nat(100),
      total: number,
      page: fc.constant(undefined),
      limit: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      totalPages: fc.option(number, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 10 }), (pages) => {
        let state = NOTHING_READ;
        let plan = planListing(state);
        while (plan.step === 'read') {
          expect(plan.pages[0]).toBe(state.pagesRead + 1);
          expect(plan.pages.at(-1)).toBeLessThanOrEqual(MAX_PAGES);
          for (const asked of plan.pages) {
            const answer = pages[asked % pages.length];
            if (answer !== undefined) state = notePage(state, answer);
          }
          plan = planListing(state);
        }
      }),
      { numRuns: 300 },
    );
  });
});
