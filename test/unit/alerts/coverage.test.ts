import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../src/base/time-zone.ts';
import { MAINTENANCE } from '../../../src/features/maintenance/cover.ts';
import type { MaintenanceWindow } from '../../../src/features/maintenance/model.ts';
import { lastStartOf } from '../../../src/features/maintenance/settings.ts';
import type { Account } from '../../../src/model/account.ts';
import { groupAccount } from '../../../src/model/cause.ts';
import { offlineProblemOf } from '../../../src/model/problem.ts';
import { propertiesBy, shownCauses } from '../../builders.ts';
import { liveAfternoon, watchedFarm } from '../../coverage.ts';
import { DAY, type Farm, HOUR, MINUTE, SECOND } from '../../watch.ts';

/** Notifications without times. */
const whatOf = (farm: Farm, daemon?: number): readonly string[] =>
  farm.notifications(daemon).map((line) => line.replace(/^\S+ /, ''));

const opened = (lines: readonly string[]): readonly string[] => lines.filter((line) => / ?\+/.test(line));

const scopeOf = (...groups: readonly string[]) => ({ accounts: [], groups, devices: [] });

function windowOf(schedule: string, minutes: number, groups: readonly string[] = ['a']): MaintenanceWindow {
  return {
    ...{ name: `at ${schedule}`, scope: scopeOf(...groups) },
    durationMilliseconds: minutes * MINUTE,
    lastStart: lastStartOf(schedule, createTimeZone('UTC')),
  };
}

/** Returns the kind of the incident that stands for an offline phone, or why none does; undefined for other phones. */
function coverOf({ fleet, judgement, incidents }: Account, id: string): string | undefined {
  const judged = judgement?.problems.get(id);
  if (judged?.problem === 'in_maintenance')
    return fleet?.devices.get(id)?.offline ? 'maintenance' : undefined;
  if (judged === undefined || offlineProblemOf(judged.problem) === undefined) return undefined;
  const incident = incidents.open.find(({ deviceId, since, members }) =>
    members.has(id) ? members.get(id) === judged.since : deviceId === id && since === judged.since,
  );
  return incident?.problem ?? (incidents.waiting.has(id) ? 'wait' : undefined);
}

/** Counts the phones by the incident that covers them. */
function coverageIn(farm: Farm): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { known } of farm.snapshot().accounts)
    for (const id of known.fleet?.devices.keys() ?? []) {
      const name = coverOf(known, id);
      if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    }
  return counts;
}

/** The causes that people see: their accounts, and the phones that share their value. */
const shownAccounts = (farm: Farm) =>
  shownCauses(farm.snapshot().causes).map(({ cause }) => [groupAccount(cause), cause.ownDevices]);

