import { describe, expect, it } from 'vitest';
import {
  countRemoved,
  failed,
  type ListedFleet,
  NEVER_READ,
  settleBalance,
  settleFleet,
  settleTunnels,
  succeeded,
} from '../../../src/poller/settle.ts';
import {
  answerAtNoon,
  bareDevice,
  freshReading,
  healthyDevice,
  moneyOf,
  NOON,
  tunnelOf,
} from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STALE_AFTER = 15 * MINUTE;

function listed(devices: ListedFleet['devices'], complete = true): ListedFleet {
  return { devices, reported: devices.length, listing: { pages: 1, passes: 1, complete } };
}

describe('a reading', () => {
  it('of a poll that succeeded is fresh', () => {
    expect(succeeded('data', NOON)).toEqual({
      data: 'data',
      state: 'fresh',
      lastSuccessAt: NOON,
      lastAttemptAt: NOON,
      failure: undefined,
    });
  });

  it.each([
    ['is held while it is not too old', STALE_AFTER, 'held'],
    ['expires when it is', STALE_AFTER + 1, 'expired'],
  ])('that a failed poll keeps %s', (_, age, state) => {
    expect(failed(freshReading('data'), 'timeout', NOON + age, STALE_AFTER)).toEqual({
      data: 'data',
      state,
      lastSuccessAt: NOON,
      lastAttemptAt: NOON + age,
      failure: 'timeout',
    });
  });

  it('that never succeeded has nothing to hold', () => {
    expect(failed(NEVER_READ, 'dns', NOON, STALE_AFTER)).toEqual({
      ...NEVER_READ,
      lastAttemptAt: NOON,
      failure: 'dns',
    });
  });
});

describe('a fleet', () => {
  it.each([
    ['ten seconds ago', NOON - 10 * SECOND, 10],
    ['in the future by less than five minutes', NOON + 5 * MINUTE, 0],
    ['in the future by more than that', NOON + 5 * MINUTE + 1, undefined],
    ['never', undefined, undefined],
  ])('knows the age of a heartbeat %s', (_, lastHeartbeatAt, age) => {
    const fleet = settleFleet(undefined, listed([bareDevice({ lastHeartbeatAt })]), NOON, STALE_AFTER);
    expect(fleet.devices[0]?.heartbeatAgeSeconds).toBe(age);
  });

  it('counts the time between two polls for the status that the phone had at the first', () => {
    const sold = settleFleet(undefined, listed([healthyDevice({ rentalStatus: 'sold' })]), NOON, STALE_AFTER);
    const idle = settleFleet(
      sold,
      listed([healthyDevice({ rentalStatus: 'idle' })]),
      NOON + 30 * SECOND,
      STALE_AFTER,
    );
    const still = settleFleet(
      idle,
      listed([healthyDevice({ rentalStatus: 'idle' })]),
      NOON + MINUTE,
      STALE_AFTER,
    );
    expect(still.devices[0]?.rentalStatusSeconds).toEqual({ sold: 30, self_rented: 0, idle: 30, other: 0 });
    expect(still.devices[0]?.rentalStatusSince).toBe(NOON + 30 * SECOND);
  });

  it.each([
    ['longer than anybody could vouch for', STALE_AFTER + 1],
    ['negative, since the clock stepped back', -MINUTE],
  ])('counts no time when the gap is %s', (_, gap) => {
    const first = settleFleet(undefined, listed([healthyDevice()]), NOON, STALE_AFTER);
    const second = settleFleet(first, listed([healthyDevice()]), NOON + gap, STALE_AFTER);
    expect(second.devices[0]?.rentalStatusSeconds.sold).toBe(0);
  });

  it('lets a phone go that a complete listing lacks', () => {
    const two = settleFleet(
      undefined,
      listed([bareDevice({ id: 'a' }), bareDevice({ id: 'b' })]),
      NOON,
      STALE_AFTER,
    );
    const one = settleFleet(two, listed([bareDevice({ id: 'a' })]), NOON, STALE_AFTER);
    expect(one.devices.map(({ device }) => device.id)).toEqual(['a']);
    expect(countRemoved(two, one)).toBe(1);
  });

  it('keeps a phone that an incomplete listing lacks', () => {
    const two = settleFleet(
      undefined,
      listed([bareDevice({ id: 'a' }), bareDevice({ id: 'b' })]),
      NOON,
      STALE_AFTER,
    );
    const both = settleFleet(two, listed([bareDevice({ id: 'a' })], false), NOON, STALE_AFTER);
    expect(both.devices.map(({ device }) => device.id)).toEqual(['a', 'b']);
    expect(countRemoved(two, both)).toBe(0);
  });

  it('has lost nobody at its first listing', () => {
    expect(countRemoved(undefined, settleFleet(undefined, listed([]), NOON, STALE_AFTER))).toBe(0);
  });
});

describe('the tunnels', () => {
  const known = new Map([
    ['a', answerAtNoon(tunnelOf({ id: 'old-a' }))],
    ['b', answerAtNoon(tunnelOf({ id: 'old-b' }))],
  ]);

  it('take the new answers and keep the last one of a phone that could not be asked', () => {
    const answer = { tunnel: undefined, answeredAt: NOON + MINUTE };
    const settled = settleTunnels(known, ['a', 'b'], new Map([['a', answer]]), NOON + MINUTE, STALE_AFTER);
    expect([...settled]).toEqual([
      ['a', answer],
      ['b', known.get('b')],
    ]);
  });

  it('forget an answer that is too old', () => {
    expect(settleTunnels(known, ['a'], new Map(), NOON + STALE_AFTER + 1, STALE_AFTER).size).toBe(0);
  });

  it('forget a phone whose rental ended', () => {
    expect([...settleTunnels(known, ['b'], new Map(), NOON, STALE_AFTER).keys()]).toEqual(['b']);
  });
});

describe('the money', () => {
  it('has not moved at the first poll', () => {
    expect(settleBalance(undefined, moneyOf(100, 5).balance)).toEqual(moneyOf(100, 5));
  });

  it('adds up what went up and what went down', () => {
    const moved = [moneyOf(150, 5), moneyOf(20, 9), moneyOf(30, 0)].reduce(
      (before, { balance }) => settleBalance(before, balance),
      moneyOf(100, 5),
    );
    expect(moved.observed).toEqual({
      available: { increaseCents: 60, decreaseCents: 130 },
      pending: { increaseCents: 4, decreaseCents: 9 },
    });
  });

  it('has not moved by what the API did not give', () => {
    const unknown = { availableCents: undefined, pendingCents: 5, totalCents: undefined };
    const settled = settleBalance(settleBalance(moneyOf(100, 5), unknown), moneyOf(200, 5).balance);
    expect(settled.observed.available).toEqual({ increaseCents: 0, decreaseCents: 0 });
  });
});
