import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/base/steps.ts';
import { isStaleCopy } from '../../../src/judge/absence.ts';
import { NEW_RHYTHM } from '../../../src/judge/offline.ts';
import { step } from '../../../src/judge/step.ts';
import { type Account, NEW_ACCOUNT } from '../../../src/model/account.ts';
import { NO_CAUSES } from '../../../src/model/cause.ts';
import type { Device } from '../../../src/model/device.ts';
import type { Fleet, FleetDevice } from '../../../src/model/fleet.ts';
import type { ListObservation } from '../../../src/model/observation.ts';
import { decodeState, encodeState } from '../../../src/state/codec.ts';
import { bareDevice, healthyDevice, NOON, STEP_SETTINGS, tunnelOf } from '../../builders.ts';
import { listObservation } from '../list-observation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const INTERVAL = 30 * SECOND;
const STALE_AFTER = STEP_SETTINGS.staleAfterMilliseconds;

/** `at` is the API's clock, and `passed` our own time since noon, the same by default. */
type Listed = {
  readonly devices: readonly Device[];
  readonly complete?: boolean;
  readonly at?: number;
  readonly passed?: number;
};

/** An account, and when it was last listed by our own time since noon; undefined right after a start. */
type Known = { readonly account: Account; readonly listedAt: number | undefined };

const UNKNOWN: Known = { account: NEW_ACCOUNT, listedAt: undefined };

function observationOf(
  { devices, complete = true, at = NOON, passed = at - NOON }: Listed,
  listedAt: number | undefined,
): ListObservation {
  const elapsed = listedAt === undefined ? undefined : passed - listedAt;
  const observation = listObservation(devices, at, INTERVAL, elapsed);
  return { ...observation, listing: { ...observation.listing, complete } };
}

function list({ account, listedAt }: Known, listed: Listed): Known {
  const { at = NOON, passed = at - NOON } = listed;
  return { account: finish(step(account, observationOf(listed, listedAt), STEP_SETTINGS)), listedAt: passed };
}

/** The account as the next process finds it. */
function restart({ account }: Known): Known {
  const identity = { name: 'main', apiUrl: 'https://api.example.com/' };
  const state = { accounts: [{ identity, goneAt: undefined, account }], causes: NO_CAUSES };
  const decoded = decodeState([...encodeState(state, { host: '', pid: 0, program: '' }, NOON)].join(''));
  if (!('accounts' in decoded)) throw new Error(decoded.refusal);
  return { account: decoded.accounts[0]?.account ?? NEW_ACCOUNT, listedAt: undefined };
}

function settle(
  previous: Fleet | undefined,
  listed: Listed,
): { readonly fleet: Fleet; readonly removed: number } {
  const known = {
    account: { ...NEW_ACCOUNT, fleet: previous },
    listedAt: (previous?.apiTime ?? NOON) - NOON,
  };
  const { fleet } = list(previous === undefined ? UNKNOWN : known, listed).account;
  if (fleet === undefined) throw new Error('a list makes a fleet');
  const removed = [...(previous?.devices.keys() ?? [])].filter((id) => !fleet.devices.has(id)).length;
  return { fleet, removed };
}

/** The fleet after several listings. */
function fleetAfter(...listings: readonly Listed[]): Fleet | undefined {
  return listings.reduce(list, UNKNOWN).account.fleet;
}

const [firstOf, idsOf] = [
  (fleet: Fleet | undefined) => [...(fleet?.devices.values() ?? [])][0],
  (fleet: Fleet) => [...fleet.devices.keys()].toSorted().join(''),
];

const timeOf = (fleet: Fleet | undefined) => firstOf(fleet)?.times.milliseconds;

const named = (ids: string): readonly Device[] => [...ids].map((id) => bareDevice({ id }));

/**
 * Describes the fleet after each of several listings, half a minute apart: the ids, `!` where it is suspect, and `-` with
 * the number of removed devices. A listing with a `?` is incomplete.
 */
