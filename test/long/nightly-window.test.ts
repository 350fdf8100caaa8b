import { expect, it } from 'vitest';
import { createTimeZone } from '../../src/base/time-zone.ts';
import { lastStartOf } from '../../src/features/maintenance/settings.ts';
import { createFarm, DAY, HOUR, MINUTE } from '../watch.ts';

it('a window of every night alerts for no rack that reboots in it, for two weeks', async () => {
  const clock = createTimeZone('Europe/Kyiv');
  const window = {
    ...{ name: 'nightly reboot', scope: { accounts: [], groups: ['a'], devices: [] } },
    ...{ durationMilliseconds: 15 * MINUTE, lastStart: lastStartOf('0 4 * * *', clock) },
  };
  const farm = await createFarm({
    racks: { a: 8, b: 5 },
    settings: { windows: [window] },
    before: 4 * HOUR,
    interval: 2 * MINUTE,
    ...{ tunnelsEach: 10 * MINUTE, balanceEach: HOUR },
  });
  for (let night = 0; night < 14; night += 1) {
    const local = farm.now() + clock.offsetAt(farm.now());
    const untilFour = (4 * HOUR + 2 * MINUTE + DAY - (local % DAY)) % DAY;
    await farm.pass(untilFour);
    farm.stop('a');
    await farm.pass(6 * MINUTE);
    expect(farm.problemOf('a-1')).toBe('in_maintenance');
    farm.start('a');
    await farm.pass(HOUR);
  }
  expect(farm.notifications()).toEqual([]);
  expect(farm.problemOf('a-1')).toBeUndefined();
});
