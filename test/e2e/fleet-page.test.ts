import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createTimeZone } from '../../src/base/time-zone.ts';
import { createMarketplace, type Marketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet, type Phone } from '../../src/features/demo/phones.ts';
import { type Look, openBrowser, type Visit, violationsOf, visit, WITHOUT_CHROMIUM } from '../browser.ts';
import { type FaultySimulator, startFaultySimulator } from '../faults/simulated/faults.ts';
import { EACH_SECOND, type Exporter, KEY, startExporter } from '../integration/exporter.ts';
import { freePort, MAIN, start } from '../process.ts';
import type { TestedSimulatorOptions } from '../simulator.ts';
import { history, historyAccount } from '../unit/features/history/documents.ts';
import { accountDay, phoneDay, writeDayFile } from '../unit/features/month/day-files.ts';

/** Phones that live for an hour before anybody looks, one of them as given. */
function marketplaceOf(size: number, change: (phone: Phone, index: number) => Phone = (phone) => phone) {
  const phones = createFleet({ seed: 1, size }).map(change);
  return createMarketplace({ seed: 1, startAt: systemClock.now() - 3_600_000, phones, lively: false });
}

const UTC = createTimeZone();

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script>',
  'invoice \u202Egnp.exe',
  'x'.repeat(256),
  '📱🔥 hot spare 👩🏽‍🔧',
  'מדף 3 טלפון 7',
  '</title><svg onload=alert(3)>',
  '{{telemetry_path}} {alert(4)} __proto__',
  '',
] as const;

/** Removes functions that Safari 14 or Chrome 80 lacks. */
const WITHOUT_NEWER_FUNCTIONS = `
  const newer = [
    [Array.prototype, ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']],
    [String.prototype, ['at', 'isWellFormed', 'replaceAll', 'toWellFormed']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf']],
    [Object, ['hasOwn', 'groupBy']],
    [Map, ['groupBy']],
    [Promise, ['any', 'try', 'withResolvers']],
    [AbortSignal, ['any', 'timeout']],
    [Element.prototype, ['checkVisibility', 'replaceChildren']],
    [HTMLDialogElement.prototype, ['close', 'show', 'showModal']],
    [globalThis, ['HTMLDialogElement', 'WeakRef', 'navigation', 'scheduler', 'structuredClone']],
  ];
  for (const [holder, names] of newer) for (const name of names) delete holder[name];
`;

/** Browsers before autumn 2022 know Europe/Kyiv only as Europe/Kiev. */
const WITHOUT_KYIV = `
  const { DateTimeFormat } = Intl;
  Intl.DateTimeFormat = function (locale, options) {
    if (options?.timeZone === 'Europe/Kyiv') throw new RangeError('Invalid time zone specified: Europe/Kyiv');
    return new DateTimeFormat(locale, options);
  };
`;

/** Does what the translators of browsers do: each text becomes a new one in two elements. */
const TRANSLATE = `
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const all = [];
  while (walker.nextNode()) if (/[a-z]/i.test(walker.currentNode.data)) all.push(walker.currentNode);
  for (const text of all) {
    const outer = document.createElement('font');
    outer.append(document.createElement('font'));
    outer.firstChild.textContent = text.data;
    text.replaceWith(outer);
  }
`;

/** Shows or hides a page, as a browser does when another tab is in front of it. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

/** Makes the minute between two requests of a hidden page half a second. */
const FAST_HIDDEN = `
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (run, after) => setTimeout(run, after === 60_000 ? 500 : after);
`;

/** Lets a test set the clock of the page. */
const CLOCK = `
  const { now } = Date;
  globalThis.aheadBy = 0;
  Date.now = () => now() + globalThis.aheadBy;
`;

async function waitForTitle(page: Page, title: RegExp): Promise<void> {
  while (!title.test(await page.title())) await page.waitForTimeout(100);
}

/** An exporter and the marketplace that it polls. */
type ShownFleet = { readonly url: string; readonly simulator: FaultySimulator; readonly exporter: Exporter };

let browser: Browser;
let five: ShownFleet;
/** Five phones that are polled every second. */
let busy: ShownFleet;
let sixty: ShownFleet;
let tenThousand: ShownFleet;
const shownFleets: ShownFleet[] = [];
const visits: Visit[] = [];

beforeAll(async () => {
  if (WITHOUT_CHROMIUM !== undefined) return;
  const missing = (phone: Phone, index: number): Phone =>
    index === 2 ? { ...phone, tunnel: 'missing' } : phone;
  [browser, five, busy, sixty, tenThousand] = await Promise.all([
    openBrowser(),
    open(marketplaceOf(5, missing)),
    open(marketplaceOf(5), EACH_SECOND),
    open(marketplaceOf(60)),
    open(marketplaceOf(10_000)),
  ]);
});

afterEach(async () => {
  await Promise.all(visits.splice(0).map(({ context }) => context.close()));
});

afterAll(async () => {
  await browser?.close();
  await Promise.all(shownFleets.map(({ exporter }) => exporter.stop()));
  await Promise.all(shownFleets.map(({ simulator }) => simulator.close()));
});

/** @param others marketplaces of further accounts, which the exporter has in a configuration file */
async function open(
  marketplace: Marketplace,
  parameters: readonly string[] = [],
  others: TestedSimulatorOptions['accounts'] = [],
): Promise<ShownFleet> {
  const accounts = [{ name: 'main', key: KEY, marketplace }, ...others];
  const simulator = await startFaultySimulator({ accounts, clock: systemClock });
  const own = others.length === 0 ? [] : [`--config.file=${configurationOf(simulator.url, accounts)}`];
  const variables = accounts.map(({ name, key }) => [`KEY_${name}`, key] as const);
  const exporter = await startExporter({
    apiUrl: others.length === 0 ? simulator.url : '',
    parameters: [...own, ...parameters],
    environment: others.length === 0 ? {} : { HOSTER_API_KEY: '', ...Object.fromEntries(variables) },
  });
  const shownFleet = { url: exporter.url, simulator, exporter };
  shownFleets.push(shownFleet);
  return shownFleet;
}

/** Each account in a currency of its own. */
function configurationOf(url: string, accounts: TestedSimulatorOptions['accounts']): string {
  const file = join(mkdtempSync(join(tmpdir(), 'hoster-fleet-page-')), 'hoster.yml');
  const configured = accounts.map(({ name }, index) => ({
    name,
    api_url: url,
    api_key_env: `KEY_${name}`,
    currency: ['EUR', 'USD'][index],
  }));
  writeFileSync(file, JSON.stringify({ accounts: configured }));
  return file;
}

/** Documents that no test waits for: the history, and the last days of a phone, which an exporter without months lacks. */
const SERVED = {
  '**/api/v1/history?*': history(historyAccount(48)),
  '**/api/v1/month?account=*': { month: '2026-11', by: 'phone', rows: [], days: [] },
};

