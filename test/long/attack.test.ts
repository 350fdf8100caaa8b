import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../src/base/random.ts';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { MaintenanceWindow } from '../../src/features/maintenance/model.ts';
import { lastStartOf } from '../../src/features/maintenance/settings.ts';
import { offlineProblemOf } from '../../src/model/problem.ts';
import type { AccountSnapshot } from '../../src/model/snapshot.ts';
import { beatsEach } from '../rhythms.ts';
import { createFarm, type Farm, type FarmOptions, HOUR, MINUTE, SECOND } from '../watch.ts';

/*
 * Stories by somebody who had not read the judgement and tried to break its promises, and a random farm with a check of its
 * own: each offline phone has one covering.
 */

const OF_MANY: ReadonlySet<string> = new Set(['common_cause', 'many_sold_offline', 'many_offline']);

/** Returns what was opened, without times and numbers of phones. */
const openedBy = (notified: readonly string[]): readonly string[] =>
  notified.flatMap((line) => (line.includes('+') ? line.replace(/^\S+ /, '').replace(/ \(\d+\)$/, '') : []));

const opened = (farm: Farm): readonly string[] => openedBy(farm.notifications());

const scopeOf = (...groups: readonly string[]) => ({ accounts: [], groups, devices: [] });

function windowOf(schedule: string, minutes: number, ...groups: readonly string[]): MaintenanceWindow {
  return {
    ...{ name: 'window', scope: scopeOf(...groups) },
    durationMilliseconds: minutes * MINUTE,
    lastStart: lastStartOf(schedule, createTimeZone('UTC')),
  };
}

/** Lists the offline phones of an account that no incident covers, or several, and incidents without an offline phone. */
function faultsOf({ known }: AccountSnapshot): readonly string[] {
  const { judgement } = known;
  const { fleet, incidents } = known;
  const problemOf = (id: string) => judgement?.problems.get(id)?.problem;
  const isOffline = (id: string): boolean => {
    const problem = problemOf(id);
    return offlineProblemOf(problem) !== undefined;
  };
  const faults: string[] = [];
  for (const [id, { device }] of fleet?.devices ?? []) {
    if (!isOffline(id)) continue;
    const problem = problemOf(id);
    const coverage = incidents.open.filter((incident) =>
      OF_MANY.has(incident.problem)
        ? incident.members.get(id) === device.lastHeartbeatAt &&
          (incident.problem !== 'many_offline' || problem !== 'sold_offline')
        : incident.deviceId === id && incident.problem === problem,
    );
    const lists = incidents.waiting.get(id);
    const count = coverage.length + (lists === undefined ? 0 : 1);
    const flaps = incidents.open.some(
      (incident) => incident.problem === 'flapping' && incident.deviceId === id,
    );
    if (count > 1 || (count === 0 && !flaps)) faults.push(`${id}: ${count} coverage`);
    if (lists !== undefined && lists > 2) faults.push(`${id}: waits for ${lists} lists`);
  }
  const isKept = (id: string): boolean =>
    fleet?.absent.has(id) === true || problemOf(id) === 'heartbeat_unreadable';
  for (const { id, problem, deviceId, members } of incidents.open) {
    const ids = OF_MANY.has(problem) ? [...members.keys()] : problem.endsWith('offline') ? [deviceId] : [];
    if (ids.length > 0 && !ids.some((phone) => isOffline(phone) || isKept(phone)))
      faults.push(`${id} is stale`);
  }
  return faults;
}

/** Creates a farm in which each observation is checked. */
async function checkedFarm(options: FarmOptions): Promise<Farm & { readonly faults: Set<string> }> {
  const faults = new Set<string>();
  const farm = await createFarm({
    ...{ tunnelsEach: 2 * MINUTE, balanceEach: HOUR, ...options },
    onObserved: ({ accounts }) => {
      for (const fault of accounts.flatMap(faultsOf)) faults.add(fault);
    },
  });
  return Object.assign(farm, { faults });
}

describe('a rack that returns', () => {
  it('pages for none of its phones that beat half a minute after the others', async () => {
    const farm = await createFarm({ racks: { a: 20, b: 20 } });
    farm.stop('a');
    await farm.pass(20 * MINUTE);
    farm.notifications();
    for (const { outages } of farm.of('a'))
      outages.push({ from: farm.now() - 20 * MINUTE, until: farm.now() + 5 * SECOND });
    farm.start('a');
    await farm.pass(10 * MINUTE);
    expect(opened(farm)).toEqual([]);
  });

  it('to the device list, still dark, gives an alert with its name', async () => {
    const farm = await createFarm({ racks: { a: 12, b: 20 } });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    farm.list(false, 'a');
    await farm.pass(10 * MINUTE);
    farm.notifications();
    farm.list(true, 'a');
    await farm.pass(5 * MINUTE);
    expect(opened(farm)).toEqual(['+common_cause group a']);
  });
});

