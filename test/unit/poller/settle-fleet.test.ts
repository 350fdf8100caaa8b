import { describe, expect, it } from 'vitest';
import type { Device } from '../../../src/model/device.ts';
import type { Fleet } from '../../../src/model/reading.ts';
import { settleFleet } from '../../../src/poller/settle-fleet.ts';
import { atOnce, SLICE_STEPS } from '../../../src/slices.ts';
import { bareDevice, healthyDevice, NOON } from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const INTERVAL = 30 * SECOND;
const STALE_AFTER = 15 * MINUTE;

type Listed = { readonly devices: readonly Device[]; readonly complete?: boolean; readonly at?: number };

function settle(previous: Fleet | undefined, { devices, complete = true, at = NOON }: Listed) {
  const listing = { pages: 1, passes: 1, complete };
  return atOnce(
    settleFleet(previous, { devices, neighbours: [], reported: devices.length, listing }, at, STALE_AFTER),
  );
}

const named = (ids: string): readonly Device[] => [...ids].map((id) => bareDevice({ id }));

/**
 * What is left after one listing after the other, half a minute apart: the ids, `!` where it is suspect, and `-` with
 * the number of phones that left. A listing with a `?` is incomplete.
 */
function story(...listings: readonly string[]): readonly string[] {
  let fleet: Fleet | undefined;
  return listings.map((listing, index) => {
    const devices = named(listing.replace('?', ''));
    const { fleet: settled, removed } = settle(fleet, {
      devices,
      complete: !listing.endsWith('?'),
      at: NOON + index * INTERVAL,
    });
    fleet = settled;
    const ids = Array.from(settled.devices, ({ device }) => device.id).join('');
    return `${ids}${settled.listing.suspect ? '!' : ''}${removed > 0 ? `-${removed}` : ''}`;
  });
}

describe('a phone', () => {
  it.each([
    ['ten seconds ago', NOON - 10 * SECOND, 10],
    ['in the future by less than five minutes', NOON + 5 * MINUTE, 0],
    ['in the future by more than that', NOON + 5 * MINUTE + 1, undefined],
    ['never', undefined, undefined],
  ])('that beat %s has that age', (_, lastHeartbeatAt, age) => {
    const { fleet } = settle(undefined, { devices: [bareDevice({ lastHeartbeatAt })] });
    expect(fleet.devices.at(0)?.heartbeatAgeSeconds).toBe(age);
  });

  const secondsAfter = (...listings: readonly Listed[]) =>
    listings
      .reduce<Fleet | undefined>((fleet, listed) => settle(fleet, listed).fleet, undefined)
      ?.devices.at(0);

  it('spends the time between two listings in the status that it had at the first', () => {
    const still = secondsAfter(
      { devices: [healthyDevice({ rentalStatus: 'sold' })] },
      { devices: [healthyDevice({ rentalStatus: 'idle' })], at: NOON + INTERVAL },
      { devices: [healthyDevice({ rentalStatus: 'idle' })], at: NOON + MINUTE },
    );
    expect(still?.rentalStatusSeconds).toEqual({ sold: 30, self_rented: 0, idle: 30, other: 0 });
    expect(still?.rentalStatusSince).toBe(NOON + INTERVAL);
  });

  it('loses no time by a listing that did not show it', () => {
    const devices = [healthyDevice()];
    const back = secondsAfter(
      { devices },
      { devices: [], complete: false, at: NOON + INTERVAL },
      { devices, at: NOON + MINUTE },
    );
    expect(back?.rentalStatusSeconds.sold).toBe(60);
  });

  it.each([
    ['longer than anybody could vouch for', STALE_AFTER + 1],
    ['negative, since the clock stepped back', -MINUTE],
  ])('spends no time in a gap that is %s', (_, gap) => {
    const devices = [healthyDevice()];
    expect(secondsAfter({ devices }, { devices, at: NOON + gap })?.rentalStatusSeconds.sold).toBe(0);
  });

  it('that a listing lacks stays as it was', () => {
    const { fleet } = settle(undefined, {
      devices: [healthyDevice({ id: 'a' }), healthyDevice({ id: 'b' })],
    });
    const { fleet: after } = settle(fleet, { devices: [healthyDevice({ id: 'b' })], at: NOON + INTERVAL });
    expect(after.devices.at(0)).toStrictEqual(fleet.devices.at(0));
    expect([...after.absent]).toEqual([
      ['a', { seenAt: NOON, listings: 1, completeListings: 1, suspect: false }],
    ]);
  });
});

const TWENTY = 'abcdefghijklmnopqrst';

