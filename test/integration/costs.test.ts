import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { load } from '../unit/config/sources.ts';
import { costsOf, GZIP_SHARE } from '../unit/docs/costs.ts';
import { KEY, startMarketplace } from './exporter.ts';

describe('the formulas of docs/SCALING.md', () => {
  it('compute about as many series and bytes as the page of a simulated fleet has', async () => {
    const phones = 1_000;
    const marketplace = await startMarketplace(phones);
    const { out } = await runCommand(['once', '--log.level=error'], {
      HOSTER_API_URL: marketplace.url,
      HOSTER_API_KEY: KEY,
      HOSTER_CURRENCY: 'EUR',
    });
    await marketplace.close();
    const samples = out.split('\n').filter((line) => /^[a-z]/.test(line));
    const selfRented = samples.filter((line) => line.startsWith('hoster_tunnel_up{')).length;
    const { account, phone, selfRent, process, ownAccount } = await costsOf(load({}).config.features);
    const groups = samples.filter((line) => line.startsWith('hoster_group_devices{'));
    const series =
      process +
      ownAccount +
      account.series +
      phones * phone.series +
      selfRented * selfRent.series +
      groups.length;
    expect(selfRented).toBeGreaterThan(50);
    expect(series / samples.length).toBeCloseTo(1, 1);
    const textBytes =
      account.textBytes +
      phones * phone.textBytes +
      selfRented * selfRent.textBytes +
      groups.join('\n').length;
    expect(textBytes / out.length).toBeCloseTo(1, 1);
    // Ids of the simulator resemble each other, and compress better than random ones.
    const share = gzipSync(out).length / out.length;
    expect(share).toBeLessThan(GZIP_SHARE);
    expect(share).toBeGreaterThan(GZIP_SHARE / 3);
  });
});