function story(...listings: readonly string[]): readonly string[] {
  let fleet: Fleet | undefined;
  const stories: string[] = [];
  for (const [index, listing] of listings.entries()) {
    const settled = settle(fleet, {
      devices: named(listing.replace('?', '')),
      complete: !listing.endsWith('?'),
      at: NOON + index * INTERVAL,
    });
    fleet = settled.fleet;
    const { listing: facts } = fleet;
    stories.push(
      `${idsOf(fleet)}${facts.suspect ? '!' : ''}${settled.removed > 0 ? `-${settled.removed}` : ''}`,
    );
  }
  return stories;
}

describe('a device', () => {
  it.each([
    ['ten seconds ago', NOON - 10 * SECOND, 10],
    ['in the future by less than five minutes', NOON + 5 * MINUTE, 0],
    ['in the future by more than that', NOON + 5 * MINUTE + 1, undefined],
    ['never', undefined, undefined],
  ])('whose last heartbeat was %s has that age', (_, lastHeartbeatAt, age) => {
    const fleet = fleetAfter({ devices: [bareDevice({ lastHeartbeatAt })] });
    expect(firstOf(fleet)?.heartbeatAgeSeconds).toBe(age);
  });

  it('spends the time between two listings in the status that it had at the first', () => {
    const fleet = fleetAfter(
      { devices: [healthyDevice({ rentalStatus: 'sold' })] },
      { devices: [healthyDevice({ rentalStatus: 'idle' })], at: NOON + INTERVAL },
      { devices: [healthyDevice({ rentalStatus: 'idle' })], at: NOON + MINUTE },
    );
    expect(timeOf(fleet)).toEqual({ sold_online: INTERVAL, idle: INTERVAL });
    expect(firstOf(fleet)?.rentalStatusSince).toBe(NOON + INTERVAL);
  });

  it('was seen to begin its status where two listings in a row show it', () => {
    const status = (rentalStatus: 'sold' | 'idle', at: number) => ({
      devices: [healthyDevice({ rentalStatus })],
      at,
    });
    const begun = (...listings: readonly ReturnType<typeof status>[]) =>
      firstOf(fleetAfter(...listings))?.rentalStatusBeginSeen;
    const sold = status('sold', NOON);
    expect(begun(sold)).toBe(false);
    expect(begun(sold, status('idle', NOON + INTERVAL))).toBe(true);
    expect(begun(sold, status('idle', NOON + INTERVAL), status('idle', NOON + MINUTE))).toBe(true);
    expect(begun(sold, status('idle', NOON + 24 * 60 * MINUTE))).toBe(false);
  });

  it('that no list showed for twelve minutes was unknown in them, in its times and in its day', () => {
    const shown = (at: number) => [healthyDevice({ lastHeartbeatAt: at })];
    const missing = Array.from({ length: 24 }, (_, index) => ({
      devices: [],
      complete: false,
      at: NOON + (2 + index) * INTERVAL,
    }));
    const [from, back] = [NOON + INTERVAL, NOON + 26 * INTERVAL];
    const lists = [{ devices: shown(NOON) }, { devices: shown(from), at: from }, ...missing];
    expect(firstOf(fleetAfter(...lists))?.spells.at(-1)).toEqual({ state: 'unknown', from, to: undefined });
    const fleet = fleetAfter(...lists, { devices: shown(back), at: back });
    expect(timeOf(fleet)).toEqual({ sold_online: INTERVAL });
    expect(fleet?.devices.get('phone-1')?.spells.at(-1)).toEqual({ state: 'unknown', from, to: back });
  });

  it('spends no time in a gap that is longer than the lifetime of a reading', () => {
    const devices = [healthyDevice()];
    const fleet = fleetAfter({ devices }, { devices, at: NOON + STALE_AFTER + 1 });
    expect(timeOf(fleet)).toEqual({ sold_online: 0 });
  });

  it.each([
    ['set forward', 5 * MINUTE],
    ['set back', -5 * MINUTE],
  ])('spends as much time as passed here, although the clock of the API is %s in between', (_, step) => {
    const devices = [healthyDevice()];
    const fleet = fleetAfter(
      { devices },
      { devices, at: NOON + INTERVAL + step, passed: INTERVAL },
      { devices, at: NOON + MINUTE, passed: MINUTE },
    );
    expect(timeOf(fleet)).toEqual({ sold_online: MINUTE });
  });

  it('stays as it was where a list has an older heartbeat of it', () => {
    const older = healthyDevice({ lastHeartbeatAt: NOON - MINUTE, rentalStatus: 'idle' });
    const fleet = fleetAfter({ devices: [healthyDevice()] }, { devices: [older], at: NOON + INTERVAL });
    expect(firstOf(fleet)).toMatchObject({
      device: { lastHeartbeatAt: NOON - 10 * SECOND, rentalStatus: 'sold' },
      heartbeatAgeSeconds: 40,
    });
  });

  it('is believed with an older heartbeat once its own is older than anything is shown', () => {
    const [old, older] = [NOON - 20 * MINUTE, NOON - 30 * MINUTE].map((lastHeartbeatAt) => ({
      lastHeartbeatAt,
    }));
    const fleet = fleetAfter(
      { devices: [healthyDevice(old)] },
      { devices: [healthyDevice({ ...older, rentalStatus: 'idle' })], at: NOON + INTERVAL },
    );
    expect(firstOf(fleet)?.device).toMatchObject({ ...old, rentalStatus: 'idle' });
  });

  it('that a listing lacks stays as it was', () => {
    const { fleet } = settle(undefined, { devices: named('ab') });
    const { fleet: after } = settle(fleet, { devices: named('b'), at: NOON + INTERVAL });
    const unknown = { state: 'unknown', from: NOON, to: undefined };
    const before = fleet.devices.get('a');
    expect(after.devices.get('a')).toEqual({ ...before, spells: [...(before?.spells ?? []), unknown] });
    expect([...after.absent]).toEqual([
      ['a', { seenAt: NOON, missing: INTERVAL, listings: 1, completeListings: 1, suspect: false }],
    ]);
  });
});

