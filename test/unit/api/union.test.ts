import { describe, expect, it } from 'vitest';
import { Union } from '../../../src/api/union.ts';
import type { Device } from '../../../src/model/device.ts';
import { SLICE_STEPS } from '../../../src/slices.ts';
import { NOON } from '../../builders.ts';
import { phone, phones } from './listed-pages.ts';

async function union(...pages: readonly (readonly Device[])[]) {
  let pauses = 0;
  const union = new Union(undefined, async () => {
    pauses += 1;
  });
  for (const page of pages) union.add(page);
  return { ...(await union.joined()), pauses };
}

describe('the union of pages', () => {
  it('is in the order of ids, whatever the order of the pages', async () => {
    const all = phones(1, 250);
    const shuffled = all.toSorted((a, b) => Number(a.id.at(-1)) - Number(b.id.at(-1)));
    const pages = Array.from({ length: 25 }, (_, index) => shuffled.slice(index * 10, index * 10 + 10));
    expect((await union(...pages)).devices).toEqual(all);
    expect((await union(...pages.toReversed())).devices).toEqual(all);
  });

  it('has each phone once, and tells how many came twice', async () => {
    const pages = [phones(1, 5), phones(4, 8), [], phones(1, 1)];
    expect(await union(...pages)).toMatchObject({ devices: phones(1, 8), duplicates: 3, conflicts: 0 });
    expect(await union([phone(1), phone(1)])).toMatchObject({ devices: [phone(1)], duplicates: 1 });
  });

  it.each([
    ['newer', NOON + 1, 'second'],
    ['equal', NOON, 'second'],
    ['older', NOON - 1, 'first'],
    ['missing', undefined, 'first'],
  ])(
    'of a phone that says two things keeps the one with the newer heartbeat, or the later: %s',
    async (_, beat, label) => {
      const first = phone(1, { lastHeartbeatAt: NOON, label: 'first' });
      const second = phone(1, { lastHeartbeatAt: beat, label: 'second' });
      expect(await union([first], [second])).toMatchObject({
        devices: [{ label }],
        duplicates: 0,
        conflicts: 1,
      });
    },
  );

  it('takes no offence at a heartbeat between two pages', async () => {
    const beats = [NOON, NOON + 1].map((lastHeartbeatAt) => phone(1, { lastHeartbeatAt }));
    expect(await union(beats)).toMatchObject({ devices: [beats[1]], duplicates: 1, conflicts: 0 });
  });

  it('of nothing is nothing', async () => {
    expect(await union()).toEqual({ devices: [], duplicates: 0, conflicts: 0, pauses: 0 });
  });

  it('lets others have a turn where it takes long', async () => {
    const all = phones(1, 4 * SLICE_STEPS);
    const odd = all.filter((_, index) => index % 2 === 1);
    const { devices, pauses } = await union(
      all.filter((_, index) => index % 2 === 0),
      odd,
    );
    expect(devices).toEqual(all);
    expect(pauses).toBe(4);
  });
});
