import { createPress, EMPTY_PAGE, type Page, renderPage } from '../../src/metrics/page.ts';
import { viewOf } from '../../src/metrics/view.ts';
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
    const page = await pageOf(PHONES);
    yield* figures('whole page', page.series, page.run.textBytes, page.run.deflatedBytes);
    for (const [index, { name }] of FAMILIES.entries()) {
      const column = page.columns[index];
      if (column === undefined || column.textBytes < page.run.textBytes * SMALLEST_SHARE) continue;
      yield* figures(name, column.series, column.textBytes, column.deflated.length);
    }
  },
};

async function pageOf(phones: number): Promise<Page> {
  const exporter = createLocalExporter(phones, 1);
  for (let poll = 0; poll < 2; poll += 1) {
    await exporter.prepare();
    await exporter.poll();
  }
  return renderPage(FAMILIES, EMPTY_PAGE, viewOf(exporter.snapshot()), createPress(), async () => {});
}

function* figures(name: string, series: number, text: number, gzip: number): Generator<Figure> {
  yield { name: `${name}: series`, phones: PHONES, value: series / PHONES, unit: '' };
  yield { name: `${name}: text`, phones: PHONES, value: text / PHONES, unit: 'B' };
  yield { name: `${name}: gzip`, phones: PHONES, value: gzip / PHONES, unit: 'B' };
}
