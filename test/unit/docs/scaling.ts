import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Costs,
  formatBytes,
  formatCount,
  formatShort,
  type PlanInput,
  planFor,
} from '../../../src/plan.ts';
import { load } from '../config/sources.ts';

/** Template of the page; names in double braces are replaced by computed figures. */
export const TEMPLATE = readFileSync(join(import.meta.dirname, 'scaling.md'), 'utf8');

const SELF_RENTED_SHARE = 0.15;
const LATENCY_MILLISECONDS = 100;

/** A size of fleet, and the recommended way to monitor it. */
export type Size = {
  readonly phones: number;
  readonly accounts: number;
  readonly concurrency: number;
  /** Seconds between two polls. */
  readonly devices: number;
  readonly tunnels: number;
};

const DEFAULTS = { accounts: 1, concurrency: 8, devices: 30, tunnels: 30 };

export const SIZES: readonly Size[] = [
  { ...DEFAULTS, phones: 5 },
  { ...DEFAULTS, phones: 100 },
  { ...DEFAULTS, phones: 1_000 },
  { ...DEFAULTS, phones: 10_000 },
  { ...DEFAULTS, phones: 50_000, concurrency: 32, tunnels: 60 },
  { ...DEFAULTS, phones: 100_000, concurrency: 64, tunnels: 60 },
  { ...DEFAULTS, phones: 1_000_000, accounts: 20, concurrency: 32, tunnels: 60 },
];

/** Returns the input of a plan for one process, which polls a single account. */
export function inputOf({ phones, accounts, concurrency, devices, tunnels }: Size): PlanInput {
  return {
    phones: phones / accounts,
    selfRented: Math.round((phones / accounts) * SELF_RENTED_SHARE),
    accounts: 1,
    replicas: 1,
    latencyMilliseconds: LATENCY_MILLISECONDS,
    scrapeSeconds: 30,
    intervalSeconds: { devices, tunnels, balance: 60 },
    config: load({ flags: { 'client.concurrency': String(concurrency) } }).config,
  };
}

/** Renders docs/SCALING.md. */
export function scalingDocument(costs: Costs): string {
  const { account, phone, selfRent } = costs;
  const values: Readonly<Record<string, string>> = {
    sizes: sizesTable(costs),
    'series of a phone': String(phone.series),
    'series of a self-rent': String(selfRent.series),
    'series of an account': String(account.series),
    'series of a process': String(costs.process),
    'own series of an account': String(costs.ownAccount),
    'bytes of a phone': formatCount(phone.textBytes),
  };
  return TEMPLATE.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`scaling.md names ${name}, which is not computed.`);
    return value;
  });
}

function sizesTable(costs: Costs): string {
  const head = [
    'phones',
    'accounts, a process each',
    'requests at once',
    'polls of devices, tunnels',
    'requests a second',
    'a listing at best',
    'tunnels at best',
    'series',
    'memory of a process',
    'memory of Prometheus',
    'disk of Prometheus a day',
  ];
  const rows = SIZES.map((size) => {
    const { phones, accounts } = size;
    const input = inputOf(size);
    const { durations, process } = planFor(input, costs);
    const selfRented = input.selfRented * accounts;
    const { requests, prometheus } = planFor({ ...input, phones, selfRented, accounts }, costs);
    const eachMinute = Object.values(requests).reduce((sum, each) => sum + each.eachMinute, 0);
    return [
      formatCount(phones),
      formatCount(accounts),
      formatCount(size.concurrency),
      `${size.devices} s, ${size.tunnels} s`,
      formatShort(eachMinute / 60),
      `${formatShort(durations.devices.ideal)} s`,
      `${formatShort(durations.tunnels.ideal)} s`,
      formatCount(prometheus.series),
      formatBytes(process.memoryBytes),
      formatBytes(prometheus.memoryBytes),
      formatBytes(prometheus.bytesEachDay.most),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
