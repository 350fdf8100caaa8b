import type { Clock } from '../base/clock.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { ExporterMetrics } from './exporter-metrics.ts';
import type { Family } from './families.ts';
import { append, EMPTY_PAGE, type GzipBody, gzipBody, type Page, renderPage } from './page.ts';

/** The body of a scrape: a page that is rendered once per snapshot, and the exporter's own metrics. */
export type Exposition = {
  /** Starts to render a snapshot. The old page is served until the new one is complete. */
  readonly show: (snapshot: Snapshot) => void;
  /** Sets the families from the next snapshot on. */
  readonly setFamilies: (families: readonly Family[]) => void;
  readonly scrape: () => Promise<GzipBody>;
  /** Resolves when the last snapshot is on the page. */
  readonly settled: () => Promise<void>;
};

/** Time for which scrapes of the same page share a body: most of the work is the exporter's own metrics. */
const SHARED_MILLISECONDS = 1_000;

/** Samples of prom-client without a value, such as the event loop lag before it is measured. */
const NO_NUMBER = /^.* Nan\n/gim;

export function createExposition(
  initialFamilies: readonly Family[],
  metrics: Pick<ExporterMetrics, 'text' | 'pageRendered'>,
  clock: Pick<Clock, 'monotonic'>,
  yieldToEventLoop: () => Promise<void>,
): Exposition {
  let families = initialFamilies;
  let page = EMPTY_PAGE;
  let waiting: Snapshot | undefined;
  let rendering: Promise<void> | undefined;
  let scraping: Promise<GzipBody> | undefined;
  let shared: { readonly page: Page; readonly until: number; readonly body: GzipBody } | undefined;

  const scrape = async (): Promise<GzipBody> => {
    // The first scrape waits until all counters and flags exist.
    if (page === EMPTY_PAGE) await rendering;
    const now = clock.monotonic();
    if (shared?.page === page && now < shared.until) return shared.body;
    const text = (await metrics.text()).replace(NO_NUMBER, '');
    const body = gzipBody(append(page, text));
    shared = { page, until: now + SHARED_MILLISECONDS, body };
    return body;
  };

  /** Renders until no newer snapshot is waiting. Aborts an outdated page, but never two in a row. */
  const renderWaiting = async (): Promise<void> => {
    let isLate = false;
    while (waiting !== undefined) {
      const snapshot = waiting;
      waiting = undefined;
      const rendered = await renderPage(families, snapshot, async () => {
        await yieldToEventLoop();
        return !isLate && waiting !== undefined;
      });
      isLate = rendered === undefined;
      if (rendered === undefined) continue;
      page = rendered;
      metrics.pageRendered(page);
    }
    rendering = undefined;
  };

  return {
    show: (snapshot) => {
      waiting = snapshot;
      // Deferred, so that snapshots in quick succession are rendered once.
      rendering ??= Promise.resolve().then(renderWaiting);
    },
    setFamilies: (chosen) => {
      families = chosen;
    },
    settled: async () => rendering,
    scrape: () => {
      scraping ??= scrape().finally(() => {
        scraping = undefined;
      });
      return scraping;
    },
  };
}
