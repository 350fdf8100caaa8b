import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetDevice } from '../../src/model/reading.ts';
import { MARKETPLACE_STATUSES, OTHER, RENTAL_STATUSES, SETUP_STATUSES } from '../../src/model/status.ts';
import { packPhones } from '../../src/poller/pack.ts';
import { atOnce } from '../../src/slices.ts';

/** Objects as literals are, with the prototype of all objects. */
function record<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record<T>(model, { noNullPrototype: true });
}

const text = fc.constantFrom('', 'undefined', 'Samsung', 'Galaxy A14', 'a b');
const status = fc.option(fc.constantFrom('active', 'inactive', 'undefined', OTHER), { nil: undefined });
const instant = fc.option(fc.integer({ min: 0, max: 4_102_444_800_000 }), { nil: undefined });
const seconds = fc.double({ min: 0, max: 1e9, noNaN: true });

const phone: fc.Arbitrary<FleetDevice> = record({
  device: record({
    id: fc.uuid(),
    label: text,
    kind: record({ brand: text, model: text, appVersion: text }),
    state: record({
      setupStatus: fc.constantFrom(undefined, ...SETUP_STATUSES, OTHER),
      rentalStatus: fc.constantFrom(undefined, ...RENTAL_STATUSES, OTHER),
      marketplaceStatus: fc.constantFrom(undefined, ...MARKETPLACE_STATUSES, OTHER),
      selfRentStatus: status,
      rotationStatus: status,
      rotationIntervalMilliseconds: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    }),
    lastHeartbeatAt: instant,
    rentalId: fc.option(fc.uuid(), { nil: undefined }),
  }),
  heartbeatAgeSeconds: fc.option(seconds, { nil: undefined }),
  rentalStatusSince: instant,
  rentalStatusSeconds: record({ sold: seconds, self_rented: seconds, idle: seconds, other: seconds }),
});

describe('phones that are packed', () => {
  it('come out as they went in, however they are asked for', () => {
    fc.assert(
      fc.property(fc.array(phone, { maxLength: 40 }), fc.nat(45), fc.nat(45), (phones, from, to) => {
        const packed = atOnce(packPhones(phones));
        expect(packed.length).toBe(phones.length);
        expect([...packed]).toStrictEqual(phones);
        expect(packed.slice(from, to)).toStrictEqual(phones.slice(from, to));
        expect(packed.at(from)).toStrictEqual(phones[from]);
      }),
    );
  });

  it('stay the same when they are packed again', () => {
    fc.assert(
      fc.property(fc.array(phone, { maxLength: 10 }), (phones) => {
        expect([...atOnce(packPhones(atOnce(packPhones(phones))))]).toStrictEqual(phones);
      }),
    );
  });
});
