import { Secret } from '../src/base/secret.ts';
import { loadConfig } from '../src/config/load.ts';
import type { Config } from '../src/config/schema.ts';
import { CONFIG_SCHEMA } from '../src/features.ts';
import { type Build, createExporterMetrics, type ExporterMetrics } from '../src/metrics/exporter-metrics.ts';
import type { Scheduler } from '../src/poll/schedule.ts';

export const TELEMETRY_PATH = '/metrics';

export const BUILD: Build = { version: '0.0.0', revision: 'bench', nodeVersion: process.version };

/** Polls happen when the bench says so, and a poll of a million phones may take minutes. */
export const neverScheduler: Scheduler = () => ({
  intervalSeconds: 600,
  shortestGap: 600_000,
  untilNext: () => 600_000,
  start: () => {},
  stop: () => {},
});

/** The key that every account of the bench has. */
export const KEY = 'bench';

export const benchKey = (): Secret => new Secret(KEY);

/** The configuration of a daemon with this many accounts, all at one address, with the defaults of the product. */
export function benchConfig(accounts: number, apiUrl: string, concurrency = 8): Config {
  const list = Array.from(
    { length: accounts },
    (_, index) => `  - { name: account-${index}, api_url: "${apiUrl}", api_key_env: BENCH_KEY }`,
  );
  const text = `accounts:\n${list.join('\n')}\nclient: { concurrency: ${concurrency} }\n`;
  return loadConfig({
    schema: CONFIG_SCHEMA,
    flags: new Map([['config.file', 'bench.yml']]),
    environment: { BENCH_KEY: 'bench' },
    readFile: () => text,
    accounts: 'required',
  }).config;
}

export function benchMetrics(): ExporterMetrics {
  return createExporterMetrics(BUILD);
}
