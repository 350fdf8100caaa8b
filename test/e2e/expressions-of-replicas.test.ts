import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createMarketplace, type Marketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { MAIN, type Running, start } from '../process.ts';
import { RULES_FILE, shippedText } from '../rules/shipped.ts';
import { type Simulator, startSimulator } from '../simulator.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import {
  OF_ANNOTATIONS,
  OF_DOCUMENTS,
  OF_PANELS,
  OF_RULES,
  OF_VARIABLES,
  type Shipped,
  seriesOf,
} from './shipped-queries.ts';
import { type Viewer, viewerAt } from './viewer.ts';

/*
 * Two exporters of one account that disagree: one has seen that phones have another label, group and model, and that
 * others left, and the other has not polled since. So a phone has two names at one instant.
 */

const KEY = 'replicas';
const folder = mkdtempSync(join(tmpdir(), 'hoster-expressions-'));

let marketplace: Marketplace;
let simulator: Simulator;
let prometheus: Prometheus;
let viewer: Viewer;
const exporters: Running[] = [];

async function startExporter(schedule: string): Promise<string> {
  const polls = ['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=${schedule}`);
  const exporter = start(
    process.execPath,
    [MAIN, 'run', '--web.listen-address=127.0.0.1:0', '--features.tunnel-endpoints', ...polls],
    { HOSTER_API_URL: simulator.url, HOSTER_API_KEY: KEY },
  );
  exporters.push(exporter);
  const [, url = ''] = await exporter.waitForOutput(/url=(http:\S+)/);
  return new URL(url).host;
}

/** Of the phones that changed, one is offline and sold, and some are self-rented with a tunnel. */
function change(): void {
  const ids = marketplace.phones().map(({ deviceId }) => deviceId);
  marketplace.edit(ids.slice(0, 20), { label: 'moved/phone', appVersion: '9.9.9' });
  marketplace.edit(ids.slice(0, 1), { rentalStatus: 'sold', online: false });
  marketplace.archive(ids.slice(20, 23));
}

beforeAll(async () => {
  const now = systemClock.now();
  const phones = createFleet({ seed: 5, size: 60 });
  marketplace = createMarketplace({ seed: 5, startAt: now - 3_600_000, phones });
  simulator = await startSimulator({
    accounts: [{ name: 'main', key: KEY, marketplace }],
    clock: systemClock,
  });
  // It polls at its start, and then on no day that a year has.
  const targets = [await startExporter('* * * * * *'), await startExporter('0 0 0 29 2 *')];
  writeFileSync(join(folder, 'rules.yml'), shippedText(RULES_FILE));
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'hoster', static_configs: [{ targets }] }],
  };
  prometheus = await startPrometheus(folder, JSON.stringify(configuration));
  await prometheus.waitForSamples('count(hoster_up) == 2');
  await prometheus.waitForSamples('count(alert:hoster_incident_since:max) > 0');
  change();
  const disagree = 'count(count by (device_id) (count by (device_id, label) (hoster_device_info)) > 1) >= 20';
  await prometheus.waitForSamples(`${disagree} and count(hoster_device_left_timestamp_seconds) >= 3`);
  const [time] = await prometheus.query('max(timestamp(hoster_exporter_build_info))');
  viewer = await viewerAt(prometheus, Number(time?.value[1]));
}, 110_000);

afterAll(async () => {
  await prometheus?.stop();
  await Promise.all(exporters.map((exporter) => exporter.stop()));
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ALL: readonly Shipped[] = [
  ...OF_PANELS,
  ...OF_VARIABLES,
  ...OF_ANNOTATIONS,
  ...OF_RULES,
  ...OF_DOCUMENTS,
];

describe('with two exporters of an account that call its phones differently', () => {
  it.each(ALL.map((shipped) => [shipped.place, shipped] as const))(
    'no query fails: %s',
    async (_, shipped) => {
      expect(await seriesOf(prometheus, shipped, viewer)).toBeGreaterThanOrEqual(0);
    },
  );
});
