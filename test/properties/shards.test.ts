import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fleet } from '../../src/model/fleet.ts';
import { DEFAULT_GROUPS } from '../../src/model/group.ts';
import { type Shard, shardOf } from '../../src/model/shard.ts';
import { NO_MEMORY } from '../../src/model/snapshot.ts';
import { settleFleet } from '../../src/poller/fleet.ts';
import { createRandom, hexDigits } from '../../src/simulator/random.ts';
import { bareDevice, NOON } from '../builders.ts';

const PHONES = 50_000;

/** Ids as databases count them up, and ids that are random throughout. */
const FLEETS = [
  ['counted up', Array.from({ length: PHONES }, (_, index) => `65f0c0ffee0123456${index.toString(16)}`)],
  ['random', Array.from({ length: PHONES }, (_, index) => hexDigits(createRandom(index), 24))],
  ['short', Array.from({ length: PHONES }, (_, index) => String(index))],
] as const;

const deviceId = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

describe('sharding', () => {
  it('moves phones only to the new shard when a shard is added', () => {
    const total = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(deviceId, total, (id, shards) => {
        const [before, after] = [shardOf(id, shards), shardOf(id, shards + 1)];
        expect([before, shards]).toContain(after);
      }),
      { numRuns: 5_000 },
    );
  });

  describe.each(FLEETS)('with ids that are %s', (_, ids) => {
    it.each([2, 3, 4, 8, 16])('gives each of %i shards its share', (total) => {
      const counts = Array.from({ length: total }, () => 0);
      for (const id of ids) counts[shardOf(id, total)] = (counts[shardOf(id, total)] ?? 0) + 1;
      const share = PHONES / total;
      // Six standard deviations of a fair draw.
      const tolerance = 6 * Math.sqrt(share * (1 - 1 / total));
      for (const count of counts) expect(Math.abs(count - share)).toBeLessThan(tolerance);
    });

    it.each([1, 2, 4, 8])('moves only the share of the new shard from %i shards to one more', (total) => {
      const moved = ids.filter((id) => shardOf(id, total) !== shardOf(id, total + 1)).length;
      const share = PHONES / (total + 1);
      expect(Math.abs(moved - share)).toBeLessThan(6 * Math.sqrt(share));
    });
  });
});

const INTERVAL = 30_000;
const STALE_AFTER = 15 * 60_000;

/** Returns the fleet of a process after each of several listings; a listed phone is idle or sold. */
async function follow(listings: readonly Listing[], shard: Shard): Promise<readonly Fleet[]> {
  const fleets: Fleet[] = [];
  for (const [index, { phones, complete }] of listings.entries()) {
    const devices = [...phones].map(([id, isSold]) =>
      bareDevice({ id, rentalStatus: isSold ? 'sold' : 'idle' }),
    );
    const listed = {
      devices: new Map(devices.map((device) => [device.id, device])),
      reported: devices.length,
      apiTime: NOON + index * INTERVAL,
      listing: { pages: 1, passes: 1, complete },
    };
    const { fleet } = await settleFleet(fleets.at(-1), listed, NO_MEMORY, {
      shard,
      groups: DEFAULT_GROUPS,
      longestGap: STALE_AFTER,
      yieldToEventLoop: async () => {},
    });
    fleets.push(fleet);
  }
  return fleets;
}

type Listing = { readonly phones: ReadonlyMap<string, boolean>; readonly complete: boolean };

const listing: fc.Arbitrary<Listing> = fc.record({
  phones: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 39 }), fc.boolean()), { maxLength: 60 })
    .map((pairs) => new Map(pairs.map(([number, isSold]) => [`phone-${number}`, isSold]))),
  complete: fc.boolean(),
});

describe('shards that see the same listings', () => {
  it('have together the fleet of a single process, and suspect the same losses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(listing, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 6 }),
        async (listings, total) => {
          const whole = await follow(listings, { index: 0, total: 1 });
          const shards = await Promise.all(
            Array.from({ length: total }, (_, index) => follow(listings, { index, total })),
          );
          for (const [step, fleet] of whole.entries()) {
            const parts = shards.flatMap((fleets) => fleets[step] ?? []);
            const united = parts
              .flatMap(({ devices }) => [...devices])
              .toSorted(([one], [other]) => (one < other ? -1 : 1));
            expect(united).toEqual([...fleet.devices]);
            for (const { devices, otherShards, absent, listing: facts } of parts) {
              expect(devices.size + otherShards.size).toBe(fleet.devices.size);
              expect(new Map([...absent].sort())).toEqual(new Map([...fleet.absent].sort()));
              expect(facts).toEqual(fleet.listing);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
