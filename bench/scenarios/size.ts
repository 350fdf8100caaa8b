import { yieldToEventLoop } from '../../src/base/clock.ts';
import { createRenderer } from '../../src/metrics/page.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
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
    const page = await createRenderer(FAMILIES, yieldToEventLoop)(snapshot);
    yield* figures('whole page', page.series, page.textBytes, page.deflatedBytes);
    for (const family of FAMILIES) {
      const own = await createRenderer([family], yieldToEventLoop)(snapshot);
      if (own.textBytes >= page.textBytes * SMALLEST_SHARE)
        yield* figures(family.name, own.series, own.textBytes, own.deflatedBytes);
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