describe('a fleet', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['has nobody at first', [''], ['']],
    ['takes newcomers in at once, in their places', ['bd', 'abcde'], ['bd', 'abcde']],
    ['takes newcomers in from an incomplete listing', ['b', 'abc?'], ['b', 'abc']],
    ['lets a phone go that two complete listings lack', ['abc', 'ac', 'ac'], ['abc', 'abc', 'ac-1']],
    ['keeps one that comes back in between', ['abc', 'ac', 'abc', 'ac'], ['abc', 'abc', 'abc', 'abc']],
    ['keeps one that incomplete listings lack', ['abc', 'ac?', 'ac?', 'ac?'], ['abc', 'abc', 'abc', 'abc']],
    [
      'does not begin to count anew after an incomplete listing that lacks it as well',
      ['abc', 'ac', 'ac?', 'ac'],
      ['abc', 'abc', 'abc', 'ac-1'],
    ],
    ['does after one that shows it', ['abc', 'ac', 'abc?', 'ac'], ['abc', 'abc', 'abc', 'abc']],
    ['lets each phone go in its own time', ['abcd', 'abd', 'ad', 'ad'], ['abcd', 'abcd', 'abd-1', 'ad-1']],
    [
      'loses five at once without suspicion',
      [TWENTY, TWENTY.slice(5), TWENTY.slice(5)],
      [TWENTY, TWENTY, `${TWENTY.slice(5)}-5`],
    ],
    [
      'loses a fifth at once without suspicion',
      [`${TWENTY}ABCDEFGHIJ`, `${TWENTY.slice(6)}ABCDEFGHIJ`, `${TWENTY.slice(6)}ABCDEFGHIJ`].map(sortedText),
      [`${TWENTY}ABCDEFGHIJ`, `${TWENTY}ABCDEFGHIJ`]
        .map(sortedText)
        .concat(`${sortedText(`${TWENTY.slice(6)}ABCDEFGHIJ`)}-6`),
    ],
    [
      'has to lose more three times, and is suspect meanwhile',
      [TWENTY, TWENTY.slice(6), TWENTY.slice(6), TWENTY.slice(6), TWENTY.slice(6)],
      [TWENTY, `${TWENTY}!`, `${TWENTY}!`, `${TWENTY.slice(6)}-6`, TWENTY.slice(6)],
    ],
    ['is no more suspect when they come back', [TWENTY, 'abc', TWENTY], [TWENTY, `${TWENTY}!`, TWENTY]],
    [
      'stays suspect over an incomplete listing, which confirms nothing',
      [TWENTY, 'abc', 'abc?', 'abc', 'abc'],
      [TWENTY, `${TWENTY}!`, `${TWENTY}!`, `${TWENTY}!`, 'abc-17'],
    ],
    ['is not suspect because of an incomplete listing', [TWENTY, 'abc?', TWENTY], [TWENTY, TWENTY, TWENTY]],
    ['is suspect if nobody is left of it, however few they were', ['a', '', '', ''], ['a', 'a!', 'a!', '-1']],
    ['is suspect if all are others', ['ab', 'cd', 'cd', 'cd'], ['ab', 'abcd!', 'abcd!', 'cd-2']],
  ])('%s', (_, listings, expected) => {
    expect(story(...listings)).toEqual(expected);
  });

  it('forgets a phone that no listing has shown for too long, though none is complete', () => {
    const listings = Array.from({ length: STALE_AFTER / INTERVAL + 1 }, () => 'ac?');
    expect(story('abc', ...listings).slice(-2)).toEqual(['abc', 'ac-1']);
  });

  it('does not forget a phone because of a single listing after a long outage', () => {
    const { fleet } = settle(undefined, { devices: named('abc') });
    const late = NOON + 2 * STALE_AFTER;
    const { fleet: first, removed } = settle(fleet, { devices: named('ac'), complete: false, at: late });
    expect(removed).toBe(0);
    expect(settle(first, { devices: named('ac'), complete: false, at: late + INTERVAL }).removed).toBe(1);
  });

  it('lets others have a turn while it is settled', () => {
    const devices = Array.from({ length: 3 * SLICE_STEPS }, (_, index) =>
      bareDevice({ id: String(index).padStart(6, '0') }),
    );
    const listing = { pages: 1, passes: 1, complete: true };
    const work = settleFleet(undefined, { devices, neighbours: [], reported: 0, listing }, NOON, STALE_AFTER);
    let slices = 0;
    while (work.next().done !== true) slices += 1;
    expect(slices).toBe(6);
  });
});

function sortedText(text: string): string {
  return [...text].toSorted().join('');
}
