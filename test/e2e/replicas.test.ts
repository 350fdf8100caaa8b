import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, type Running, start } from '../process.ts';
import { RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';
import type { Simulator } from '../simulator.ts';
import { startFrozenMarketplace } from './frozen-marketplace.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const KEY = 'replicas';
const PHONES = 150;

const folder = mkdtempSync(join(tmpdir(), 'hoster-replicas-'));
const rules = shortenDurations(shippedText(RULES_FILE), readShortened());
const recorded = readRules(rules).recordings.map(({ record }) => record);

/** A way to run the exporter, with a Prometheus of its own that knows nothing of the others. */
type Setting = {
  readonly exporters: readonly Running[];
  readonly prometheus: Prometheus;
};

let world: Simulator;
let settings: Readonly<Record<'one' | 'replicas', Setting>>;

async function startSetting(name: string, processes: number): Promise<Setting> {
  const exporters = Array.from({ length: processes }, () =>
    start(
      process.execPath,
      [
        MAIN,
        'run',
        '--web.listen-address=127.0.0.1:0',
        // Each may take four seconds: on a busy machine the first one would fail, and silence be judged later.
        ...['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=*/5 * * * * *`),
      ],
      { HOSTER_API_URL: world.url, HOSTER_API_KEY: KEY },
    ),
  );
  const urls: string[] = [];
  for (const exporter of exporters) urls.push((await exporter.waitForOutput(/url=(http:\S+)/))[1] ?? '');
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'rules.yml'), rules);
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [
      { job_name: 'hoster', static_configs: [{ targets: urls.map((url) => new URL(url).host) }] },
    ],
  };
  return { exporters, prometheus: await startPrometheus(own, JSON.stringify(configuration)) };
}

/** Returns the series of these names, without the labels of the process. */
async function known({ prometheus }: Setting, expression: string): Promise<readonly string[]> {
  const samples = await prometheus.query(expression);
  const texts = samples.map(({ metric, value }) => {
    const { instance: _, ...labels } = metric;
    // The order in which Prometheus adds the series of two exporters decides the last digits of a quotient.
    const rounded = Number(Number(value[1]).toPrecision(12));
    return `${JSON.stringify(Object.entries(labels).sort())} ${rounded}`;
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
    one: await startSetting('one', 1),
    replicas: await startSetting('replicas', 2),
  };
  for (const { prometheus } of Object.values(settings)) {
    await prometheus.waitForSamples(FIRING);
    await prometheus.waitForSamples('absent(ALERTS{alertstate="pending"})');
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

describe('two replicas', () => {
  it.each(recorded)('record the same %s', async (record) => {
    const { expected, found } = await agreed(record, settings.one, settings.replicas);
    expect(found).toEqual(expected);
  });

  it('fire each alert once', async () => {
    const { expected, found } = await agreed(FIRING, settings.one, settings.replicas);
    expect(expected.length).toBeGreaterThanOrEqual(1);
    expect(found).toEqual(expected);
  });
});
