import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Marketplace } from '../../../../src/features/demo/marketplace.ts';
import { createPhone } from '../../../../src/features/demo/phones.ts';
import type { JsonObject } from '../../../json.ts';
import { ask, dataOf, everything, marketplaceOf, phoneThat, START, tunnelPath } from './requests.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Everything that a client can see. */
function view(marketplace: Marketplace) {
  return {
    devices: everything(marketplace),
    tunnels: marketplace.phones().map(({ deviceId }) => ask(marketplace, tunnelPath(deviceId)).body),
    balance: ask(marketplace, '/hoster/v1/balance').body,
  };
}

const deviceIn = (marketplace: Marketplace, deviceId: string): JsonObject =>
  everything(marketplace).find((item) => item['deviceId'] === deviceId) ?? {};

const heartbeatOf = (marketplace: Marketplace, deviceId: string) =>
  Date.parse(String(deviceIn(marketplace, deviceId)['lastHeartbeatAt']));

describe('the simulated marketplace', () => {
  it('is equal no matter in which steps time advances', () => {
    const inOneStep = marketplaceOf({ lively: true });
    inOneStep.advance(START + 2 * DAY);
    const expected = view(inOneStep);
    const steps = fc.array(fc.integer({ min: 0, max: 2 * DAY }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (times) => {
        const inManySteps = marketplaceOf({ lively: true });
        for (const time of times.toSorted((a, b) => a - b)) inManySteps.advance(START + time);
        inManySteps.advance(START + 2 * DAY);
        expect(view(inManySteps)).toEqual(expected);
      }),
      { numRuns: 10, seed: 1 },
    );
  });

  it('differs for another seed', () => {
    const worlds = [marketplaceOf({ lively: true }), marketplaceOf({ lively: true, seed: 8 })];
    for (const world of worlds) world.advance(START + DAY);
    const [one, other] = worlds.map(view);
    expect(one).not.toEqual(other);
  });

  it('never moves back in time', () => {
    const world = marketplaceOf({ lively: true });
    world.advance(START + HOUR);
    const before = view(world);
    world.advance(START);
    expect(view(world)).toEqual(before);
  });
});

describe('the heartbeats of simulated phones', () => {
  it('come about every 30 s, each phone at its own time', () => {
    const world = marketplaceOf();
    const ids = world
      .phones()
      .filter(({ online }) => online)
      .map(({ deviceId }) => deviceId);
    const beatsAt = (time: number) => {
      world.advance(time);
      const beats = new Map(
        everything(world).map((item) => [item['deviceId'], Date.parse(String(item['lastHeartbeatAt']))]),
      );
      return ids.map((id) => beats.get(id) ?? Number.NaN);
    };
    const first = beatsAt(START + HOUR);
    const second = beatsAt(START + HOUR + 10 * MINUTE);
    expect(first.filter((beat) => !(beat <= START + HOUR && beat > START + HOUR - 31_000))).toEqual([]);
    const beatsBetween = second.map((beat, index) => (beat - (first[index] ?? 0)) / 30_000);
    expect(beatsBetween.filter((count) => !(count > 18 && count < 22))).toEqual([]);
    expect(new Set(first).size).toBeGreaterThan(ids.length * 0.9);
  });

  it('stop while a phone is offline and start again when it is online', () => {
    const world = marketplaceOf();
    const { deviceId } = phoneThat(world, ({ online }) => online);
    world.edit([deviceId], { online: false });
    const last = heartbeatOf(world, deviceId);
    world.advance(START + HOUR);
    expect(heartbeatOf(world, deviceId)).toBe(last);
    world.edit([deviceId], { online: true });
    expect(heartbeatOf(world, deviceId)).toBe(START + HOUR);
    world.advance(START + 2 * HOUR);
    expect(heartbeatOf(world, deviceId)).toBeGreaterThan(START + 2 * HOUR - 31_000);
  });
});

