import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort, type Running, start } from '../process.ts';
import { newer } from '../rules/newer.ts';
import { RULES_FILE, shippedText } from '../rules/shipped.ts';
import { readShortened, shortenDurations } from '../rules/shorten.ts';

/*
 * An incident from its opening to its end, as Prometheus 3 and vmalert evaluate the shipped rules: what they tell while it
 * fires, and what they know of its end when it resolves.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-incidents-'));
const rules = shortenDurations(shippedText(RULES_FILE), readShortened());

/** Text of the page of an exporter, which each test changes. */
let page = '';
let exporter: Server;
let target = '';

const SINCE = 1_750_000_000;
const ALWAYS = `
hoster_up{account="a"} 1
hoster_devices_reported{account="a"} 5
hoster_exporter_data_state{account="a",collector="devices",state="fresh"} 1
hoster_exporter_data_current{account="a",about="devices"} 1
hoster_exporter_time_zone_offset_seconds{time_zone="Europe/Berlin",abbreviation="CET"} 3600
`;
const OPEN = `hoster_incident_since_timestamp_seconds{account="a",incident="i",about="devices",problem="sold_offline",device_id="p1",label="rack \\"1\\" {{ x }}",group="rack",kind="",value=""} ${SINCE}\n`;
const ENDED =
  'hoster_incident_ended_seconds{account="a",incident="i",problem="sold_offline",reason="rental_ended"} 11520\n';

const FLOOD = `hoster_incident_since_timestamp_seconds{account="a",incident="f",about="devices",problem="many_sold_offline",device_id="",label="",group="",kind="",value=""} ${SINCE}\n`;
const FLOOD_ENDED =
  'hoster_incident_ended_seconds{account="a",incident="f",problem="many_sold_offline",reason="back"} 600\n';

const FIRING = {
  labels: {
    account: 'a',
    alertname: 'HosterSoldPhoneOffline',
    device_id: 'p1',
    problem: 'sold_offline',
    scope: 'device',
    severity: 'critical',
  },
  summary: 'rack "1" {{ x }}: sold and offline',
  since: 'since 15 Jun 16:06 CET',
  over: 'resolved, reason unknown',
};

const Alerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()),
      }),
    ),
  }),
});

/** Returns the alert on the phone that a server tells now. */
async function told(url: string): Promise<typeof FIRING | undefined> {
  const answer = await fetch(`${url}/api/v1/alerts`);
  const { alerts } = Alerts.parse(await answer.json()).data;
  const alert = alerts.find(
    ({ labels, state }) => labels['alertname'] === FIRING.labels.alertname && state === 'firing',
  );
  if (alert === undefined) return undefined;
  const { account, alertname, device_id, problem, scope, severity } = z
    .record(z.string(), z.string())
    .parse(alert.labels);
  const { summary = '', since = '', over = '' } = alert.annotations;
  const labels = { account, alertname, device_id, problem, scope, severity };
  return { labels: z.object(STRINGS).parse(labels), summary, since, over };
}

