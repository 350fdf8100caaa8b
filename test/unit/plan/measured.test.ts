import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readDevicePage } from '../../../src/api/wire/device-page.ts';
import { readTunnel } from '../../../src/api/wire/tunnel.ts';
import { createWire } from '../../../src/api/wire/wire.ts';
import { catalog } from '../../../src/metrics/catalog.ts';
import { createPress, EMPTY_PAGE, type Page, renderPage } from '../../../src/metrics/page.ts';
import { createSelfMetrics } from '../../../src/metrics/self.ts';
import { EMPTY_RUN, extend, gzipBody } from '../../../src/metrics/stretch.ts';
import { viewOf } from '../../../src/metrics/view.ts';
import { hasLiveSelfRent } from '../../../src/model/device.ts';
import { costsOf } from '../../../src/plan/costs.ts';
import { GZIP_SHARE, OWN_SERIES } from '../../../src/plan/measured.ts';
import { settleFleet } from '../../../src/poller/settle-fleet.ts';
import { createFleet } from '../../../src/simulator/fleet.ts';
import { createMarketplace } from '../../../src/simulator/marketplace.ts';
import { atOnce } from '../../../src/slices.ts';
import { accountOf, freshReading, moneyOf, NOON } from '../../builders.ts';
import { ALL_FEATURES, USUAL_FEATURES } from '../../features.ts';
import { recordEvents } from '../api/recorded-events.ts';

const PHONES = 2_000;
const FEATURES = USUAL_FEATURES;

/** The page of a simulated fleet, and how many of its phones are self-rented. */
async function pageOfFleet(): Promise<{ readonly page: Page; readonly selfRented: number }> {
  const phones = createFleet({ seed: 3, size: PHONES });
  const marketplace = createMarketplace({ seed: 3, startAt: NOON - 3_600_000, phones });
  marketplace.advance(NOON);
  const wire = createWire(recordEvents().events);
  const devices = Array.from({ length: PHONES / 100 }, (_, index) => {
    const query = { page: index + 1, limit: 100, filters: {}, search: undefined };
    return readDevicePage(marketplace.devices(query), wire)?.devices ?? [];
  })
    .flat()
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const listed = {
    devices,
    neighbours: [],
    reported: PHONES,
    listing: { pages: 20, passes: 1, complete: true },
  };
  const { fleet } = atOnce(settleFleet(undefined, listed, NOON, 0));
  const rented = devices.filter(hasLiveSelfRent);
  const tunnels = rented.map(({ id }) => {
    const tunnel = readTunnel(marketplace.tunnel(id), wire);
    return [id, { tunnel, answeredAt: NOON }] as const;
  });
  const account = accountOf({
    currency: 'EUR',
    access: 'granted',
    devices: freshReading(fleet),
    tunnels: freshReading(new Map(tunnels)),
    balance: freshReading(moneyOf(1, 2)),
  });
  const view = viewOf({ accounts: [account] });
  const page = await renderPage(catalog(FEATURES), EMPTY_PAGE, view, createPress(), async () => {});
  return { page, selfRented: rented.length };
}

describe('what a fleet is computed to take', () => {
  it('is what the page of a simulated one takes', async () => {
    const { page, selfRented } = await pageOfFleet();
    const { account, phone, selfRent } = costsOf(FEATURES);
    const computed = (of: 'series' | 'textBytes') =>
      account[of] + PHONES * phone[of] + selfRented * selfRent[of];
    expect(computed('series') / page.series).toBeCloseTo(1, 1);
    expect(computed('textBytes') / page.run.textBytes).toBeCloseTo(1, 1);
    // The ids of the simulator resemble each other, and compress better than random ones.
    expect(page.run.deflatedBytes / page.run.textBytes).toBeLessThan(GZIP_SHARE);
    expect(page.run.deflatedBytes / page.run.textBytes).toBeGreaterThan(GZIP_SHARE / 2);
  });

  it('counts more where more is exported', () => {
    const [less, more] = [costsOf(FEATURES), costsOf(ALL_FEATURES)];
    expect(more.selfRent.series - less.selfRent.series).toBe(2);
    expect(more.phone).toEqual(less.phone);
  });
});

describe('the series of our own', () => {
  async function seriesWith(accounts: number): Promise<number> {
    const self = createSelfMetrics({ version: '0', revision: '0', nodeVersion: '0' }, ['/', '/metrics']);
    for (let account = 0; account < accounts; account += 1) self.forAccount(`account-${account}`);
    const { chunks } = gzipBody(extend(EMPTY_RUN, await self.stretches()));
    return (
      gunzipSync(Buffer.concat(chunks))
        .toString()
        .match(/^[a-z]/gm)?.length ?? 0
    );
  }

  it('are about as many as measured', async () => {
    const [none, one] = [await seriesWith(0), await seriesWith(1)];
    expect(Math.abs(none / OWN_SERIES.process - 1)).toBeLessThan(0.2);
    expect(Math.abs((one - none) / OWN_SERIES.account - 1)).toBeLessThan(0.2);
  });
});
