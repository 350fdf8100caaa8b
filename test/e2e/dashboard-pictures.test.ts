import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../rules/shipped.ts';
import { BOARDS } from '../unit/grafana/board.ts';
import { type Demo, startDemo } from './demo.ts';
import { drawDashboard, type Filled, WIDTH } from './drawing/dashboard.ts';
import type { DrawnPanel } from './drawing/panel.ts';
import { fill, rangeOf } from './grafana.ts';
import { timeWithAlerts, type Viewer, viewerAt } from './viewer.ts';

/**
 * Takes pictures of the dashboards for the documents, at a moment of the demo's history:
 * `PICTURES=docs/pictures npx vitest run --project e2e test/e2e/dashboard-pictures.test.ts`. They are drawn by us from what a
 * real Prometheus answers, since there is no Grafana here.
 */
const FOLDER = process.env['PICTURES'];

const HEIGHT = 1_000;
/** Largest picture that belongs into a repository. */
const MOST_BYTES = 200_000;

let demo: Demo;
let reader: Viewer;
let browser: Browser;

type Asking = {
  readonly expr: string;
  readonly refId: string;
  readonly instant?: boolean;
  readonly legendFormat?: string;
};
type AskingPanel = DrawnPanel & { readonly targets?: readonly Asking[]; readonly interval?: string };

async function filled(panel: AskingPanel, from: string): Promise<Filled> {
  const range = rangeOf(from, reader.at, panel.interval);
  const filling = { rangeSeconds: range.end - range.start, stepSeconds: range.step, ...reader };
  const brought = (panel.targets ?? []).map(async ({ expr, refId, instant, legendFormat }) => {
    const expression = fill(expr, filling);
    const { query, queryRange } = demo.prometheus;
    return {
      refId,
      legend: legendFormat,
      series: instant ? [] : await queryRange(expression, range),
      samples: instant ? await query(expression, reader.at) : [],
    };
  });
  return { panel, brought: await Promise.all(brought) };
}

describe.skipIf(FOLDER === undefined)('the pictures of the dashboards', () => {
  beforeAll(async () => {
    demo = await startDemo();
    reader = await viewerAt(demo.prometheus, await timeWithAlerts(demo));
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    mkdirSync(join(ROOT, FOLDER ?? ''), { recursive: true });
  }, 110_000);

  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });

  it.each(BOARDS)('$file', async ({ file, text }) => {
    const { title, time, panels }: { title: string; time: { from: string }; panels: AskingPanel[] } =
      JSON.parse(text);
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    await page.setContent(
      drawDashboard(title, await Promise.all(panels.map((panel) => filled(panel, time.from)))),
    );
    const path = join(ROOT, FOLDER ?? '', `dashboard-${file.replace('.json', '.png')}`);
    await page.screenshot({ path, clip: { x: 0, y: 0, width: WIDTH, height: HEIGHT } });
    expect(statSync(path).size).toBeLessThan(MOST_BYTES);
  });
});
