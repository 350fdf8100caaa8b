import { gunzipSync } from 'node:zlib';
import { createRecorder, createSimulatedClock } from '../../packaging/demo-history.mjs';
import { createMonitor, type Monitor } from '../../src/app/monitor.ts';
import { yieldToEventLoop } from '../../src/clock.ts';
import { NOTHING_KNOWN } from '../../src/model/account.ts';
import { dependenciesOf } from '../dependencies.ts';
import { load } from '../unit/config/sources.ts';
import { type Month, marketplaceOf, SILENCE_LIMIT, type Span } from './world.ts';

/** Families that the month is made of. */
const FAMILIES =
  /^hoster_(?:device_(?:time_seconds|interruptions|first_listed_timestamp_seconds|left_timestamp_seconds|info|silence_limit_seconds)|account_info|balance_\w+)\{/;

/**
 * Writes what Prometheus scrapes in a month, by the daemon's own code under a clock that is moved, as OpenMetrics text.
 *
 * @param every seconds from one poll and scrape to the next
 */
export async function* historyOf(
  month: Month,
  every: number,
  { instance, span: [start, end] }: { readonly instance: string; readonly span: Span },
): AsyncGenerator<string> {
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
  const recorder = createRecorder(`instance="${instance}",job="hoster"`);
  let monitor: Monitor | undefined = createMonitor(config, dependencies);
  let known = NOTHING_KNOWN;
  for (let at = start; at <= end; at += every) {
    clock.moveTo(at * 1000);
    const outage = month.exporterDown.find(({ span: [from, to] }) => at >= from && at < to);
    if (outage !== undefined) {
      if (!outage.remembers) known = NOTHING_KNOWN;
      monitor = undefined;
      continue;
    }
    monitor ??= createMonitor(config, dependencies, known);
    await finish(monitor.pollAll(), clock);
    const isKilled = month.exporterDown.some(({ span: [from], older = 0 }) => at > from - older && at < from);
    if (!isKilled) known = monitor.saved();
    if (month.prometheusDown.some(([from, to]) => at >= from && at < to)) continue;
    const { chunks } = await monitor.scrape();
    const page = gunzipSync(Buffer.concat(chunks)).toString();
    recorder.record(relevant(page), at * 1000);
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

function relevant(page: string): string {
  return page
    .split('\n')
    .filter((line) => line.startsWith('# TYPE ') || FAMILIES.test(line))
    .join('\n');
}
