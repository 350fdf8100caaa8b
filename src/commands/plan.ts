import { loadConfig } from '../config/load.ts';
import { setting } from '../config/settings.ts';
import { wholeNumber } from '../config/values.ts';
import { createFileCache } from '../files.ts';
import { COLLECTORS, type Collector } from '../model/enums.ts';
import {
  adviceOn,
  costsOf,
  formatBytes,
  formatCount,
  formatShort,
  type Plan,
  type PlanInput,
  planFor,
} from '../plan.ts';
import { defineCommand, formatTable, type Io } from './command.ts';

/** Default share of phones that are self-rented. */
const SELF_RENTED_SHARE = 0.15;

export const plan = defineCommand({
  options: {
    phones: setting(wholeNumber(0, 10_000_000), {
      description: 'Number of phones in all accounts.',
      default: 250,
    }),
    'self-rented': setting(wholeNumber(0, 10_000_000).optional(), {
      description: 'Number of self-rented phones, whose tunnels are polled; by default 15 %.',
    }),
    accounts: setting(wholeNumber(1, 10_000).optional(), {
      description:
        'Number of accounts, which share the phones evenly; by default those of the configuration, or one.',
    }),
    replicas: setting(wholeNumber(1, 10), {
      description: 'Number of exporters that poll the same accounts.',
      default: 1,
    }),
    latency: setting(wholeNumber(1, 60_000), {
      description: 'Time that the API takes for a response, in milliseconds.',
      default: 100,
    }),
    'scrape-interval': setting(wholeNumber(1, 3_600), {
      description: 'Seconds between two scrapes of Prometheus.',
      default: 15,
    }),
  },
  run: async ({ flags, options }, io) => {
    const { environment } = io;
    const { config } = await createFileCache(io.readFile).load((readFile) =>
      loadConfig({ flags, environment, readFile, accounts: 'optional' }),
    );
    const input: PlanInput = {
      phones: options.phones,
      selfRented: options['self-rented'] ?? Math.round(options.phones * SELF_RENTED_SHARE),
      accounts: options.accounts ?? Math.max(1, config.accounts.length),
      replicas: options.replicas,
      latencyMilliseconds: options.latency,
      scrapeSeconds: options['scrape-interval'],
      intervalSeconds: intervalsOf(config.poll, io),
      config,
    };
    const computed = planFor(input, await costsOf(config.features));
    const advice = adviceOn(input, computed);
    const sections = [
      formatHeading(input),
      formatRequests(computed),
      formatDurations(input, computed),
      formatSizes(input, computed),
    ];
    await io.print([...sections, ...advice.map((each) => `! ${each}\n`)].join('\n'));
    return advice.length === 0 ? 0 : 1;
  },
});

function intervalsOf(
  schedules: Readonly<Record<Collector, string>>,
  { scheduler }: Io,
): PlanInput['intervalSeconds'] {
  const interval = (collector: Collector) => scheduler(schedules[collector], () => {}).intervalSeconds;
  return { devices: interval('devices'), tunnels: interval('tunnels'), balance: interval('balance') };
}

function formatHeading({ phones, selfRented, accounts, replicas }: PlanInput): string {
  const processes = count(replicas, 'process', 'processes');
  return `${count(phones, 'phone')}, ${formatCount(selfRented)} self-rented; ${count(accounts, 'account')}; ${processes}.\n`;
}

function formatRequests({ requests, pages }: Plan): string {
  const sum = (unit: 'eachPoll' | 'eachMinute') =>
    COLLECTORS.reduce((all, each) => all + requests[each][unit], 0);
  const rows = COLLECTORS.map((each) => [
    each,
    formatCount(requests[each].eachPoll),
    formatCount(requests[each].eachMinute),
    each === 'devices' ? `each process lists all ${count(pages, 'page')} of an account` : '',
  ]);
  const all = [
    'all',
    formatCount(sum('eachPoll')),
    formatCount(sum('eachMinute')),
    `${formatShort(sum('eachMinute') / 60)} a second`,
  ];
  return formatTable(['requests to the API', 'each poll', 'each minute', ''], [...rows, all]);
}

function formatDurations({ latencyMilliseconds, config }: PlanInput, { durations, busy }: Plan): string {
  const { concurrency } = config.client;
  const rows = COLLECTORS.map((each) => [
    each,
    `${formatShort(durations[each].ideal)} s`,
    `${formatShort(durations[each].allowed)} s`,
    durations[each].ideal > durations[each].allowed ? 'does not fit' : '',
  ]);
  const used = `${formatShort(busy * 100)} %`;
  return `${formatTable(['time of a poll', 'at best', 'may take', ''], rows)}${concurrency} at once, ${latencyMilliseconds} ms for an answer: the connections are in use ${used} of the time.\n`;
}

function formatSizes({ scrapeSeconds }: PlanInput, { process, prometheus }: Plan): string {
  const { least, most } = prometheus.bytesEachDay;
  return formatTable(
    ['', 'each process', 'Prometheus'],
    [
      ['series', formatCount(process.series), formatCount(prometheus.series)],
      ['memory', formatBytes(process.memoryBytes), formatBytes(prometheus.memoryBytes)],
      ['page, text', formatBytes(process.textBytes), ''],
      ['page, gzip', formatBytes(process.gzipBytes), ''],
      ['samples', '', `${formatCount(prometheus.samplesEachSecond)} a second, every ${scrapeSeconds} s`],
      ['disk', '', `${formatBytes(least)} to ${formatBytes(most)} a day`],
    ],
  );
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : several}`;
}
