import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costsOf } from '../../../src/plan/costs.ts';
import { bytes, short, whole } from '../../../src/plan/figures.ts';
import { OWN_SERIES } from '../../../src/plan/measured.ts';
import { planFor, type Question } from '../../../src/plan/plan.ts';
import { load } from '../config/sources.ts';

/** The page as people write it; what stands in double braces is computed. */
export const TEMPLATE = readFileSync(join(import.meta.dirname, 'scaling.md'), 'utf8');

const SELF_RENTED_SHARE = 0.15;
const LATENCY_MILLISECONDS = 100;

/** A fleet of a size, and the way to watch it that this page recommends. */
export type Size = {
  readonly phones: number;
  /** Of one account each, and processes of these. */
  readonly accounts: number;
  readonly shards: number;
  readonly concurrency: number;
  /** Seconds between two polls. */
  readonly devices: number;
  readonly tunnels: number;
};

const DEFAULTS = { accounts: 1, shards: 1, concurrency: 8, devices: 30, tunnels: 30 };

export const SIZES: readonly Size[] = [
  { ...DEFAULTS, phones: 5 },
  { ...DEFAULTS, phones: 100 },
  { ...DEFAULTS, phones: 1_000 },
  { ...DEFAULTS, phones: 10_000 },
  { ...DEFAULTS, phones: 50_000, shards: 2, concurrency: 16, tunnels: 60 },
  { ...DEFAULTS, phones: 100_000, shards: 4, concurrency: 16, tunnels: 60 },
  { ...DEFAULTS, phones: 1_000_000, accounts: 20, shards: 2, concurrency: 16, tunnels: 60 },
  { ...DEFAULTS, phones: 1_000_000, shards: 32, concurrency: 64, devices: 60, tunnels: 60 },
];

/** What one process has to do, which polls a single account. */
export function questionOf({ phones, accounts, shards, concurrency, devices, tunnels }: Size): Question {
  const flags = { 'shard.total': String(shards), 'client.concurrency': String(concurrency) };
  return {
    phones: phones / accounts,
    selfRented: Math.round((phones / accounts) * SELF_RENTED_SHARE),
    accounts: 1,
    replicas: 1,
    latencyMilliseconds: LATENCY_MILLISECONDS,
    scrapeSeconds: 30,
    intervalSeconds: { devices, tunnels, balance: 60 },
    config: load({ flags }).config,
  };
}

/** docs/SCALING.md. */
export function scalingDocument(): string {
  const { features } = load({}).config;
  const { account, phone, selfRent } = costsOf(features);
  const values: Readonly<Record<string, string>> = {
    sizes: sizes(),
    'series of a phone': String(phone.series),
    'series of a self-rent': String(selfRent.series),
    'series of an account': String(account.series),
    'series of a process': String(OWN_SERIES.process),
    'own series of an account': String(OWN_SERIES.account),
    'bytes of a phone': whole(phone.textBytes),
  };
  return TEMPLATE.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`scaling.md asks for ${name}, which nobody computes.`);
    return value;
  });
}

function sizes(): string {
  const head = [
    'phones',
    'accounts',
    'shards each',
    'at once',
    'polls of devices, tunnels',
    'requests a second',
    'a listing at best',
    'tunnels at best',
    'series',
    'memory of a process',
    'memory of Prometheus',
    'its disk a day',
  ];
  const rows = SIZES.map((size) => {
    const { phones, accounts } = size;
    const question = questionOf(size);
    const { durations, process } = planFor(question);
    const selfRented = question.selfRented * accounts;
    const { requests, prometheus } = planFor({ ...question, phones, selfRented, accounts });
    const eachMinute = Object.values(requests).reduce((sum, each) => sum + each.eachMinute, 0);
    return [
      whole(phones),
      whole(accounts),
      whole(size.shards),
      whole(size.concurrency),
      `${size.devices} s, ${size.tunnels} s`,
      short(eachMinute / 60),
      `${short(durations.devices.ideal)} s`,
      `${short(durations.tunnels.ideal)} s`,
      whole(prometheus.series),
      bytes(process.memoryBytes),
      bytes(prometheus.memoryBytes),
      bytes(prometheus.bytesEachDay.most),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
