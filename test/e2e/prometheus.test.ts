import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog } from '../../src/metrics/catalog.ts';
import { freePort, get, MAIN, type Running, start } from '../process.ts';

const PHONES = 250;
const CATALOG = catalog({ tunnelEndpoints: false, rentalIds: false });
/** Only the first poll, so that nothing changes between two looks of a test. */
const STILL = ['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=0 0 0 1 1 *`);

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-e2e-'));
const running: Running[] = [];
let exporterUrl = '';
let prometheusUrl = '';

const Result = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
    ),
  }),
});

/** The samples that a query gives now. */
async function query(expression: string): Promise<z.infer<typeof Result>['data']['result']> {
  const { body } = await get(`${prometheusUrl}/api/v1/query?query=${encodeURIComponent(expression)}`);
  return Result.parse(JSON.parse(body)).data.result;
}

/** Asks again until there is an answer; Prometheus scrapes a new target after some five seconds. */
async function eventually(expression: string): Promise<string | undefined> {
  for (let tries = 0; tries < 120; tries += 1) {
    const [first] = await query(expression);
    if (first !== undefined) return first.value[1];
    await wait(250);
  }
  return undefined;
}

beforeAll(async () => {
  const demo = start(process.execPath, [
    MAIN,
    'demo',
    `--phones=${PHONES}`,
    '--web.listen-address=127.0.0.1:0',
    ...STILL,
  ]);
  running.push(demo);
  exporterUrl = (await demo.hears(/Metrics\s+(http:\/\/\S+)\/metrics/))[1] ?? '';
  const configuration = join(folder, 'prometheus.yml');
  writeFileSync(
    configuration,
    JSON.stringify({
      global: { scrape_interval: '1s' },
      scrape_configs: [{ job_name: 'hoster', static_configs: [{ targets: [new URL(exporterUrl).host] }] }],
    }),
  );
  const port = await freePort();
  const prometheus = start('prometheus', [
    `--config.file=${configuration}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  running.push(prometheus);
  await prometheus.hears(/Server is ready to receive web requests/);
  prometheusUrl = `http://127.0.0.1:${port}`;
  expect(await eventually('up{job="hoster"} == 1')).toBe('1');
}, 60_000);

afterAll(async () => {
  for (const each of running.reverse()) await each.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a real Prometheus', () => {
  it('has scraped every phone', async () => {
    expect(await eventually('count(hoster_device_info)')).toBe(String(PHONES));
  });

  it.each(CATALOG.map(({ name, labels }) => [name, labels] as const))('knows %s', async (name, labels) => {
    // A currency is configured by its hoster, and the demo has none.
    if (name === 'hoster_account_info') return expect(await query(name)).toEqual([]);
    const samples = await query(name);
    expect(samples.length).toBe(await seriesOf(name));
    const known = new Set(samples.flatMap(({ metric }) => Object.keys(metric)));
    expect([...known].sort()).toEqual(['__name__', 'instance', 'job', ...labels].sort());
  });

  it('reads as many samples as the page has lines', async () => {
    const { body } = await get(`${exporterUrl}/metrics`);
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    const scraped = Number(await eventually('scrape_samples_scraped{job="hoster"}'));
    // Our own counters grow a series now and then: a new status code, a new bucket.
    expect(Math.abs(scraped - lines)).toBeLessThanOrEqual(2);
  });
});

/** The number of series of a family on the page itself. */
async function seriesOf(name: string): Promise<number> {
  const { body } = await get(`${exporterUrl}/metrics`);
  return body.split('\n').filter((line) => line.startsWith(`${name}{`)).length;
}

describe('promtool', () => {
  it('has nothing to say of the page', async () => {
    const { body } = await get(`${exporterUrl}/metrics`);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: body,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