describe('a rack that is dark before maintenance, and after it', () => {
  const RACKS = { a: 20, b: 20 };
  const TOLD = ['+common_cause group a (20)'];

  it('gives an alert at once when a recurring window ends', async () => {
    const farm = await watchedFarm({ racks: RACKS, settings: { windows: [windowOf('30 12 * * *', 15)] } });
    await farm.pass(10 * MINUTE);
    farm.stop('a');
    await farm.pass(30 * MINUTE);
    expect(coverageIn(farm)).toEqual({ maintenance: 20 });
    farm.notifications();
    await farm.pass(5 * MINUTE);
    expect(whatOf(farm)).toEqual(TOLD);
    await farm.pass(8 * HOUR);
    expect([whatOf(farm), coverageIn(farm)]).toEqual([[], { common_cause: 20 }]);
  });

  it('gives an alert for each phone when each was away, came back and is offline again', async () => {
    const farm = await watchedFarm({ racks: RACKS });
    await farm.maintain({ scope: scopeOf('a'), untilBack: true, until: farm.now() + 7 * DAY });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    farm.start('a-1');
    await farm.pass(5 * MINUTE);
    farm.stop('a-2');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual([]);
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1']);
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    farm.start('a');
    await farm.pass(5 * MINUTE);
    const [account] = farm.snapshot().accounts;
    expect(account && MAINTENANCE.of(account.known).requests).toEqual([]);
  });

  it('gives one alert for two windows, one after the other', async () => {
    const windows = [windowOf('20 12 * * *', 10), windowOf('30 12 * * *', 15)];
    const farm = await watchedFarm({ racks: RACKS, settings: { windows } });
    await farm.pass(5 * MINUTE);
    farm.stop('a');
    await farm.pass(39 * MINUTE);
    farm.notifications();
    await farm.pass(2 * MINUTE);
    expect(whatOf(farm)).toEqual(TOLD);
  });

  it('is one incident while a window covers half of it', async () => {
    const farm = await watchedFarm({ racks: RACKS });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    farm.notifications();
    const devices = Array.from({ length: 10 }, (_, index) => `a-${index + 1}`);
    await farm.maintain({ scope: { accounts: [], groups: [], devices }, until: farm.now() + HOUR });
    await farm.pass(30 * MINUTE);
    expect(coverageIn(farm)).toEqual({ common_cause: 10, maintenance: 10 });
    await farm.pass(31 * MINUTE);
    expect([whatOf(farm), coverageIn(farm)]).toEqual([[], { common_cause: 20 }]);
  });

  it('gives one alert when its account is removed and returns', async () => {
    const farm = await watchedFarm({ racks: { ...RACKS, 'two:a': 10 } });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    await farm.maintain({ scope: scopeOf('a'), until: farm.now() + 40 * MINUTE });
    await farm.pass(10 * MINUTE);
    farm.reload({}, ['main']);
    await farm.pass(10 * MINUTE);
    farm.reload({}, ['main', 'two']);
    farm.notifications();
    await farm.pass(30 * MINUTE);
    expect(opened(whatOf(farm)).toSorted()).toEqual([
      '+common_cause group a (20)',
      'two:+common_cause group a (10)',
    ]);
    expect(coverageIn(farm)).toEqual({ common_cause: 30 });
  });

  it('gives another alert in one account while it stays dark in another one', async () => {
    const farm = await watchedFarm({ racks: { a: 30, 'two:a': 10, 'two:b': 10 } });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    farm.start('two:a');
    await farm.pass(20 * MINUTE);
    farm.notifications();
    farm.stop('two:a');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual([expect.stringMatching(/^two:\+common_cause group a/)]);
    expect(coverageIn(farm)).toEqual({ common_cause: 40 });
  });
});

describe('a rack of one account without power, and the one with its name of another account', () => {
  const watched = async (sold: 'all' | 'half') => {
    const farm = await watchedFarm({ racks: { a: 20, b: 20, 'two:a': 20, 'two:b': 20 } });
    if (sold === 'half')
      for (const rack of ['main:a', 'two:a'])
        farm.rent(
          'idle',
          ...farm.of(rack).flatMap(({ device }, index) => (index % 2 === 0 ? device.id : [])),
        );
    await farm.pass(10 * MINUTE);
    farm.notifications();
    return farm;
  };

  it.each(['all', 'half'] as const)(
    'are two incidents, an hour apart, if %s of the phones are sold',
    async (sold) => {
      const farm = await watched(sold);
      farm.stop('main:a');
      await farm.pass(HOUR);
      expect(whatOf(farm)).toEqual([expect.stringMatching(/^\+common_cause group a/)]);
      farm.stop('two:a');
      await farm.pass(HOUR);
      expect(whatOf(farm)).toEqual([expect.stringMatching(/^two:\+common_cause group a/)]);
      expect(coverageIn(farm)).toEqual({ common_cause: 40 });
      expect(shownAccounts(farm)).toEqual([
        ['main', 20],
        ['two', 20],
      ]);
      const ids = farm.snapshot().accounts.flatMap(({ known }) => known.incidents.open.map(({ id }) => id));
      expect(new Set(ids).size).toBe(2);
      farm.start('main:a');
      await farm.pass(10 * MINUTE);
      expect([whatOf(farm), coverageIn(farm)]).toEqual([
        ['-common_cause group a (20) back'],
        { common_cause: 20 },
      ]);
    },
  );

  it('are one cause with an alert for each account if both go dark at the same time', async () => {
    const farm = await watched('half');
    farm.stop('main:a', 'two:a');
    await farm.pass(HOUR);
    expect(opened(whatOf(farm)).toSorted()).toEqual([
      expect.stringMatching(/^\+common_cause group a/),
      expect.stringMatching(/^two:\+common_cause group a/),
    ]);
    expect(shownAccounts(farm)).toEqual([[undefined, 40]]);
    await farm.restart(2 * MINUTE);
    await farm.pass(10 * MINUTE);
    expect([whatOf(farm), coverageIn(farm)]).toEqual([[], { common_cause: 40 }]);
  });
});

describe('each offline phone in use', () => {
  it('is covered exactly once, whatever happens to a farm', async () => {
    // The seeds after these are in test/long.
    for (let seed = 0; seed < 2; seed += 1) expect(await liveAfternoon(seed)).toEqual([]);
  });
});

