import { gzipBody } from '../../src/metrics/page.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { renderedPage } from '../../test/rendered-page.ts';
import { createLocalExporter, FAMILIES } from '../exporter.ts';
import type { Figure, Scenario } from '../report.ts';

/** The fleet of which each family is listed; per phone, larger ones are the same. */
const PHONES = 10_000;

/** Families below this share of the page are left out of the list. */
const SMALLEST_SHARE = 0.005;

export const size: Scenario = {
  name: 'size',
  title: `What a phone costs Prometheus: series, text and gzip, by family; ${PHONES} phones, two polls`,
  async *run() {
    const snapshot = await snapshotOf(PHONES);
    const page = await renderedPage(FAMILIES, snapshot);
    yield* figures('whole page', page.series, page.textLength, gzipBody(page).length);
    for (const family of FAMILIES) {
      const own = await renderedPage([family], snapshot);
      if (own.textLength >= page.textLength * SMALLEST_SHARE)
        yield* figures(family.name, own.series, own.textLength, gzipBody(own).length);
    }
  },
};

async function snapshotOf(phones: number): Promise<Snapshot> {
  const exporter = createLocalExporter(phones, 1);
  for (let poll = 0; poll < 2; poll += 1) {
    await exporter.prepare();
    await exporter.poll();
  }
  return exporter.snapshot();
}

function* figures(name: string, series: number, text: number, gzip: number): Generator<Figure> {
  yield { name: `${name}: series`, phones: PHONES, value: series / PHONES, unit: '' };
  yield { name: `${name}: text`, phones: PHONES, value: text / PHONES, unit: 'B' };
  yield { name: `${name}: gzip`, phones: PHONES, value: gzip / PHONES, unit: 'B' };
}
