import { describe, expect, it } from 'vitest';
import { between, createRandom, pick } from '../../../src/base/random.ts';
import { createTimeZone } from '../../../src/base/time-zone.ts';
import { lastStartOf } from '../../../src/config/cron.ts';
import { MAINTENANCE } from '../../../src/features/maintenance/cover.ts';
import type { MaintenanceWindow } from '../../../src/features/maintenance/model.ts';
import type { Account } from '../../../src/model/account.ts';
import { offlineProblemOf } from '../../../src/model/problem.ts';
import { propertiesBy, shownCauses } from '../../builders.ts';
import { createInvariants, liveAfternoon } from '../../coverage.ts';
import {
  createFarm,
  DAY,
  eachMinute,
  type Farm,
  type FarmOptions,
  HOUR,
  MINUTE,
  SECOND,
} from '../../watch.ts';

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

/** Creates a farm of which each observation is checked. */
async function watchedFarm(options: FarmOptions): Promise<Farm> {
  const invariants = createInvariants(() => '');
  return createFarm({
    ...{ tunnelsEach: 2 * MINUTE, balanceEach: HOUR, ...options },
    onObserved: (snapshot) => {
      invariants.check(snapshot);
      const violations = invariants.violations();
      if (violations.length > 0) expect(violations).toEqual([]);
    },
  });
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

  it('gives an alert at once when somebody ends the maintenance', async () => {
    const farm = await watchedFarm({ racks: RACKS });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    await farm.maintain({ scope: scopeOf('a') });
    await farm.pass(30 * MINUTE);
    farm.notifications();
    await farm.endMaintenance('word');
    expect(whatOf(farm)).toEqual(TOLD);
    expect(coverageIn(farm)).toEqual({ common_cause: 20 });
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

describe('a rack of 40 without power', () => {
  it('is one message within 5 minutes, and a sold phone of another rack gives one within 4, in 50 runs', async () => {
    for (let run = 0; run < 50; run += 1) {
      const phase = (index: number): number =>
        ((index * 7_001 + run * 1_013) % 60_000) - ((index * 7_001) % 1_000);
      const farm = await watchedFarm({
        racks: { a: 40, b: 12, c: 3 },
        beats: (index) => eachMinute(Math.abs(phase(index))),
      });
      const alone = run % 5 === 0 ? 'c-2' : 'b-3';
      const first = run % 2 === 0 ? ['a', alone] : [alone, 'a'];
      farm.stop(...first.slice(0, 1));
      await farm.pass((run % 3) * 30 * SECOND);
      farm.stop(...first.slice(1));
      const [phone] = farm.of(alone);
      const lastBeat = phone?.beats.before(phone.stoppedAt ?? 0) ?? 0;
      const cutAt = farm.of('a')[0]?.stoppedAt ?? 0;
      await farm.pass(20 * MINUTE);
      const notified = farm.notifications();
      const at = (text: string): number =>
        (Number(notified.find((line) => line.includes(text))?.split(' ')[0]) * MINUTE + NOON_OF - lastBeat) /
        SECOND;
      expect(notified.map((line) => line.replace(/^\S+ /, '')).toSorted(), `run ${run}`).toEqual([
        expect.stringMatching(/^\+common_cause group a/),
        `+sold_offline ${alone}`,
      ]);
      expect(at(`+sold_offline ${alone}`), `run ${run}`).toBeLessThanOrEqual(230);
      expect((at('+common_cause') * SECOND + lastBeat - cutAt) / SECOND, `run ${run}`).toBeLessThanOrEqual(
        300,
      );
    }
  });
});

const NOON_OF = Date.UTC(2026, 2, 1, 12);

describe('a rack of any size without power', () => {
  it('is one incident, with the same id in a replica that polls up to 29 s earlier', async () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = createRandom(seed);
      const racks = { a: between(random, 3, 40), b: between(random, 10, 20), c: between(random, 3, 20) };
      const farm = await watchedFarm({
        racks,
        replica: between(random, 1, 29) * SECOND,
        status: () => pick(random, ['sold', 'self_rented', 'idle'] as const),
        facts: () => ({ model: `model ${between(random, 0, 2)}` }),
        beats: () => eachMinute(between(random, 0, 59) * SECOND),
      });
      await farm.pass(between(random, 1, 3) * 30 * SECOND);
      farm.stop('a');
      await farm.pass(10 * MINUTE);
      const ids = [0, 1].map((daemon) =>
        farm.snapshot(daemon).accounts.flatMap(({ known }) => known.incidents.open.map(({ id }) => id)),
      );
      expect(opened(whatOf(farm)), `seed ${seed}`).toEqual([
        expect.stringMatching(/^\+common_cause group a/),
      ]);
      expect(ids[1], `seed ${seed}`).toEqual(ids[0]);
    }
  });
});

describe('each offline phone in use', () => {
  it('is covered exactly once, whatever happens to a farm', async () => {
    // The seeds after these are in test/long.
    for (let seed = 0; seed < 10; seed += 1) expect(await liveAfternoon(seed)).toEqual([]);
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

  /** Creates a farm of which phones have been offline for some minutes. */
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
