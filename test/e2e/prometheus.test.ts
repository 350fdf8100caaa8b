import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { familiesOf, USUAL_FEATURES } from '../features.ts';
import { get, MAIN, type Running, start } from '../process.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const PHONES = 250;
const CATALOG = familiesOf(USUAL_FEATURES);
/** Only the first poll, so that nothing changes between two looks of a test. */
const STILL = ['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=0 0 0 1 1 *`);

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-e2e-'));
let demo: Running;
let prometheus: Prometheus;
let exporterUrl = '';

beforeAll(async () => {
  const tags = join(folder, 'phones.csv');
  writeFileSync(tags, 'phone,carrier\nrack-01/slot-01,Kyivstar\n');
  demo = start(process.execPath, [
    MAIN,
    'demo',
    `--phones=${PHONES}`,
    '--web.listen-address=127.0.0.1:0',
    `--tags.file=${tags}`,
    // With a state file of one's own the demo has no past, in which incidents have ended.
    `--state.file=${join(folder, 'state.json')}`,
    ...STILL,
  ]);
  exporterUrl = (await demo.waitForOutput(/Metrics\s+(http:\/\/\S+)\/metrics/))[1] ?? '';
  const targets = [new URL(exporterUrl).host];
  const configuration = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'hoster', static_configs: [{ targets }] }],
  };
  prometheus = await startPrometheus(folder, JSON.stringify(configuration));
  await prometheus.waitForSamples('up{job="hoster"} == 1');
}, 60_000);

afterAll(async () => {
  await prometheus?.stop();
  await demo?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Families that the demo has no series of, and why. */
const UNSEEN: ReadonlyMap<string, string> = new Map([
  ['hoster_balance_low_limit_cents', 'its hoster configures a limit, and the demo has none'],
  ['hoster_grace_period_end_timestamp_seconds', 'the API has no outage'],
  ['hoster_maintenance_end_timestamp_seconds', 'nobody works on phones'],
  ['hoster_incident_acknowledged_timestamp_seconds', 'nobody is on an incident'],
  ['hoster_incident_escalated', 'it is off'],
  ['hoster_incident_note_info', 'nobody has written a note'],
  ['hoster_device_note_info', 'nobody has written a note'],
  ['hoster_maintenance_info', 'nobody works on phones'],
  ['hoster_maintenance_devices', 'nobody works on phones'],
  ['hoster_account_day_seconds', 'no day is over after one poll'],
  ['hoster_incident_devices', 'phones fall offline one by one'],
  ['hoster_incident_notified_devices', 'phones fall offline one by one'],
  ['hoster_incident_ended_seconds', 'nothing ends after one poll'],
  ['hoster_device_left_timestamp_seconds', 'no phone leaves'],
  ['hoster_device_back_timestamp_seconds', 'no phone that was offline is back online'],
  ...[
    'hoster_common_cause_devices',
    'hoster_common_cause_start_timestamp_seconds',
    'hoster_device_common_cause',
  ].map((name) => [name, 'no phones become offline together'] as const),
]);

/** Whether the first poll opens an incident depends on the hour: the demo's phones have their own. */
const AT_SOME_HOURS: ReadonlySet<string> = new Set([
  'hoster_incident_since_timestamp_seconds',
  'hoster_incident_info',
]);
/** Labels that are empty, which Prometheus takes for absent: offline phones are told one by one. */
const EMPTY_LABELS: Readonly<Record<string, readonly string[]>> = {
  hoster_incident_since_timestamp_seconds: ['kind', 'value'],
  hoster_incident_info: ['acknowledged_by'],
  hoster_exporter_data_since_timestamp_seconds: ['why'],
};

describe('a real Prometheus', () => {
  it('has scraped every phone', async () => {
    const [count] = await prometheus.waitForSamples('count(hoster_device_info)');
    expect(count?.value[1]).toBe(String(PHONES));
  });

  it.each(CATALOG.map(({ name, labels }) => [name, labels] as const))(
    'has the family %s with its labels',
    async (name, labels) => {
      if (UNSEEN.has(name)) return expect(await prometheus.query(name)).toEqual([]);
      const samples = await prometheus.query(name);
      expect(samples.length).toBe(await seriesOf(name));
      if (AT_SOME_HOURS.has(name) && samples.length === 0) return;
      const known = new Set(samples.flatMap(({ metric }) => Object.keys(metric)));
      const shown = labels.filter((label) => !(EMPTY_LABELS[name] ?? []).includes(label));
      expect([...known].sort()).toEqual(['__name__', 'instance', 'job', ...shown].sort());
    },
  );

  it('stores as many samples as the page has lines', async () => {
    const difference = async (): Promise<number> => {
      const { body } = await get(`${exporterUrl}/metrics`);
      const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
      const [scraped] = await prometheus.waitForSamples('scrape_samples_scraped{job="hoster"}');
      return Math.abs(Number(scraped?.value[1]) - lines);
    };
    // Our own counters grow series now and then, between the two looks: a new status code, a kind of garbage collection.
    await expect.poll(difference, { timeout: 15_000, interval: 500 }).toBeLessThanOrEqual(2);
  });
});

/** The number of series of a family on the page itself. */
async function seriesOf(name: string): Promise<number> {
  const { body } = await get(`${exporterUrl}/metrics`);
  return body.split('\n').filter((line) => line.startsWith(`${name}{`)).length;
}

describe('promtool', () => {
  it('finds no problem in the page', async () => {
    const { body } = await get(`${exporterUrl}/metrics`);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: body,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
