import { gunzipSync } from 'node:zlib';
import { createRecorder, createSimulatedClock } from '../../packaging/demo-history.mjs';
import { type Clock, yieldToEventLoop } from '../../src/base/clock.ts';
import { createMonitor, type Monitor } from '../../src/daemon/monitor.ts';
import { NOTHING_KNOWN } from '../../src/model/account.ts';
import { dependenciesOf } from '../dependencies.ts';
import { requestOf, routeOf } from '../route-sources.ts';
import { silentLog } from '../silent-log.ts';
import { load } from '../unit/config/sources.ts';
import { type Month, marketplaceOf, OFFLINE_AFTER, type Span, valueAt } from './world.ts';

/** Families that the month is made of. */
const FAMILIES =
  /^hoster_(?:up|devices_reported|device_(?:time_seconds|interruptions|first_listed_timestamp_seconds|left_timestamp_seconds|info|offline_after_seconds)|account_info|account_day_seconds|balance_\w+)\{/;

/** An exporter that lives through a month, or a part of it. */
type Exporter = {
  readonly instance: string;
  readonly span: Span;
  /** The folder of its month files; none are written without one. */
  readonly directory?: string;
};

/**
 * Writes what Prometheus scrapes in a month, by the daemon's own code under a clock that is moved, as OpenMetrics text.
 *
 * @param every seconds from one poll and scrape to the next
 */
export async function* historyOf(
  month: Month,
  every: number,
  { instance, span: [start, end], directory }: Exporter,
): AsyncGenerator<string> {
  const clock = createSimulatedClock(start * 1000);
  const http = marketplaceOf(month, clock);
  const { config } = load({
    environment: {
      HOSTER_API_URL: 'https://api.example.com',
      HOSTER_OFFLINE_AFTER: `${OFFLINE_AFTER}s`,
      HOSTER_CURRENCY: 'EUR',
      HOSTER_TIME_ZONE: 'Europe/Berlin',
      HOSTER_WEB_ENABLE_CHANGES: 'true',
      ...(directory !== undefined && { HOSTER_MONTHS_DIRECTORY: directory }),
    },
  });
  const machine: Clock = {
    ...clock,
    now: () => clock.now() + 1000 * (valueAt(month.clockSteps ?? [], clock.now() / 1000) ?? 0),
  };
  const dependencies = dependenciesOf({
    clock: machine,
    scheduler: () => ({
      intervalSeconds: every,
      shortestGap: every * 1000,
      untilNext: () => every * 1000,
      start: () => {},
      stop: () => {},
    }),
    network: { authorities: undefined, proxies: undefined, http },
    // A line of an error is a fault of this test.
    log: { ...silentLog, error: fail },
  });
  const recorder = createRecorder(`instance="${instance}",job="hoster"`);
  let known = NOTHING_KNOWN;
  const startProcess = (): Monitor => createMonitor(config, dependencies, known);
  let running: Monitor | undefined = startProcess();
  for (let at = start; at <= end; at += every) {
    clock.moveTo(at * 1000);
    const outage = month.exporterDown.find(({ span: [from, to] }) => at >= from && at < to);
    if (outage !== undefined) {
      if (!outage.remembers) known = NOTHING_KNOWN;
      running = undefined;
      continue;
    }
    running ??= startProcess();
    const monitor = running;
    await finish(monitor.pollAll(), clock);
    await finish(startWork(month, [at - every, at], monitor), clock);
    for (const { work } of monitor.features) await work?.run();
    const isKilled = month.exporterDown.some(({ span: [from], older = 0 }) => at > from - older && at < from);
    if (!isKilled) known = monitor.saved();
    if (month.prometheusDown.some(([from, to]) => at >= from && at < to)) continue;
    const { chunks } = await monitor.scrape();
    const page = gunzipSync(Buffer.concat(chunks)).toString();
    recorder.record(relevant(page), at * 1000);
  }
  yield* recorder.text();
}

function fail(facts: object, text: string): never {
  throw new Error(`${text}: ${JSON.stringify(facts)}`);
}

/** Says that the owner works on phones, for each work that began in a span. */
async function startWork({ phones }: Month, [after, upTo]: Span, monitor: Monitor): Promise<void> {
  for (const { id, maintenance = [] } of phones) {
    for (const [from, to] of maintenance) {
      if (from <= after || from > upTo) continue;
      const body = async () => JSON.stringify({ devices: [id], for: `${to - upTo}s` });
      const request = requestOf({ method: 'POST', contentType: 'application/json', body });
      const { status } = await routeOf(monitor, '/api/v1/maintenance')(request);
      if (status !== 201) throw new Error(`status ${status}`);
    }
  }
}

/** Moves simulated time until the work has ended: a request that failed is sent again after a while. */
async function finish(work: Promise<void>, clock: ReturnType<typeof createSimulatedClock>): Promise<void> {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  for (await yieldToEventLoop(); !ended; await yieldToEventLoop()) clock.moveToNextTimer();
  await end;
}

function relevant(page: string): string {
  return page
    .split('\n')
    .filter((line) => line.startsWith('# TYPE ') || FAMILIES.test(line))
    .join('\n');
}
