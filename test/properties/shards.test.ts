import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Device } from '../../src/model/device.ts';
import type { Fleet } from '../../src/model/reading.ts';
import { isOwn, type Shard, shardOf } from '../../src/model/shard.ts';
import { settleFleet } from '../../src/poller/settle-fleet.ts';
import { createRandom, hexDigits } from '../../src/simulator/random.ts';
import { atOnce } from '../../src/slices.ts';
import { bareDevice, NOON } from '../builders.ts';

const PHONES = 50_000;

/** Ids as databases count them up, and ids that are random throughout. */
const FLEETS = [
  ['counted up', Array.from({ length: PHONES }, (_, index) => `65f0c0ffee0123456${index.toString(16)}`)],
  ['random', Array.from({ length: PHONES }, (_, index) => hexDigits(createRandom(index), 24))],
  ['short', Array.from({ length: PHONES }, (_, index) => String(index))],
] as const;

const deviceId = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

describe('phones are divided', () => {
  it('so that one shard more takes phones over and no other phone moves', () => {
    const total = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(deviceId, total, (id, shards) => {
        const [before, after] = [shardOf(id, shards), shardOf(id, shards + 1)];
        expect([before, shards]).toContain(after);
      }),
      { numRuns: 20_000 },
    );
  });

  describe.each(FLEETS)('with ids that are %s', (_, ids) => {
    it.each([2, 3, 4, 8, 16])('among %i shards, each gets its share', (total) => {
      const counts = Array.from({ length: total }, () => 0);
      for (const id of ids) counts[shardOf(id, total)] = (counts[shardOf(id, total)] ?? 0) + 1;
      const share = PHONES / total;
      // Six standard deviations of a fair draw.
      const tolerance = 6 * Math.sqrt(share * (1 - 1 / total));
      for (const count of counts) expect(Math.abs(count - share)).toBeLessThan(tolerance);
    });

    it.each([1, 2, 4, 8])('and from %i shards to one more, just the share of the new one moves', (total) => {
      const moved = ids.filter((id) => shardOf(id, total) !== shardOf(id, total + 1)).length;
      const share = PHONES / (total + 1);
      expect(Math.abs(moved - share)).toBeLessThan(6 * Math.sqrt(share));
    });
  });
});

const INTERVAL = 30_000;
const STALE_AFTER = 15 * 60_000;

/** What a process knows after one listing after the other; a phone that a listing shows may be idle or sold. */
function follow(listings: readonly Listing[], shard: Shard): readonly Fleet[] {
  let fleet: Fleet | undefined;
  return listings.map(({ phones, complete }, index) => {
    const devices: readonly Device[] = [...phones]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, isSold]) => bareDevice({ id, rentalStatus: isSold ? 'sold' : 'idle' }));
    const listed = {
      devices: devices.filter(({ id }) => isOwn(shard, id)),
      neighbours: devices.filter(({ id }) => !isOwn(shard, id)),
      reported: devices.length,
      listing: { pages: 1, passes: 1, complete },
    };
    fleet = atOnce(settleFleet(fleet, listed, NOON + index * INTERVAL, STALE_AFTER)).fleet;
    return fleet;
  });
}

type Listing = { readonly phones: ReadonlyMap<string, boolean>; readonly complete: boolean };

const listing: fc.Arbitrary<Listing> = fc.record({
  phones: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 39 }), fc.boolean()), { maxLength: 60 })
    .map((pairs) => new Map(pairs.map(([number, isSold]) => [`phone-${number}`, isSold]))),
  complete: fc.boolean(),
});

describe('shards that see the same listings', () => {
  it('know together what a process of all phones knows, and suspect the same', () => {
    fc.assert(
      fc.property(
        fc.array(listing, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 6 }),
        (listings, total) => {
          const whole = follow(listings, { index: 0, total: 1 });
          const shards = Array.from({ length: total }, (_, index) => follow(listings, { index, total }));
          for (const [step, fleet] of whole.entries()) {
            const parts = shards.flatMap((fleets) => fleets[step] ?? []);
            const united = parts
              .flatMap(({ devices }) => [...devices])
              .toSorted((one, other) => (one.device.id < other.device.id ? -1 : 1));
            expect(united).toEqual([...fleet.devices]);
            for (const { devices, neighbours, absent, listing: facts } of parts) {
              expect(devices.length + neighbours.length).toBe(fleet.devices.length);
              expect(new Map([...absent].sort())).toEqual(new Map([...fleet.absent].sort()));
              expect(facts).toEqual(fleet.listing);
            }
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
