import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Debian's Chromium, or another one that $CHROMIUM names; playwright-core brings none. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why no browser is available here; undefined if one is. */
export const WITHOUT_CHROMIUM = existsSync(CHROMIUM)
  ? undefined
  : `there is no browser at ${CHROMIUM}: install Debian's package chromium, or name another with CHROMIUM`;

export function openBrowser(): Promise<Browser> {
  // A container has no user namespaces for the sandbox, and as a rule too little shared memory.
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
  });
}

export type Look = {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly javaScriptEnabled?: boolean;
  /** Runs before the scripts of the page. */
  readonly script?: string;
  /** JSON documents that are answered in place of the exporter, by pattern of their address. */
  readonly served?: Readonly<Record<string, unknown>>;
};

/** A page, and what went wrong on it: scripts that failed, files that were refused, dialogs that opened. */
export type Visit = { readonly page: Page; readonly context: BrowserContext; readonly mishaps: string[] };

export async function visit(browser: Browser, url: string, look: Look = {}): Promise<Visit> {
  const {
    scheme = 'light',
    width = 1280,
    height = 900,
    javaScriptEnabled = true,
    served = {},
    script,
  } = look;
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    javaScriptEnabled,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const mishaps: string[] = [];
  page.on('pageerror', (error) => mishaps.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url: at } = message.location();
    mishaps.push(`console: ${message.text()} ${at}`);
  });
  page.on('dialog', (dialog) => {
    mishaps.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  if (script !== undefined) await page.addInitScript(script);
  for (const [pattern, json] of Object.entries(served))
    await page.route(pattern, (route) => route.fulfill({ json }));
  await page.goto(url);
  return { page, context, mishaps };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the problems that axe-core finds on a page, with their places. Does not violate the page's policy. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found: unknown =
    await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`);
  return Array.isArray(found) ? found.map(String) : [`axe answered ${String(found)}`];
}