/** Opens the page, and its table, which opens by itself where phones are selected. */
async function look(url: string, options: Look = {}): Promise<Visit> {
  const visited = await visit(browser, url, { ...options, served: { ...SERVED, ...options.served } });
  visits.push(visited);
  const { page } = visited;
  await page.locator('#wall [data-key]').first().waitFor();
  if ((await page.locator('#table-section[open]').count()) === 0)
    await page
      .locator('#table-section summary')
      .evaluate((summary) => summary.parentElement?.toggleAttribute('open'));
  await page.locator('.rows .row').first().waitFor();
  return visited;
}

/** Waits until a document has come that the page did not have. */
async function waitForDocument(page: Page): Promise<void> {
  const isNew = (response: Response) => response.url().endsWith('/api/v1/fleet') && response.status() === 200;
  const received = page.waitForResponse(isNew);
  let isReceived = false;
  void received.then(() => {
    isReceived = true;
  });
  while (!isReceived) {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.waitForTimeout(300);
  }
  await (await received).finished();
  await page.evaluate(
    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
  );
}

const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();
const names = (page: Page) => texts(page, '.rows .cell-phone .main');
const attribute = (page: Page, name: string) => page.locator('.grid').getAttribute(name);
const word = (page: Page) => page.locator('#freshness-word').textContent();

/** Waits until the page says something, and lets it ask at once, as it does when somebody comes back to it. */
async function waitForOutput(page: Page, selector: string, text: string | RegExp): Promise<void> {
  while ((await page.locator(selector, { hasText: text }).count()) === 0) {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page
      .locator(selector, { hasText: text })
      .waitFor({ timeout: 300 })
      .catch(() => {});
  }
}

