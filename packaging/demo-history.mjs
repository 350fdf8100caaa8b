// Writes the demo's history for a new Prometheus: the OpenMetrics text that it would have scraped until now.
//
//   node packaging/demo-history.mjs --phones=60 --history=1d --currency=EUR --instance=exporter:9823 > demo.om
//   promtool tsdb create-blocks-from openmetrics --max-block-duration=360h demo.om data
//
// The same flags give the same bytes. `--until` is the end, in seconds since 1970; by default now. The text is the daemon's
// output with a simulated marketplace and clock.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sleep, yieldToEventLoop } from '../dist/base/clock.js';
import { between, createRandom, deriveSeed } from '../dist/base/random.js';
import { Secret } from '../dist/base/secret.js';
import { readBuild } from '../dist/cli/build.js';
import { parseArguments } from '../dist/config/flags.js';
import { loadConfig } from '../dist/config/load.js';
import { ConfigError } from '../dist/config/messages.js';
import { setting } from '../dist/config/settings.js';
import { pattern } from '../dist/config/values.js';
import { createMonitor } from '../dist/daemon/monitor.js';
import { encodeResponse, errorResponse, respond } from '../dist/features/demo/response.js';
import { createMarketplaceAt, DEMO_KEY, demoConfig, FLEET_OPTIONS } from '../dist/features/demo/simulate.js';
import { CONFIG_SCHEMA, FEATURES } from '../dist/features.js';
import { formatValue } from '../dist/metrics/encode.js';
import { cronScheduler } from '../dist/poll/schedule.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An API outage in the history, as the time before its end. */
const OUTAGE = { from: 3 * HOUR, to: 2.6 * HOUR };

/** Milliseconds from the start of a poll to the scrape that shows it. */
const POLL_LEAD = 4_000;

/** Random streams, in addition to the marketplace's. */
const LATENCY_STREAM = 401;
const CLIENT_STREAM = 402;
const SCRAPE_STREAM = 403;

/** Options apart from the settings: those of `demo`, the end of the history, and its instance. */
const OPTIONS = {
  ...FLEET_OPTIONS,
  until: setting(pattern('seconds since 1970', /^\d{1,11}$/).optional(), {
    description: 'End of the history, in seconds since 1970; by default now.',
  }),
  instance: setting(pattern('a host and port such as exporter:9823', /^[\w.:[\]-]{1,255}$/), {
    description: 'Address at which Prometheus scrapes the demo: the label `instance`.',
    default: 'exporter:9823',
  }),
  output: setting(pattern('a file', /./).optional(), {
    description: 'File to write, unless it exists; by default standard output.',
  }),
};

/**
 * Yields the text that Prometheus would have scraped from `demo` until `now`.
 *
 * @param parsed flags of the settings, and {@link OPTIONS}
 * @param now milliseconds since 1970
 * @throws ConfigError with all problems
 */
async function* writeHistory({ flags, options }, now) {
  // Only time between two scheduled polls counts, and a day's sums are exported once its month file is written.
  const months = await mkdtemp(join(tmpdir(), 'hoster-demo-'));
  const { config } = loadConfig({
    schema: CONFIG_SCHEMA,
    ...demoConfig(
      new Map([['poll.devices', '0 */4 * * * *'], ...flags]).set('months.directory', months),
      {},
      'http://127.0.0.1:9824',
    ),
    readFile: () => '',
    accounts: 'required',
  });
  const { seed, until, history, instance } = options;
  const end = until === undefined ? Math.floor(now / 1000) * 1000 : Number(until) * 1000;
  const start = end - history;
  const clock = createSimulatedClock(start - POLL_LEAD);
  const random = createRandom(deriveSeed(seed, SCRAPE_STREAM));
  const http = createSimulatedHttp({
    account: { name: 'demo', key: DEMO_KEY, marketplace: createMarketplaceAt(options, end) },
    clock,
    random: createRandom(deriveSeed(seed, LATENCY_STREAM)),
    isDown: (at) => at >= end - OUTAGE.from && at < end - OUTAGE.to,
  });
  const monitor = createMonitor(config, {
    build: readBuild(),
    clock,
    random: createRandom(deriveSeed(seed, CLIENT_STREAM)),
    scheduler: cronScheduler(clock, () => 0),
    key: () => new Secret(DEMO_KEY),
    refreshKey: async () => {},
    network: { authorities: undefined, proxies: undefined, http },
    features: FEATURES,
    disk: { use: async (_, operation) => await operation(), warnings: () => [] },
    readFile: () => Promise.reject(new Error('files are not read here')),
    yieldToEventLoop: async () => {},
    readPageFile: () => Buffer.alloc(0),
    readSetup: () => Promise.reject(new Error('files are not reloaded here')),
    log: NO_LOG,
    setLogLevel: () => {},
  });
  monitor.metrics.reloaded(true);
  const recorder = createRecorder(`instance="${instance}",job="hoster"`);
  for (const { at, scraped } of schedule(start, end)) {
    clock.moveTo(at - POLL_LEAD);
    await finish(monitor.pollAll(), clock);
    for (const { work } of monitor.features) await work?.run();
    clock.moveTo(at);
    if (scraped) recorder.record(await scrape(monitor, random), at);
  }
  await rm(months, { recursive: true });
  yield* inChunks(recorder.text());
}

const NO_LOG = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => NO_LOG,
};

/** Moves simulated time until the work has ended. */
async function finish(work, clock) {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  for (await yieldToEventLoop(); !ended; await yieldToEventLoop()) clock.moveToNextTimer();
  await end;
}

