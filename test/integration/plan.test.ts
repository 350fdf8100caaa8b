import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { costsOf, GZIP_SHARE } from '../../src/plan.ts';
import { runCommand } from '../run-command.ts';
import { load } from '../unit/config/sources.ts';
import { KEY, startMarketplace } from './exporter.ts';

describe('the command plan', () => {
  it('computes what a fleet takes, without a configuration', async () => {
    const { code, out } = await runCommand(['plan', '--phones=10000', '--self-rented=1500', '--replicas=2']);
    expect(out).toMatch(/^10,000 phones, 1,500 self-rented; 1 account; 2 processes\.\n/);
    expect(out).toMatch(/^devices +200 +400 +each process lists all 100 pages of an account$/m);
    expect(out).toMatch(/^tunnels +3,000 +6,000$/m);
    expect(code).toBe(0);
  });

  it('fails if a poll does not fit its interval, and gives advice', async () => {
    const { code, out } = await runCommand([
      'plan',
      '--phones=10000',
      '--self-rented=5000',
      '--poll.tunnels=*/10 * * * * *',
    ]);
    expect(out).toMatch(/^tunnels +63 s +8\.0 s +does not fit$/m);
    expect(out).toMatch(/^! The tunnels take 63 s at best and have 8\.0 s: /m);
    expect(code).toBe(1);
  });

  it('computes about as many series and bytes as the page of a simulated fleet has', async () => {
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
    const series =
      process + ownAccount + account.series + phones * phone.series + selfRented * selfRent.series;
    expect(selfRented).toBeGreaterThan(50);
    expect(series / samples.length).toBeCloseTo(1, 1);
    const textBytes = account.textBytes + phones * phone.textBytes + selfRented * selfRent.textBytes;
    expect(textBytes / out.length).toBeCloseTo(1, 1);
    // Ids of the simulator resemble each other, and compress better than random ones.
    const share = gzipSync(out).length / out.length;
    expect(share).toBeLessThan(GZIP_SHARE);
    expect(share).toBeGreaterThan(GZIP_SHARE / 3);
  });
});
