import type { Clock } from '../clock.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { ExporterMetrics } from './exporter-metrics.ts';
import type { Family } from './families.ts';
import {
  createCompressor,
  createRenderer,
  type GzipBody,
  gzipBody,
  layEndToEnd,
  type Page,
  toSegment,
} from './page.ts';

/** The body of scrapes: a page that is rendered once per snapshot, and the exporter's own metrics as of now. */
export type Exposition = {
  /** Starts to render a new snapshot; the old page is served until the new one is complete. */
  readonly show: (snapshot: Snapshot) => void;
  /** Shows other families from the next snapshot on. */
  readonly setFamilies: (families: readonly Family[]) => void;
  /** Scrapes at the same time share one body. */
  readonly scrape: () => Promise<GzipBody>;
  /** Resolves when the last snapshot is on the page. */
  readonly settled: () => Promise<void>;
};

const EMPTY_PAGE: Page = layEndToEnd([]);

export function createExposition(
  families: readonly Family[],
  metrics: Pick<ExporterMetrics, 'text' | 'pageRendered'>,
  clock: Pick<Clock, 'monotonic'>,
): Exposition {
  let render = createRenderer(families);
  let page = EMPTY_PAGE;
  let waiting: Snapshot | undefined;
  let rendering: Promise<void> | undefined;
  let scraping: Promise<GzipBody> | undefined;
  const compressor = createCompressor();

  const scrape = async (): Promise<GzipBody> => {
    // Counters and success flags exist from the first scrape.
    if (page === EMPTY_PAGE) await rendering;
    const own = await toSegment(await metrics.text(), compressor);
    return gzipBody(layEndToEnd([page, own]));
  };

  /** Renders until no newer snapshot waits; one that was overtaken in the meantime is never rendered. */
  const renderWaiting = async (): Promise<void> => {
    while (waiting !== undefined) {
      const snapshot = waiting;
      waiting = undefined;
      const startedAt = clock.monotonic();
      page = await render(snapshot);
      metrics.pageRendered(page, (clock.monotonic() - startedAt) / 1000);
    }
    rendering = undefined;
  };

  return {
    show: (snapshot) => {
      waiting = snapshot;
      rendering ??= renderWaiting();
    },
    setFamilies: (chosen) => {
      render = createRenderer(chosen);
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