describe.skipIf(WITHOUT_CHROMIUM !== undefined)('the fleet page', () => {
  it.each(['light', 'dark'] as const)('shows five phones, in a %s scheme', async (scheme) => {
    const { url } = five;
    const { page, mishaps } = await look(url, { scheme });
    await page.getByText('No tunnel').first().waitFor();
    expect((await names(page)).toSorted()).toEqual([
      'rack-01/slot-01',
      'rack-01/slot-02',
      'rack-01/slot-03',
      'rack-01/slot-04',
      'rack-01/slot-05',
    ]);
    expect((await texts(page, '.places li > span'))[0]).toBe('No tunnel');
    expect((await texts(page, '.tile-value')).slice(2)).toEqual(['2', '2', '1']);
    expect(await page.title()).toBe('1 phone needs attention: rack-01/slot-03 · Fleet');
    expect(await word(page)).toBe('Up to date');
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it('stays fluid with 10,000 phones', async () => {
    const { url, exporter } = tenThousand;
    // The program listens before its first poll has ended.
    await exporter.shows(/^hoster_devices_reported\{.*\} 10000$/m);
    const startedAt = systemClock.monotonic();
    const { page, mishaps } = await look(url);
    const milliseconds = systemClock.monotonic() - startedAt;
    expect(await attribute(page, 'aria-rowcount')).toBe('10001');
    expect(await page.locator('.rows .row').count()).toBe(100);
    expect(milliseconds).toBeLessThan(6_000);
    // A card where all is well is a bar, which opens.
    const bar = page.locator('.rack button.bar').first();
    await bar.click();
    await page.locator('.bar + .cells [data-key]').first().waitFor();
    await bar.click();

    await page.getByRole('button', { name: 'Next 100' }).click();
    expect(await page.locator('.rows .row').first().getAttribute('aria-rowindex')).toBe('102');
    expect(await page.locator('.pages').innerText()).toContain('101–200 of 10,000');

    // A phone is opened and closed, and the next document comes.
    await page.locator('.rows .row a').first().click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.route('**/api/v1/fleet', async (route) => {
      const { 'if-none-match': _, ...headers } = route.request().headers();
      await route.fulfill({ response: await route.fetch({ headers }) });
    });
    const answered = page.waitForResponse('**/api/v1/fleet');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await (await answered).finished();
    await page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
    );
    expect(await page.locator('.pages').innerText()).toContain('101–200 of 10,000');
    await page.unroute('**/api/v1/fleet');
    await page.getByRole('button', { name: 'Previous 100' }).click();
    expect(await page.locator('.pages').innerText()).toContain('1–100 of 10,000');

    await page.getByLabel('Search phones').fill('rack-01/slot');
    await page.locator('#phones-count', { hasText: '20 of 10,000' }).waitFor();
    await page.getByRole('button', { name: 'Phone', exact: true }).click();
    expect((await names(page)).slice(0, 3)).toEqual([
      'rack-01/slot-01',
      'rack-01/slot-02',
      'rack-01/slot-03',
    ]);
    await page.getByRole('button', { name: 'Phone', exact: true }).click();
    expect((await names(page))[0]).toBe('rack-01/slot-23');
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it('restores its view from a bookmark', async () => {
    const { url } = sixty;
    const { page } = await look(url);
    await page.getByLabel('Show').selectOption('sold');
    await page.getByLabel('Search phones').fill('pixel');
    await page.getByRole('button', { name: 'Phone', exact: true }).click();
    await page.getByRole('button', { name: 'Phone', exact: true }).click();
    const before = await names(page);
    expect(new URL(page.url()).hash).toBe('#q=pixel&show=sold&sort=-phone');
    const { page: later } = await look(page.url());
    expect(await names(later)).toEqual(before);
    expect(await later.getByLabel('Search phones').inputValue()).toBe('pixel');
    expect(await later.locator('[data-column=phone]').getAttribute('aria-sort')).toBe('descending');
  });

  it('shows labels as text and never as markup', async () => {
    const { url } = await open(
      marketplaceOf(HOSTILE.length, (phone, index) => ({
        ...phone,
        label: HOSTILE[index] ?? '',
        model: HOSTILE[0],
      })),
    );
    for (const scheme of ['light', 'dark'] as const) {
      const { page, mishaps } = await look(url, { scheme });
      const shown = await names(page);
      expect(shown).toHaveLength(HOSTILE.length);
      expect(shown).toContain('<img src=x onerror=alert(1)>');
      expect(shown).toContain('"><script>alert(2)</script>');
      expect(shown).toContain('invoice \uFFFDgnp.exe');
      expect(shown).toContain('x'.repeat(128));
      expect(shown).toContain('📱🔥 hot spare 👩🏽\u200D🔧');
      expect(shown).toContain('{{telemetry_path}} {alert(4)} __proto__');
      expect(await page.locator('main img, main script, main svg').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      expect(mishaps).toEqual([]);
    }
  });

  it('says that the API is down, freezes ages, and then shows in grey what was last known', async () => {
    const { url, simulator } = await open(marketplaceOf(5), [...EACH_SECOND, '--poll.stale-after=6s']);
    const { page, mishaps } = await look(url);
    await page.locator('a.tile').first().focus();
    simulator.faults.on('all', 'internal-error');
    // On a busy machine the first poll that fails may be one that was under way, or that of another collector.
    await waitForOutput(
      page,
      '#verdict',
      /No news from the marketplace since .+: this is not your phones.*The API failed \(status 5xx\)/,
    );
    expect(await word(page)).toBe('Not updating');
    // The keyboard is where it was.
    expect(await page.locator(':focus').getAttribute('href')).toBe('#month');
    // One place says since when, and what is shown.
    expect(await texts(page, '#verdict p')).toEqual([
      expect.stringMatching(
        /^The API failed \(status 5xx\)\. .+ You see the data from .+ ago\. (?:Last known: \d phones? needs? attention|Nothing needed attention then)\.$/,
      ),
    ]);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#phones')).filter`)).toBe(
      'grayscale(1)',
    );
    const asOf = page.locator('.rows .cell-heartbeat .small').first();
    expect(await asOf.textContent()).toMatch(/^at \d\d:\d\d:\d\d$/);
    expect(await violationsOf(page)).toEqual([]);

    const values = await texts(page, '.tile-value');
    await waitForOutput(page, '#freshness-word', 'Out of date');
    expect(await page.title()).toMatch(/^No news from the marketplace since .* · Fleet$/);
    expect((await texts(page, '.tile-value')).slice(0, 5)).toEqual(values.slice(0, 5));
    expect(await page.locator('.row[data-state=expired]').count()).toBe(5);
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it('says that the exporter cannot be reached, and that it is back', async () => {
    const { page } = await look(five.url);
    await page.route('**/api/v1/fleet', (route) => route.abort());
    await waitForOutput(page, '#verdict', 'The exporter cannot be reached');
    expect(await word(page)).toBe('Exporter unreachable');
    expect(await page.locator('.rows .row').count()).toBe(5);
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute('**/api/v1/fleet');
    await waitForOutput(page, '#freshness-word', 'Up to date');
    expect(await page.locator('#verdict').textContent()).not.toContain('cannot be reached');
  });

  it('says in its tab what is wrong, and that the exporter is away, while nobody sees it', async () => {
    const { url } = await open(
      marketplaceOf(5, (phone) => ({ ...phone, online: true, setupStatus: 'complete' })),
    );
    const { page, mishaps } = await look(url, { script: FAST_HIDDEN });
    await waitForOutput(page, '#freshness-word', 'Up to date');
    const document = JSON.parse(await (await fetch(`${url}/api/v1/fleet?phones=no`)).text());
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    await setHidden(page, true);
    const [account] = document.accounts;
    account.totals.problems.sold_offline = 3;
    const cause = {
      id: 'group:rack-01',
      kind: 'group',
      value: 'rack-01',
      phones: 3,
      soldPhones: 3,
      ownPhones: 5,
    };
    const changed = { ...document, causes: [{ ...cause, others: 0, withinSeconds: 5 }] };
    account.readings.devices.lastSuccessAt = new Date(systemClock.now()).toISOString();
    await page.route('**/api/v1/fleet?phones=no', (route) => route.fulfill({ json: changed }));
    await waitForTitle(page, /^Outage: rack-01/);
    expect(await icon()).toContain('b3203a');
    expect(new Set(asked)).toEqual(new Set(['?phones=no']));
    await page.unroute('**/api/v1/fleet?phones=no');
    await page.route('**/api/v1/fleet*', (route) => route.abort());
    await waitForTitle(page, /^The exporter cannot be reached · Fleet$/);
    await page.unroute('**/api/v1/fleet*');
    await page.evaluate(`document.dispatchEvent(new Event('freeze'))`);
    expect(await page.title()).toMatch(/^At \d\d:\d\d · Fleet$/);
    await setHidden(page, false);
    await waitForTitle(page, /online|attention/);
    await waitForOutput(page, '#freshness-word', 'Up to date');
    expect(mishaps.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  });

  it('is not up to date when it wakes up, until a response comes', async () => {
    const { page } = await look(five.url, { script: CLOCK });
    await page.locator('#freshness-word', { hasText: 'Up to date' }).waitFor();
    await setHidden(page, true);
    await page.route('**/api/v1/fleet*', () => {});
    await page.evaluate('globalThis.aheadBy = 3 * 3_600_000');
    await setHidden(page, false);
    await page.locator('#freshness-word', { hasText: 'Waiting for the exporter' }).waitFor();
    await page.locator('#verdict[data-tone=warn]', { hasText: 'No news from the exporter since ' }).waitFor();
    expect(await page.title()).toMatch(/^No news from the exporter since /);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).not.toContain('17693f');
  });

  it('reloads for a newer exporter when nobody types, once, and says so until then', async () => {
    const { page } = await look(five.url);
    const document = JSON.parse(await (await fetch(`${five.url}/api/v1/fleet`)).text());
    const newer = { ...document, exporter: { ...document.exporter, version: '9.9.9' } };
    await page.getByLabel('Search phones').focus();
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/api/v1/fleet', (route) => route.fulfill({ json: newer }));
    await waitForOutput(page, '#notices', 'The exporter is newer than this page');
    expect(loads).toBe(0);
    await page.getByLabel('Search phones').blur();
    await page.waitForEvent('load');
    await waitForOutput(page, '#notices', 'The exporter is newer than this page');
    await page.waitForTimeout(2_500);
    expect(loads).toBe(1);
  });

  it('can be used with the keyboard alone', async () => {
    const { url } = sixty;
    const { page } = await look(url);
    const focused = (name: string) => page.locator(':focus').getAttribute(name);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the phones');
    await page.keyboard.press('Enter');
    expect(await focused('id')).toBe('phones');
    await page.locator('#table-section summary').focus();
    for (const title of [
      'Phone',
      'Problem',
      'Rental',
      'Market',
      'Last heartbeat',
      'Tunnel',
      'Rotation',
      'Setup',
      'Model',
    ]) {
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe(title);
    }
    await page.keyboard.press('Enter');
    expect(await page.locator('[data-column=model]').getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('/');
    expect(await focused('id')).toBe('search');
    await page.keyboard.type('nobody is called that');
    expect(await page.locator('#empty').textContent()).toBe('No phone matches the filters.');
    expect(await page.locator('#announcement').textContent()).toBe('0 phones');
  });

  it.each([1280, 390])('opens a phone with one tap or the keyboard, %i pixels wide', async (width) => {
    const { url } = sixty;
    const { page, mishaps } = await look(url, { width, height: 844 });
    const sheet = page.locator('dialog.sheet[open]');
    const opener = page.locator('.rows .open').first();
    const id = (await page.locator('.rows .cell-phone .small').first().textContent()) ?? '';
    await opener.click();
    expect(await sheet.locator('.phone-id').textContent()).toBe(id);
    expect(await sheet.locator('.last-day').textContent()).toMatch(/^Last 24 h: /);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.waitForURL(({ hash }) => hash === '');
    // The keyboard is where it was.
    expect(await page.locator(':focus').getAttribute('href')).toBe(await opener.getAttribute('href'));

    await opener.focus();
    await page.keyboard.press('Enter');
    await sheet.waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    const { page: later } = await look(`${url}/#phone=${encodeURIComponent(`default/${id}`)}`);
    expect(await later.locator('dialog.sheet[open] .phone-id').textContent()).toBe(id);
    expect(mishaps).toEqual([]);
  });

  it('finds the dark rack on the wall, opens a phone of it and comes back, with the keyboard alone', async () => {
    const dark = (phone: Phone): Phone =>
      phone.label.startsWith('rack-02/') ? { ...phone, setupStatus: 'complete', online: false } : phone;
    const { url } = await open(marketplaceOf(60, dark));
    const { page, mishaps } = await look(url);
    // The costliest card is first.
    const [first, second] = [page.locator('.rack').nth(0), page.locator('.rack').nth(1)];
    await first.locator('h3 a', { hasText: 'rack-02' }).focus();
    await page.keyboard.press('Tab');
    const focused = () => page.locator(':focus').getAttribute('aria-label');
    const labels = await first
      .locator('[data-key]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
    const columns = await first
      .locator('[data-key]')
      .evaluateAll((cells) => new Set(cells.map((cell) => cell.getBoundingClientRect().left)).size);
    expect(labels.length).toBeGreaterThan(columns + 1);
    for (const [key, at] of [
      ['ArrowRight', 1],
      ['ArrowDown', 1 + columns],
      ['ArrowLeft', columns],
      ['ArrowUp', 0],
      ['End', labels.length - 1],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(labels[at]);
      expect(await page.locator('.tip').textContent()).toBe(labels[at]);
    }
    expect(labels[0]).toMatch(/^rack-02\/slot-01: (?:Sold, offline|Offline|Self-rented, offline)$/);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('dialog.sheet h2', { hasText: 'rack-02/slot-01' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe(labels[0]);
    await page.keyboard.press('Tab');
    expect(await second.locator(':focus').count()).toBe(1);
    expect(mishaps).toEqual([]);
  });

  it('has a legend that is a filter, and shows what a cell is while it is pressed', async () => {
    const { page, mishaps } = await look(sixty.url);
    await page.locator('.legend button', { hasText: /^ ?sold \d/ }).click();
    await page.waitForURL(({ hash }) => hash === '#cell=sold');
    expect(await page.locator('.cell[data-cell=idle]:not([data-dim])[data-key]').count()).toBe(0);
    expect(await page.locator('.cell[data-cell=sold][data-dim]').count()).toBe(0);
    expect(new Set(await texts(page, '.rows .cell-rental .badge'))).toEqual(new Set(['sold']));
    expect(await violationsOf(page)).toEqual([]);
    await page.locator('#phones .legend [aria-pressed=true]').click();
    await page.waitForURL(({ hash }) => hash === '');
    expect(await page.locator('[data-dim]').count()).toBe(0);

    const cell = page.locator('.cell[data-key]').first();
    await cell.hover();
    await page.mouse.down();
    await page.waitForTimeout(600);
    await page.mouse.up();
    expect(await page.locator('.tip').textContent()).toBe(await cell.getAttribute('aria-label'));
    expect(await page.locator('dialog').count()).toBe(0);
    await cell.click();
    await page.locator('dialog.sheet').waitFor();
    expect(mishaps).toEqual([]);
  });

  it('mutes alerts for a group of a thousand phones', async () => {
    const dark = (phone: Phone, index: number): Phone => ({
      ...phone,
      label: `hall/${index}`,
      online: index > 0 && phone.online,
    });
    const { url } = await open(marketplaceOf(1_200, dark), ['--web.enable-changes']);
    const { page, mishaps } = await look(`${url}/#show=attention`);
    await page
      .locator('#work')
      .getByRole('button', { name: /^Mute …/ })
      .click();
    await page.getByRole('button', { name: 'Until it is back online' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^[\d,]+ phones, [\d,]+ offline, until /)
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('#maintenance li', { hasText: 'phones' }).waitFor();
    expect(mishaps).toEqual([]);
  });

  it('draws phones and balance over time, and has the same figures as a table', async () => {
    const offline = Array.from({ length: 48 }, (_, hour) => (hour === 47 ? 7 : hour === 46 ? null : 1));
    const served = { '**/api/v1/history?*': history(historyAccount(48, { offline })) };
    const { page, mishaps } = await look(five.url, { served });
    await page.locator('.uplot canvas').first().waitFor();
    expect(await texts(page, 'figcaption')).toEqual([
      'Phones',
      'Offline phones',
      'Changes in the balance, EUR',
    ]);
    await page.getByText(/^\d offline, .* yesterday at this time$/).waitFor();
    const chart = page.locator('.chart').nth(1);
    const values = chart.locator('.u-series:not(:first-child) .u-value');
    expect(await values.allTextContents()).toEqual(['2', '8', '1']);
    const plot = await page.locator('.chart').nth(1).locator('.u-over').boundingBox();
    await page.mouse.move((plot?.x ?? 0) + 2, (plot?.y ?? 0) + 20);
    expect(await values.allTextContents()).toEqual(['2', '2', '1']);
    expect(await chart.locator('.instant').textContent()).toMatch(/^28 Feb 1\d:00$/);
    await page.getByRole('button', { name: 'Table' }).click();
    const rows = page.getByRole('region', { name: 'Offline phones' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.nth(0).allTextContents()).toEqual(['1 Mar 12:00281']);
    expect(await rows.nth(1).locator('td').nth(1).textContent()).toBe('–');
    expect(await violationsOf(page)).toEqual([]);
    const asked = page.waitForRequest('**/api/v1/history?days=31');
    await page.getByRole('button', { name: '31 days' }).click();
    await asked;
    expect(mishaps).toEqual([]);
  });

  it.each([320, 640, 768, 1920])('fits a screen of %i pixels, and one with forced colours', async (width) => {
    const { page, mishaps } = await look(`${sixty.url}/#q=rack`, { width });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await violationsOf(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it.each([320, 768, 1280])('follows a browser’s text of twice the size, at %i pixels', async (width) => {
    const { page, mishaps } = await look(`${sixty.url}/#show=attention`, { width });
    const sizeOf = (selector: string) =>
      page.evaluate<number>(
        `Number.parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`,
      );
    const texts = ['#sentence', '.tile-value', '.rack h3', '.cell', '.small', '.freshness'];
    const before = await Promise.all(texts.map(sizeOf));
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await Promise.all(texts.map(sizeOf))).toEqual(before.map((size) => 2 * size));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it('announces a change to the headline once, but neither ages nor counts', async () => {
    const { page } = await look(five.url);
    const document = JSON.parse(await (await fetch(`${five.url}/api/v1/fleet`)).text());
    await page.evaluate(`
      globalThis.heard = [];
      new MutationObserver(() => {
        const said = [...document.querySelectorAll('[role=status], [aria-live]')].map((each) => each.textContent).join('|');
        if (said !== heard[heard.length - 1]) heard.push(said);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    await page.waitForTimeout(2_500);
    expect(await page.evaluate('heard.length')).toBeLessThanOrEqual(1);
    const [first, ...others] = document.phones;
    const gone = { ...first, problem: 'sold_offline', online: false, label: 'rack-01/gone' };
    const well = others.map(({ problem: _, ...phone }: { problem?: string }) => ({ ...phone, online: true }));
    await page.route('**/api/v1/fleet', (route) =>
      route.fulfill({ json: { ...document, phones: [gone, ...well] } }),
    );
    await waitForOutput(page, '#sentence', '1 phone needs attention: rack-01/gone');
    await page.waitForTimeout(1_500);
    const heard = JSON.parse(String(await page.evaluate('JSON.stringify(heard)')));
    expect(heard.filter((text: string) => text.includes('rack-01/gone'))).toHaveLength(1);
    expect(await page.locator('#sentence').locator('..').getAttribute('role')).toBe('status');
  });

  it('is printed with its colours, its legends and whole lists', async () => {
    const { page } = await look(`${sixty.url}/#show=attention`, { scheme: 'dark' });
    await page.locator('#incidents summary').click();
    await page.locator('#incidents .lines li').first().waitFor();
    const pdf = await page.pdf();
    const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)endstream/g)].flatMap(
      ([, part = '']) => {
        try {
          return inflateSync(Buffer.from(part, 'latin1')).toString('latin1');
        } catch {
          return [];
        }
      },
    );
    // The colours of sold and of idle phones as PDF writes them.
    for (const colour of [/\.176\d* \.635\d* \.403\d* rg/, /\.827\d* \.854\d* \.89\d* rg/])
      expect(streams.filter((text) => colour.test(text)).length, String(colour)).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    const cut =
      '[...document.querySelectorAll(".lines, .figures")].filter((list) => list.scrollHeight > list.clientHeight + 1).length';
    expect(await page.evaluate(cut)).toBe(0);
    expect(await page.locator('#legend, .legend').first().isVisible()).toBe(true);
    expect(await page.locator('#search').isVisible()).toBe(false);
  });

  it('leaves the keyboard on a row while new data comes', async () => {
    const { page } = await look(busy.url);
    const row = page.locator('.rows .open').nth(2);
    const href = await row.getAttribute('href');
    await row.focus();
    await waitForDocument(page);
    expect(await page.locator(':focus').getAttribute('href')).toBe(href);
  });

  it.each(['light', 'dark'] as const)('fits a phone’s screen, in a %s scheme', async (scheme) => {
    const { url } = sixty;
    const { page, mishaps } = await look(url, { scheme, width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Phone', exact: true }).click();
    expect((await names(page))[0]).toBe('attic 01-06');
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it.each([320, 390])(
    'has the money on the first screen of a telephone of %i pixels while all is well',
    async (width) => {
      const well = (phone: Phone): Phone => ({
        ...phone,
        online: true,
        setupStatus: 'complete',
        tunnel: 'up',
      });
      const { url } = await open(marketplaceOf(80, well));
      const { page } = await look(url, { width, height: width === 320 ? 568 : 844 });
      await page.locator('main:not([data-urgent])').waitFor();
      const { y = 0, height = 0 } = (await page.locator('.money .tile-value').first().boundingBox()) ?? {};
      expect(y + height).toBeLessThan(width === 320 ? 568 : 844);
      const wall = await page.locator('#wall').boundingBox();
      expect(wall?.y).toBeGreaterThan(y);
      // Nothing is said by a title alone.
      expect(await page.locator('[title]').count()).toBe(0);
    },
  );

  it('names the rack that lost its power, the devices that left and the last events', async () => {
    const marketplace = marketplaceOf(60, (phone) => ({
      ...phone,
      setupStatus: 'complete',
      heartbeatIntervalMilliseconds: 1_000,
      online: true,
    }));
    const { url } = await open(marketplace, [...EACH_SECOND, '--offline.after=4s']);
    const phones = marketplace.phones();
    const [first] = phones;
    for (const scheme of ['light', 'dark'] as const) {
      const { page, mishaps } = await look(url, { scheme });
      if (scheme === 'light') {
        const rack = phones
          .filter(({ label }) => label.startsWith('rack-02/'))
          .map(({ deviceId }) => deviceId);
        marketplace.edit(rack, { online: false });
        marketplace.archive([first?.deviceId ?? '']);
      }
      await waitForOutput(page, '#visit', 'phones offline');
      await waitForOutput(page, '#left', 'Removed in the last 24 hours');
      // A rack without power is one place to go to.
      expect(await texts(page, '#visit li')).toEqual([
        expect.stringMatching(
          /^rack-02\d+ of \d+ phones offline, \d+ sold *for \d+ s · since .+No other phone went offline at that time\. Check its power and its internet connection\.$/,
        ),
      ]);
      expect((await texts(page, '.rack h3'))[0]).toMatch(/^rack-02 (\d+) of \1 need attention$/);
      await page.locator('#left summary').click();
      await page.locator('#left li').first().waitFor();
      expect(await texts(page, '#left li')).toEqual([expect.stringContaining(first?.label ?? '')]);
      await page.locator('#incidents summary').click();
      await page.locator('#incidents .lines li').first().waitFor();
      const alerts = (await texts(page, '#incidents .lines li')).join('\n');
      expect(alerts).toContain('Outagerack-02');
      expect(alerts).toContain('No longer on the marketplace');
      expect(alerts).not.toMatch(/offline.*rack-02\//i);
      await page.locator('#incidents .worst td').first().waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await violationsOf(page)).toEqual([]);
      await page.locator('#visit a').click();
      await page.locator('.rows .row').first().waitFor();
      expect((await names(page)).every((name) => name.startsWith('rack-02/'))).toBe(true);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Group', { exact: true }).selectOption('rack-01');
      expect(new URL(page.url()).hash).toBe('#group=rack-01');
      expect((await names(page)).every((name) => name.startsWith('rack-01/'))).toBe(true);
      expect(mishaps).toEqual([]);
    }
  });

  it('separates several accounts', async () => {
    const other = { name: 'other', key: `${KEY}-2`, marketplace: marketplaceOf(3) };
    const { page } = await look((await open(marketplaceOf(5), [], [other])).url);
    expect(await attribute(page, 'aria-colcount')).toBe('10');
    expect(await page.locator('.rows .row').count()).toBe(8);
    expect((await texts(page, '.rack h3')).toSorted()).toEqual([
      'rack-01 main4 OK, 1 not in use',
      'rack-01 other3 OK',
    ]);
    expect(await page.locator('.rack', { hasText: 'other' }).locator('h3 a').getAttribute('href')).toBe(
      '#account=other&group=rack-01',
    );
    await page.getByLabel('Account').selectOption('other');
    expect(await texts(page, '.rows .cell-account')).toEqual(['other', 'other', 'other']);
    expect((await texts(page, '.tile-value')).slice(0, 2)).toEqual(['€1,250.00', '$1,250.00']);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('says that it needs JavaScript if there is none, and links to the metrics', async () => {
    const { url } = five;
    const visited = await visit(browser, url, { javaScriptEnabled: false });
    visits.push(visited);
    await visited.page.getByText('needs JavaScript').waitFor();
    expect(await visited.page.locator('.fallback a').first().getAttribute('href')).toBe('metrics');
  });

  it('works in a browser that knows nothing newer than Safari 14 and Chrome 80', async () => {
    const { page, mishaps } = await look(sixty.url, { script: WITHOUT_NEWER_FUNCTIONS });
    await page.locator('.uplot').first().waitFor();
    await page.getByLabel('Search phones').fill('rack-02/slot-01');
    await page.locator('#phones-count', { hasText: '1 of 60' }).waitFor();
    await page.locator('.cell[aria-label^="rack-02/slot-01:"]').click();
    await page.locator('dialog.sheet').getByText('Last 24 h: ').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('dialog').count()).toBe(0);
    expect(mishaps).toEqual([]);
  });

  it('has one time zone, the owner’s, and names it if the browser is in another', async () => {
    const { url } = await open(marketplaceOf(5), ['--time-zone=Asia/Almaty']);
    const { page } = await look(url);
    await page.locator('.freshness', { hasText: 'times in Asia/Almaty' }).waitFor();
    const instant = page.locator('.rows .cell-rental time').first();
    const at = Date.parse((await instant.getAttribute('datetime')) ?? '') + 5 * 3_600_000;
    expect(await instant.textContent()).toContain(new Date(at).toISOString().slice(11, 16));
    const { page: same } = await look(five.url);
    expect(await same.locator('.freshness').textContent()).not.toContain('times in');
  });

  it('loses nothing in a browser that does not know the time zone of the owner', async () => {
    const { url } = await open(marketplaceOf(5), ['--time-zone=Europe/Kyiv']);
    const { page, mishaps } = await look(url, { script: WITHOUT_KYIV });
    await page.locator('.freshness', { hasText: 'times in UTC' }).waitFor();
    await page.locator('.money .tile-value').first().waitFor();
    await page.locator('.uplot').first().waitFor();
    expect(await page.getByText('cannot be shown').count()).toBe(0);
    expect(mishaps).toEqual([]);
  });

  it('shows the rest where a part cannot be drawn', async () => {
    const document = await (await fetch(`${five.url}/api/v1/fleet`)).text();
    const broken = JSON.parse(document.replace('"left":[]', '"left":[null]'));
    const { page } = await look(five.url, { served: { '**/api/v1/fleet': broken } });
    await page.getByText('Removed in the last 24 hours').click();
    await page.getByText('“Activity” cannot be shown').waitFor();
    expect(await page.locator('#wall [data-key]').count()).toBe(5);
    expect(await page.locator('.rows .row').count()).toBe(5);
  });

  it('names what it cannot work out, keeps the rest, and never says that all is well then', async () => {
    const document = JSON.parse(await (await fetch(`${five.url}/api/v1/fleet`)).text());
    const { page } = await look(five.url, { served: { '**/api/v1/fleet': { ...document, causes: [null] } } });
    await page.locator('#sentence', { hasText: 'Something went wrong on this page' }).waitFor();
    await page.waitForTimeout(2_200);
    expect(await texts(page, '#sentence')).toEqual(['Something went wrong on this page']);
    expect((await texts(page, '#verdict p'))[0]).toMatch(
      /^Not shown: what needs attention \(TypeError: .+\)/,
    );
    expect(await page.locator('#verdict').getAttribute('data-tone')).toBe('bad');
    expect(await page.locator('#wall [data-key]').count()).toBe(5);
    expect(await page.locator('.tile').count()).toBeGreaterThan(3);
  });

  it('does not blame the browser where its files are not at its address', async () => {
    const { page } = await visit(browser, five.url, {});
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: '' }));
    await page.reload();
    await page.getByText('did not load. If the address in your browser').waitFor();
    expect(await page.getByText('Safari 14').isVisible()).toBe(false);
    await page.context().close();
  });

  it('says so where its script does not come, and where it cannot draw what it gets', async () => {
    const withoutScript = await visit(browser, five.url, { served: { '**/assets/main.js': {} } });
    const withoutAccounts = await visit(browser, five.url, { served: { '**/api/v1/fleet': { version: 1 } } });
    visits.push(withoutScript, withoutAccounts);
    await withoutScript.page.getByText('JavaScript and Safari 14, Chrome 80 or a later browser').waitFor();
    await withoutAccounts.page.getByText('Something went wrong on this page').waitFor();
    for (const { page } of [withoutScript, withoutAccounts])
      expect(await page.getByRole('link', { name: 'JSON' }).getAttribute('href')).toBe('api/v1/fleet');
  });

  it('is English where a language does not load, and has tables where the charts do not', async () => {
    const page = await (await browser.newContext({ locale: 'uk-UA' })).newPage();
    const isMissing = new Set(['uk.json', 'charts.js']);
    await page.route('**/assets/*', async (route) =>
      isMissing.has(route.request().url().split('/').at(-1) ?? '')
        ? await route.fulfill({ status: 502, body: '' })
        : await route.continue(),
    );
    await page.goto(five.url);
    const charts = page.locator('#history');
    await charts.getByText('No charts: their part of the page did not load.').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await charts.locator('canvas').count()).toBe(0);
    isMissing.add('en.json');
    await page.reload();
    await page.getByText('or its texts did not load').waitFor();
    isMissing.clear();
    await page.reload();
    await page.locator('#history canvas').first().waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('uk');
    await page.context().close();
  });

  it('works behind a proxy under a path of its own', async () => {
    const { url } = five;
    const proxy = await openProxy(url, '/hoster');
    const { page, mishaps } = await look(`${proxy.url}/hoster/`);
    expect(await page.locator('.rows .row').count()).toBe(5);
    expect(await page.getByRole('link', { name: 'Metrics' }).getAttribute('href')).toBe('metrics');
    expect(mishaps).toEqual([]);
    proxy.server.closeAllConnections();
    proxy.server.close();
  });

  it.each([
    [
      'redirects to a login elsewhere',
      { status: 302, location: 'https://login.example.com/' },
      'may ask you',
    ],
    ['redirects to a login of its own', { status: 302, location: '/login' }, 'may ask you'],
    ['responds with its login page', { status: 200, 'content-type': 'text/html' }, 'may ask you'],
    ['responds with 401', { status: 401 }, 'to log in'],
  ])('says that a reload asks for the login where a proxy %s', async (_, { status, ...headers }, advice) => {
    let isLoggedIn = true;
    const login = () => (isLoggedIn ? undefined : { status, headers });
    const proxy = await openProxy(busy.url, '/hoster', login);
    const { page } = await look(`${proxy.url}/hoster/`);
    await page.locator('.rows .row').first().waitFor();
    isLoggedIn = false;
    const notice = page.locator('#verdict', { hasText: 'Reload this page' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(advice);
    isLoggedIn = true;
    await page.reload();
    await page.locator('#freshness-word', { hasText: 'Up to date' }).waitFor();
    proxy.server.closeAllConnections();
    proxy.server.close();
  });

  it('shows what is new where a browser has translated what was there', async () => {
    const { url, exporter } = await open(marketplaceOf(5), EACH_SECOND);
    const { page, mishaps } = await look(url);
    await page.locator('.rows .row').first().waitFor();
    await page.evaluate(TRANSLATE);
    await exporter.stop();
    await page.locator('#freshness-word', { hasText: 'Exporter unreachable' }).waitFor();
    expect(await page.locator('.freshness').allTextContents()).not.toContain('Up to date');
    expect(mishaps.filter((mishap) => !mishap.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  });

  it('links to the switches of the demo, and shows what one does', async () => {
    const command = [MAIN, 'demo', '--phones=60', '--web.listen-address=127.0.0.1:0', ...EACH_SECOND];
    const demo = start(process.execPath, command);
    onTestFinished(async () => void (await demo.stop()));
    const [, url = ''] = await demo.waitForOutput(/Open +(\S+)/);
    const { page, mishaps } = await look(url);
    await page.getByRole('link', { name: 'Try a fault' }).click();
    await page.getByRole('button', { name: 'API down' }).click();
    await page.getByText('Active: down').waitFor();
    await page.getByRole('link', { name: 'fleet page' }).click();
    await waitForOutput(page, '#verdict', 'No news from the marketplace since');
    await page.getByRole('link', { name: 'Try a fault' }).click();
    await page.getByRole('button', { name: 'All well' }).click();
    await page.getByText('Active: none').waitFor();
    await page.getByRole('button', { name: 'Cut rack-03' }).click();
    await page.getByText(/^Active: group\/rack-03 \(\d+ phones\)/).waitFor();
    expect(mishaps).toEqual([]);
  });

  it('mutes alerts for a group, on a telephone and with the keyboard alone', async () => {
    const { url } = await open(marketplaceOf(60), ['--web.enable-changes']);
    const { page, mishaps } = await look(`${url}/#group=rack-01`, { width: 390, height: 844 });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '');
    });
    await page.locator('#work').getByRole('button', { name: 'Mute …: rack-01' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('heading', { name: 'rack-01' }).waitFor();
    // Enter again mutes nothing: the keyboard is on no duration.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect([sent, await page.getByRole('dialog').count()]).toEqual([[], 1]);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Reason' }).fill('moving <b>it</b>');
    await page.getByRole('button', { name: '2 hours' }).press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^\d+ phones, \d+ offline, until [^,]*$/)
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.locator('#maintenance li', { hasText: 'moving <b>it</b>' }).waitFor();
    expect((await texts(page, '#maintenance .fact'))[0]).toMatch(/^\d+ phones, \d+ offline, until /);
    // The sentence has a line about it, and the card does not say that its phones are well.
    await page
      .locator('#verdict a', {
        hasText: /^rack-01 muted until (?:\d+ \w+ )?\d\d:\d\d \(\d+ phones, \d+ offline\)$/,
      })
      .waitFor();
    const card = page.locator('.rack', { hasText: 'rack-01' }).locator('.visits');
    expect(await card.textContent()).toMatch(/^\d+ in maintenance(?:, \d+ of them offline)?$/);
    expect(await page.locator('body').innerText()).not.toContain('loopback');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^End / }).press('Enter');
    await page.locator('#maintenance').waitFor({ state: 'hidden' });
    expect(mishaps).toEqual([]);
  });

  it('acknowledges without muting, and keeps a note, with the keyboard alone', async () => {
    const { url } = await open(marketplaceOf(60), ['--web.enable-changes']);
    const { page, mishaps } = await look(url, { width: 390, height: 844 });
    const place = page.locator('#visit li', { has: page.getByRole('button', { name: /^I’m on it: / }) });
    const name = (await place.first().locator('.place-name').textContent()) ?? '';
    const own = page.locator('#visit li', { hasText: name });
    await own.getByRole('button', { name: /^I’m on it: / }).press('Enter');
    await page.locator('#announcement', { hasText: 'You are on it.' }).waitFor({ state: 'attached' });
    await own.getByText(/^acknowledged \d/).waitFor();
    expect(await page.locator('#maintenance').count()).toBe(0);
    await own.locator('button:focus', { hasText: 'Take back' }).press('Enter');
    await own.getByText(/^acknowledged \d/).waitFor({ state: 'detached' });
    await own.locator('button:focus', { hasText: 'I’m on it' }).press('Enter');
    await own.getByText(/^acknowledged \d/).waitFor();
    await page.locator('#visit a').first().press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet
      .getByRole('button', { name: /^Add a note/ })
      .first()
      .press('Enter');
    await page.keyboard.type('cable <b>replaced</b>');
    await page.keyboard.press('Enter');
    await sheet.locator('.notes', { hasText: 'cable <b>replaced</b>' }).waitFor();
    await sheet
      .getByRole('button', { name: /^Correct: / })
      .first()
      .press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' twice');
    await page.keyboard.press('Enter');
    await sheet.locator('.notes', { hasText: 'cable <b>replaced</b> twice' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await sheet
      .getByRole('button', { name: /^Remove this note/ })
      .first()
      .press('Enter');
    await sheet.locator('.notes', { hasText: 'cable' }).waitFor({ state: 'detached' });
    expect(mishaps).toEqual([]);
  });

  it('takes a double tap, and another duration after it, as one request', async () => {
    const { url } = await open(marketplaceOf(60), ['--web.enable-changes']);
    const { page, mishaps } = await look(`${url}/#group=rack-01`, { width: 390, height: 844 });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '');
    });
    await page
      .locator('#work')
      .getByRole('button', { name: /^Mute …/ })
      .click();
    await page.getByRole('button', { name: '2 hours' }).dblclick();
    await page
      .getByRole('dialog')
      .getByText(/^\d+ phones, \d+ offline, until [^,]*$/)
      .waitFor();
    expect(await page.getByRole('button', { name: '30 min' }).isDisabled()).toBe(true);
    await page.locator('button:focus', { hasText: 'Close' }).press('Enter');
    await page.locator('#maintenance li', { hasText: 'rack-01' }).waitFor();
    expect([sent.length, await page.locator('#maintenance li').count()]).toEqual([1, 1]);
    expect(mishaps).toEqual([]);
  });

  it('leaves the keyboard on a button while new data comes, and names each by its phones', async () => {
    const dark = (phone: Phone, index: number): Phone =>
      index % 7 === 0 ? { ...phone, online: false } : phone;
    const { url } = await open(marketplaceOf(60, dark), ['--web.enable-changes', ...EACH_SECOND]);
    const { page } = await look(url);
    const buttons = page.getByRole('button', { name: /^I’m on it: / });
    await buttons.first().focus();
    const name = await buttons.first().getAttribute('aria-label');
    await waitForDocument(page);
    expect(await page.locator('button:focus').getAttribute('aria-label')).toBe(name);
  });

  it.each([1024, 1280])('shows names whole, of two accounts, at %i pixels', async (width) => {
    const other = { name: 'other', key: `${KEY}-2`, marketplace: marketplaceOf(60) };
    const { page } = await look((await open(marketplaceOf(60), [], [other])).url, { width });
    await page.locator('.place-name').first().waitFor();
    const cut =
      'Array.from(document.querySelectorAll(".places li")).filter((place) => place.scrollWidth > place.clientWidth).length';
    expect(await page.evaluate(cut)).toBe(0);
  });

  it('shows all columns of a month with prices at 1280 pixels, each name in one line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-fleet-page-'));
    const month = new Date(systemClock.now()).toISOString().slice(0, 7);
    const phone = phoneDay('p1', [50_000, 6_400, 9_000, 9_000, 4_000, 5_000], {
      label: 'rack-01/slot-01',
      interruptions: 13,
    });
    writeDayFile(folder, `${month}-01`, [accountDay(`${month}-01`, UTC, [phone], 'gone')]);
    const file = join(folder, 'hoster.yml');
    writeFileSync(file, JSON.stringify({ prices: [{ cents_per_day: 90_000 }] }));
    const { url } = await open(marketplaceOf(5), [`--months.directory=${folder}`, `--config.file=${file}`]);
    const { page } = await look(url);
    await page.getByRole('link', { name: 'Month' }).press('Enter');
    const name = page.locator('.figures tbody th', { hasText: 'rack-01/slot-01' }).first();
    await name.waitFor();
    const wider = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)';
    expect(await page.evaluate(`${wider}(document.querySelector('.figures'))`)).toBe(0);
    expect((await name.boundingBox())?.height).toBeLessThan(40);
  });

  it('says that the phone of a link is not there', async () => {
    const { page } = await look(`${five.url}/#phone=main%2Fgone`);
    await page.getByText('Phone main/gone not found.').waitFor();
  });

  it('shows the last days of a phone on its sheet, and asks for nothing but them', async () => {
    const none = { self_rented_seconds: 0, idle_seconds: 0, other_seconds: 0, maintenance_seconds: 0 };
    const dayOf = (date: string, offline: number) => ({
      date,
      ...none,
      sold_online_seconds: 86_400 - offline,
      sold_offline_seconds: offline,
      unknown_seconds: 0,
    });
    const months = {
      month: '2026-11',
      by: 'phone',
      rows: [],
      days: [dayOf('2026-10-30', 0), dayOf('2026-11-01', 7_200)],
    };
    const served = { '**/api/v1/month?account=*': months };
    const { page, mishaps } = await look(five.url, { served, width: 390, height: 844 });
    const asked: string[] = [];
    page.on('request', (each) => asked.push(new URL(each.url()).search));
    await page.locator('#wall [data-key]').first().click();
    await page.locator('.sheet .days li').first().waitFor();
    expect(await texts(page, '.sheet .days li')).toEqual([
      '2026-10-30: Sold, online 24.0 h30',
      '2026-10-31: No data31',
      '2026-11-01: Sold, offline 2.0 h, Sold, online 22.0 h01',
    ]);
    // A tap and the keyboard show the text of a day.
    const told = page.locator('.sheet .day-text');
    await page.locator('.sheet .days button').first().click();
    expect(await told.textContent()).toBe('2026-10-30: Sold, online 24.0 h');
    await page.keyboard.press('End');
    expect(await told.textContent()).toBe('2026-11-01: Sold, offline 2.0 h, Sold, online 22.0 h');
    await page.keyboard.press('ArrowLeft');
    expect(await told.textContent()).toBe('2026-10-31: No data');
    expect(asked.filter((query) => query.includes('phone='))).toEqual([
      expect.stringMatching(/^\?account=default&phone=[\w-]+$/),
      expect.stringMatching(/^\?account=default&phone=[\w-]+&month=2026-10$/),
    ]);
    expect(await violationsOf(page)).toEqual([]);
    expect(mishaps).toEqual([]);
  });

  it('shows the month by phone and group, with the keyboard alone, on a telephone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-fleet-page-'));
    const month = new Date(systemClock.now() - 40 * 86_400_000).toISOString().slice(0, 7);
    const phones = [
      phoneDay('p1', [36_000, 36_000, 0, 14_400], { label: 'rack-01/<b>1</b>', interruptions: 3 }),
      phoneDay('p2', [79_200, 0, 0, 7_200], { label: 'rack-02/2', group: 'rack-02' }),
    ];
    writeDayFile(folder, `${month}-01`, [accountDay(`${month}-01`, UTC, phones, 'default')]);
    const { url } = await open(marketplaceOf(5), [`--months.directory=${folder}`]);
    const { page, mishaps } = await look(url, { width: 390, height: 844 });
    // The links leave the name of the page its room.
    expect((await page.locator('.brand').boundingBox())?.y).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Month' }).press('Enter');
    await page.getByRole('combobox', { name: 'Month' }).selectOption(month);
    const table = page.getByRole('region', { name: 'Month' });
    await table.getByRole('link', { name: 'rack-01/<b>1</b>' }).waitFor();
    const [worst = ''] = await table.locator('tbody tr').allTextContents();
    // Both phones of the day.
    expect(await texts(page, '.days li')).toEqual([
      `${month}-01: Sold, offline 10.0 h, Sold, online 32.0 h, Idle 6.0 h01`,
    ]);
    expect(worst).toBe('rack-01/<b>1</b>50.0%83.3%310.010.04.0');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('group');
    await table.getByRole('link', { name: 'rack-02', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'CSV with semicolons' }).getAttribute('href')).toBe(
      `api/v1/month?month=${month}&by=group&format=csv&separator=semicolon`,
    );
    // Months without data are no choice.
    expect(await page.getByRole('combobox', { name: 'Month' }).locator('option').allTextContents()).toEqual([
      'This month',
      month,
    ]);
    expect(mishaps).toEqual([]);
  });
});

if (WITHOUT_CHROMIUM !== undefined) it.skip(`the fleet page: ${WITHOUT_CHROMIUM}`, () => {});

/** Passes on what lies below a path, without it, as nginx does. */
async function openProxy(
  target: string,
  prefix: string,
  instead: () => { readonly status: number; readonly headers: object } | undefined = () => undefined,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const other = instead();
    if (other !== undefined) {
      response.writeHead(other.status, { ...other.headers }).end('<title>Log in</title>');
      return;
    }
    const passed = request(
      `${target}${path.slice(prefix.length)}`,
      { headers: incoming.headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    passed.end();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${port}` };
}
