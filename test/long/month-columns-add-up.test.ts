import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOON } from '../builders.ts';
import { phonesOf } from '../integration/stand-in-api.ts';
import {
  createVirtualDaemon,
  DAY,
  HOUR,
  totalOf,
  type VirtualDaemon,
} from '../integration/virtual-daemon.ts';

/*
 * What MONTH.md says of the columns: they add up to the time since a phone was first listed, and unknown is what nobody saw.
 * The clock begins at noon of 1 March.
 */

const MONTH = '2026-03';

let folder = '';
let farm: VirtualDaemon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-adding-up-'));
  farm = await createVirtualDaemon(folder, { phones: phonesOf(2) });
});

afterEach(async () => {
  await farm.close();
  rmSync(folder, { recursive: true, force: true });
});

const first = async () => (await farm.rowsOf(MONTH)).find(({ id }) => id === 'phone-01');
const sinceNoon = () => (farm.clock.now() - NOON) / 1_000;

describe('the columns of a phone', () => {
  it('add up to the month where the exporter was off for whole days', async () => {
    await farm.start();
    await farm.live(DAY);
    await farm.stop();
    farm.clock.advance(4 * DAY);
    await farm.start();
    await farm.live(HOUR);
    const row = await first();
    expect(totalOf(row)).toBe(sinceNoon());
    expect(row?.['unknown']).toBe((4 * DAY) / 1_000);
  });

  it('add up to the month where the phone left, and returned days later', async () => {
    await farm.start();
    await farm.live(30 * HOUR);
    const [, ...others] = farm.api.phones;
    const all = farm.api.phones;
    farm.api.phones = others;
    await farm.live(2 * DAY);
    farm.api.phones = all;
    await farm.live(6 * HOUR);
    const row = await first();
    expect(row?.['sold_online']).toBeLessThanOrEqual((36 * HOUR) / 1_000);
    expect(totalOf(row)).toBe(sinceNoon());
  });

  it('keep what was seen where the time zone is set to one in which the last day is not over', async () => {
    await farm.start();
    await farm.live(19 * HOUR);
    farm.configure({ time_zone: 'America/Los_Angeles' });
    await farm.reload();
    await farm.live(10 * HOUR);
    const row = await first();
    expect(totalOf(row)).toBe(sinceNoon());
    expect(row?.['unknown']).toBe(0);
  });

  it('keep what was seen where the time zone is set after the local midnight', async () => {
    await farm.start();
    await farm.live(11 * HOUR);
    farm.configure({ time_zone: 'Europe/Kyiv' });
    await farm.reload();
    await farm.live(30 * HOUR);
    const row = await first();
    expect(totalOf(row)).toBe(sinceNoon());
    expect(row?.['unknown']).toBe(0);
  });

  it('never exceed the time since the first listing if our clock is ahead of the API’s', async () => {
    await farm.close();
    let ahead = 0;
    farm = await createVirtualDaemon(folder, {
      phones: phonesOf(1),
      heartbeatAt: () => farm.clock.now() - ahead,
      headers: () => ({ date: new Date(farm.clock.now() - ahead).toUTCString() }),
    });
    await farm.start();
    await farm.live(6 * HOUR);
    ahead = 5 * HOUR;
    farm.clock.step(ahead);
    await farm.live(HOUR);
    expect(totalOf(await first())).toBeLessThanOrEqual((7 * HOUR) / 1_000);
  });
});
