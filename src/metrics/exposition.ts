import type { Clock } from '../clock.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Family } from './catalog.ts';
import { createPress, EMPTY_PAGE, renderPage } from './page.ts';
import type { SelfMetrics } from './self.ts';
import { type Body, compact, extend, gzipBody } from './stretch.ts';
import { viewOf } from './view.ts';

/** The media type of the text exposition; Prometheus 3 refuses a scrape without it. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Milliseconds of rendering after which the event loop is given back; one batch may come on top. */
const SLICE_MILLISECONDS = 2;

/** Milliseconds after a page until our own counters, which polls change too, are printed ahead of the next scrape. */
const REFRESH_DELAY = 1_000;

/** What a scrape is answered with: a page that is rendered once per snapshot, and our own counters as of now. */
export type Exposition = {
  /** Begins to render a new snapshot; the old page is served until the new one is whole. */
  readonly show: (snapshot: Snapshot) => void;
  /** Shows other families from the next snapshot on. */
  readonly choose: (families: readonly Family[]) => void;
  /** The answer to a scrape as gzip, of which `textLength` bytes come out. */
  readonly scrape: () => Promise<ScrapeBody>;
  /** Resolves when the last snapshot shown is on the page. */
  readonly settled: () => Promise<void>;
};

export type ScrapeBody = Body;

/**
 * @param pause gives the event loop back between two slices of a page
 */
export function createExposition(
  initial: readonly Family[],
  self: SelfMetrics,
  clock: Clock,
  pause: () => Promise<void>,
): Exposition {
  const press = createPress();
  let families = initial;
  let page = EMPTY_PAGE;
  /** What that page is sent as. */
  let sent = page.run;
  /** The families of that page. */
  let rendered = initial;
  let waiting: Snapshot | undefined;
  let rendering: Promise<void> | undefined;
  let refreshing = false;

  const refreshSoon = (): void => {
    if (refreshing) return;
    refreshing = true;
    clock.after(REFRESH_DELAY, () => {
      refreshing = false;
      void self.refresh(pause);
    });
  };

  /** Renders until nothing newer waits; a snapshot that was overtaken while another was rendered is never rendered. */
  const renderWaiting = async (): Promise<void> => {
    while (waiting !== undefined) {
      const view = viewOf(waiting);
      waiting = undefined;
      const startedAt = clock.monotonic();
      const earlier = rendered === families ? page : EMPTY_PAGE;
      rendered = families;
      page = await renderPage(rendered, earlier, view, press, pacer(clock, pause));
      sent = compact(page.run);
      self.pageRendered(page, (clock.monotonic() - startedAt) / 1000);
    }
    rendering = undefined;
    refreshSoon();
  };

  return {
    show: (snapshot) => {
      waiting = snapshot;
      rendering ??= renderWaiting();
    },
    choose: (chosen) => {
      families = chosen;
    },
    settled: async () => rendering,
    scrape: async () => {
      const own = await self.stretches();
      return gzipBody(extend(sent, own));
    },
  };
}

/** A function that pauses when the slice of work since its last pause is over. */
function pacer(clock: Clock, pause: () => Promise<void>): () => Promise<void> {
  let sliceStartedAt = clock.monotonic();
  return async () => {
    if (clock.monotonic() - sliceStartedAt < SLICE_MILLISECONDS) return;
    await pause();
    sliceStartedAt = clock.monotonic();
  };
}