describe('a dark rack', () => {
  it('gives an alert with its name after a window that began and ended while the API was down', async () => {
    const farm = await createFarm({
      racks: { a: 12, b: 20 },
      settings: { windows: [windowOf('30 12 * * *', 20, 'a')] },
    });
    farm.stop('a');
    await farm.pass(20 * MINUTE);
    farm.fail('devices', 'timeout');
    await farm.pass(40 * MINUTE);
    farm.fail('devices', undefined);
    await farm.pass(10 * MINUTE);
    expect(opened(farm)).toEqual([
      '+common_cause group a',
      '+api_unavailable timeout',
      '+common_cause group a',
    ]);
  });

  it('gives no alert for each phone when its heartbeats become unreadable', async () => {
    const farm = await createFarm({ racks: { a: 20, b: 20 } });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    farm.notifications();
    for (const phone of farm.of('a')) phone.unreadable = true;
    await farm.pass(20 * MINUTE);
    expect(opened(farm)).toEqual([]);
  });

  it('stays the only one when the clock of the API is set back, and does not end', async () => {
    const farm = await createFarm({ racks: { a: 5, b: 40 } });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    farm.notifications();
    const listed = farm.snapshot().accounts[0]?.known.fleet?.devices;
    for (const phone of farm.of('a')) phone.stored = listed?.get(phone.device.id)?.device.lastHeartbeatAt;
    farm.setAhead(-30 * MINUTE);
    await farm.pass(HOUR);
    expect(farm.notifications()).toEqual([]);
  });
});

describe('many phones', () => {
  it('of all racks that lose their carrier at once give at most one alert, in one message', async () => {
    const farm = await createFarm({ racks: { a: 10, b: 10, c: 10, d: 10 } });
    await farm.pass(MINUTE);
    for (const [rack, count] of [
      ['a', 5],
      ['b', 5],
      ['c', 2],
      ['d', 2],
    ] as const)
      for (let number = 1; number <= count; number += 1) farm.stop(`${rack}-${number}`);
    await farm.pass(20 * MINUTE);
    expect(opened(farm).map((line) => line.split(' ')[0])).toEqual(['+many_sold_offline']);
  });

  it('without a readable heartbeat get no incidents one by one', async () => {
    const farm = await createFarm({ racks: { a: 60, b: 60 } });
    for (const phone of farm.phones.values()) phone.unreadable = true;
    await farm.pass(40 * MINUTE);
    expect(opened(farm).length).toBeLessThanOrEqual(2);
  });
});

describe('random hours', () => {
  it.each([1, 3, 5])('%i leave each offline phone one covering', async (seed) => {
    const random = createRandom(seed);
    const farm = await checkedFarm(randomFarm(random));
    for (let step = 0; step < 30 && farm.faults.size === 0; step += 1) {
      await change(farm, random);
      await farm.pass(Math.ceil(random() ** 3 * 60) * 30 * SECOND);
    }
    expect([...farm.faults]).toEqual([]);
  });

  it.each([1, 2, 3, 4])(
    '%i of a phone that comes and goes are three messages in two hours at most',
    async (seed) => {
      const random = createRandom(seed);
      const farm = await createFarm({ racks: { a: 3 } });
      const minutes = (least: number, most: number): number =>
        Math.round((least + random() * (most - least)) * 2) * 30 * SECOND;
      while (farm.now() < Date.UTC(2026, 2, 2)) {
        farm.stop('a-1');
        await farm.pass(minutes(4, 25));
        farm.wake('a-1');
        await farm.pass(minutes(1, 60));
        if (random() < 0.1) await farm.restart(0);
      }
      const times = farm
        .notifications()
        .flatMap((line) => (line.includes('+') ? Number(line.split(' ')[0]) : []));
      const most = Math.max(
        ...times.map((from) => times.filter((at) => at >= from && at < from + 120).length),
      );
      expect(most).toBeLessThanOrEqual(3);
    },
  );
});

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Draws from what a farm is made of. */
function randomFarm(random: Random): FarmOptions {
  const size = (): number => 3 + below(random, 20);
  const rhythm = [15, 60, 60, 90, 300];
  const mixed = random() < 0.3;
  return {
    racks: { a: size(), b: size(), c: size(), 'two:a': size(), 'two:d': size() },
    status: (_id, index) => (['sold', 'idle', 'self_rented'] as const)[index % 3],
    beats: (index) =>
      beatsEach((mixed ? (rhythm[index % 5] ?? 60) : 60) * SECOND, (index * 7 * SECOND) % MINUTE),
    facts: (_id, index) => ({ model: `model ${index % 2}`, appVersion: index % 4 === 0 ? '2.2.0' : '2.1.0' }),
    settings: { windows: random() < 0.5 ? [windowOf(`${below(random, 60)} * * * *`, 12, 'a')] : [] },
  };
}

/** Lets something happen. */
async function change(farm: Farm, random: Random): Promise<void> {
  const racks = ['a', 'b', 'c', 'two:a', 'two:d'] as const;
  const rack = racks[below(random, racks.length)] ?? 'a';
  const ids = [...farm.phones.keys()];
  const kind = random();
  const some =
    kind < 0.5
      ? [rack]
      : kind < 0.8
        ? [ids[below(random, ids.length)] ?? 'a-1']
        : ids.filter(() => random() < 0.2);
  const happenings: readonly (() => void | Promise<void>)[] = [
    () => farm.stop(...some),
    () => farm.stop(...some),
    () => farm.stop(...some),
    () => farm.wake(...some),
    () => farm.wake(...some),
    () => farm.rent((['sold', 'idle', 'self_rented'] as const)[below(random, 3)], ...some),
    () => farm.list(random() < 0.5, ...some),
    () => farm.fail('devices', random() < 0.4 ? 'timeout' : undefined),
    () => farm.restart(below(random, 20) * MINUTE),
    () => farm.reload({ groups: { separator: random() < 0.5 ? '/' : '-', levels: 1 } }),
    () => farm.reload({}, random() < 0.5 ? ['main'] : ['main', 'two']),
    () =>
      farm.maintain({
        id: `word ${farm.now()}`,
        scope: scopeOf('abcd'[below(random, 4)] ?? 'a'),
        untilBack: random() < 0.4,
        until: farm.now() + (1 + below(random, 30)) * MINUTE,
      }),
  ];
  await happenings[below(random, happenings.length)]?.();
}
