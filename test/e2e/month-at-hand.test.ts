import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, visit, WITHOUT_CHROMIUM } from '../browser.ts';
import { phonesOf } from '../integration/stand-in-api.ts';
import { createVirtualDaemon, HOUR, type VirtualDaemon } from '../integration/virtual-daemon.ts';

/*
 * The view Month of a farm in which one label is long, at half past midnight of its owner.
 */

let folder = '';
let farm: VirtualDaemon;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-month-at-hand-'));
  const [first, ...others] = phonesOf(8);
  farm = await createVirtualDaemon(folder, {
    phones: [{ deviceId: 'phone-01', ...first, label: 'x'.repeat(128) }, ...others],
  });
  farm.clock.advance(30.5 * 24 * HOUR - 3.5 * HOUR);
  farm.configure({ time_zone: 'Europe/Kyiv' });
  await farm.start();
  await farm.live(2 * HOUR);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await farm.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openMonth(page: Page): Promise<void> {
  await page.getByText('Month', { exact: true }).last().click();
  await page.locator('#month .figures tbody tr').first().waitFor();
}

describe.skipIf(WITHOUT_CHROMIUM !== undefined)('the view Month', () => {
  it('shows figures next to names on a phone, however long a label is', async () => {
    const { page, context } = await visit(browser, farm.url(), { width: 390, height: 844 });
    await openMonth(page);
    const name = await page.locator('#month .figures tbody tr > *').first().boundingBox();
    const view = await page.locator('#month .figures').boundingBox();
    await context.close();
    expect(name?.width).toBeLessThan(view?.width ?? 0);
  });

  it('opens with its content if the address names it, as do the incidents', async () => {
    const { page, context } = await visit(browser, `${farm.url()}#month`);
    await page.locator('#month .figures tbody tr').first().waitFor();
    await page.evaluate(`location.hash = '#incidents'`);
    await page.locator('#incidents .days').waitFor();
    await context.close();
  });

  it('opens the incidents for a bookmark of the alerts, which they took the place of', async () => {
    const { page, context } = await visit(browser, `${farm.url()}#alerts`);
    await page.locator('#incidents .days').waitFor();
    await context.close();
  });

  it('offers the month that just ended for the owner, where the browser has another zone', async () => {
    const { page, context } = await visit(browser, 'about:blank');
    await page.clock.install({ time: farm.clock.now() });
    await page.goto(farm.url());
    await openMonth(page);
    const months = await page.locator('select[aria-label=Month] option').allTextContents();
    await context.close();
    expect(new Date(farm.clock.now()).toISOString()).toBe('2026-03-31T22:30:00.000Z');
    expect(months).toContain('2026-03');
  });
});
