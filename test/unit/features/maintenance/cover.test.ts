import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import type { MaintenanceWindow } from '../../../../src/features/maintenance/model.ts';
import { lastStartOf } from '../../../../src/features/maintenance/settings.ts';
import { createFarm, DAY, type Farm, HOUR, MINUTE } from '../../../watch.ts';

/** What was told, without the times. */
const whatOf = (farm: Farm): readonly string[] =>
  farm.notifications().map((line) => line.replace(/^\S+ /, ''));

const scopeOf = (...groups: readonly string[]) => ({ accounts: [], groups, devices: [] });

function windowOf(schedule: string, minutes: number): MaintenanceWindow {
  return {
    ...{ name: 'nightly reboot', scope: scopeOf('a') },
    durationMilliseconds: minutes * MINUTE,
    lastStart: lastStartOf(schedule, createTimeZone('UTC')),
  };
}

/** Polls of tunnels and balance where days pass. */
const RARELY = { tunnelsEach: 10 * MINUTE, balanceEach: HOUR };

describe('a window', () => {
  it('teaches nothing: a phone that goes offline by day alerts as soon as before', async () => {
    const windows = [windowOf('0 4 * * *', 60)];
    const farm = await createFarm({ racks: { a: 20 }, settings: { windows }, ...RARELY });
    await farm.pass(16 * HOUR + MINUTE);
    farm.stop('a');
    await farm.pass(40 * MINUTE);
    farm.start('a');
    await farm.pass(7 * HOUR + 20 * MINUTE - MINUTE);
    const before = farm.now();
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    const [line = ''] = farm.notifications();
    expect(line).toContain('+sold_offline a-1');
    expect(Number(line.split(' ')[0]) - 24 * 60).toBeLessThanOrEqual(
      (before - farm.now()) / MINUTE + 10 + 4.5,
    );
  });
});

describe('a maintenance request', () => {
  it('resolves open incidents, and alerts once about what is still wrong afterwards', async () => {
    const farm = await createFarm({ racks: { a: 40, b: 20 } });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    await farm.maintain({ scope: scopeOf('a'), until: farm.now() + 2 * HOUR });
    farm.stop('a');
    await farm.pass(HOUR);
    farm.start('a');
    farm.stop('a-1', 'a-2', 'a-3');
    await farm.pass(50 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1', '-sold_offline a-1 maintenance']);
    await farm.pass(30 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1', '+sold_offline a-2', '+sold_offline a-3']);
    await farm.pass(3 * HOUR);
    expect(whatOf(farm)).toEqual([]);
  });

  it('ends a cause, hides no other rack that is cut meanwhile, and is blamed for nothing', async () => {
    const farm = await createFarm({ racks: { a: 20, b: 20, c: 20 } });
    farm.stop('a');
    await farm.pass(10 * MINUTE);
    await farm.maintain({ scope: scopeOf('a') });
    await farm.pass(10 * MINUTE);
    farm.stop('b');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual([
      expect.stringMatching(/^\+common_cause group a/),
      expect.stringMatching(/^-common_cause group a .*maintenance$/),
      expect.stringMatching(/^\+common_cause group b/),
    ]);
  });

  it('holds over a restart, and until a phone that was away is back for two lists', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    const scope = { accounts: [], groups: [], devices: ['a-1'] };
    await farm.maintain({ scope, untilBack: true, until: farm.now() + 7 * DAY });
    await farm.pass(HOUR);
    await farm.restart(HOUR);
    await farm.pass(HOUR);
    expect(farm.problemOf('a-1')).toBe('in_maintenance');
    farm.start('a-1');
    await farm.pass(2 * MINUTE);
    expect(farm.problemOf('a-1')).toBeUndefined();
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1', '-sold_offline a-1 maintenance', '+sold_offline a-1']);
  });

  it('is over when the owner says so, and a phone that leaves meanwhile alerts', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    await farm.maintain({ scope: scopeOf('a') });
    farm.stop('a-1', 'a-2');
    for (const phone of farm.of('a-2')) phone.listed = false;
    await farm.pass(20 * MINUTE);
    expect(whatOf(farm)).toEqual(['+left a-2']);
    await farm.endMaintenance('word');
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1']);
  });
});

describe('the last start of a window', () => {
  const berlin = createTimeZone('Europe/Berlin');
  const startsOf = (schedule: string, from: number, hours: number): readonly string[] => {
    const last = lastStartOf(schedule, berlin);
    const starts = Array.from({ length: hours * 12 }, (_, index) => last(from + index * 5 * MINUTE, from));
    return [
      ...new Set(starts.flatMap((start) => (start === undefined ? [] : new Date(start).toISOString()))),
    ];
  };

  it('is each night at the same local time', () => {
    expect(startsOf('30 2 * * *', Date.UTC(2026, 5, 1), 48)).toEqual([
      '2026-06-01T00:30:00.000Z',
      '2026-06-02T00:30:00.000Z',
    ]);
  });

  it('is an hour later in the night in which its time does not exist, and once in the one in which it exists twice', () => {
    expect(startsOf('30 2 * * *', Date.UTC(2026, 2, 28, 12), 24)).toEqual(['2026-03-29T01:30:00.000Z']);
    expect(startsOf('30 2 * * *', Date.UTC(2026, 9, 24, 12), 24)).toEqual(['2026-10-25T00:30:00.000Z']);
  });

  it('is on either day where a day of the month and a weekday are given', () => {
    expect(startsOf('0 3 1 * mon', Date.UTC(2026, 4, 1), 5 * 24)).toEqual([
      '2026-05-01T01:00:00.000Z',
      '2026-05-04T01:00:00.000Z',
    ]);
  });

  it('needs both days where one of them begins with a star', () => {
    expect(startsOf('0 3 */2 * mon', Date.UTC(2026, 4, 3), 48)).toEqual([]);
    expect(startsOf('0 3 */2 * mon', Date.UTC(2026, 4, 10), 48)).toEqual(['2026-05-11T01:00:00.000Z']);
  });

  it('may be several times a day, or on some days only', () => {
    expect(startsOf('0 */8 * * sun', Date.UTC(2026, 5, 6), 48)).toEqual([
      '2026-06-06T22:00:00.000Z',
      '2026-06-07T06:00:00.000Z',
      '2026-06-07T14:00:00.000Z',
    ]);
  });
});
