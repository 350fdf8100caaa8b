// Takes the pictures of the fleet page for the README, from the demo with a fixed seed: `npm run pictures`. Needs Debian's
// Chromium, or another one that $CHROMIUM names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SEED = 7;

/** Largest picture that belongs into a repository. */
const MOST_BYTES = 200_000;

const WIDE = { width: 1280, height: 1120 };

/** A demo, the fault in it, what the page says once it shows that fault, and the pictures of it. */
const DEMOS = [
  {
    phones: 250,
    // A rack that was cut: its phones go offline at the same time, and it is the first card of the wall.
    fault: 'group/rack-03',
    text: /1\d of \d+ phones offline/,
    pictures: [
      { name: 'fleet', ...WIDE, scheme: 'light' },
      { name: 'fleet-dark', ...WIDE, scheme: 'dark' },
      { name: 'fleet-narrow', width: 390, height: 844, scheme: 'light' },
    ],
  },
  {
    phones: 250,
    fault: 'down',
    text: 'No news from the marketplace since',
    pictures: [{ name: 'fleet-api-down', ...WIDE, scheme: 'light' }],
  },
  { phones: 5, pictures: [{ name: 'fleet-five', width: 1280, height: 720, scheme: 'light' }] },
  { phones: 10_000, pictures: [{ name: 'fleet-ten-thousand', ...WIDE, scheme: 'light' }] },
];

/** The demo with its phones; resolves when its first round of polls has ended. */
async function openDemo(phones) {
  const flags = ['devices', 'tunnels', 'balance'].map((collector) => `--poll.${collector}=*/5 * * * * *`);
  const child = spawn(
    process.execPath,
    [MAIN, 'demo', `--phones=${phones}`, `--seed=${SEED}`, '--web.listen-address=127.0.0.1:0', ...flags],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  for await (const piece of child.stdout) {
    said += piece;
    if (said.includes('Ctrl-C')) break;
  }
  const address = (title) => new RegExp(`${title}\\s+(http://\\S+)`).exec(said)?.[1] ?? '';
  return { child, page: address('Open'), marketplace: address('Marketplace') };
}

async function takeAll(browser, { phones, fault, text, pictures }) {
  const { child, page: url, marketplace } = await openDemo(phones);
  if (fault !== undefined) await fetch(`${marketplace}/-/faults/${fault}`, { method: 'PUT' });
  for (const picture of pictures) await take(browser, url, text, picture);
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function take(browser, url, text, { name, width, height, scheme }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('#wall [data-key]').first().waitFor();
  // On a narrow screen the charts are folded.
  if (width > 480) await page.locator('#history').locator('.uplot, .small').first().waitFor();
  // Phones are offline after some minutes.
  if (text !== undefined) await page.getByText(text).first().waitFor({ timeout: 900_000 });
  const path = fileURLToPath(new URL(`${name}.png`, import.meta.url));
  await page.screenshot({ path });
  await context.close();
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes, more than ${MOST_BYTES}`);
  console.log(`${name}.png  ${Math.round(size / 1000)} kB`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
for (const demo of DEMOS) await takeAll(browser, demo);
await browser.close();
