import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Marketplace } from '../../../../src/features/demo/marketplace.ts';
import { createPhone } from '../../../../src/features/demo/phones.ts';
import type { JsonObject } from '../../../json.ts';
import { ask, everything, marketplaceOf, phoneThat, START, tunnelPath } from './requests.ts';

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
  it('is equal for equal seeds and times', () => {
    const worlds = [marketplaceOf({ lively: true }), marketplaceOf({ lively: true })];
    for (const world of worlds) world.advance(START + 2 * DAY);
    const [one, other] = worlds.map(view);
    expect(one).toEqual(other);
  });

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
  const seen = {
    fellOffline: 0,
    returned: 0,
    rented: 0,
    idle: 0,
    lackedTunnel: 0,
    tunnelsDown: 0,
    settled: 0,
    earned: 0,
    paidOut: 0,
  };
  let before = world.phones();
  let money = world.balance();
  for (let time = START + 5 * MINUTE; time <= START + DAY; time += 5 * MINUTE) {
    world.advance(time);
    const after = world.phones();
    after.forEach((phone, index) => {
      const old = before[index];
      if (old?.online === true && !phone.online) seen.fellOffline += 1;
      if (old?.online === false && phone.online) seen.returned += 1;
      if (old?.rentalStatus === 'idle' && phone.rentalStatus !== 'idle') seen.rented += 1;
      if (old?.rentalStatus !== 'idle' && phone.rentalStatus === 'idle') seen.idle += 1;
      if (phone.rentalStatus === 'self_rented' && phone.tunnel === 'missing') seen.lackedTunnel += 1;
      if (phone.rentalStatus === 'self_rented' && phone.tunnel === 'down') seen.tunnelsDown += 1;
    });
    const next = world.balance();
    if (next.pendingCents > money.pendingCents) seen.earned += 1;
    if (next.pendingCents < money.pendingCents && next.availableCents > money.availableCents)
      seen.settled += 1;
    if (next.availableCents < money.availableCents) seen.paidOut += 1;
    before = after;
    money = next;
  }

  it.each(Object.entries(seen))('has %s: %d', (_, count) => {
    expect(count).toBeGreaterThan(0);
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
