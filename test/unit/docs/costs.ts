import { gunzipSync } from 'node:zlib';
import { PAGE_SIZE } from '../../../src/api/schemas.ts';
import { systemClock, yieldToEventLoop } from '../../../src/base/clock.ts';
import type { Config } from '../../../src/config/schema.ts';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { createExposition } from '../../../src/metrics/exposition.ts';
import type { Switches } from '../../../src/metrics/families.ts';
import { NO_CAUSES } from '../../../src/model/cause.ts';
import type { Device } from '../../../src/model/device.ts';
import type { Collector } from '../../../src/model/enums.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import type { Tunnels } from '../../../src/model/tunnel.ts';
import { DEADLINE_SHARE } from '../../../src/poll/poll.ts';
import { accountOf, fleetDevice, fleetOf, freshReading, moneyOf } from '../../builders.ts';
import { familiesOf } from '../../features.ts';

/** Input of a plan: a fleet, and the way to monitor it. */
export type PlanInput = {
  /** In all accounts, which share them evenly. */
  readonly phones: number;
  readonly selfRented: number;
  readonly accounts: number;
  /** Processes side by side. */
  readonly replicas: number;
  /** Latency of a response of the API. */
  readonly latencyMilliseconds: number;
  readonly scrapeSeconds: number;
  /** Longest time between two polls. */
  readonly intervalSeconds: Readonly<Record<Collector, number>>;
  readonly config: Pick<Config, 'client' | 'features'>;
};

export type Plan = {
  /** Pages of the list of one account. */
  readonly pages: number;
  /** Requests to the API, of all processes together. */
  readonly requests: Readonly<Record<Collector, { readonly eachPoll: number; readonly eachMinute: number }>>;
  /** Seconds of a poll of one process: at best, and at most before it is aborted. */
  readonly durations: Readonly<Record<Collector, { readonly ideal: number; readonly allowed: number }>>;
  /** Share of time that the connections to the API are in use, in the busiest process and account. */
  readonly busy: number;
  /** One process. */
  readonly process: {
    readonly series: number;
    readonly textBytes: number;
    readonly gzipBytes: number;
    readonly memoryBytes: number;
  };
  /** The Prometheus that scrapes all processes. */
  readonly prometheus: {
    readonly series: number;
    readonly samplesEachSecond: number;
    readonly bytesEachDay: { readonly least: number; readonly most: number };
    readonly memoryBytes: number;
  };
};

/*
 * Measured figures that no formula gives; docs/SCALING.md describes the measurements.
 */

/** Resident bytes of a process at most, in all and for each phone: above each row of "Memory" in docs/PERFORMANCE.md, with the limit. */
export const MEMORY = { process: 200e6, phone: 5_200 };

/** Compressed bytes of a page per byte of its text, with random ids as the worst case. */
export const GZIP_SHARE = 0.1;

/** Series of Node, of the process and of the served paths; they vary with Node's version. */
const RUNTIME_SERIES = 80;

/** Bytes of a sample on the disk of Prometheus: as measured, and by its own rule of thumb. */
const SAMPLE_BYTES = { least: 1.2, most: 2 };

/** Bytes of memory of Prometheus, in all and for each series. */
const PROMETHEUS_MEMORY = { process: 50e6, series: 3_700 };

const each = <Value>(of: (collector: Collector) => Value): Readonly<Record<Collector, Value>> => ({
  devices: of('devices'),
  tunnels: of('tunnels'),
  balance: of('balance'),
});

/** Computes a plan from the costs of a phone and an account. */
export function planFor(input: PlanInput, costs: Costs): Plan {
  const { phones, selfRented, accounts, replicas, intervalSeconds } = input;
  const pages = Math.max(1, Math.ceil(phones / accounts / PAGE_SIZE));
  /** Requests of one process in one account. */
  const own = { devices: pages, tunnels: Math.ceil(selfRented / accounts), balance: 1 };
  const all = {
    devices: pages * accounts * replicas,
    tunnels: selfRented * replicas,
    balance: accounts * replicas,
  };
  const requests = (collector: Collector) => ({
    eachPoll: all[collector],
    eachMinute: (all[collector] * 60) / intervalSeconds[collector],
  });
  const duration = (collector: Collector) => ({
    ideal: idealSeconds(own[collector], input),
    allowed: DEADLINE_SHARE * intervalSeconds[collector],
  });
  const process = planProcess(input, costs);
  const busy = (collector: Collector) => idealSeconds(own[collector], input) / intervalSeconds[collector];
  return {
    pages,
    requests: each(requests),
    durations: each(duration),
    busy: busy('devices') + busy('tunnels') + busy('balance'),
    process,
    prometheus: planPrometheus(input, process),
  };
}

/** Seconds of so many requests, as many at a time as allowed, in as few rounds as possible. */
function idealSeconds(requests: number, { latencyMilliseconds, config }: PlanInput): number {
  const { concurrency, requests_per_second: requestsPerSecond = Number.POSITIVE_INFINITY } = config.client;
  const rounds = (Math.ceil(requests / concurrency) * latencyMilliseconds) / 1000;
  return Math.max(rounds, requests / requestsPerSecond);
}

function planProcess({ phones, selfRented, accounts }: PlanInput, costs: Costs): Plan['process'] {
  const sum = (unit: 'series' | 'textBytes'): number =>
    accounts * costs.account[unit] + phones * costs.phone[unit] + selfRented * costs.selfRent[unit];
  return {
    series: sum('series') + costs.process + accounts * costs.ownAccount,
    textBytes: sum('textBytes'),
    gzipBytes: sum('textBytes') * GZIP_SHARE,
    memoryBytes: MEMORY.process + phones * MEMORY.phone,
  };
}

