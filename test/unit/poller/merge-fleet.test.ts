import { describe, expect, it } from 'vitest';
import type { Device } from '../../../src/model/device.ts';
import type { Fleet, FleetDevice } from '../../../src/model/fleet.ts';
import { DEFAULT_GROUPS } from '../../../src/model/group.ts';
import { type DeviceMemory, type Memory, NO_MEMORY } from '../../../src/model/snapshot.ts';
import { isStaleCopy, mergeFleet } from '../../../src/poller/merge-fleet.ts';
import { bareDevice, healthyDevice, NOON } from '../../builders.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const INTERVAL = 30 * SECOND;
const STALE_AFTER = 15 * MINUTE;

/** `at` is the clock of the API, and `passed` our own time since noon, the same by default. */
type Listed = {
  readonly devices: readonly Device[];
  readonly complete?: boolean;
  readonly at?: number;
  readonly passed?: number;
};

function settle(
  previous: Fleet | undefined,
  { devices, complete = true, at = NOON, passed = at - NOON }: Listed,
  remembered: Memory['devices'] = NO_MEMORY.devices,
  yieldToEventLoop = async () => {},
) {
  const listed = {
    devices: new Map(devices.map((device) => [device.id, device])),
    reported: devices.length,
    apiTime: at,
    uptime: passed,
    listing: { pages: 1, passes: 1, complete },
  };
  return mergeFleet(
    previous,
    listed,
    { ...NO_MEMORY, devices: remembered },
    {
      groups: DEFAULT_GROUPS,
      silentAfterSeconds: undefined,
      freshFor: 2.5 * INTERVAL,
      beganInOutage: false,
      lifetime: STALE_AFTER,
      staleAfter: STALE_AFTER,
      yieldToEventLoop,
    },
  );
}

/** The fleet after several listings. */
async function fleetAfter(...listings: readonly Listed[]): Promise<Fleet | undefined> {
  let fleet: Fleet | undefined;
  for (const listed of listings) ({ fleet } = await settle(fleet, listed));
  return fleet;
}

const [firstOf, idsOf] = [
  (fleet: Fleet | undefined) => [...(fleet?.devices.values() ?? [])][0],
  (fleet: Fleet) => [...fleet.devices.keys()].toSorted().join(''),
];

const named = (ids: string): readonly Device[] => [...ids].map((id) => bareDevice({ id }));

/**
 * Describes the fleet after each of several listings, half a minute apart: the ids, `!` where it is suspect, and `-` with
 * the number of removed devices. A listing with a `?` is incomplete.
 */
