import { describe, expect, it } from 'vitest';
import { createFarm } from '../../watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const offlineLines = (farm: Awaited<ReturnType<typeof createFarm>>) =>
  farm.notifications().map((line) => line.replace(/^\S+ /, ''));

describe('a list with items whose id cannot be read', () => {
  it('removes no phone and resolves no incident, for as long as it lasts', async () => {
    const farm = await createFarm({ racks: { a: 10 }, status: () => 'sold' });
    farm.stop('a-1');
    await farm.pass(20 * MINUTE);
    expect(offlineLines(farm).at(-1)).toMatch(/^\+sold_offline a-1/);
    for (const id of ['a-1', 'a-2']) for (const phone of farm.of(id)) phone.unidentified = true;
    await farm.pass(3 * HOUR);
    expect(farm.open().map(({ problem }) => problem)).toContain('sold_offline');
    expect(offlineLines(farm).filter((line) => /left|-sold_offline/.test(line))).toEqual([]);
    for (const id of ['a-1', 'a-2']) for (const phone of farm.of(id)) phone.unidentified = false;
    farm.start('a-1');
    await farm.pass(10 * MINUTE);
    expect(offlineLines(farm).filter((line) => line.includes('a-1'))).toEqual(['-sold_offline a-1 back']);
  });

  it('confirms nothing of a phone that leaves meanwhile, until all ids can be read again', async () => {
    const farm = await createFarm({ racks: { a: 10 } });
    await farm.pass(5 * MINUTE);
    for (const phone of farm.of('a-1')) phone.unidentified = true;
    farm.list(false, 'a-2');
    await farm.pass(HOUR);
    expect(offlineLines(farm).filter((line) => line.includes('left'))).toEqual([]);
    for (const phone of farm.of('a-1')) phone.unidentified = false;
    await farm.pass(5 * MINUTE);
    expect(offlineLines(farm).filter((line) => line.includes('left'))).toEqual(['+left a-2']);
  });

  it('fails if they are most of its items: the incident of the API says so, and no phone is affected', async () => {
    const farm = await createFarm({ racks: { a: 10 }, status: () => 'sold' });
    await farm.pass(5 * MINUTE);
    for (const phone of farm.of('a')) phone.unidentified = true;
    await farm.pass(HOUR);
    expect(offlineLines(farm)).toEqual(['+api_unavailable schema']);
  });
});
