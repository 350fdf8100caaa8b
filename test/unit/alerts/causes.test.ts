import { describe, expect, it } from 'vitest';
import { causesAfter, causesOfAccount } from '../../../src/alerts/causes.ts';
import { finish } from '../../../src/base/steps.ts';
import { NEW_RHYTHM } from '../../../src/judge/offline.ts';
import { judgeDevices } from '../../../src/judge/problems.ts';
import { type NamedAccount, NEW_ACCOUNT } from '../../../src/model/account.ts';
import {
  type Cause,
  type Causes,
  groupAccount,
  groupValue,
  NO_CAUSES,
  shownValue,
} from '../../../src/model/cause.ts';
import type { Device } from '../../../src/model/device.ts';
import { type FleetDevice, NO_PROPERTIES } from '../../../src/model/fleet.ts';
import { DEFAULT_GROUPS, groupOf } from '../../../src/model/group.ts';
import {
  answerAtNoon,
  bareDevice,
  fleetOf,
  NOON,
  PROBLEM_SETTINGS,
  shownCauses,
  tunnelOf,
} from '../../builders.ts';

/** A phone, with times in minutes after noon and in seconds. */
type Phone = {
  readonly id: string;
  readonly facts: Partial<Device>;
  readonly everySeconds: number;
  readonly limitSeconds: number;
  /** Minutes between which it sends no heartbeat. */
  readonly outages: readonly (readonly [from: number, until: number])[];
  readonly host?: string;
};

const NEVER = Number.POSITIVE_INFINITY;

function phone(id: string, facts: Partial<Device> = {}, own: Partial<Phone> = {}): Phone {
  return { everySeconds: 60, limitSeconds: 180, outages: [], ...own, id, facts };
}

function rack(name: string, size: number, own: Partial<Phone> = {}): readonly Phone[] {
  return Array.from({ length: size }, (_, slot) =>
    phone(`${name}-${slot}`, { label: `${name}/${slot}`, ...own.facts }, own),
  );
}

/** Lets phones fail, each `secondsApart` after the one before it. */
function failing(phones: readonly Phone[], from: number, until = NEVER, secondsApart = 0): readonly Phone[] {
  return phones.map((each, index) => {
    const delay = (index * secondsApart) / 60;
    return { ...each, outages: [...each.outages, [from + delay, until + delay]] };
  });
}

const HEALTHY = ['rack-01', 'rack-02', 'rack-03'].flatMap((name) => rack(name, 10));

function entryOf(
  { id, facts, everySeconds, limitSeconds, outages }: Phone,
  minute: number,
  separator: string,
): FleetDevice {
  let beat = Math.floor((minute * 60) / everySeconds) * everySeconds;
  const isLost = (seconds: number): boolean =>
    outages.some(([from, until]) => seconds > from * 60 && seconds < until * 60);
  while (isLost(beat)) beat -= everySeconds;
  const age = minute * 60 - beat;
  return {
    device: bareDevice({ id, setupStatus: 'complete', lastHeartbeatAt: NOON + beat * 1000, ...facts }),
    group: groupOf(facts.label ?? '', { ...DEFAULT_GROUPS, separator }),
    properties: NO_PROPERTIES,
    listedAt: NOON + minute * 60_000,
    heartbeatAgeSeconds: age,
    outageSeconds: 0,
    rhythm: { ...NEW_RHYTHM, usual: everySeconds, longest: [everySeconds] },
    offlineAfterSeconds: limitSeconds,
    offline: age > limitSeconds,
    backAt: undefined,
    mutedAt: undefined,
    rentalStatusSince: NOON,
    rentalStatusBeginSeen: false,
    times: { firstListedAt: 0, column: undefined, milliseconds: {}, interruptions: 0 },
    spells: [],
    rotationStoppedAt: undefined,
  };
}

function account(phones: readonly Phone[], minute: number, name = 'main', separator = '/'): NamedAccount {
  const devices = new Map(phones.map((each) => [each.id, entryOf(each, minute, separator)]));
  const fleet = { ...fleetOf(), devices, apiTime: NOON + minute * 60_000 };
  const judgement = finish(judgeDevices(fleet, undefined, undefined, PROBLEM_SETTINGS));
  const hosts = phones.flatMap(({ id, host }) =>
    host === undefined ? [] : [[id, answerAtNoon(tunnelOf({ host }))] as const],
  );
  return { name, account: { ...NEW_ACCOUNT, fleet, tunnels: new Map(hosts), judgement } };
}

