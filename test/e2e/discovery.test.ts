import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { get, MAIN, type Running, start } from '../process.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const PHONES = 100;

/** Only the first poll, so that nothing changes between two looks of a test. */
const STILL = ['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=0 0 0 1 1 *`);

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/PROBING.md'), 'utf8');

/** The job that the document shows, at other addresses and in a hurry. */
function documentedJob(exporter: string, prober: string): string {
  const job = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(DOCUMENT)?.[1] ?? '';
  return job
    .replace('127.0.0.1:9823', exporter)
    .replace('127.0.0.1:9115', prober)
    .replaceAll('interval: 1m', 'interval: 1s');
}

const TargetGroups = z.array(
  z.object({ targets: z.tuple([z.string()]), labels: z.record(z.string(), z.string()) }),
);

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-e2e-'));
const probed = new Set<string | null>();
let exporter: Running;
let exporterUrl = '';
let prober: Server;
let prometheus: Prometheus;

/** Answers as blackbox_exporter does, and remembers whom it was to probe. */
async function startProber(): Promise<string> {
  prober = createServer(({ url = '' }, response) => {
    probed.add(new URL(url, 'http://prober').searchParams.get('target'));
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end('probe_success 1\n');
  });
  await new Promise<void>((resolve) => prober.listen(0, '127.0.0.1', resolve));
  const address = prober.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

beforeAll(async () => {
  exporter = start(process.execPath, [
    MAIN,
    'demo',
    `--phones=${PHONES}`,
    '--web.listen-address=127.0.0.1:0',
    '--features.tunnel-discovery',
    ...STILL,
  ]);
  exporterUrl = (await exporter.waitForOutput(/Metrics\s+(http:\/\/\S+)\/metrics/))[1] ?? '';
  prometheus = await startPrometheus(folder, documentedJob(new URL(exporterUrl).host, await startProber()));
}, 60_000);

afterAll(async () => {
  await prometheus?.stop();
  await exporter?.stop();
  prober?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The ids of phones whose tunnel is enabled, as the metrics say. */
async function enabled(): Promise<readonly string[]> {
  const { body } = await get(`${exporterUrl}/metrics`);
  return Array.from(
    body.matchAll(/^hoster_tunnel_status\{.*device_id="([^"]+)",status="enabled"\} 1$/gm),
    ([, id = '']) => id,
  );
}

describe('a real Prometheus with the job of the document', () => {
  it('probes each tunnel that is enabled, at its address', async () => {
    const ids = (await enabled()).toSorted();
    expect(ids.length).toBeGreaterThan(5);
    await prometheus.waitForSamples(`count(probe_success == 1) == ${ids.length}`);
    const samples = await prometheus.query('probe_success');
    expect(samples.map(({ metric }) => metric['device_id']).toSorted()).toEqual(ids);
    const { body } = await get(`${exporterUrl}/sd/tunnels`);
    const targets = TargetGroups.parse(JSON.parse(body)).map((group) => group.targets[0]);
    expect([...probed].toSorted()).toEqual(targets.toSorted());
  });

  it('has the account and the phone of each tunnel', async () => {
    const [sample] = await prometheus.waitForSamples('probe_success');
    expect(sample?.metric).toEqual({
      __name__: 'probe_success',
      job: 'hoster-tunnels',
      account: 'default',
      device_id: expect.stringMatching(/^\w+$/),
      port: 'socks5',
      instance: expect.stringMatching(/^[^\s:]+:\d+$/),
    });
  });

  it('keeps its targets when the exporter is gone', async () => {
    const before = (await prometheus.query('probe_success')).length;
    await exporter.stop();
    await failedDiscovery();
    probed.clear();
    const [now] = await prometheus.query('time()');
    await prometheus.waitForSamples(`count(timestamp(probe_success) > ${now?.value[1]}) == ${before}`);
    expect(probed.size).toBe(before);
  });
});

/** Waits until Prometheus could not read the list. */
async function failedDiscovery(): Promise<void> {
  for (;;) {
    const { body } = await get(`${prometheus.url}/metrics`);
    if (/^prometheus_sd_http_failures_total [1-9]/m.test(body)) return;
  }
}
