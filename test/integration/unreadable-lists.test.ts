import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phonesOf, type StandInAnswers } from './stand-in-api.ts';
import { createVirtualDaemon, HOUR, MINUTE, type VirtualDaemon } from './virtual-daemon.ts';

const PHONES = 40;

let folder = '';
let farm: VirtualDaemon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-lists-'));
  farm = await createVirtualDaemon(folder, { phones: phonesOf(PHONES), pageSize: 20 });
  const startedAt = farm.clock.now();
  farm.api.heartbeatAt = (id) => (id === 'phone-04' ? startedAt : farm.clock.now());
  farm.configure({ poll: { stale_after: '6h' } });
  await farm.start();
  await farm.live(HOUR);
});

afterEach(async () => {
  await farm.close();
  rmSync(folder, { recursive: true, force: true });
});

type Fleet = {
  readonly accounts: readonly { readonly readings: { readonly devices: Reading } }[];
  readonly phones: readonly { readonly id: string; readonly problem?: string }[];
  readonly incidents: readonly { readonly phones?: readonly string[]; readonly problem: string }[];
};
type Reading = { readonly state: string; readonly lastAttemptAt: string; readonly failure?: string };

const fleet = async (): Promise<Fleet> => JSON.parse((await farm.ask('/api/v1/fleet')).body);

/** Polls the list six times, in half an hour, whether it is read or not. */
async function pollSixTimes(): Promise<Fleet> {
  for (let poll = 0; poll < 6; poll += 1) {
    farm.clock.advance(5 * MINUTE);
    const from = new Date(farm.clock.now()).toISOString();
    farm.tick();
    for (let now = await fleet(); ; now = await fleet()) {
      const [account] = now.accounts;
      if (account !== undefined && account.readings.devices.lastAttemptAt >= from) break;
      // A failed request waits for its retry.
      await setTimeout(5);
      farm.clock.advance(1_000);
    }
  }
  return await fleet();
}

type Changed = StandInAnswers['changed'];
type Item = Readonly<Record<string, unknown>>;
const eachItem =
  (change: (item: Item, index: number) => unknown): Changed =>
  (page) => ({ ...page, items: page.items.map(change) });

describe('a list that cannot be read proves nothing: all phones stay, and the incident', () => {
  it.each<[string, Changed]>([
    ['ids are numbers', eachItem((item, index) => ({ ...item, deviceId: index }))],
    ['ids have another name', eachItem(({ deviceId, ...item }) => ({ ...item, id: deviceId }))],
    ['ids are empty', eachItem((item) => ({ ...item, deviceId: '' }))],
    ['ids are objects', eachItem((item) => ({ ...item, deviceId: { $oid: item['deviceId'] } }))],
    ['ids are null', eachItem((item) => ({ ...item, deviceId: null }))],
    [
      'the id of the offline phone alone is null',
      eachItem((item) => (item['deviceId'] === 'phone-04' ? { ...item, deviceId: null } : item)),
    ],
    [
      'ids of the second page are numbers',
      (page, number) =>
        number === 2 ? { ...page, items: page.items.map((item) => ({ ...item, deviceId: 7 })) } : page,
    ],
    ['items are null', eachItem(() => null)],
    ['items are arrays', eachItem((item) => [item])],
    ['there are no items', (page) => ({ ...page, items: null })],
    ['there are none, of 40', (page) => ({ ...page, items: [] })],
    ['items are an object', (page) => ({ ...page, items: { ...page.items } })],
    ['the data is an array', (page) => page.items],
    ['the total is -1', (page) => ({ ...page, total: -1 })],
    ['the total is a boolean', (page) => ({ ...page, total: true })],
  ])('where %s', async (_, changed) => {
    farm.api.changed = changed;
    const { phones, incidents } = await pollSixTimes();
    expect(phones).toHaveLength(PHONES);
    expect(incidents.map(({ problem }) => problem)).toContain('sold_offline');
    expect(farm.lines.join('')).not.toContain('incident resolved');
  });
});

it('a list with totals as text is read', async () => {
  farm.api.changed = (page) => ({
    ...page,
    ...Object.fromEntries(['total', 'page', 'limit', 'totalPages'].map((name) => [name, String(page[name])])),
  });
  const { accounts, phones } = await pollSixTimes();
  expect(accounts).toMatchObject([{ readings: { devices: { state: 'fresh' } } }]);
  expect(phones).toHaveLength(PHONES);
});

it('a list whose ids have another name fails as schema, and the log names the field', async () => {
  farm.api.changed = eachItem(({ deviceId, ...item }) => ({ ...item, id: deviceId }));
  expect((await pollSixTimes()).accounts).toMatchObject([{ readings: { devices: { failure: 'schema' } } }]);
  expect(farm.lines.join('')).toContain('deviceId');
});
