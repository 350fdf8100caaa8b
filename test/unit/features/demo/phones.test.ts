import { describe, expect, it } from 'vitest';
import { createFleet, createPhone } from '../../../../src/features/demo/phones.ts';
import { SETUP_STATUSES } from '../../../../src/model/device.ts';

const fleet = createFleet({ seed: 42, size: 2_000 });
const share = (is: (phone: (typeof fleet)[number]) => boolean) => fleet.filter(is).length / fleet.length;

describe('a simulated fleet', () => {
  it('is the same for the same seed', () => {
    expect(createFleet({ seed: 42, size: 2_000 })).toEqual(fleet);
    expect(createFleet({ seed: 43, size: 3 })).not.toEqual(fleet.slice(0, 3));
  });

  it('begins with the smaller fleet of the same seed', () => {
    expect(fleet.slice(0, 5)).toEqual(createFleet({ seed: 42, size: 5 }));
    expect(fleet[17]).toEqual(createPhone(42, 17));
  });

  it('has unique and ascending device ids', () => {
    const ids = fleet.map(({ deviceId }) => deviceId);
    expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('has phones of all six setup statuses', () => {
    expect(new Set(fleet.map(({ setupStatus }) => setupStatus))).toEqual(new Set(SETUP_STATUSES));
  });

  it.each([
    ['sold', 0.6, share(({ rentalStatus }) => rentalStatus === 'sold')],
    ['self-rented', 0.15, share(({ rentalStatus }) => rentalStatus === 'self_rented')],
    ['idle', 0.25, share(({ rentalStatus }) => rentalStatus === 'idle')],
    ['listed', 0.9, share(({ marketplaceStatus }) => marketplaceStatus === 'listed')],
    ['online', 0.91, share(({ online }) => online)],
  ])('is %s to about %d', (_, expected, actual) => {
    expect(Math.abs(actual - expected)).toBeLessThan(0.04);
  });

  it('has every variant that the API document leaves open', () => {
    const forms = new Set(fleet.map(({ noSelfRent }) => JSON.stringify(noSelfRent)));
    expect(forms).toEqual(new Set(['null', undefined, '{}']));
    const rotations = new Set(fleet.map(({ rotation }) => rotation?.status ?? String(rotation)));
    expect(rotations).toEqual(new Set(['active', 'paused', 'rotating', 'null', 'undefined']));
  });
});