describe('a restart', () => {
  const HOUR = 60 * MINUTE;
  const sold = healthyDevice({ id: 'a' });
  const known = list(list(UNKNOWN, { devices: [sold] }), { devices: [sold], at: NOON + INTERVAL });
  const restarted = (listed: Listed) => list(restart(known), { at: NOON + HOUR, ...listed }).account.fleet;

  it('keeps since when a status lasts, and what was learned', () => {
    expect(restarted({ devices: [sold] })?.devices.get('a')).toMatchObject({ rentalStatusSince: NOON });
    expect(restarted({ devices: [{ ...sold, rentalStatus: 'idle' }] })?.devices.get('a')).toMatchObject({
      rentalStatusSince: NOON + HOUR,
      rentalStatusBeginSeen: false,
    });
  });

  it('counts no time in which nobody looked', () => {
    expect(timeOf(restarted({ devices: [sold] }))).toEqual({ sold_online: INTERVAL, sold_offline: 0 });
  });

  it('learns nothing from a gap in which nobody looked', () => {
    const rhythmOf = (fleet: Fleet | undefined) => fleet?.devices.get('a')?.rhythm;
    const later = healthyDevice({ id: 'a', lastHeartbeatAt: NOON + 20 * MINUTE });
    expect(rhythmOf(restarted({ devices: [later] }))).toEqual(rhythmOf(known.account.fleet));
  });

  it('calls a device offline at once, since the API was up', () => {
    expect(restarted({ devices: [sold] })?.devices.get('a')).toMatchObject({
      offline: true,
      outageSeconds: 0,
    });
  });

  it('gives phones their time if polls failed before the first list', () => {
    const times = { elapsed: undefined, at: NOON + HOUR };
    const failure = { kind: 'failure', collector: 'devices', reason: 'server', ...times } as const;
    const account = finish(step(restart(known).account, failure, STEP_SETTINGS));
    const { fleet } = list({ account, listedAt: undefined }, { devices: [sold], at: NOON + HOUR }).account;
    expect(fleet?.devices.get('a')).toMatchObject({ offline: false, outageSeconds: 3_610 });
  });

  it('doubts the first list like any other: an empty one loses nothing', () => {
    const empty = restarted({ devices: [] });
    expect([empty?.devices.size, empty?.listing.suspect, empty?.left.size]).toEqual([1, true, 0]);
  });

  it('finds a phone that left while the exporter was off', () => {
    const others = named('bcdefg');
    const before = list(UNKNOWN, { devices: [sold, ...others] });
    const first = list(restart(before), { devices: others, at: NOON + HOUR });
    const second = list(first, { devices: others, at: NOON + HOUR + INTERVAL });
    expect([...(second.account.fleet?.left.keys() ?? [])]).toEqual(['a']);
    expect(second.account.fleet?.left.get('a')?.lastListedAt).toBe(NOON);
  });

  it('is nothing but the next observation, wherever it comes', () => {
    const listings = [0, 1, 2, 3, 4, 5].map((index) => ({
      devices: [healthyDevice({ id: 'a', lastHeartbeatAt: NOON + index * INTERVAL })],
      at: NOON + index * INTERVAL,
    }));
    const ended = listings.reduce(list, UNKNOWN);
    for (let at = 1; at < listings.length; at += 1) {
      const before = listings.slice(0, at).reduce(list, UNKNOWN);
      const kept = listings.slice(at).reduce(list, { ...restart(before), listedAt: before.listedAt });
      expect(kept).toEqual(ended);
    }
  });
});