async function story(...listings: readonly string[]): Promise<readonly string[]> {
  let fleet: Fleet | undefined;
  const stories: string[] = [];
  for (const [index, listing] of listings.entries()) {
    const settled = await settle(fleet, {
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
  ])('whose last heartbeat was %s has that age', async (_, lastHeartbeatAt, age) => {
    const fleet = await fleetAfter({ devices: [bareDevice({ lastHeartbeatAt })] });
    expect(firstOf(fleet)?.heartbeatAgeSeconds).toBe(age);
  });

  it('spends the time between two listings in the status that it had at the first', async () => {
    const fleet = await fleetAfter(
      { devices: [healthyDevice({ rentalStatus: 'sold' })] },
      { devices: [healthyDevice({ rentalStatus: 'idle' })], at: NOON + INTERVAL },
      { devices: [healthyDevice({ rentalStatus: 'idle' })], at: NOON + MINUTE },
    );
    expect(firstOf(fleet)?.rentalStatusSeconds).toEqual({ sold: 30, idle: 30 });
    expect(firstOf(fleet)?.rentalStatusSince).toBe(NOON + INTERVAL);
  });

  it('is listed as changed where it joins or has another rental status', async () => {
    const devices = (facts: Readonly<Record<string, Partial<Device>>>) =>
      Object.entries(facts).map(([id, each]) => healthyDevice({ id, ...each }));
    const fleet = await fleetAfter(
      { devices: devices({ rented: { rentalStatus: 'idle' }, same: {} }) },
      { devices: devices({ rented: {}, same: { label: 'x' }, joined: {} }), at: NOON + INTERVAL },
    );
    expect(fleet?.changed.toSorted()).toEqual(['joined', 'rented']);
  });

  it('was seen to begin its status where two listings in a row show it', async () => {
    const status = (rentalStatus: 'sold' | 'idle', at: number) => ({
      devices: [healthyDevice({ rentalStatus })],
      at,
    });
    const begun = async (...listings: readonly ReturnType<typeof status>[]) =>
      firstOf(await fleetAfter(...listings))?.rentalStatusBeginSeen;
    const sold = status('sold', NOON);
    expect(await begun(sold)).toBe(false);
    expect(await begun(sold, status('idle', NOON + INTERVAL))).toBe(true);
    expect(await begun(sold, status('idle', NOON + INTERVAL), status('idle', NOON + MINUTE))).toBe(true);
    expect(await begun(sold, status('idle', NOON + 24 * 60 * MINUTE))).toBe(false);
  });

  it('loses no time because of a listing that did not contain it', async () => {
    const devices = [healthyDevice()];
    const fleet = await fleetAfter(
      { devices },
      { devices: [], complete: false, at: NOON + INTERVAL },
      { devices, at: NOON + MINUTE },
    );
    expect(firstOf(fleet)?.rentalStatusSeconds.sold).toBe(60);
  });

  it('spends no time in a gap that is longer than the lifetime of a reading', async () => {
    const devices = [healthyDevice()];
    const fleet = await fleetAfter({ devices }, { devices, at: NOON + STALE_AFTER + 1 });
    expect(firstOf(fleet)?.rentalStatusSeconds.sold).toBe(0);
  });

  it.each([
    ['set forward', 5 * MINUTE],
    ['set back', -5 * MINUTE],
  ])(
    'spends as much time as passed here, although the clock of the API is %s in between',
    async (_, step) => {
      const devices = [healthyDevice()];
      const fleet = await fleetAfter(
        { devices },
        { devices, at: NOON + INTERVAL + step, passed: INTERVAL },
        { devices, at: NOON + MINUTE, passed: MINUTE },
      );
      expect(firstOf(fleet)?.rentalStatusSeconds.sold).toBe(60);
    },
  );

  it('stays as it was where a list has an older heartbeat of it', async () => {
    const older = healthyDevice({ lastHeartbeatAt: NOON - MINUTE, rentalStatus: 'idle' });
    const fleet = await fleetAfter({ devices: [healthyDevice()] }, { devices: [older], at: NOON + INTERVAL });
    expect(firstOf(fleet)).toMatchObject({
      device: { lastHeartbeatAt: NOON - 10 * SECOND, rentalStatus: 'sold' },
      heartbeatAgeSeconds: 40,
    });
  });

  it('is believed with an older heartbeat once its own is older than anything is shown', async () => {
    const [old, older] = [NOON - 20 * MINUTE, NOON - 30 * MINUTE].map((lastHeartbeatAt) => ({
      lastHeartbeatAt,
    }));
    const fleet = await fleetAfter(
      { devices: [healthyDevice(old)] },
      { devices: [healthyDevice({ ...older, rentalStatus: 'idle' })], at: NOON + INTERVAL },
    );
    expect(firstOf(fleet)?.device).toMatchObject({ ...old, rentalStatus: 'idle' });
  });

  it('takes an older heartbeat after a gap in which nothing was known', async () => {
    const older = healthyDevice({ lastHeartbeatAt: NOON - MINUTE });
    const fleet = await fleetAfter(
      { devices: [healthyDevice()] },
      { devices: [older], at: NOON + STALE_AFTER + 1 },
    );
    expect(firstOf(fleet)?.device.lastHeartbeatAt).toBe(NOON - MINUTE);
  });

  it('that a listing lacks stays as it was', async () => {
    const { fleet } = await settle(undefined, { devices: named('ab') });
    const { fleet: after } = await settle(fleet, { devices: named('b'), at: NOON + INTERVAL });
    expect(after.devices.get('a')).toBe(fleet.devices.get('a'));
    expect([...after.absent]).toEqual([
      ['a', { seenAt: NOON, seenUptime: 0, listings: 1, completeListings: 1, suspect: false }],
    ]);
  });
});

