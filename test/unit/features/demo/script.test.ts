import { describe, expect, it } from 'vitest';
import type { Marketplace } from '../../../../src/features/demo/marketplace.ts';
import type { JsonObject } from '../../../json.ts';
import { ask, dataOf, everything, marketplaceOf, phoneThat, START, tunnelPath } from './requests.ts';

const DAY = 86_400_000;

const deviceIn = (marketplace: Marketplace, deviceId: string): JsonObject =>
  everything(marketplace).find((item) => item['deviceId'] === deviceId) ?? {};

describe('a script that edits the simulated marketplace', () => {
  it('can change any field of a phone', () => {
    const world = marketplaceOf();
    const { deviceId } = phoneThat(world, () => true);
    world.edit([deviceId], { label: 'renamed', rotation: null, marketplaceStatus: 'not_listed' });
    expect(deviceIn(world, deviceId)).toMatchObject({
      label: 'renamed',
      rotation: null,
      marketplaceStatus: 'not_listed',
    });
  });

  it('can omit optional fields', () => {
    const world = marketplaceOf();
    const { deviceId } = phoneThat(world, ({ rotation }) => rotation !== undefined);
    world.edit([deviceId], { rotation: undefined });
    expect(deviceIn(world, deviceId)).not.toHaveProperty('rotation');
  });

  it('starts a rental with a new id each time', () => {
    const world = marketplaceOf();
    const { deviceId } = phoneThat(world, ({ rentalStatus }) => rentalStatus === 'idle');
    const rentals = [0, 1].map(() => {
      world.edit([deviceId], { rentalStatus: 'self_rented', tunnel: 'up' });
      expect(ask(world, tunnelPath(deviceId)).status).toBe(200);
      const { selfRent } = deviceIn(world, deviceId);
      world.edit([deviceId], { rentalStatus: 'idle' });
      expect(ask(world, tunnelPath(deviceId)).status).toBe(404);
      return selfRent;
    });
    expect(rentals[0]).not.toEqual(rentals[1]);
  });

  it('can turn many phones offline until they are released', () => {
    const world = marketplaceOf({ lively: true });
    const all = world.phones().map(({ deviceId }) => deviceId);
    world.edit(all, { online: false });
    world.advance(START + DAY);
    expect(world.phones().filter(({ online }) => online)).toEqual([]);
    world.release(all);
    const online = world.phones().filter((phone) => phone.online).length;
    expect(online / all.length).toBeGreaterThan(0.8);
  });

  it('changes no other phone', () => {
    const [untouched, touched] = [marketplaceOf({ lively: true }), marketplaceOf({ lively: true })];
    const { deviceId } = phoneThat(touched, () => true);
    touched.edit([deviceId], { online: false, rentalStatus: 'self_rented' });
    const others = (world: Marketplace) => {
      world.advance(START + DAY);
      return everything(world).filter((item) => item['deviceId'] !== deviceId);
    };
    expect(others(touched)).toEqual(others(untouched));
  });

  it('can archive a phone, which then earns nothing', () => {
    const world = marketplaceOf({ lively: true });
    const [phone, ...others] = world.phones();
    world.archive(others.map(({ deviceId }) => deviceId));
    expect(dataOf(ask(world, '/hoster/v1/devices'))['total']).toBe(1);
    world.archive([phone?.deviceId ?? '']);
    // The money is settled at the end of the day.
    world.advance(START + DAY + 3_600_000);
    expect([world.phones(), world.balance().pendingCents]).toEqual([[], 0]);
  });

  it('gets an error for an unknown phone', () => {
    const world = marketplaceOf();
    expect(() => world.edit(['nobody'], {})).toThrow('There is no phone nobody on this marketplace.');
  });
});
