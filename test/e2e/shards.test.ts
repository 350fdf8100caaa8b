import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { get, MAIN, type Running, start } from '../process.ts';
import { RULES_FILE, readRules, shippedText, THRESHOLDS_FILE } from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';
import { startFrozenMarketplace } from './frozen-marketplace.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const KEY = 'shards';
const PHONES = 150;
const TOTAL = 4;

const folder = mkdtempSync(join(tmpdir(), 'hoster-shards-'));
const rules = shortenDurations(shippedText(RULES_FILE), readShortened());
const recorded = readRules(rules).recordings.map(({ record }) => record);

/** Families about a process or shard, which differ with the number of shards. */
const OF_PROCESSES = /^hoster:(source|shard|shards)_/;

/** A way to run the exporter, with a Prometheus of its own that knows nothing of the others. */
type Setting = {
  readonly exporters: readonly Running[];
  readonly urls: readonly string[];
  readonly prometheus: Prometheus;
};

let world: Simulator;
let settings: Readonly<Record<'one' | 'shards' | 'replicas', Setting>>;

async function startSetting(name: string, flags: readonly (readonly string[])[]): Promise<Setting> {
  const exporters = flags.map((own) =>
    start(
      process.execPath,
      [
        MAIN,
        'run',
        '--web.listen-address=127.0.0.1:0',
        ...['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=*/2 * * * * *`),
        ...own,
      ],
      { HOSTER_API_URL: world.url, HOSTER_API_KEY: KEY },
    ),
  );
  const urls: string[] = [];
  for (const exporter of exporters) urls.push((await exporter.waitForOutput(/url=(http:\S+)/))[1] ?? '');
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'rules.yml'), rules);
  writeFileSync(join(own, 'thresholds.yml'), shippedText(THRESHOLDS_FILE));
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml', 'thresholds.yml'],
    scrape_configs: [
      { job_name: 'hoster', static_configs: [{ targets: urls.map((url) => new URL(url).host) }] },
    ],
  };
  return { exporters, urls, prometheus: await startPrometheus(own, JSON.stringify(configuration)) };
}

/** The samples of a page but for what is said of the process itself, in order. */
async function factsOn(urls: readonly string[]): Promise<readonly string[]> {
  const pages = await Promise.all(urls.map((url) => get(`${url}/metrics`)));
  return pages
    .flatMap(({ body }) => body.split('\n'))
    .filter((line) => line.startsWith('hoster_') && !line.startsWith('hoster_exporter_'))
    .sort();
}

/** Returns the series of these names, without the labels of the process. */
async function known({ prometheus }: Setting, expression: string): Promise<readonly string[]> {
  const samples = await prometheus.query(expression);
  const texts = samples.map(({ metric, value }) => {
    const { instance: _, ...labels } = metric;
    return `${JSON.stringify(Object.entries(labels).sort())} ${value[1]}`;
  });
  return texts.sort();
}

const FIRING = 'ALERTS{alertstate="firing"}';

/** Asks two Prometheus servers until they agree, since they begin one after the other. What the second one said last. */
async function agreed(expression: string, one: Setting, other: Setting) {
  for (let tries = 0; ; tries += 1) {
    const [expected, found] = [await known(one, expression), await known(other, expression)];
    if (tries === 120 || JSON.stringify(expected) === JSON.stringify(found)) return { expected, found };
    await wait(250);
  }
}

beforeAll(async () => {
  world = await startFrozenMarketplace(PHONES, KEY);
  settings = {
    one: await startSetting('one', [[]]),
    shards: await startSetting(
      'shards',
      Array.from({ length: TOTAL }, (_, index) => [`--shard=${index}`, `--total-shards=${TOTAL}`]),
    ),
    replicas: await startSetting('replicas', [[], []]),
  };
  // Alerts on phones that are silent, and the slowest, on those that have been for long. Where that one still counts its
  // time, a shard that dies must be missed within the single second that the shortened windows leave for it.
  for (const { prometheus } of Object.values(settings)) {
    await prometheus.waitForSamples(`${FIRING.slice(0, -1)},alertname="HosterDeviceOffline"}`);
    await prometheus.waitForSamples(`${FIRING.slice(0, -1)},alertname="HosterDeviceDead"}`);
    await prometheus.waitForSamples('absent(ALERTS{alertname="HosterDeviceDead",alertstate="pending"})');
  }
}, 120_000);

afterAll(async () => {
  for (const { exporters, prometheus } of Object.values(settings ?? {})) {
    await prometheus.stop();
    await Promise.all(exporters.map((exporter) => exporter.stop()));
  }
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('four shards', () => {
  it('expose together what one process exposes, each phone once', async () => {
    const whole = await factsOn(settings.one.urls);
    expect(whole.filter((line) => line.startsWith('hoster_device_info{'))).toHaveLength(PHONES);
    expect(await factsOn(settings.shards.urls)).toEqual(whole);
  });

  it('expose a share of the phones each', async () => {
    const counts = await Promise.all(
      settings.shards.urls.map(
        async (url) => (await factsOn([url])).filter((line) => line.startsWith('hoster_device_info{')).length,
      ),
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(PHONES);
    for (const count of counts) expect(count).toBeGreaterThan(PHONES / TOTAL / 2);
  });

  it.each(recorded.filter((record) => !OF_PROCESSES.test(record)))('record the same %s', async (record) => {
    const { expected, found } = await agreed(record, settings.one, settings.shards);
    expect(found).toEqual(expected);
  });

  it('are all scraped', async () => {
    expect(await known(settings.shards, 'max(hoster:shards_unseen:count)')).toEqual(['[] 0']);
    expect(await known(settings.shards, 'count(hoster:shard_seen:count == 4)')).toEqual(['[] 4']);
  });

  it('fire the same alerts as one process', async () => {
    const { expected, found } = await agreed(FIRING, settings.one, settings.shards);
    expect(expected.length).toBeGreaterThan(PHONES / 15);
    expect(found).toEqual(expected);
  });
});

describe('two replicas', () => {
  it.each(recorded.filter((record) => !OF_PROCESSES.test(record)))('record the same %s', async (record) => {
    const { expected, found } = await agreed(record, settings.one, settings.replicas);
    expect(found).toEqual(expected);
  });

  it('fire each alert once', async () => {
    const { expected, found } = await agreed(FIRING, settings.one, settings.replicas);
    expect(found).toEqual(expected);
  });
});

describe('one of four shards that dies', () => {
  beforeAll(async () => {
    await settings.shards.exporters[2]?.stop();
    await settings.shards.prometheus.waitForSamples(
      'ALERTS{alertname="HosterExporterShardUnseen",alertstate="firing"}',
    );
  });

  it('is alerted on, and the alerts on its phones keep firing', async () => {
    const onPhones = 'ALERTS{alertstate="firing",scope=~"device|tunnel"}';
    const { expected, found } = await agreed(onPhones, settings.one, settings.shards);
    expect(found).toEqual(expected);
    const others = await known(
      settings.shards,
      `sum by (alertname) (${FIRING.slice(0, -1)},scope="exporter",severity!="none"})`,
    );
    expect(others).toEqual([
      '[["alertname","HosterExporterDown"]] 1',
      '[["alertname","HosterExporterShardUnseen"]] 1',
    ]);
  });

  it('does not make the fleet look smaller than it is', async () => {
    expect(await known(settings.shards, 'ALERTS{alertname="HosterFleetShrunk"}')).toEqual([]);
  });
});