/** Returns the sizes of the floods that a server tells now. */
async function notifiedSizes(url: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/v1/alerts`);
  const { alerts } = Alerts.parse(await answer.json()).data;
  return alerts.flatMap(({ labels, state }) =>
    labels['alertname'] === 'HosterManyPhonesOffline' && state === 'firing' ? [labels['size'] ?? ''] : [],
  );
}

const STRINGS = {
  account: z.string(),
  alertname: z.string(),
  device_id: z.string(),
  problem: z.string(),
  scope: z.string(),
  severity: z.string(),
};

async function startPrometheus(): Promise<readonly [string, readonly Running[]]> {
  const own = mkdtempSync(join(folder, 'prometheus-'));
  writeFileSync(join(own, 'rules.yml'), rules);
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'hoster', static_configs: [{ targets: [target] }] }],
  };
  writeFileSync(join(own, 'prometheus.yml'), JSON.stringify(configuration));
  const port = await freePort();
  const running = start(newer('prometheus'), [
    `--config.file=${join(own, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(own, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  await running.waitForOutput(/Server is ready to receive web requests/);
  return [`http://127.0.0.1:${port}`, [running]];
}

async function startVmalert(): Promise<readonly [string, readonly Running[]]> {
  const own = mkdtempSync(join(folder, 'victoria-'));
  writeFileSync(join(own, 'rules.yml'), rules);
  const scrape = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'hoster', static_configs: [{ targets: [target] }] }],
  };
  writeFileSync(join(own, 'scrape.yml'), JSON.stringify(scrape));
  const [port, alertPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const storage = start(newer('victoria-metrics'), [
    `-storageDataPath=${join(own, 'data')}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    `-promscrape.config=${join(own, 'scrape.yml')}`,
    '-search.latencyOffset=0s',
    '-search.disableCache',
    '-loggerFormat=json',
  ]);
  await storage.waitForOutput(/started VictoriaMetrics/);
  const vmalert = start(newer('vmalert'), [
    `-rule=${join(own, 'rules.yml')}`,
    `-datasource.url=${url}`,
    `-remoteWrite.url=${url}`,
    '-remoteWrite.flushInterval=100ms',
    // Half a minute by default: a storage that is slow to show what it got.
    '-rule.evalDelay=1s',
    '-notifier.blackhole',
    `-httpListenAddr=127.0.0.1:${alertPort}`,
    '-loggerFormat=json',
  ]);
  await vmalert.waitForOutput(/started vmalert|reading rules configuration|vmalert started|started server/i);
  return [`http://127.0.0.1:${alertPort}`, [vmalert, storage]];
}

beforeAll(async () => {
  exporter = createServer((_, response) => response.setHeader('content-type', 'text/plain').end(page));
  exporter.listen(0, '127.0.0.1');
  await once(exporter, 'listening');
  const address = exporter.address();
  if (address === null || typeof address === 'string') throw new Error('The exporter has no port.');
  target = `127.0.0.1:${address.port}`;
});

afterAll(() => {
  exporter?.closeAllConnections();
  exporter?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['Prometheus 3', startPrometheus],
  ['vmalert', startVmalert],
])('%s', (_name, startServer) => {
  it('shows an incident, and its reason and duration while it still fires', async () => {
    page = ALWAYS;
    const [url, running] = await startServer();
    try {
      page = ALWAYS + OPEN;
      await expect.poll(() => told(url), { timeout: 90_000, interval: 500 }).toEqual(FIRING);
      page = ALWAYS + OPEN + ENDED;
      const over = 'rental ended after 3h 12m';
      await expect.poll(() => told(url), { timeout: 90_000, interval: 500 }).toEqual({ ...FIRING, over });
      page = ALWAYS + ENDED;
      await expect.poll(() => told(url), { timeout: 90_000, interval: 500 }).toBeUndefined();
      // It stays ended.
      await wait(3_000);
      expect(await told(url)).toBeUndefined();
    } finally {
      for (const each of running) await each.stop();
    }
  }, 300_000);

  it('says why the incident of a removed account no longer fires', async () => {
    page = ALWAYS;
    const [url, running] = await startServer();
    try {
      page = ALWAYS + OPEN;
      await expect.poll(() => told(url), { timeout: 90_000, interval: 500 }).toEqual(FIRING);
      page = ALWAYS.replaceAll('account="a"', 'account="b"');
      const over = 'account removed';
      await expect.poll(() => told(url), { timeout: 90_000, interval: 200 }).toEqual({ ...FIRING, over });
      await expect.poll(() => told(url), { timeout: 90_000, interval: 500 }).toBeUndefined();
    } finally {
      for (const each of running) await each.stop();
    }
  }, 300_000);

  it('alerts again for a mass outage that has doubled, and one at a time', async () => {
    page = ALWAYS;
    const [url, running] = await startServer();
    try {
      for (const [size, shown] of [
        [5, ['4']],
        [9, ['8']],
        [10, ['8']],
        [21, ['16']],
      ] as const) {
        page = `${ALWAYS}${FLOOD}hoster_incident_notified_devices{account="a",incident="f"} ${size}\n`;
        await expect.poll(() => notifiedSizes(url), { timeout: 90_000, interval: 500 }).toEqual(shown);
      }
      page = ALWAYS + FLOOD_ENDED;
      await expect.poll(() => notifiedSizes(url), { timeout: 90_000, interval: 500 }).toEqual([]);
    } finally {
      for (const each of running) await each.stop();
    }
  }, 300_000);
});