describe('a device that is remembered from before a restart', () => {
  const HOUR = 60 * MINUTE;
  const soldSince = (since: number): DeviceMemory => ({
    rentalStatus: 'sold',
    rentalStatusSince: since,
    rhythm: undefined,
    problem: undefined,
  });
  const sold = bareDevice({ id: 'a', rentalStatus: 'sold' });
  const recalled = async (device: Device, since: number, previous?: Fleet) => {
    const memory = new Map([['a', soldSince(since)]]);
    return firstOf((await settle(previous, { devices: [device] }, memory)).fleet);
  };

  it('keeps the beginning of its status, and counts from 0', async () => {
    expect(await recalled(sold, NOON - HOUR)).toMatchObject({
      rentalStatusSince: NOON - HOUR,
      rentalStatusSeconds: { sold: 0 },
    });
  });

  it('has a new beginning if its status is another one', async () => {
    expect(await recalled(bareDevice({ id: 'a', rentalStatus: 'idle' }), NOON - HOUR)).toMatchObject({
      rentalStatusSince: NOON,
    });
  });

  it('has a new beginning if the remembered one is in the future', async () => {
    expect((await recalled(sold, NOON + 1))?.rentalStatusSince).toBe(NOON);
  });

  it('is restored once, and then changed by listings only', async () => {
    const previous = await fleetAfter({ devices: [sold] });
    expect((await recalled(sold, NOON - HOUR, previous))?.rentalStatusSince).toBe(NOON);
  });

  it('is restored when a later listing contains it', async () => {
    const previous = await fleetAfter({ devices: named('b') });
    const memory = new Map([['a', soldSince(NOON - HOUR)]]);
    const { fleet } = await settle(previous, { devices: [sold] }, memory);
    expect(fleet.devices.get('a')?.rentalStatusSince).toBe(NOON - HOUR);
  });
});

const TWENTY = 'abcdefghijklmnopqrst';

describe('a fleet', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['is empty after an empty list', [''], ['']],
    ['adds new devices at once', ['bd', 'abcde'], ['bd', 'abcde']],
    ['adds new devices from an incomplete listing', ['b', 'abc?'], ['b', 'abc']],
    ['removes a device that two complete listings lack', ['abc', 'ac', 'ac'], ['abc', 'abc', 'ac-1']],
    ['keeps a device that comes back in between', ['abc', 'ac', 'abc', 'ac'], ['abc', 'abc', 'abc', 'abc']],
    [
      'keeps a device that incomplete listings lack',
      ['abc', 'ac?', 'ac?', 'ac?'],
      ['abc', 'abc', 'abc', 'abc'],
    ],
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
      [`${TWENTY}ABCDEFGHIJ`, `${TWENTY.slice(6)}ABCDEFGHIJ`, `${TWENTY.slice(6)}ABCDEFGHIJ`].map(sortedText),
      [`${TWENTY}ABCDEFGHIJ`, `${TWENTY}ABCDEFGHIJ`]
        .map(sortedText)
        .concat(`${sortedText(`${TWENTY.slice(6)}ABCDEFGHIJ`)}-6`),
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
  ])('%s', async (_, listings, expected) => {
    expect(await story(...listings)).toEqual(expected);
  });

  it('removes a device that no listing has shown for too long, though none is complete', async () => {
    const listings = Array.from({ length: STALE_AFTER / INTERVAL + 1 }, () => 'ac?');
    expect((await story('abc', ...listings)).slice(-2)).toEqual(['abc', 'ac-1']);
  });

  it('removes no device because of a single listing after a long outage', async () => {
    const { fleet } = await settle(undefined, { devices: named('abc') });
    const at = NOON + 2 * STALE_AFTER;
    const first = await settle(fleet, { devices: named('ac'), complete: false, at });
    expect(first.removed).toBe(0);
    const second = await settle(first.fleet, { devices: named('ac'), complete: false, at: at + INTERVAL });
    expect(second.removed).toBe(1);
  });

  describe('a device that left', () => {
    const device = bareDevice({ id: 'a', label: 'rack-07/slot-04', lastHeartbeatAt: NOON - 16 * MINUTE });
    const without = (at: number): Listed => ({ devices: named('bc'), at });

    it('is named with the time of the last listing that had it, and whether it was silent', async () => {
      const fleet = await fleetAfter(
        { devices: [device, ...named('bc')] },
        without(NOON + INTERVAL),
        without(NOON + 2 * INTERVAL),
      );
      expect([...(fleet?.left ?? [])]).toEqual([
        [
          'a',
          {
            label: 'rack-07/slot-04',
            group: 'rack-07',
            lastListedAt: NOON,
            removedAt: NOON + 2 * INTERVAL,
            wasSilent: true,
          },
        ],
      ]);
    });

    it('is forgotten after a day, and when it is listed again', async () => {
      const gone = [
        { devices: [device, ...named('bc')] },
        without(NOON + INTERVAL),
        without(NOON + 2 * INTERVAL),
      ];
      const nextDay = await fleetAfter(...gone, without(NOON + 2 * INTERVAL + 1_440 * MINUTE + 1));
      expect(nextDay?.left.size).toBe(0);
      const back = await fleetAfter(...gone, { devices: named('abc'), at: NOON + 60 * MINUTE });
      expect(back?.left.size).toBe(0);
    });

    it('is kept only if it is one of the thousand newest', async () => {
      const many = Array.from({ length: 1_100 }, (_, index) => bareDevice({ id: `x${1_000 + index}` }));
      const fleet = await fleetAfter(
        { devices: [...many, ...named('abc')] },
        ...[1, 2, 3].map((listing) => ({ devices: named('abc'), at: NOON + listing * INTERVAL })),
      );
      expect([...(fleet?.left.keys() ?? [])]).toEqual(many.slice(100).map(({ id }) => id));
    });
  });

  it('holds its devices in the order of their ids', async () => {
    const fleet = await fleetAfter(
      { devices: named('cad') },
      { devices: named('bdac'), at: NOON + INTERVAL },
      { devices: named('xca'), at: NOON + MINUTE },
    );
    expect([...(fleet?.devices.keys() ?? [])].join('')).toBe('abcdx');
  });

  it('yields to the event loop while it is updated', async () => {
    const devices = Array.from({ length: 10_000 }, (_, index) => bareDevice({ id: String(index) }));
    let turns = 0;
    await settle(undefined, { devices }, NO_MEMORY.devices, async () => {
      turns += 1;
    });
    expect(turns).toBe(5);
  });
});

