import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../config/sources.ts';
import {
  type Costs,
  formatBytes,
  formatCount,
  formatShort,
  MEMORY,
  type PlanInput,
  planFor,
} from './costs.ts';

/** Template of the page; names in double braces are replaced by computed figures. */
export const TEMPLATE = readFileSync(join(import.meta.dirname, 'scaling.md'), 'utf8');

const SELF_RENTED_SHARE = 0.15;
const LATENCY_MILLISECONDS = 100;

/** A size of fleet in one account, and the recommended way to monitor it. */
export type Size = {
  readonly phones: number;
  readonly concurrency: number;
  /** Seconds between two polls. */
  readonly devices: number;
  readonly tunnels: number;
};

const DEFAULTS = { concurrency: 8, devices: 30, tunnels: 30 };

export const SIZES: readonly Size[] = [
  { ...DEFAULTS, phones: 5 },
  { ...DEFAULTS, phones: 100 },
  { ...DEFAULTS, phones: 1_000 },
  { ...DEFAULTS, phones: 10_000 },
  { ...DEFAULTS, phones: 50_000, concurrency: 32, tunnels: 60 },
  { ...DEFAULTS, phones: 100_000, concurrency: 64, tunnels: 60 },
];

/** Returns the input of a plan for one process. */
export function inputOf({ phones, concurrency, devices, tunnels }: Size): PlanInput {
  return {
    phones,
    selfRented: Math.round(phones * SELF_RENTED_SHARE),
    accounts: 1,
    replicas: 1,
    latencyMilliseconds: LATENCY_MILLISECONDS,
    scrapeSeconds: 15,
    intervalSeconds: { devices, tunnels, balance: 60 },
    config: load({ flags: { 'client.concurrency': String(concurrency) } }).config,
  };
}

/** Renders docs/SCALING.md. */
export function scalingDocument(costs: Costs): string {
  const { account, phone, selfRent } = costs;
  const values: Readonly<Record<string, string>> = {
    sizes: sizesTable(costs),
    disks: disksTable(costs),
    'series of a phone': String(phone.series),
    'series of a self-rent': String(selfRent.series),
    'series of an account': String(account.series),
    'series of a process': String(costs.process),
    'own series of an account': String(costs.ownAccount),
    'bytes of a phone': formatCount(phone.textBytes),
    'memory of a process': formatBytes(MEMORY.process),
    'memory of a phone': formatBytes(MEMORY.phone),
  };
  return TEMPLATE.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`scaling.md names ${name}, which is not computed.`);
    return value;
  });
}

/** Bytes of a phone in the month files of a month and in the state file; docs/SCALING.md describes the measurement. */
const MONTH_BYTES = 3_750;
const STATE_BYTES = 1_300;

const MONTHS_KEPT = 14;
const MINUTES_OF_DAY = 1_440;

function disksTable(costs: Costs): string {
  const head = [
    'phones',
    'Prometheus, 400 days',
    'month files, 14 months',
    'state file',
    '10 GB are full after',
    'written a day, exporter',
  ];
  const rows = [250, 1_000, 10_000].map((phones) => {
    const { bytesEachDay } = planFor(inputOf({ ...DEFAULTS, phones }), costs).prometheus;
    const [months, state] = [phones * MONTH_BYTES * MONTHS_KEPT, phones * STATE_BYTES];
    return [
      formatCount(phones),
      formatBytes(bytesEachDay.most * 400),
      formatBytes(months),
      formatBytes(state),
      `${formatShort((10e9 - months) / bytesEachDay.most)} days`,
      formatBytes(state * MINUTES_OF_DAY),
    ];
  });
  return table(head, rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function sizesTable(costs: Costs): string {
  const head = [
    'phones',
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
    const { durations, process, requests, prometheus } = planFor(inputOf(size), costs);
    const eachMinute = Object.values(requests).reduce((sum, each) => sum + each.eachMinute, 0);
    return [
      formatCount(size.phones),
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
  return table(head, rows);
}
