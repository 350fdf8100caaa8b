import { gunzipSync } from 'node:zlib';
import { createMonitor, type Monitor } from '../app/monitor.ts';
import { setting } from '../config/settings.ts';
import { pattern } from '../config/values.ts';
import { createRandom, deriveSeed, type Random } from '../simulator/random.ts';
import { command } from './command.ts';
import { createSimulatedClock, type SimulatedClock } from './history/clock.ts';
import { createRecorder } from './history/recorder.ts';
import { timetable } from './history/timetable.ts';
import { createSimulatedTransport } from './history/transport.ts';
import type { Io } from './io.ts';
import { prepare } from './prepare.ts';
import { createWorldAt, DEMO_KEY, FLEET_OPTIONS, leadToDemo } from './stage.ts';

const HOUR = 3_600_000;

/** The API of the past was down for a while, so that there is something to see of it; back from the end. */
const OUTAGE = { from: 3 * HOUR, to: 2.6 * HOUR };

/** Milliseconds that a poll is ahead of the scrape that shows it: it ends in time, and time only goes forward. */
const AHEAD = 4_000;

/** Streams of chance, beside those of the marketplace. */
const LATENCY_STREAM = 401;
const CLIENT_STREAM = 402;
const SCRAPE_STREAM = 403;

export const demoHistory = command({
  name: 'demo-history',
  summary:
    'What Prometheus would have scraped from the demo until now, for `promtool tsdb create-blocks-from openmetrics`.',
  options: {
    ...FLEET_OPTIONS,
    until: setting(pattern('seconds since 1970', /^\d{1,11}$/).optional(), {
      description: 'Where it ends, in seconds since 1970; now by default.',
    }),
    instance: setting(pattern('a host and port such as exporter:9823', /^[\w.:[\]-]{1,255}$/), {
      description: 'The address by which Prometheus scrapes the demo, which becomes the label `instance`.',
      default: 'exporter:9823',
    }),
  },
  run: async ({ flags: given, options: own }, io) => {
    const end = Number(own.until ?? Math.floor(io.clock.now() / 1000)) * 1000;
    const start = end - own.history;
    const clock = createSimulatedClock(start - AHEAD);
    const { flags, environment } = leadToDemo(given, io.environment, 'http://127.0.0.1:9824');
    const prepared = prepare(flags, { ...io, environment: { ...environment, HOSTER_LOG_LEVEL: 'error' } });
    const random = createRandom(deriveSeed(own.seed, SCRAPE_STREAM));
    const transport = createSimulatedTransport({
      account: { name: 'demo', key: DEMO_KEY, marketplace: createWorldAt(own, end) },
      clock,
      random: createRandom(deriveSeed(own.seed, LATENCY_STREAM)),
      isDown: (now) => now >= end - OUTAGE.from && now < end - OUTAGE.to,
    });
    const monitor = createMonitor(prepared.config, {
      ...prepared.surroundings,
      clock,
      random: createRandom(deriveSeed(own.seed, CLIENT_STREAM)),
      network: { authorities: undefined, proxies: undefined, transport },
      pause: async () => {},
    });
    monitor.upkeep.reloaded(true, start);
    const recorder = createRecorder(`instance="${own.instance}",job="hoster"`);
    for (const { at, scraped } of timetable(start, end)) {
      clock.moveTo(at - AHEAD);
      await finish(monitor.pollAll(), clock, io.pause);
      clock.moveTo(at);
      if (scraped) recorder.record(await pageOf(monitor, random), at);
    }
    for (const piece of inPieces(recorder.text())) await io.print(piece);
    return 0;
  },
});

/** Lets simulated time go by until some work has ended: nothing else than time is what it can wait for. */
async function finish(work: Promise<void>, clock: SimulatedClock, pause: Io['pause']): Promise<void> {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  for (await pause(); !ended; await pause()) clock.moveOn();
  await end;
}

/** What a scrape brings, and what Prometheus adds to it itself. */
async function pageOf(monitor: Monitor, random: Random): Promise<string> {
  const { chunks } = await monitor.scrape();
  const page = gunzipSync(Buffer.concat(chunks)).toString();
  return `${page}# TYPE up gauge
up 1
# TYPE scrape_duration_seconds gauge
scrape_duration_seconds ${(0.002 + 0.002 * random()).toFixed(6)}
`;
}

/** Characters that are written at a time. */
const PIECE_LENGTH = 1024 * 1024;

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