/** Returns the page with the series that Prometheus adds to a scrape. */
async function scrape(monitor, random) {
  const { chunks } = await monitor.scrape();
  const page = gunzipSync(Buffer.concat(chunks)).toString();
  return `${page}# TYPE up gauge
up 1
# TYPE scrape_duration_seconds gauge
scrape_duration_seconds ${(0.002 + 0.002 * random()).toFixed(6)}
`;
}

const CHUNK_LENGTH = 1024 * 1024;

function* inChunks(texts) {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** The default range of dashboards: scraped every minute, so that a rate over two minutes has two samples. */
const RECENT = { milliseconds: 3 * HOUR, pollEvery: MINUTE / 2, scrapeEvery: MINUTE };

/** Earlier hours: scraped as rarely as possible without gaps in graphs (5 minutes). */
const EARLIER = { pollEvery: 4 * MINUTE, scrapeEvery: 4 * MINUTE };

/** Lists the polls from `start` to `end`, in milliseconds since 1970, and marks those that are scraped, such as the first and last. */
export function* schedule(start, end) {
  const recent = Math.max(start, end - RECENT.milliseconds);
  for (const { from, to, pollEvery, scrapeEvery } of [
    { ...EARLIER, from: start, to: recent },
    { ...RECENT, from: recent, to: end },
  ]) {
    for (let at = from; at < to; at += pollEvery) yield { at, scraped: (at - from) % scrapeEvery === 0 };
  }
  yield { at: end, scraped: true };
}

/** Latency of a response in milliseconds: most are fast, a few are slow. */
const FAST = [40, 140];
const SLOW = [300, 1_200];
const SLOW_SHARE = 0.03;

/** Creates an HTTP client of a simulated marketplace without a network, in simulated time; `random` decides the latency. */
function createSimulatedHttp({ account, clock, random, isDown }) {
  return {
    get: async (path, _, signal) => {
      const [shortest, longest] = random() < SLOW_SHARE ? SLOW : FAST;
      await sleep(clock, between(random, shortest, longest), signal);
      const now = clock.now();
      if (isDown(now)) return encodeResponse(errorResponse(503, 'UNAVAILABLE', 'The API is down.'), now);
      account.marketplace.advance(now);
      const url = new URL(path, 'http://simulated');
      const headers = { 'x-api-key': account.key };
      const request = { method: 'GET', path: url.pathname, query: url.searchParams, headers };
      return encodeResponse(respond([account], request), now);
    },
    close: async () => {},
  };
}

/** Creates a clock that only moves when told to, and then runs the due timers in order. */
export function createSimulatedClock(startAt) {
  let now = startAt;
  const timers = new Set();
  const next = () => {
    let first;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  };
  const moveTo = (instant) => {
    for (let timer = next(); timer !== undefined && timer.at <= instant; timer = next()) {
      now = Math.max(now, timer.at);
      timers.delete(timer);
      timer.callback();
    }
    now = Math.max(now, instant);
  };
  return {
    now: () => now,
    monotonic: () => now - startAt,
    uptime: () => now - startAt,
    after: (milliseconds, callback) => {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    moveTo,
    moveToNextTimer: () => moveTo(next()?.at ?? now),
  };
}

/** Metrics of the simulating process, which did not exist at that time. */
const PROCESS_METRIC = /^(?:process|nodejs)_/;

/**
 * Creates a recorder of scrapes in the format for backfilling Prometheus.
 *
 * @param targetLabels text of the labels that Prometheus gives to all of a target's series
 */
export function createRecorder(targetLabels) {
  const families = new Map();
  return {
    record: (page, at) => {
      let family;
      for (const line of page.split('\n')) {
        if (line.startsWith('# TYPE ')) family = familyOf(families, line);
        else if (family !== undefined && line !== '' && !line.startsWith('#')) recordSample(family, line, at);
      }
    },
    *text() {
      for (const [name, { type, series }] of families) {
        // In OpenMetrics, the family of a counter has no suffix.
        yield `# TYPE ${type === 'counter' ? name.replace(/_total$/, '') : name} ${type}\n`;
        for (const each of series.values()) yield samplesOf(each);
      }
      yield '# EOF\n';
    },
  };

  function recordSample({ series }, line, at) {
    const end = line.lastIndexOf(' ');
    const name = line.slice(0, end);
    let recorded = series.get(name);
    if (recorded === undefined) {
      // Stored as numbers: a substring would keep the whole page in memory.
      recorded = { key: withLabels(name, targetLabels), times: [], values: [] };
      series.set(name, recorded);
    }
    recorded.times.push(at / 1000);
    recorded.values.push(Number(line.slice(end + 1).replace('Inf', 'Infinity')));
  }
}

function familyOf(families, line) {
  const [, , name = '', type = ''] = line.split(' ');
  if (PROCESS_METRIC.test(name)) return undefined;
  const family = families.get(name) ?? { type, series: new Map() };
  families.set(name, family);
  return family;
}

function withLabels(name, labels) {
  if (!name.endsWith('}')) return `${name}{${labels}}`;
  return `${name.slice(0, -1)}${name.endsWith('{}') ? '' : ','}${labels}}`;
}

function samplesOf({ key, times, values }) {
  return values.map((value, index) => `${key} ${formatValue(value)} ${times[index]}\n`).join('');
}

if (import.meta.url === `file://${process.argv[1]}`) {
  try {
    const parsed = parseArguments(process.argv.slice(2), OPTIONS, CONFIG_SCHEMA.settings);
    const { output } = parsed.options;
    const history = writeHistory(parsed, Date.now());
    if (output === undefined) {
      for await (const piece of history) {
        if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
      }
    } else if (!existsSync(output)) {
      await writeFile(`${output}.part`, history);
      await rename(`${output}.part`, output);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(problem);
    process.exitCode = 2;
  }
}