/** Polls phones from one minute to another, each half a minute. */
function watch(phones: readonly Phone[], from: number, until: number, before = NO_CAUSES): Causes {
  let causes = before;
  for (let minute = from; minute <= until; minute += 0.5)
    causes = finish(causesAfter([account(phones, minute)], causes));
  return causes;
}

/** Lists the causes that a single poll found. */
function candidatesOf({ list }: Causes): readonly Cause[] {
  return list.filter((cause) => !cause.isShown);
}

function named(causes: Causes): readonly string[] {
  return shownCauses(causes).map(
    ({ cause }) => `${cause.devices} of ${cause.ownDevices} of ${cause.kind} ${shownValue(cause)}`,
  );
}

describe('causesAfter', () => {
  it('names the rack whose devices fell offline together, with its facts', () => {
    const dark = failing(rack('rack-04', 8, { facts: { rentalStatus: 'sold' } }), 10, NEVER, 5);
    const { list } = watch([...HEALTHY, ...dark], 0, 16);
    expect(list).toEqual([
      {
        kind: 'group',
        value: groupValue('rack-04', 'main'),
        devices: 8,
        sold: 8,
        ownDevices: 8,
        others: 0,
        startAt: NOON + 10 * 60_000,
        endAt: NOON + 10 * 60_000,
        isShown: true,
        deviceIds: new Map([['main', dark.map(({ id }) => id)]]),
        most: 8,
      },
    ]);
  });

  /** Healthy phones of which every third or so has other facts, and fails at a minute that follows from its number. */
  const someFail = (every: number, own: Partial<Phone>, startOf: (index: number) => number = () => 10) =>
    HEALTHY.map((each, index): Phone => {
      if (index % every !== 0) return each;
      const facts = { ...each.facts, ...own.facts };
      return { ...each, ...own, facts, outages: [[startOf(index), NEVER]] };
    });
  const version = { facts: { appVersion: '2.15' } };
  const model = { facts: { model: 'Pixel 8', label: 'rack-04/x' } };

  it.each<[string, readonly Phone[], number, readonly string[]]>([
    ['a rack', [...HEALTHY, ...failing(rack('rack-04', 8), 10)], 20, ['8 of 8 of group rack-04']],
    [
      'a rack whose devices die over 40 minutes',
      [...HEALTHY, ...failing(rack('rack-04', 9), 10, NEVER, 300)],
      60,
      ['9 of 9 of group rack-04'],
    ],
    [
      'two racks that lost their power at once',
      [...HEALTHY, ...failing(rack('rack-04', 8), 10), ...failing(rack('rack-05', 6), 11)],
      20,
      ['8 of 8 of group rack-04', '6 of 6 of group rack-05'],
    ],
    [
      'a version whose devices fail over two hours',
      someFail(3, version, (index) => 10 + index * 4),
      140,
      ['10 of 10 of app_version 2.15'],
    ],
    [
      'a rack and a version that fail at once',
      [...someFail(3, version), ...failing(rack('rack-04', 10), 11)],
      30,
      ['10 of 10 of app_version 2.15', '10 of 10 of group rack-04'],
    ],
    [
      'a model as a whole whose devices fail within a minute',
      someFail(2, { facts: { model: 'Pixel 8' } }, (index) => 10 + (index * 5) / 60),
      20,
      ['15 of 15 of model Pixel 8'],
    ],
    [
      'the group rather than a model that only this group has',
      [...HEALTHY, ...failing(rack('rack-04', 8, model), 10)],
      20,
      ['8 of 8 of group rack-04'],
    ],
    ['the account where everything is offline', failing(HEALTHY, 10), 20, ['30 of 30 of account main']],
    [
      'the host of tunnels',
      someFail(5, { host: 'a.example.com' }),
      20,
      ['6 of 6 of tunnel_host host-00d78f4b'],
    ],
  ])('names %s', (_, phones, minutes, causes) => {
    expect(named(watch(phones, 0, minutes)).toSorted()).toEqual(causes.toSorted());
  });

  it('shows a cause at once in the first list of an account', () => {
    const causes = watch([...HEALTHY, ...failing(rack('rack-04', 8), 10)], 60, 60);
    expect(named(causes)).toEqual(['8 of 8 of group rack-04']);
  });

  it('shows a cause when the second poll finds it', () => {
    const phones = [...HEALTHY, ...failing(rack('rack-04', 8), 10)];
    expect(named(watch(phones, 0, 13))).toEqual([]);
    const first = watch(phones, 0, 13.5);
    expect(named(first)).toEqual([]);
    expect(candidatesOf(first)).toHaveLength(1);
    expect(named(watch(phones, 14, 14, first))).toEqual(['8 of 8 of group rack-04']);
  });

  it('does not take the poll of another account for the second poll', () => {
    const dark = account([...HEALTHY, ...failing(rack('rack-04', 8), 10)], 13.5, 'one');
    const others = (minute: number): NamedAccount => account(rack('rack-09', 5), minute, 'two');
    const before = finish(causesAfter([account(HEALTHY, 13, 'one'), others(13)], NO_CAUSES));
    const found = finish(causesAfter([dark, others(13)], before));
    const other = finish(causesAfter([dark, others(13.6)], found));
    expect([named(found), named(other), candidatesOf(other).length]).toEqual([[], [], 1]);
  });

  it('names a rack whose limits differ once three of its devices are offline, and adds the others', () => {
    const dark = failing(rack('rack-04', 10), 10).map((each, index) => ({
      ...each,
      limitSeconds: 180 + 30 * index,
    }));
    const phones = [...HEALTHY, ...dark];
    const first = watch(phones, 0, 13.5);
    expect([named(first), candidatesOf(first)[0]?.devices]).toEqual([[], 1]);
    expect(named(watch(phones, 0, 14.5))).toEqual(['3 of 10 of group rack-04']);
    expect(named(watch(phones, 0, 20))).toEqual(['10 of 10 of group rack-04']);
  });

  it('names three fifths of a rack, and nothing if fewer are offline', () => {
    const dark = (count: number): readonly Phone[] =>
      rack('rack-04', 10).flatMap((each, index) => (index < count ? failing([each], 10) : [each]));
    expect(named(watch([...HEALTHY, ...dark(6)], 0, 30))).toEqual(['6 of 10 of group rack-04']);
    expect(watch([...HEALTHY, ...dark(5)], 0, 30)).toMatchObject({ list: [] });
  });

  it('names the account, and no model, if models with different limits fall offline one after the other', () => {
    const dark = HEALTHY.map((each, index) => ({
      ...each,
      facts: { ...each.facts, model: `model ${index % 3}` },
      everySeconds: [15, 60, 300][index % 3] ?? 60,
      limitSeconds: [180, 300, 1_000][index % 3] ?? 180,
    }));
    let causes = NO_CAUSES;
    const names = new Set<string>();
    for (let minute = 0; minute <= 40; minute += 0.5) {
      causes = watch(failing(dark, 10), minute, minute, causes);
      for (const { cause } of shownCauses(causes)) names.add(`${cause.kind} ${shownValue(cause)}`);
    }
    expect([...names]).toEqual(['account main']);
    expect(named(causes)).toEqual(['30 of 30 of account main']);
  });

  it('lets a wider cause take over narrower ones at once, with their devices', () => {
    const phones = ['rack-01', 'rack-02', 'rack-03'].flatMap((name, index) =>
      failing(rack(name, 10), 10 + 20 * index),
    );
    const before = watch(phones, 0, 30);
    expect(named(before)).toEqual(['10 of 10 of group rack-01']);
    const after = watch(phones, 30.5, 60, before);
    expect(named(after)).toEqual(['30 of 30 of account main']);
    expect(after.list.map(({ startAt }) => startAt)).toEqual([NOON + 10 * 60_000]);
  });

  it('names no other cause of the devices that stay offline after most of their cause are back', () => {
    const dark = HEALTHY.map((each, index) => ({
      ...each,
      facts: { ...each.facts, model: index % 3 === 0 ? 'slow' : 'quick' },
    })).flatMap((each, index) => failing([each], 10, index % 3 === 0 ? 60 : 30));
    const before = watch(dark, 0, 20);
    expect(named(before)).toEqual(['30 of 30 of account main']);
    const after = watch(dark, 20.5, 50, before);
    expect([named(after), candidatesOf(after)]).toEqual([[], []]);
    expect(after.list.map(({ deviceIds }) => deviceIds.get('main')?.length)).toEqual([10]);
    expect(watch(dark, 50.5, 70, after).list).toEqual([]);
  });

  it('names one cause if a rack loses 12 of 15 devices and later the others', () => {
    const dark = rack('rack-04', 15);
    const phones = [...HEALTHY, ...failing(dark.slice(0, 12), 10), ...failing(dark.slice(12), 40)];
    const first = watch(phones, 0, 20);
    expect(named(first)).toEqual(['12 of 15 of group rack-04']);
    const later = watch(phones, 20.5, 50, first);
    expect(named(later)).toEqual(['15 of 15 of group rack-04']);
    expect(later.list[0]?.startAt).toBe(first.list[0]?.startAt);
  });

  it('names one cause if a rack fails in two waves that are both below three fifths', () => {
    const dark = rack('rack-04', 20);
    const phones = [...HEALTHY, ...failing(dark.slice(0, 11), 10), ...failing(dark.slice(11), 40)];
    expect(named(watch(phones, 0, 30))).toEqual([]);
    expect(named(watch(phones, 0, 50))).toEqual(['20 of 20 of group rack-04']);
  });

  it('names a rack of quick and dozing devices when the quick ones are offline, and adds the others', () => {
    const quick = rack('rack-04', 6);
    const dozing = rack('slow', 5, { facts: { label: 'rack-04/d' }, everySeconds: 720, limitSeconds: 1_200 });
    const phones = [...HEALTHY, ...failing([...quick, ...dozing], 14.5)];
    expect(named(watch(phones, 0, 19))).toEqual(['6 of 11 of group rack-04']);
    expect(named(watch(phones, 0, 40))).toEqual(['11 of 11 of group rack-04']);
  });

  it('lasts until half of the devices are back, and does not return while the others come back one by one', () => {
    const dark = rack('rack-04', 10).flatMap((each, index) => failing([each], 10, 30 + 5 * index));
    const phones = [...HEALTHY, ...dark];
    let causes = watch(phones, 0, 20);
    const counts: number[] = [];
    for (let minute = 20.5; minute < 90; minute += 0.5) {
      causes = watch(phones, minute, minute, causes);
      counts.push(shownCauses(causes)[0]?.cause.devices ?? 0);
    }
    expect([...new Set(counts)]).toEqual([10, 9, 8, 7, 6, 0]);
  });

  it('loses a device that comes back, and gets it again when it falls offline again', () => {
    const [first, ...others] = rack('rack-04', 10);
    if (first === undefined) throw new Error('no device');
    const flaky = { ...first, outages: [[10, 30] as const, [40, NEVER] as const] };
    const phones = [...HEALTHY, flaky, ...failing(others, 10)];
    const causes = [20, 35, 50].map((minute) => watch(phones, 0, minute));
    expect(causes.map(({ list }) => list[0]?.devices)).toEqual([10, 9, 10]);
  });

  it('does not grow by devices of a value most of whose devices work', () => {
    const broken = failing(rack('rack-04', 6, { facts: { appVersion: '2.15', label: '' } }), 10);
    const updated = HEALTHY.map((each) => ({ ...each, facts: { ...each.facts, appVersion: '2.15' } }));
    const first = watch([...HEALTHY, ...broken], 0, 20);
    expect(named(first)).toEqual(['6 of 6 of app_version 2.15']);
    const later = watch(
      [...failing(updated.slice(0, 1), 30), ...updated.slice(1), ...broken],
      20.5,
      40,
      first,
    );
    expect(named(later)).toEqual(['6 of 36 of app_version 2.15']);
  });

  /** Polls these phones next to healthy ones, with groups by a separator. */
  const pollWith = (phones: readonly Phone[], minute: number, separator: string, before: Causes): Causes =>
    finish(causesAfter([account([...HEALTHY, ...phones], minute, 'main', separator)], before));

  it('keeps a cause that is renamed because the separator of groups changed', () => {
    const dark = failing(rack('rack-04:left', 8), 10);
    const before = pollWith(dark, 60, '/', NO_CAUSES);
    const after = pollWith(dark, 60.5, ':', before);
    expect(named(before)).toEqual(['8 of 8 of group rack-04:left']);
    expect(named(after)).toEqual(['8 of 8 of group rack-04']);
    expect(after.list[0]?.startAt).toBe(before.list[0]?.startAt);
  });

  it('names one cause if two groups are renamed to the same one', () => {
    const dark = [...failing(rack('rack-04:left', 8), 10), ...failing(rack('rack-04:right', 6), 10)];
    const before = pollWith(dark, 60, '/', NO_CAUSES);
    expect(before.list).toHaveLength(2);
    expect(named(pollWith(dark, 60.5, ':', before))).toEqual(['14 of 14 of group rack-04']);
  });

  it('forgets the causes of an account that is no longer configured', () => {
    const before = watch([...HEALTHY, ...failing(rack('rack-04', 8), 10)], 60, 60);
    expect(finish(causesAfter([], before))).toEqual(NO_CAUSES);
  });

  it('ignores devices that are given up, and a few that were offline long before', () => {
    const lost = failing(rack('rack-04', 2), -400);
    const phones = [...HEALTHY, ...lost, ...failing(rack('rack-04', 8).slice(2), 10)];
    expect(named(watch(phones, 0, 20))).toEqual(['6 of 8 of group rack-04']);
    expect(named(watch([...HEALTHY, ...failing(rack('rack-05', 8), -8 * 1_440)], 0, 1))).toEqual([]);
  });

  it('finds a rack whose devices belong to two accounts, and names in each account its own devices', () => {
    const dark = failing(rack('rack-04', 8), 10);
    const accounts = [
      account([...HEALTHY, ...dark.slice(0, 5)], 60, 'one'),
      account([...rack('rack-09', 10), ...dark.slice(5)], 60, 'two'),
    ];
    const causes = finish(causesAfter(accounts, NO_CAUSES));
    expect(named(causes)).toEqual(['8 of 8 of group rack-04']);
    const ofAccounts = ['one', 'two', 'three'].map((name) => causesOfAccount(causes, name));
    expect(ofAccounts.map(([cause]) => cause?.deviceIds.length)).toEqual([5, 3, undefined]);
  });

  describe('where two accounts have a rack-01', () => {
    /** Two racks of 20 phones each of an account. */
    const farm = (name: string, facts?: (slot: number) => Partial<Device>): readonly Phone[] =>
      ['rack-01', 'rack-02'].flatMap((group) =>
        rack(group, 20).map((each, slot) => ({
          ...each,
          id: `${name}-${each.id}`,
          facts: { rentalStatus: 'sold', ...each.facts, ...facts?.(slot) },
        })),
      );
    const dark = (phones: readonly Phone[], from: number, until = NEVER): readonly Phone[] =>
      phones.flatMap((each) => (each.id.includes('rack-01') ? failing([each], from, until) : [each]));
    type Farms = Readonly<Record<string, readonly Phone[]>>;
    const poll = (farms: Farms, minute: number, before: Causes): Causes => {
      const accounts = Object.entries(farms).map(([name, phones]) => account(phones, minute, name));
      return finish(causesAfter(accounts, before));
    };
    const watchBoth = (farms: Farms, from: number, until: number, before = NO_CAUSES): Causes => {
      let causes = before;
      for (let minute = from; minute <= until; minute += 0.5) causes = poll(farms, minute, causes);
      return causes;
    };
    const withAccounts = (causes: Causes): readonly string[] =>
      shownCauses(causes).map(({ cause }) => {
        const { devices, ownDevices } = cause;
        return `${devices} of ${ownDevices} of ${shownValue(cause)} of ${groupAccount(cause) ?? 'several'}`;
      });

    it.each([
      ['sold', undefined],
      ['sold or idle', (slot: number) => ({ rentalStatus: slot % 2 === 0 ? 'sold' : 'idle' }) as const],
    ])('names the one that goes dark, with its account, if its phones are %s', (_, facts) => {
      const causes = watchBoth({ one: dark(farm('one', facts), 10), two: farm('two') }, 0, 16);
      expect(withAccounts(causes)).toEqual(['20 of 20 of rack-01 of one']);
      expect(candidatesOf(causes)).toEqual([]);
      expect(causesOfAccount(causes, 'two')).toEqual([]);
    });

    it('names one cause if both go dark at the same time', () => {
      const causes = watchBoth({ one: dark(farm('one'), 10), two: dark(farm('two'), 11) }, 0, 20);
      expect(withAccounts(causes)).toEqual(['40 of 40 of rack-01 of several']);
    });

    it('names two causes if they go dark an hour apart', () => {
      const farms = { one: dark(farm('one'), 10), two: dark(farm('two'), 70) };
      const first = watchBoth(farms, 0, 20);
      const later = watchBoth(farms, 20.5, 90, first);
      expect(withAccounts(first)).toEqual(['20 of 20 of rack-01 of one']);
      expect(withAccounts(later)).toEqual(['20 of 20 of rack-01 of one', '20 of 20 of rack-01 of two']);
      expect(withAccounts(poll(farms, 90, NO_CAUSES))).toEqual(withAccounts(later));
    });

    it('keeps the cause of one that is dark while the other one has an outage', () => {
      const farms = { one: dark(farm('one'), 10), two: dark(farm('two'), 70, 90) };
      const causes = watchBoth(farms, 0, 110);
      expect(withAccounts(causes)).toEqual(['20 of 20 of rack-01 of one']);
      expect(causes.list.map(({ startAt }) => startAt)).toEqual([NOON + 10 * 60_000]);
    });

    it('names one cause if a rack of both loses its power, and the list of one comes later', () => {
      const farms = { one: dark(farm('one'), 10), two: farm('two') };
      const first = watchBoth(farms, 0, 14);
      const causes = watchBoth({ ...farms, two: dark(farm('two'), 10) }, 14.5, 20, first);
      expect(withAccounts(causes)).toEqual(['40 of 40 of rack-01 of several']);
      expect(candidatesOf(causes)).toEqual([]);
    });

    it('names the rack once if the phones of both die over 40 minutes', () => {
      const shared = failing(rack('rack-01', 10), 10, NEVER, 240);
      const part = (own: 0 | 1): readonly Phone[] => shared.filter((_, slot) => slot % 2 === own);
      const farms = { one: [...rack('rack-02', 20), ...part(0)], two: [...rack('rack-03', 20), ...part(1)] };
      expect(withAccounts(watchBoth(farms, 0, 60))).toEqual(['10 of 10 of rack-01 of several']);
    });
  });

  it('takes the usual time between heartbeats of others where that of a device is unknown', () => {
    const slow = HEALTHY.map((each) => ({ ...each, everySeconds: 600, limitSeconds: 1_200 }));
    // Their last heartbeats are 8 minutes apart.
    const dark = rack('rack-04', 8, { limitSeconds: 600 }).flatMap((each, index) =>
      failing([each], 10 + index),
    );
    const accounts = account([...slow, ...dark], 40);
    const forgotten = [...(accounts.account.fleet?.devices ?? [])].map(
      ([id, entry]) => [id, id.startsWith('rack-04') ? { ...entry, rhythm: NEW_RHYTHM } : entry] as const,
    );
    const fleet = { ...fleetOf(), devices: new Map(forgotten) };
    const known = { ...accounts, account: { ...accounts.account, fleet } };
    expect(named(finish(causesAfter([known], NO_CAUSES)))).toEqual(['8 of 8 of group rack-04']);
  });

  it('returns nothing for an account of which nothing is known', () => {
    expect(finish(causesAfter([{ name: 'main', account: NEW_ACCOUNT }], NO_CAUSES))).toEqual(NO_CAUSES);
  });
});

describe('shownValue', () => {
  it('replaces the host of a tunnel by a name that stays the same', () => {
    expect(shownValue({ kind: 'tunnel_host', value: 'a.example.com' })).toMatch(/^host-[0-9a-f]{8}$/);
    expect(shownValue({ kind: 'group', value: groupValue('rack-04', 'main') })).toBe('rack-04');
    expect(shownValue({ kind: 'group', value: groupValue('rack-04') })).toBe('rack-04');
  });
});
