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

const CUT = 'group/rack-03';

/** What the page says once it shows a fault. */
const TOGETHER = 'phones silent together';
const OLD = 'Phones: old data from';

const PICTURES = [
  // A rack that was cut: its phones are silent, and it is the first card of the wall.
  { name: 'fleet', phones: 250, width: 1280, height: 1200, scheme: 'light', fault: CUT, text: TOGETHER },
  { name: 'fleet-dark', phones: 250, width: 1280, height: 1200, scheme: 'dark', fault: CUT, text: TOGETHER },
  { name: 'fleet-narrow', phones: 250, width: 390, height: 844, scheme: 'light', fault: CUT, text: TOGETHER },
  { name: 'fleet-five', phones: 5, width: 1280, height: 720, scheme: 'light' },
  { name: 'fleet-ten-thousand', phones: 10_000, width: 1280, height: 1200, scheme: 'light' },
  {
    name: 'fleet-api-down',
    phones: 250,
    width: 1280,
    height: 860,
    scheme: 'light',
    fault: 'down',
    text: OLD,
  },
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

async function take(browser, { name, phones, width, height, scheme, fault, text }) {
  const { child, page: url, marketplace } = await openDemo(phones);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('#wall [data-key]').first().waitFor();
  await page.locator('#history').locator('.uplot, .small').first().waitFor();
  if (fault !== undefined) {
    await fetch(`${marketplace}/-/faults/${fault}`, { method: 'PUT' });
    // A phone is silent after some minutes.
    await page.getByText(text).waitFor({ timeout: 900_000 });
  }
  const path = fileURLToPath(new URL(`${name}.png`, import.meta.url));
  await page.screenshot({ path });
  await context.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  const { size } = statSync(path);
  if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes, more than ${MOST_BYTES}`);
  console.log(`${name}.png  ${Math.round(size / 1000)} kB`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
for (const picture of PICTURES) await take(browser, picture);
await browser.close();
