import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { Secret } from '../../src/base/secret.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createMonitor, type Monitor } from '../../src/daemon/monitor.ts';
import { createMarketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { CONFIG_SCHEMA } from '../../src/features.ts';
import { NOON } from '../builders.ts';
import { CANARY } from '../canary.ts';
import { dependenciesOf } from '../dependencies.ts';
import { type FaultySimulator, startFaultySimulator } from '../faults/simulated/faults.ts';

const KEYS = {
  good: `${CANARY.apiKey}good`,
  other: `${CANARY.apiKey}other`,
  refused: `${CANARY.apiKey}refused`,
};

let simulator: FaultySimulator;
let monitor: Monitor | undefined;
const lines: string[] = [];

afterEach(async () => {
  await monitor?.stop();
  await simulator.close();
});

/** A monitor of some accounts at the simulator, each named after its key. */
async function monitorOf(...accounts: readonly (keyof typeof KEYS)[]): Promise<Monitor> {
  lines.length = 0;
  const marketplace = (seed: number, size: number) =>
    createMarketplace({ seed, phones: createFleet({ seed, size }), startAt: NOON });
  simulator = await startFaultySimulator({
    accounts: [
      { name: 'good', key: KEYS.good, marketplace: marketplace(1, 120) },
      { name: 'other', key: KEYS.other, marketplace: marketplace(2, 5) },
    ],
    clock: { ...systemClock, now: () => NOON },
  });
  const file = JSON.stringify({
    accounts: accounts.map((name) => ({ name, api_url: simulator.url, api_key_env: `KEY_${name}` })),
    client: { timeout: '10s' },
    features: { tunnel_endpoints: true, rental_ids: true },
  });
  const { config } = loadConfig({
    schema: CONFIG_SCHEMA,
    flags: new Map([['config.file', 'test.yml']]),
    environment: Object.fromEntries(accounts.map((name) => [`KEY_${name}`, KEYS[name]])),
    readFile: () => file,
    accounts: 'required',
  });
  const keys = new Map<string, string>(Object.entries(KEYS));
  const log = createLog({
    level: 'trace',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
  });
  monitor = createMonitor(
    config,
    dependenciesOf({ key: ({ name }) => new Secret(keys.get(name) ?? ''), log }),
  );
  return monitor;
}

async function pageOf(): Promise<string> {
  const { chunks } = (await monitor?.scrape()) ?? { chunks: [] };
  return gunzipSync(Buffer.concat(chunks)).toString();
}

/** The page after one round of polls. */
async function roundOf(...accounts: readonly (keyof typeof KEYS)[]): Promise<string> {
  await (await monitorOf(...accounts)).pollAll();
  return pageOf();
}

function sampleOf(page: string, series: string): string | undefined {
  return page
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);
}

const CANARIES = new RegExp(Object.values(CANARY).join('|'));

describe('a monitor that polls over real connections', () => {
  it('exposes every device of every account', async () => {
    const page = await roundOf('good', 'other');
    expect(page.match(/^hoster_device_info\{account="good"/gm)).toHaveLength(120);
    expect(page.match(/^hoster_device_info\{account="other"/gm)).toHaveLength(5);
    expect(sampleOf(page, 'hoster_up{account="good"}')).toBe('1');
    expect(sampleOf(page, 'hoster_account_api_access{account="good",state="granted"}')).toBe('1');
  });

  it('requests exactly the pages, the tunnels of live rentals and the balance', async () => {
    const page = await roundOf('good');
    const live = page.match(/^hoster_tunnel_live\{/gm)?.length ?? 0;
    expect(live).toBeGreaterThan(5);
    expect(simulator.counts()).toEqual({ devices: 2, tunnel: live, balance: 1, other: 0 });
  });

  it('exposes an account next to one that the API refuses', async () => {
    const page = await roundOf('good', 'refused');
    expect(sampleOf(page, 'hoster_up{account="good"}')).toBe('1');
    expect(sampleOf(page, 'hoster_up{account="refused"}')).toBe('0');
    expect(sampleOf(page, 'hoster_account_api_access{account="refused",state="invalid_key"}')).toBe('1');
    expect(
      sampleOf(
        page,
        'hoster_exporter_api_request_failures_total{account="refused",api="devices",reason="unauthorized"}',
      ),
    ).toBe('1');
    expect(page).not.toMatch(/^hoster_device_info\{account="refused"/m);
  });

  it('keeps the last data when polls fail', async () => {
    const before = await roundOf('good');
    simulator.faults.on('all', 'internal-error');
    await monitor?.pollAll();
    const page = await pageOf();
    const devices = (text: string) => text.split('\n').filter((line) => line.startsWith('hoster_device_'));
    expect(devices(page)).toEqual(devices(before));
    expect(
      sampleOf(page, 'hoster_exporter_data_state{account="good",collector="devices",state="stale"}'),
    ).toBe('1');
    expect(sampleOf(page, 'hoster_up{account="good"}')).toBe('0');
  });
});

describe('a secret', () => {
  it('appears neither in the metrics nor in the log at the level trace', async () => {
    expect(await roundOf('good', 'refused')).not.toMatch(CANARIES);
    expect(lines.join('')).not.toMatch(CANARIES);
    expect(lines.length).toBeGreaterThan(0);
  });
});
