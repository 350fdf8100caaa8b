import { loadConfig } from '../config/load.ts';
import { setting } from '../config/settings.ts';
import { wholeNumber } from '../config/values.ts';
import { COLLECTORS, type Collector } from '../model/endpoint.ts';
import { adviceOn } from '../plan/advice.ts';
import { bytes, short, whole } from '../plan/figures.ts';
import { type Plan, planFor, type Question } from '../plan/plan.ts';
import { command } from './command.ts';
import type { Io } from './io.ts';
import { table } from './table.ts';

/** The share of phones that is self-rented where nobody says how many. */
const SELF_RENTED_SHARE = 0.15;

const OPTIONS = {
  phones: setting(wholeNumber(0, 10_000_000), {
    description: 'Number of phones in all accounts.',
    default: 250,
  }),
  'self-rented': setting(wholeNumber(0, 10_000_000).optional(), {
    description:
      'Number of phones that are self-rented, each of which has a tunnel to ask for; by default 15 %.',
  }),
  accounts: setting(wholeNumber(1, 10_000).optional(), {
    description:
      'Number of accounts, which share the phones evenly; by default those of the configuration, or one.',
  }),
  replicas: setting(wholeNumber(1, 10), {
    description: 'Processes for each shard, side by side.',
    default: 1,
  }),
  latency: setting(wholeNumber(1, 60_000), {
    description: 'Milliseconds that the API takes for an answer.',
    default: 100,
  }),
  'scrape-interval': setting(wholeNumber(1, 3_600), {
    description: 'Seconds between two scrapes of Prometheus.',
    default: 30,
  }),
};

export const plan = command({
  name: 'plan',
  summary: 'Computes what a fleet takes: requests, time, series, memory; fails if a poll does not fit.',
  options: OPTIONS,
  run: async ({ flags: given, options: own }, io) => {
    const { environment, readFile } = io;
    // It is about all shards, whichever this process would be.
    const flags = new Map([...given, ['shard.index', '0'] as const]);
    const { config } = loadConfig({ flags, environment, readFile, accounts: 'optional' });
    const question: Question = {
      phones: own.phones,
      selfRented: own['self-rented'] ?? Math.round(own.phones * SELF_RENTED_SHARE),
      accounts: own.accounts ?? Math.max(1, config.accounts.length),
      replicas: own.replicas,
      latencyMilliseconds: own.latency,
      scrapeSeconds: own['scrape-interval'],
      intervalSeconds: intervalsOf(config.poll, io),
      config,
    };
    const answer = planFor(question);
    const advice = adviceOn(question, answer);
    await io.print([...sections(question, answer), ...advice.map((each) => `! ${each}\n`)].join('\n'));
    return advice.length === 0 ? 0 : 1;
  },
});

function intervalsOf(
  schedules: Readonly<Record<Collector, string>>,
  { scheduler }: Io,
): Question['intervalSeconds'] {
  const interval = (collector: Collector) => scheduler(schedules[collector], () => {}).intervalSeconds;
  return { devices: interval('devices'), tunnels: interval('tunnels'), balance: interval('balance') };
}

function sections(question: Question, answer: Plan): readonly string[] {
  return [heading(question), requests(answer), durations(question, answer), sizes(question, answer)];
}

function heading({ phones, selfRented, accounts, replicas, config }: Question): string {
  const { total } = config.shard;
  const processes = count(replicas, 'process', 'processes');
  const divided = total === 1 ? processes : `${total} shards of ${processes}`;
  return `${count(phones, 'phone')}, ${whole(selfRented)} self-rented; ${count(accounts, 'account')}; ${divided}.\n`;
}

function requests({ requests: by, pages }: Plan): string {
  const sum = (of: 'eachPoll' | 'eachMinute') => COLLECTORS.reduce((all, each) => all + by[each][of], 0);
  const rows = COLLECTORS.map((each) => [
    each,
    whole(by[each].eachPoll),
    whole(by[each].eachMinute),
    each === 'devices' ? `each process lists all ${count(pages, 'page')} of an account` : '',
  ]);
  const all = [
    'all',
    whole(sum('eachPoll')),
    whole(sum('eachMinute')),
    `${short(sum('eachMinute') / 60)} a second`,
  ];
  return table(['requests to the API', 'each poll', 'each minute', ''], [...rows, all]);
}

function durations({ latencyMilliseconds, config }: Question, { durations: by, busy }: Plan): string {
  const { concurrency } = config.client;
  const rows = COLLECTORS.map((each) => [
    each,
    `${short(by[each].ideal)} s`,
    `${short(by[each].allowed)} s`,
    by[each].ideal > by[each].allowed ? 'does not fit' : '',
  ]);
  const used = `${short(busy * 100)} %`;
  return `${table(['time of a poll', 'at best', 'may take', ''], rows)}${concurrency} at once, ${latencyMilliseconds} ms for an answer: the connections are in use ${used} of the time.\n`;
}

function sizes({ scrapeSeconds }: Question, { process, prometheus }: Plan): string {
  const { least, most } = prometheus.bytesEachDay;
  return table(
    ['', 'each process', 'Prometheus'],
    [
      ['phones', whole(process.phones), ''],
      ['series', whole(process.series), whole(prometheus.series)],
      ['memory', bytes(process.memoryBytes), bytes(prometheus.memoryBytes)],
      ['page, text', bytes(process.textBytes), ''],
      ['page, gzip', bytes(process.gzipBytes), ''],
      ['samples', '', `${whole(prometheus.samplesEachSecond)} a second, every ${scrapeSeconds} s`],
      ['disk', '', `${bytes(least)} to ${bytes(most)} a day`],
    ],
  );
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${whole(number)} ${number === 1 ? one : several}`;
}
