import { gunzipSync } from 'node:zlib';
import { createRecorder, createSimulatedClock } from '../../packaging/demo-history.mjs';
import { createMonitor, type Monitor } from '../../src/app/monitor.ts';
import { yieldToEventLoop } from '../../src/clock.ts';
import { NOTHING_KNOWN } from '../../src/model/account.ts';
import { dependenciesOf } from '../dependencies.ts';
import { load } from '../unit/config/sources.ts';
import { BEFORE, type Month, marketplaceOf, SILENCE_LIMIT } from './world.ts';

/** Families that the month is made of; the last two change so rarely that a sample in ten minutes is enough. */
const OFTEN =
  /^hoster_(?:device_(?:rental_status_seconds_total|sold_silent_seconds_total|problem_since_timestamp_seconds)|up)\{/;
const RARELY = /^hoster_(?:device_(?:rental_status_since_timestamp_seconds|info)|account_info|balance_\w+)\{/;
const RARE = 600;

/**
 * Writes what Prometheus scrapes in a month, by the daemon's own code under a clock that is moved, as OpenMetrics text.
 *
 * @param every seconds from one poll and scrape to the next
 */
export async function* historyOf(month: Month, every: number): AsyncGenerator<string> {
  const start = month.from - BEFORE;
  const clock = createSimulatedClock(start * 1000);
  const http = marketplaceOf(month, clock);
  const { config } = load({
    environment: {
      HOSTER_API_URL: 'https://api.example.com',
      HOSTER_SILENCE_AFTER: `${SILENCE_LIMIT}s`,
      HOSTER_CURRENCY: 'EUR',
    },
  });
  const dependencies = dependenciesOf({
    clock,
    scheduler: () => ({
      intervalSeconds: every,
      shortestGap: every * 1000,
      untilNext: () => every * 1000,
      start: () => {},
      stop: () => {},
    }),
    network: { authorities: undefined, proxies: undefined, http },
  });
  const recorder = createRecorder('instance="127.0.0.1:9823",job="hoster"');
  let monitor: Monitor | undefined = createMonitor(config, dependencies);
  let known = NOTHING_KNOWN;
  for (let at = start; at <= month.to + every; at += every) {
    clock.moveTo(at * 1000);
    const outage = month.exporterDown.find(({ span: [from, to] }) => at >= from && at < to);
    if (outage !== undefined) {
      if (monitor !== undefined) known = outage.remembers ? monitor.saved() : NOTHING_KNOWN;
      monitor = undefined;
      continue;
    }
    monitor ??= createMonitor(config, dependencies, known);
    await finish(monitor.pollAll(), clock);
    if (month.prometheusDown.some(([from, to]) => at >= from && at < to)) continue;
    const { chunks } = await monitor.scrape();
    const page = gunzipSync(Buffer.concat(chunks)).toString();
    recorder.record(relevant(page, (at - start) % RARE === 0), at * 1000);
  }
  yield* recorder.text();
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

function relevant(page: string, withRare: boolean): string {
  return page
    .split('\n')
    .filter((line) => line.startsWith('# TYPE ') || OFTEN.test(line) || (withRare && RARELY.test(line)))
    .join('\n');
}
