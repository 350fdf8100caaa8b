import { yieldToEventLoop } from '../src/base/clock.ts';
import type { Family } from '../src/metrics/families.ts';
import { type Page, renderPage } from '../src/metrics/page.ts';
import type { Snapshot } from '../src/model/snapshot.ts';

/** Renders the page of a snapshot to its end. */
export async function renderedPage(families: readonly Family[], snapshot: Snapshot): Promise<Page> {
  const page = await renderPage(families, snapshot, async () => {
    await yieldToEventLoop();
    return false;
  });
  if (page === undefined) throw new Error('the page was given up');
  return page;
}