function sortedText(text: string): string {
  return [...text].toSorted().join('');
}

describe('the silence of a device', () => {
  /**
   * Polls at these seconds after noon, where the last heartbeat is then, and what is shown: `-` while it is not silent, `S`
   * where it is, `w` while it has not had its time after an outage.
   */
  async function silenceOf(
    polls: Polls,
    facts: Partial<Device> = {},
    memory: Memory['devices'] = NO_MEMORY.devices,
  ): Promise<string> {
    const entries = await entriesOf(polls, facts, memory);
    return entries
      .map(({ silent, outageSeconds }) => (silent ? 'S' : outageSeconds > 0 ? 'w' : '-'))
      .join('');
  }

  type Polls = readonly (readonly [second: number, heartbeat: number])[];

  async function entriesOf(
    polls: Polls,
    facts: Partial<Device> = {},
    memory: Memory['devices'] = NO_MEMORY.devices,
  ): Promise<readonly FleetDevice[]> {
    let fleet: Fleet | undefined;
    const entries: FleetDevice[] = [];
    for (const [second, heartbeat] of polls) {
      const device = healthyDevice({ ...facts, lastHeartbeatAt: NOON + heartbeat * SECOND });
      const at = NOON + second * SECOND;
      ({ fleet } = await settle(fleet, { devices: [device], at }, memory));
      entries.push(...fleet.devices.values());
    }
    return entries;
  }

  const every30 = (from: number, to: number, heartbeat: (second: number) => number) =>
    Array.from({ length: (to - from) / 30 + 1 }, (_, index) => {
      const second = from + index * 30;
      return [second, heartbeat(second)] as const;
    });

  it('begins above ten minutes where nothing was learned, and ends with a heartbeat', async () => {
    const polls = [...every30(0, 660, () => 0), [690, 680] as const];
    expect(await silenceOf(polls)).toBe(`${'-'.repeat(21)}SS-`);
  });

  it('ended at the first heartbeat after it, which is shown for an hour', async () => {
    const back = every30(720, 4_380, (second) => second - (second % 60));
    const entries = await entriesOf([...every30(0, 690, () => 0), ...back]);
    const shown = entries.map(({ backAt }) => backAt && (backAt - NOON) / SECOND);
    // Polls each 30 s: the first 24 before the heartbeat, then an hour and the poll at its end.
    expect(shown).toEqual([
      ...Array(24).fill(undefined),
      ...Array(121).fill(720),
      ...Array(entries.length - 145).fill(undefined),
    ]);
  });

  it('ended at an unknown time where the API was down meanwhile', async () => {
    const entries = await entriesOf([...every30(0, 660, () => 0), ...every30(3_600, 3_660, () => 3_590)]);
    expect(entries.filter(({ silent }) => silent)).toHaveLength(2);
    expect(entries.map(({ backAt }) => backAt).filter((at) => at !== undefined)).toEqual([]);
  });

  it('is none of a device that was never set up', async () => {
    expect(
      await silenceOf(
        every30(0, 900, () => 0),
        { setupStatus: 'draft' },
      ),
    ).not.toContain('S');
  });

  it('begins only when the device had its limit of time to report again after a long outage', async () => {
    // Ten minutes of limit; the API is down from 60 s to 3,600 s.
    const polls = [...every30(0, 60, (second) => second), ...every30(3_600, 4_230, () => 60)];
    expect(await silenceOf(polls)).toBe(`---${'w'.repeat(21)}S`);
  });

  it('stands through an outage, and until a heartbeat', async () => {
    const polls = [...every30(0, 630, () => 0), ...every30(3_600, 3_660, () => 0), [3_690, 3_680] as const];
    expect(await silenceOf(polls)).toBe(`${'-'.repeat(21)}SSSS-`);
  });

  it('has a limit that is longer by a short outage', async () => {
    const polls = [...every30(0, 300, () => 0), ...every30(480, 750, () => 0)];
    // 75 of the 180 s without a list are no outage.
    expect(await silenceOf(polls)).toBe(`${'-'.repeat(11)}${'w'.repeat(8)}SS`);
  });

  it('begins although good polls stay rarer than the limit', async () => {
    // The API answers once in 15 minutes.
    const polls = Array.from({ length: 12 }, (_, index) => [index * 900, 0] as const);
    expect(await silenceOf(polls)).toMatch(/^-w+S+$/);
    const alive = Array.from({ length: 12 }, (_, index) => [index * 900, index * 900 - 20] as const);
    expect(await silenceOf(alive)).not.toContain('S');
  });

  it('goes on after a restart at once, if it was known before', async () => {
    const known: DeviceMemory = {
      rentalStatus: 'sold',
      rentalStatusSince: NOON,
      rhythm: undefined,
      problem: { problem: 'sold_silent', since: NOON },
    };
    const memory = new Map([['phone-1', known]]);
    expect(await silenceOf([[200, 0]], {}, memory)).toBe('-');
    expect(await silenceOf([[700, 0]], {}, memory)).toBe('S');
  });

  it('comes after fewer minutes once a quick rhythm was learned', async () => {
    const beats = every30(0, 3_600, (second) => second - (second % 60));
    const polls = [...beats, ...every30(3_630, 4_200, () => 3_600)];
    const story = await silenceOf(polls);
    expect((story.indexOf('S') - beats.length + 1) * 30).toBeLessThanOrEqual(330);
  });

  it('counts as silent while sold only from the poll that shows it', async () => {
    const at = (second: number) => ({
      devices: [healthyDevice({ lastHeartbeatAt: NOON })],
      at: NOON + second * SECOND,
    });
    const fleet = await fleetAfter(...every30(0, 690, () => 0).map(([second]) => at(second)));
    expect(firstOf(fleet)).toMatchObject({
      silent: true,
      soldSilentSeconds: 60,
      rentalStatusSeconds: { sold: 690 },
    });
  });
});

