import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/base/random.ts';
import { createTimeZone } from '../../src/base/time-zone.ts';
import type { MaintenanceWindow } from '../../src/features/maintenance/model.ts';
import { lastStartOf } from '../../src/features/maintenance/settings.ts';
import { createFarm, type Farm, HOUR, MINUTE, SECOND } from '../watch.ts';

/*
 * Stories by somebody who had not read the judgement and tried to break its promises.
 */

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
