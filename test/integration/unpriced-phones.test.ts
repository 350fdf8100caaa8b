import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phonesOf } from './stand-in-api.ts';
import { createVirtualDaemon, HOUR, type VirtualDaemon } from './virtual-daemon.ts';

let folder = '';
let farm: VirtualDaemon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-prices-'));
  farm = await createVirtualDaemon(folder, {
    phones: [...phonesOf(1), { deviceId: 'phone-02', label: 'rack-02/1', rentalStatus: 'idle' }],
  });
  farm.configure({
    prices: [
      { group: 'rack-01', cents_per_day: 2_400 },
      { group: 'rack-77', cents_per_day: 100 },
    ],
  });
  await farm.start();
  await farm.live(2 * HOUR);
});

afterEach(async () => {
  await farm.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('prices', () => {
  it('estimate nothing for a phone that none of them names', async () => {
    const rows = await farm.rowsOf('2026-03');
    expect(rows.find(({ id }) => id === 'phone-01')?.estimate).toBeDefined();
    expect(rows.find(({ id }) => id === 'phone-02')?.estimate).toBeUndefined();
  });

  it('of a group in which no phone is are warned of, as windows of one are', () => {
    expect(farm.lines.join('')).toContain('rack-77');
  });
});