describe('a carrier in a tag', () => {
  /** Racks a to f of ten phones, every other one of Kyivstar; and a rack that is cut. */
  const RACKS = { a: 10, b: 10, c: 10, d: 10, e: 10, f: 10, cut: 10 };
  const carrierOf = (id: string): string => (Number(id.split('-')[1]) % 2 === 0 ? 'Kyivstar' : 'lifecell');
  const IDS = Object.entries(RACKS).flatMap(([rack, size]) =>
    Array.from({ length: size }, (_, index) => `${rack}-${index + 1}`),
  );
  const TAGS = new Map(
    IDS.map((id, index) => [
      id,
      new Map(Object.entries({ carrier: carrierOf(id), owner: `owner ${index % 3}` })),
    ]),
  );
  const KYIVSTAR = IDS.filter((id) => carrierOf(id) === 'Kyivstar');

  it.each([0, 20, 45, 90, 150, 300])(
    'fails for 40 minutes, %i s after a rack is cut: one message each, with their names',
    async (seconds) => {
      const farm = await watchedFarm({ racks: RACKS, settings: { propertiesOf: propertiesBy(TAGS) } });
      await farm.pass(5 * MINUTE);
      const inUse = KYIVSTAR.filter((id) => !id.startsWith('cut-'));
      farm.stop('cut', ...(seconds === 0 ? inUse : []));
      if (seconds > 0) {
        await farm.pass(seconds * SECOND);
        farm.stop(...inUse);
      }
      await farm.pass(40 * MINUTE);
      const causes = farm
        .open()
        .map(({ kind, value, members }) => [`${kind} ${value}`, [...members.keys()].sort()]);
      expect(Object.fromEntries(causes)).toEqual({
        'group cut': IDS.filter((id) => id.startsWith('cut-')).sort(),
        'carrier Kyivstar': inUse.sort(),
      });
      const lines = opened(whatOf(farm)).map((line) => line.replace(/ \(\d+\)$/, ''));
      expect(lines.toSorted()).toEqual(['+common_cause carrier Kyivstar', '+common_cause group cut']);
      farm.start(...inUse);
      await farm.pass(10 * MINUTE);
      expect(whatOf(farm)).toEqual(['-common_cause carrier Kyivstar (30) back']);
    },
  );

  /** Creates a farm with phones that have been offline for several minutes. */
  const farmWithout = async (ids: readonly string[]): Promise<Farm> => {
    const farm = await watchedFarm({ racks: RACKS, settings: { propertiesOf: propertiesBy(TAGS) } });
    await farm.pass(5 * MINUTE);
    farm.stop(...ids);
    await farm.pass(10 * MINUTE);
    return farm;
  };

  it('is named as before by a daemon that was restarted, and whose file cannot be read', async () => {
    const farm = await farmWithout(KYIVSTAR);
    expect(opened(whatOf(farm))).toEqual(['+common_cause carrier Kyivstar (35)']);
    farm.reload({ propertiesOf: undefined });
    await farm.restart(2 * MINUTE);
    await farm.pass(20 * MINUTE);
    expect(whatOf(farm)).toEqual([]);
    expect(farm.open().map(({ value }) => value)).toEqual(['Kyivstar']);
  });

  it('is renamed on the page with the file, with the same incident', async () => {
    const farm = await farmWithout(KYIVSTAR);
    farm.notifications();
    const renamed = IDS.map((id) => {
      const carrier = carrierOf(id) === 'Kyivstar' ? 'Київстар' : 'lifecell';
      return [id, new Map([['carrier', carrier]])] as const;
    });
    farm.reload({ propertiesOf: propertiesBy(new Map(renamed)) });
    await farm.pass(5 * MINUTE);
    const [cause] = shownCauses(farm.snapshot().causes);
    expect([cause?.cause.value, cause?.cause.devices, cause?.cause.ownDevices]).toEqual(['Київстар', 35, 35]);
    expect([whatOf(farm), farm.open().map(({ value }) => value)]).toEqual([[], ['Kyivstar']]);
    farm.start(...KYIVSTAR);
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['-common_cause carrier Kyivstar (35) back']);
  });

  it('keeps its incident when the file names other carriers, or none', async () => {
    const farm = await farmWithout(KYIVSTAR);
    farm.notifications();
    farm.reload({ propertiesOf: propertiesBy(new Map()) });
    await farm.pass(30 * MINUTE);
    expect(whatOf(farm)).toEqual([]);
    farm.start(...KYIVSTAR);
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['-common_cause carrier Kyivstar (35) back']);
  });
});
