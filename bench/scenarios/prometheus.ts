import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Prometheus, startPrometheus } from '../../test/e2e/prometheus.ts';
import { type Child, startChild } from '../child.ts';
import { memoryOf, sleep } from '../measure.ts';
import type { Figure, Scenario } from '../report.ts';

/** Prometheus takes about 100 kB of memory for each phone. */
const MOST_PHONES = 100_000;

const SCRAPES = 4;
const PATIENCE_MINUTES = 6;

/** All scrapes of the only target, whatever its state was. */
const UP = `up[${PATIENCE_MINUTES}m]`;
const DURATION = `scrape_duration_seconds[${PATIENCE_MINUTES}m]`;

export const prometheus: Scenario = {
  name: 'prometheus',
  title: `${SCRAPES} scrapes by a real Prometheus with its default time-outs, after a poll each`,
  async *run({ phones }) {
    if (spawnSync('prometheus', ['--version']).status !== 0) {
      console.log('prometheus is not installed here: none scrapes.');
      return;
    }
    for (const size of phones.filter((each) => each <= MOST_PHONES)) yield* atSize(size);
  },
};

async function* atSize(phones: number): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-bench-'));
  const exporter = await startChild('exporter', { parameters: ['', '1', String(phones)] });
  await exporter.ask('poll');
  const [port = 0] = await exporter.ask('port');
  const reader = await startPrometheus(folder, configuration(port));
  await untilScraped(reader, exporter);
  const value = async (expression: string): Promise<number> =>
    Number((await reader.query(expression))[0]?.value[1]);
  const figure = (name: string, unit: string, number: number): Figure => ({
    ...{ name, phones, unit },
    value: number,
  });
  yield { ...figure('scrapes that succeed', '%', 100 * (await value(`avg_over_time(${UP})`))), bar: ALL };
  yield figure('longest scrape', 's', await value(`max_over_time(${DURATION})`));
  yield figure('shortest scrape', 's', await value(`min_over_time(${DURATION})`));
  yield figure('series', '', await value('scrape_samples_scraped'));
  yield figure('resident, exporter', 'MB', memoryOf(exporter.pid).now / 1e6);
  yield figure('resident, Prometheus', 'MB', memoryOf(reader.child.pid ?? 0).now / 1e6);
  await Promise.all([reader.stop(), exporter.stop()]);
  rmSync(folder, { recursive: true });
}

const ALL = { atLeast: 100 };

/** Polls after each scrape, so that the next one finds each heartbeat changed. */
async function untilScraped(reader: Prometheus, exporter: Child): Promise<void> {
  const deadline = performance.now() + PATIENCE_MINUTES * 60_000;
  for (let scraped = 0; scraped < SCRAPES && performance.now() < deadline; ) {
    await sleep(1_000);
    const [counted] = await reader.query(`count_over_time(${UP})`);
    if (Number(counted?.value[1] ?? 0) === scraped) continue;
    scraped += 1;
    await exporter.ask('poll');
  }
}

/** The scrapes have the time-out that Prometheus gives them by default, 10 s. */
function configuration(port: number): string {
  return `global:
  scrape_interval: 30s
scrape_configs:
  - job_name: hoster
    static_configs:
      - targets: ['127.0.0.1:${port}']
`;
}