describe('a list', () => {
  const fleetWith = async (ages: readonly (number | undefined)[]) => {
    const { fleet } = await settle(undefined, {
      devices: ages.map((age, index) =>
        bareDevice({ id: `${index}`, lastHeartbeatAt: age === undefined ? undefined : NOON - age * SECOND }),
      ),
    });
    return fleet;
  };
  const listOf = (ages: readonly (number | undefined)[]) =>
    new Map(
      ages.map((age, index) => [
        `${index}`,
        bareDevice({ id: `${index}`, lastHeartbeatAt: age === undefined ? undefined : NOON - age * SECOND }),
      ]),
    );

  it.each<[string, readonly (number | undefined)[], readonly (number | undefined)[], boolean]>([
    ['whose heartbeats are all older is', [1, 2, 3], [61, 62, 63], true],
    ['most of whose heartbeats are older is', [1, 2, 3], [61, 62, 3], true],
    ['half of whose heartbeats are older is not', [1, 62], [61, 2], false],
    [
      'with several older heartbeats and no newer one is',
      [1, 2, 900, 900, 900],
      [61, 62, 900, 900, 900],
      true,
    ],
    ['with one older heartbeat among unchanged ones is not', [1, 900, 900], [61, 900, 900], false],
    ['with older heartbeats and a newer one is not', [1, 2, 63, 900, 900], [61, 62, 3, 900, 900], false],
    ['whose heartbeats are the same is not', [1, 2, 3], [1, 2, 3], false],
    ['whose heartbeats are newer is not', [61, 62], [1, 2], false],
    ['of unknown phones is not', [], [61, 62], false],
    ['without most of the heartbeats that are known is not', [1, 2, 3], [61, undefined, undefined], false],
  ])('%s an old copy', async (_, known, listed, expected) => {
    expect(isStaleCopy(await fleetWith(known), listOf(listed))).toBe(expected);
  });
});