function planPrometheus(
  { replicas, scrapeSeconds }: PlanInput,
  process: Plan['process'],
): Plan['prometheus'] {
  const series = replicas * process.series;
  const samplesEachSecond = series / scrapeSeconds;
  const samplesEachDay = samplesEachSecond * 86_400;
  return {
    series,
    samplesEachSecond,
    bytesEachDay: {
      least: samplesEachDay * SAMPLE_BYTES.least,
      most: samplesEachDay * SAMPLE_BYTES.most,
    },
    memoryBytes: PROMETHEUS_MEMORY.process + series * PROMETHEUS_MEMORY.series,
  };
}

/** Formats 12345.6 as "12,346". */
export function formatCount(number: number): string {
  return Math.round(number).toLocaleString('en');
}

/** Formats two digits of a small number, all of a large one: "0.50", "1.3", "1,234". */
export function formatShort(number: number): string {
  return number < 10 ? number.toPrecision(2) : formatCount(number);
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Formats 12345678 as "12 MB". */
export function formatBytes(number: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, number)) / 3));
  return `${formatShort(number / 1000 ** power)} ${BYTE_UNITS[power]}`;
}

/** Series and bytes of text on the page. */
type Cost = { readonly series: number; readonly textBytes: number };

/** Costs of the parts of a page. */
export type Costs = {
  /** An account without phones, from the API. */
  readonly account: Cost;
  readonly phone: Cost;
  /** A self-rent, on top of the phone. */
  readonly selfRent: Cost;
  /** Series of the exporter's own metrics: of the process, and for each account. Some more appear with events. */
  readonly process: number;
  readonly ownAccount: number;
};

/** Computes the costs by rendering a page of one account, of one phone, and of one self-rented phone. */
export async function costsOf(features: Switches): Promise<Costs> {
  const own = await renderPage(features, []);
  const account = await renderPage(features, [await accountWith([], new Map())]);
  const phone = await renderPage(features, [await accountWith([PHONE], new Map())]);
  const rented = await renderPage(features, [
    await accountWith([SELF_RENTED], new Map([[SELF_RENTED.id, TUNNEL]])),
  ]);
  return {
    account: difference(account.ofAccount, own.ofAccount),
    phone: difference(phone.ofAccount, account.ofAccount),
    selfRent: difference(rented.ofAccount, phone.ofAccount),
    process: RUNTIME_SERIES + own.processSeries,
    ownAccount: own.ofAccount.series,
  };
}

const ACCOUNT = 'main';

/** Renders a page, and returns the cost of the samples of the account and the number of the exporter's other series. */
async function renderPage(
  features: Switches,
  accounts: readonly AccountSnapshot[],
): Promise<{ readonly ofAccount: Cost; readonly processSeries: number }> {
  const metrics = createExporterMetrics({ version: '0', revision: '0', nodeVersion: '0' });
  metrics.forAccount(ACCOUNT).connected();
  const exposition = createExposition(familiesOf(features), metrics, systemClock, yieldToEventLoop);
  exposition.show({ accounts, causes: NO_CAUSES, events: [] });
  await exposition.settled();
  const { chunks } = await exposition.scrape();
  const lines = gunzipSync(Buffer.concat(chunks)).toString().split('\n');
  const ofAccount = lines.filter((line) => line.includes(`account="${ACCOUNT}"`));
  return {
    ofAccount: {
      series: ofAccount.length,
      textBytes: ofAccount.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
    },
    processSeries: lines.filter((line) => /^hoster_exporter_(?!.*[{,]account=)/.test(line)).length,
  };
}

function difference(one: Cost, other: Cost): Cost {
  return { series: one.series - other.series, textBytes: one.textBytes - other.textBytes };
}

const NOW = Date.UTC(2026, 0, 1);

/** A phone with all optional fields. */
const PHONE: Device = {
  id: '65f0c0ffee0123456789abcd',
  label: 'rack-01/slot-01',
  brand: 'Samsung',
  model: 'SM-A546B',
  appVersion: '4.2.0',
  setupStatus: 'complete',
  rentalStatus: 'sold',
  marketplaceStatus: 'listed',
  lastHeartbeatAt: NOW - 12_345,
  selfRentStatus: undefined,
  rentalId: undefined,
  rotationStatus: 'active',
  rotationIntervalMilliseconds: 600_000,
};

const SELF_RENTED: Device = {
  ...PHONE,
  rentalStatus: 'self_rented',
  selfRentStatus: 'active',
  rentalId: '65f0c0ffee0123456789abce',
};

const TUNNEL = {
  tunnel: {
    id: '65f0c0ffee0123456789abcf',
    host: 'proxy-1.example.com',
    ports: { socks5: 20_001, https: 20_002, transparentSocks5: 20_003 },
    status: 'enabled',
    uptimeStatus: 'up',
    credentials: { countByStatus: new Map([['active', 1]]), oldestActiveAt: NOW, lastChangeAt: NOW },
  },
  respondedAt: NOW,
  stateSince: NOW,
  loginsChangedAt: undefined,
  isStale: false,
};

function accountWith(devices: readonly Device[], tunnels: Tunnels): AccountSnapshot {
  const listed = fleetOf(...devices.map((device) => fleetDevice(device)));
  return accountOf({
    name: ACCOUNT,
    currency: 'EUR',
    access: 'granted',
    devices: freshReading(listed),
    tunnels: freshReading(tunnels),
    balance: freshReading(moneyOf(10_000, 10_000)),
  });
}