describe('a day of the simulated marketplace', () => {
  const world = marketplaceOf({ lively: true });
  const seen = new Set<string>();
  let before = world.phones();
  let money = world.balance();
  for (let time = START + 5 * MINUTE; time <= START + DAY; time += 5 * MINUTE) {
    world.advance(time);
    const after = world.phones();
    after.forEach((phone, index) => {
      const old = before[index];
      if (old?.online === true && !phone.online) seen.add('fellOffline');
      if (old?.online === false && phone.online) seen.add('returned');
      if (old?.rentalStatus === 'idle' && phone.rentalStatus !== 'idle') seen.add('rented');
      if (old?.rentalStatus !== 'idle' && phone.rentalStatus === 'idle') seen.add('idle');
      if (phone.rentalStatus === 'self_rented' && phone.tunnel === 'missing') seen.add('lackedTunnel');
      if (phone.rentalStatus === 'self_rented' && phone.tunnel === 'down') seen.add('tunnelsDown');
    });
    const next = world.balance();
    if (next.pendingCents > money.pendingCents) seen.add('earned');
    if (next.pendingCents < money.pendingCents && next.availableCents > money.availableCents)
      seen.add('settled');
    if (next.availableCents < money.availableCents) seen.add('paidOut');
    before = after;
    money = next;
  }

  it('has everything that happens to phones, tunnels and money', () => {
    const phones = ['fellOffline', 'returned', 'rented', 'idle', 'lackedTunnel', 'tunnelsDown'];
    expect(seen).toEqual(new Set([...phones, 'settled', 'earned', 'paidOut']));
  });

  it('keeps the mix of rentals', () => {
    const sold = world.phones().filter(({ rentalStatus }) => rentalStatus === 'sold').length;
    expect(sold / world.phones().length).toBeCloseTo(0.6, 0);
  });

  it('changes no phone that is not set up', () => {
    const unready = (phones: ReturnType<Marketplace['phones']>) =>
      phones.filter(({ setupStatus }) => setupStatus !== 'complete' && setupStatus !== 'active');
    expect(unready(world.phones())).toEqual(unready(marketplaceOf().phones()));
  });
});

describe('the simulated balance', () => {
  it('grows by the earnings of sold phones, to the cent', () => {
    const phone = { ...createPhone(1, 0), rentalStatus: 'sold', centsPerHour: 12 } as const;
    const world = marketplaceOf({ phones: [phone] });
    const { availableCents, pendingCents } = world.balance();
    world.advance(START + 10 * HOUR);
    expect(world.balance()).toEqual({
      availableCents,
      pendingCents: pendingCents + 120,
      totalCents: availableCents + pendingCents + 120,
    });
    world.edit([phone.deviceId], { rentalStatus: 'idle' });
    world.advance(START + 20 * HOUR);
    expect(world.balance().pendingCents).toBe(pendingCents + 120);
  });
});

describe('a script that edits the simulated marketplace', () => {
  it('can change any field of a phone, and omit optional ones', () => {
    const world = marketplaceOf();
    const { deviceId } = phoneThat(world, ({ rotation }) => rotation !== undefined);
    const fields = { label: 'renamed', rotation: null, marketplaceStatus: 'not_listed' } as const;
    world.edit([deviceId], fields);
    expect(deviceIn(world, deviceId)).toMatchObject(fields);
    world.edit([deviceId], { rotation: undefined });
    expect(deviceIn(world, deviceId)).not.toHaveProperty('rotation');
    expect(() => world.edit(['nobody'], {})).toThrow('There is no phone nobody on this marketplace.');
  });

  it('starts a rental with a new id each time', () => {
    const world = marketplaceOf();
    const { deviceId } = phoneThat(world, ({ rentalStatus }) => rentalStatus === 'idle');
    const rentals = [0, 1].map(() => {
      world.edit([deviceId], { rentalStatus: 'self_rented', tunnel: 'up' });
      const { selfRent } = deviceIn(world, deviceId);
      world.edit([deviceId], { rentalStatus: 'idle' });
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
    world.advance(START + DAY + HOUR);
    expect([world.phones(), world.balance().pendingCents]).toEqual([[], 0]);
  });
});
