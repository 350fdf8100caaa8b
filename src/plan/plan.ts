import { PAGE_SIZE } from '../api/listing-pages.ts';
import { MAX_ITEMS } from '../api/listing-plan.ts';
import type { Config } from '../config/schema.ts';
import type { Collector } from '../model/endpoint.ts';
import { DEADLINE_SHARE } from '../poller/poller.ts';
import { costsOf } from './costs.ts';
import { GZIP_SHARE, MEMORY, OWN_SERIES, PROMETHEUS, SAMPLE_BYTES } from './measured.ts';

/** A fleet, and how it is to be watched. */
export type Question = {
  /** In all accounts, which share them evenly. */
  readonly phones: number;
  readonly selfRented: number;
  readonly accounts: number;
  /** Processes for each shard, side by side. */
  readonly replicas: number;
  /** How long the API takes for an answer. */
  readonly latencyMilliseconds: number;
  readonly scrapeSeconds: number;
  /** The longest time between two polls. */
  readonly intervalSeconds: Readonly<Record<Collector, number>>;
  readonly config: Pick<Config, 'client' | 'features' | 'shard'>;
};

/** Requests to the API, of all processes together. */
export type Requests = { readonly eachPoll: number; readonly eachMinute: number };

/** How long a poll of one process takes if nothing is slower than said, and how long it may take. In seconds. */
export type Duration = { readonly ideal: number; readonly allowed: number };

export type Plan = {
  /** Pages of the list of one account. */
  readonly pages: number;
  readonly requests: Readonly<Record<Collector, Requests>>;
  readonly durations: Readonly<Record<Collector, Duration>>;
  /** Share of the time that the connections to the API are in use; the busiest process and account. */
  readonly busy: number;
  /** One process, the first of its shards, which has a little more than the others. */
  readonly process: {
    readonly phones: number;
    readonly series: number;
    readonly textBytes: number;
    readonly gzipBytes: number;
    readonly memoryBytes: number;
  };
  /** What scrapes all processes. */
  readonly prometheus: {
    readonly series: number;
    readonly samplesEachSecond: number;
    readonly bytesEachDay: { readonly least: number; readonly most: number };
    readonly memoryBytes: number;
  };
};

/** Most phones of one account whose list is read at all. */
export const MOST_PHONES = MAX_ITEMS;

/** What a fleet takes. Shards of a large fleet are as large as each other, within a few parts in a hundred. */
export function planFor(question: Question): Plan {
  const { phones, selfRented, accounts, replicas, intervalSeconds, config } = question;
  const { total } = config.shard;
  const pages = Math.max(1, Math.ceil(phones / accounts / PAGE_SIZE));
  /** Of one process, in one account. */
  const own = { devices: pages, tunnels: Math.ceil(selfRented / accounts / total), balance: 1 };
  const processes = total * replicas;
  const all = {
    devices: pages * accounts * processes,
    tunnels: selfRented * replicas,
    balance: accounts * replicas,
  };
  const rate = (collector: Collector): Requests => ({
    eachPoll: all[collector],
    eachMinute: (all[collector] * 60) / intervalSeconds[collector],
  });
  const time = (collector: Collector): Duration => ({
    ideal: idealSeconds(own[collector], question),
    allowed: DEADLINE_SHARE * intervalSeconds[collector],
  });
  const busy = (collector: Collector) => idealSeconds(own[collector], question) / intervalSeconds[collector];
  return {
    pages,
    requests: { devices: rate('devices'), tunnels: rate('tunnels'), balance: rate('balance') },
    durations: { devices: time('devices'), tunnels: time('tunnels'), balance: time('balance') },
    busy: busy('devices') + busy('tunnels') + busy('balance'),
    process: processOf(question),
    prometheus: prometheusOf(question),
  };
}

/** As many requests at once as are allowed, one round after the other, none before its time. */
function idealSeconds(requests: number, { latencyMilliseconds, config }: Question): number {
  const { concurrency, requestsPerSecond = Number.POSITIVE_INFINITY } = config.client;
  const rounds = (Math.ceil(requests / concurrency) * latencyMilliseconds) / 1000;
  return Math.max(rounds, requests / requestsPerSecond);
}

function processOf({ phones, selfRented, accounts, config }: Question): Plan['process'] {
  const { total } = config.shard;
  const { account, phone, selfRent } = costsOf(config.features);
  const sum = (of: 'series' | 'textBytes'): number =>
    accounts * account[of] + (phones * phone[of] + selfRented * selfRent[of]) / total;
  const own = phones / total;
  return {
    phones: Math.round(own),
    series: Math.round(sum('series')) + OWN_SERIES.process + accounts * OWN_SERIES.account,
    textBytes: sum('textBytes'),
    gzipBytes: sum('textBytes') * GZIP_SHARE,
    memoryBytes: MEMORY.process + own * MEMORY.ownPhone + (phones - own) * MEMORY.neighbour,
  };
}

function prometheusOf(question: Question): Plan['prometheus'] {
  const { phones, selfRented, accounts, replicas, scrapeSeconds, config } = question;
  const { account, phone, selfRent } = costsOf(config.features);
  const ofProcess = OWN_SERIES.process + accounts * OWN_SERIES.account;
  const ofFleet = accounts * account.series + phones * phone.series + selfRented * selfRent.series;
  const series = replicas * (ofFleet + config.shard.total * ofProcess);
  const samplesEachSecond = series / scrapeSeconds;
  const eachDay = samplesEachSecond * 86_400;
  return {
    series,
    samplesEachSecond,
    bytesEachDay: { least: eachDay * SAMPLE_BYTES.least, most: eachDay * SAMPLE_BYTES.most },
    memoryBytes: PROMETHEUS.process + series * PROMETHEUS.series,
  };
}