const TWENTY = 'abcdefghijklmnopqrst';
const THIRTY = `${TWENTY}uvwxyz{|}~`;

describe('a fleet', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['is empty after an empty list', [''], ['']],
    ['adds new devices at once', ['bd', 'abcde'], ['bd', 'abcde']],
    ['adds new devices from an incomplete listing', ['b', 'abc?'], ['b', 'abc']],
    ['removes a device that two complete listings lack', ['abc', 'ac', 'ac'], ['abc', 'abc', 'ac-1']],
    ['keeps a device that comes back in between', ['abc', 'ac', 'abc', 'ac'], ['abc', 'abc', 'abc', 'abc']],
    ['keeps a device that incomplete listings lack', ['abc', 'ac?', 'ac?'], ['abc', 'abc', 'abc']],
    [
      'continues to count after an incomplete listing that lacks the device as well',
      ['abc', 'ac', 'ac?', 'ac'],
      ['abc', 'abc', 'abc', 'ac-1'],
    ],
    [
      'restarts the count after an incomplete listing that contains the device',
      ['abc', 'ac', 'abc?', 'ac'],
      ['abc', 'abc', 'abc', 'abc'],
    ],
    ['removes each device in its own time', ['abcd', 'abd', 'ad', 'ad'], ['abcd', 'abcd', 'abd-1', 'ad-1']],
    [
      'is not suspect when five devices are lost at once',
      [TWENTY, TWENTY.slice(5), TWENTY.slice(5)],
      [TWENTY, TWENTY, `${TWENTY.slice(5)}-5`],
    ],
    [
      'is not suspect when a fifth is lost at once',
      [THIRTY, THIRTY.slice(6), THIRTY.slice(6)],
      [THIRTY, THIRTY, `${THIRTY.slice(6)}-6`],
    ],
    [
      'is suspect when more are lost, until three listings agree',
      [TWENTY, TWENTY.slice(6), TWENTY.slice(6), TWENTY.slice(6), TWENTY.slice(6)],
      [TWENTY, `${TWENTY}!`, `${TWENTY}!`, `${TWENTY.slice(6)}-6`, TWENTY.slice(6)],
    ],
    ['is not suspect any more when they come back', [TWENTY, 'abc', TWENTY], [TWENTY, `${TWENTY}!`, TWENTY]],
    [
      'stays suspect over an incomplete listing, which confirms nothing',
      [TWENTY, 'abc', 'abc?', 'abc', 'abc'],
      [TWENTY, `${TWENTY}!`, `${TWENTY}!`, `${TWENTY}!`, 'abc-17'],
    ],
    ['is not suspect because of an incomplete listing', [TWENTY, 'abc?', TWENTY], [TWENTY, TWENTY, TWENTY]],
    ['is suspect if all are lost, however few they were', ['a', '', '', ''], ['a', 'a!', 'a!', '-1']],
    ['is suspect if all are replaced by others', ['ab', 'cd', 'cd', 'cd'], ['ab', 'abcd!', 'abcd!', 'cd-2']],
  ])('%s', (_, listings, expected) => {
    expect(story(...listings)).toEqual(expected);
  });

  it('removes a device that no listing has shown for too long, though none is complete', () => {
    const listings = Array.from({ length: STALE_AFTER / INTERVAL + 1 }, () => 'ac?');
    expect(story('abc', ...listings).slice(-2)).toEqual(['abc', 'ac-1']);
  });

  it('removes no device because of a single listing after a long outage', () => {
    const { fleet } = settle(undefined, { devices: named('abc') });
    const at = NOON + 2 * STALE_AFTER;
    const first = settle(fleet, { devices: named('ac'), complete: false, at });
    expect(first.removed).toBe(0);
    const second = settle(first.fleet, { devices: named('ac'), complete: false, at: at + INTERVAL });
    expect(second.removed).toBe(1);
  });

  describe('a device that left', () => {
    const device = bareDevice({ id: 'a', label: 'rack-07/slot-04', lastHeartbeatAt: NOON - 16 * MINUTE });
    const without = (at: number): Listed => ({ devices: named('bc'), at });

    const gone = [
      { devices: [device, ...named('bc')] },
      without(NOON + INTERVAL),
      without(NOON + 2 * INTERVAL),
    ];

    it('is named with the time of the last listing that had it, and whether it was offline', () => {
      expect(fleetAfter(...gone)?.left.get('a')).toEqual({
        ...{ label: 'rack-07/slot-04', group: 'rack-07', lastListedAt: NOON },
        ...{ removedAt: NOON + 2 * INTERVAL, wasOffline: true },
      });
    });

    it('is forgotten after a day, and when it is listed again', () => {
      const nextDay = fleetAfter(...gone, without(NOON + 2 * INTERVAL + 1_440 * MINUTE + 1));
      expect(nextDay?.left.size).toBe(0);
      const back = fleetAfter(...gone, { devices: named('abc'), at: NOON + 60 * MINUTE });
      expect(back?.left.size).toBe(0);
    });

    it('has the threshold that was learned when it is listed again', () => {
      const rhythm = { ...NEW_RHYTHM, usual: 60, elapsed: 30_000, longest: [700] };
      const { account, listedAt } = list(UNKNOWN, { devices: [device, ...named('bc')] });
      const [entry, fleet] = [account.fleet?.devices.get('a'), account.fleet];
      if (fleet === undefined || entry === undefined) throw new Error('no device');
      const devices = new Map(fleet.devices).set('a', { ...entry, rhythm });
      const learned = { account: { ...account, fleet: { ...fleet, devices } }, listedAt };
      const back = [
        without(NOON + INTERVAL),
        without(NOON + 2 * INTERVAL),
        { devices: named('abc'), at: NOON + 3 * INTERVAL },
      ].reduce(list, learned);
      expect(back.account.fleet?.devices.get('a')?.rhythm).toEqual(rhythm);
    });

    it('is kept only if it is one of the thousand newest', () => {
      const many = Array.from({ length: 1_100 }, (_, index) => bareDevice({ id: `x${1_000 + index}` }));
      const fleet = fleetAfter(
        { devices: [...many, ...named('abc')] },
        ...[1, 2, 3].map((listing) => ({ devices: named('abc'), at: NOON + listing * INTERVAL })),
      );
      expect([...(fleet?.left.keys() ?? [])]).toEqual(many.slice(100).map(({ id }) => id));
    });
  });

  it('holds its devices in the order in which they were first listed', () => {
    const fleet = fleetAfter(
      { devices: named('cad') },
      { devices: named('bdac'), at: NOON + INTERVAL },
      { devices: named('xca'), at: NOON + MINUTE },
    );
    expect([...(fleet?.devices.keys() ?? [])].join('')).toBe('cadbx');
  });

  it('is updated in steps, between which the event loop gets a turn', () => {
    const devices = Array.from({ length: 10_000 }, (_, index) => bareDevice({ id: String(index) }));
    const steps = step(NEW_ACCOUNT, observationOf({ devices }, undefined), STEP_SETTINGS);
    let turns = 0;
    while (steps.next().done !== true) turns += 1;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('an offline device', () => {
  /**
   * Polls at these seconds after noon, where the last heartbeat is then, and what is shown: `-` while it is not offline, `S`
   * where it is, `w` while it has not had its time after an outage.
   */
  function offlineProblemOf(polls: Polls, facts: Partial<Device> = {}): string {
    return entriesOf(polls, facts)
      .map(({ offline, outageSeconds }) => (offline ? 'S' : outageSeconds > 0 ? 'w' : '-'))
      .join('');
  }

  type Polls = readonly (readonly [second: number, heartbeat: number])[];

  function entriesOf(polls: Polls, facts: Partial<Device> = {}): readonly FleetDevice[] {
    let known = UNKNOWN;
    return polls.flatMap(([second, heartbeat]) => {
      const device = healthyDevice({ ...facts, lastHeartbeatAt: NOON + heartbeat * SECOND });
      known = list(known, { devices: [device], at: NOON + second * SECOND });
      return [...(known.account.fleet?.devices.values() ?? [])];
    });
  }

  const every30 = (from: number, to: number, heartbeat: (second: number) => number) =>
    Array.from({ length: (to - from) / 30 + 1 }, (_, index) => {
      const second = from + index * 30;
      return [second, heartbeat(second)] as const;
    });

  it('begins above ten minutes where nothing was learned, and ends with a heartbeat', () => {
    const polls = [...every30(0, 660, () => 0), [690, 680] as const];
    expect(offlineProblemOf(polls)).toBe(`${'-'.repeat(21)}SS-`);
  });

  it('ended at the first heartbeat after it, which is shown for an hour', () => {
    const back = every30(720, 4_380, (second) => second - (second % 60));
    const entries = entriesOf([...every30(0, 690, () => 0), ...back]);
    const shown = entries.map(({ backAt }) => backAt && (backAt - NOON) / SECOND);
    // Polls each 30 s: the first 24 before the heartbeat, then an hour and the poll at its end.
    expect(shown).toEqual([
      ...Array(24).fill(undefined),
      ...Array(121).fill(720),
      ...Array(entries.length - 145).fill(undefined),
    ]);
  });

  it('ended at an unknown time where the API was down meanwhile', () => {
    const entries = entriesOf([...every30(0, 660, () => 0), ...every30(3_600, 3_660, () => 3_590)]);
    expect(entries.filter(({ offline }) => offline)).toHaveLength(2);
    expect(entries.map(({ backAt }) => backAt).filter((at) => at !== undefined)).toEqual([]);
  });

  it('is none of a device that was never set up', () => {
    const polls = every30(0, 900, () => 0);
    expect(offlineProblemOf(polls, { setupStatus: 'draft' })).not.toContain('S');
  });

  it('begins only when the device had its limit of time to report again after a long outage', () => {
    // Ten minutes of limit; the API is down from 60 s to 3,600 s.
    const polls = [...every30(0, 60, (second) => second), ...every30(3_600, 4_230, () => 60)];
    expect(offlineProblemOf(polls)).toBe(`---${'w'.repeat(21)}S`);
  });

  it('stands through an outage, and until a heartbeat', () => {
    const polls = [...every30(0, 630, () => 0), ...every30(3_600, 3_660, () => 0), [3_690, 3_680] as const];
    expect(offlineProblemOf(polls)).toBe(`${'-'.repeat(21)}SSSS-`);
  });

  it('has a limit that is longer by a short outage', () => {
    const polls = [...every30(0, 300, () => 0), ...every30(480, 750, () => 0)];
    // 75 of the 180 s without a list are no outage.
    expect(offlineProblemOf(polls)).toBe(`${'-'.repeat(11)}${'w'.repeat(8)}SS`);
  });

  it('begins although good polls stay rarer than the limit', () => {
    // The API answers once in 15 minutes.
    const polls = Array.from({ length: 12 }, (_, index) => [index * 900, 0] as const);
    expect(offlineProblemOf(polls)).toMatch(/^-w+S+$/);
    const alive = Array.from({ length: 12 }, (_, index) => [index * 900, index * 900 - 20] as const);
    expect(offlineProblemOf(alive)).not.toContain('S');
  });

  it('comes after fewer minutes once a quick rhythm was learned', () => {
    const beats = every30(0, 25_200, (second) => second - (second % 60));
    const polls = [...beats, ...every30(25_230, 25_800, () => 25_200)];
    const story = offlineProblemOf(polls);
    expect((story.indexOf('S') - beats.length + 1) * 30).toBeLessThanOrEqual(330);
  });
});

describe('a list', () => {
  type Ages = readonly (number | undefined)[];
  /** Devices with heartbeats of these ages, in seconds. */
  const aged = (ages: Ages) =>
    ages.map((age, index) =>
      bareDevice({ id: `${index}`, lastHeartbeatAt: age === undefined ? undefined : NOON - age * SECOND }),
    );

  it.each<[string, Ages, Ages, boolean]>([
    ['whose heartbeats are all older is', [1, 2, 3], [61, 62, 63], true],
    ['most of whose heartbeats are older is', [1, 2, 3], [61, 62, 3], true],
    ['half of whose heartbeats are older is not', [1, 62], [61, 2], false],
    ['with several older heartbeats and no newer one is', [1, 2, 900, 900], [61, 62, 900, 900], true],
    ['with one older heartbeat among unchanged ones is not', [1, 900, 900], [61, 900, 900], false],
    ['with older heartbeats and a newer one is not', [1, 2, 63, 900, 900], [61, 62, 3, 900, 900], false],
    ['whose heartbeats are the same is not', [1, 2, 3], [1, 2, 3], false],
    ['whose heartbeats are newer is not', [61, 62], [1, 2], false],
    ['of unknown phones is not', [], [61, 62], false],
    ['of phones that have not reported for long is not', [901, 902], [961, 962], false],
    ['without most of the heartbeats that are known is not', [1, 2, 3], [61, undefined, undefined], false],
  ])('%s an old copy', (_, known, listed, expected) => {
    const { fleet } = settle(undefined, { devices: aged(known) });
    const list = new Map(aged(listed).map((device) => [device.id, { device, listedAt: NOON }]));
    expect(isStaleCopy(fleet, list, NOON, 900_000)).toBe(expected);
  });
});

describe('a tunnel that is polled each hour', () => {
  const HOUR = 60 * MINUTE;
  const rented = healthyDevice({ id: 'phone-1', rentalStatus: 'self_rented' });

  /** Returns the hours after which the tunnel is known, where the round after each of them has no answer. */
  const knownAfter = (rounds: number): readonly boolean[] => {
    let { account } = list(UNKNOWN, { devices: [rented] });
    const known: boolean[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const at = NOON + round * HOUR;
      const answers = new Map(round === 0 ? [['phone-1', { tunnel: tunnelOf(), apiTime: at }]] : []);
      const times = { elapsed: round === 0 ? undefined : HOUR, dueIn: HOUR, slack: HOUR };
      account = finish(
        step(account, { kind: 'tunnels', results: answers, round: times, apiTime: at }, STEP_SETTINGS),
      );
      known.push(account.tunnels?.has('phone-1') === true);
    }
    return known;
  };

  it('is not lost at one unanswered request, and not kept for ever', () => {
    expect(knownAfter(4)).toEqual([true, true, true, true, false]);
  });
});
