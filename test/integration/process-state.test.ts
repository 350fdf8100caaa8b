import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { decodeState, encodeState } from '../../src/state/format.ts';
import { MAIN } from '../unit/state/states.ts';
import { EACH_SECOND, type Exporter, exporterTest, KEY, startMarketplace } from './exporter.ts';

/*
 * The state of the built program after a restart.
 */

let marketplace: Simulator;

beforeAll(async () => {
  marketplace = await startMarketplace(40);
});

afterAll(() => marketplace.close());

type Fixture = {
  readonly folder: string;
  /** The state file in the folder. */
  readonly file: string;
  /** Starts an exporter with the state file. */
  readonly runWithState: (...parameters: readonly string[]) => Promise<Exporter>;
};

const it = exporterTest.extend<Fixture>({
  folder: async ({ onTestFinished }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await use(folder);
  },
  file: async ({ folder }, use) => {
    await use(join(folder, 'state.json'));
  },
  runWithState: async ({ run, file }, use) => {
    await use((...parameters) =>
      run({
        apiUrl: marketplace.url,
        parameters: [`--state.file=${file}`, ...parameters],
        environment: { HOSTER_STATE_INTERVAL: '1s' },
      }),
    );
  },
});

/** Series of a family, by their labels. */
function seriesOf(family: string, page: string): ReadonlyMap<string, number> {
  const samples = page.matchAll(new RegExp(`^${family}(\\{.*\\}) (.*)$`, 'gm'));
  return new Map(Array.from(samples, ([, labels = '', value]) => [labels, Number(value)]));
}

/** The state file once it holds devices. */
async function keptDevices(file: string): Promise<string> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.includes('"since":')) return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A marketplace of no devices with this many available cents. */
function marketplaceWith(
  availableCents: () => number,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(({ url = '' }, response) => {
    const balance = { availableCents: availableCents(), pendingCents: 0, totalCents: availableCents() };
    const page = { items: [], total: 0, page: 1, limit: 100, totalPages: 1 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, data: url.includes('/balance') ? balance : page }));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ url: `http://127.0.0.1:${port}`, server });
    });
  });
}

const SECONDS = 'hoster_device_rental_status_seconds_total';
const SINCE = 'hoster_device_rental_status_since_timestamp_seconds';

describe('a restart with a state file', () => {
  it.concurrent('keeps after kill -9 the time since when each device has its status, and counts from 0', async ({
    file,
    runWithState,
  }) => {
    const killed = await runWithState(...EACH_SECOND);
    await killed.shows(new RegExp(`^${SECONDS}\\{.*\\} [1-9]`, 'm'));
    const kept = await keptDevices(file);
    const since = seriesOf(SINCE, await killed.shows(/hoster_up\{account="default"\} 1/));
    await killed.end('SIGKILL');
    expect(kept).not.toContain(KEY);

    const again = await runWithState();
    const page = await again.shows(/hoster_up\{account="default"\} 1/);
    const still = [...seriesOf(SINCE, page)].filter(([labels, at]) => since.get(labels) === at);
    expect(still.length).toBeGreaterThan(30);
    // Only the first poll has taken place, and a counter of an earlier process would look like an increase.
    expect([...seriesOf(SECONDS, page).values()].filter((value) => value > 0)).toEqual([]);
    expect(page).toMatch(/^hoster_exporter_state_load_successful 1$/m);
  });

  it.concurrent('counts a movement of the balance while it was down once, over two restarts', async ({
    folder,
    file,
    runWithState,
  }) => {
    let cents = 1_000;
    const { url, server } = await marketplaceWith(() => cents);
    const first = await runWithState(`--api.url=${url}`);
    await first.shows(/^hoster_balance_available_cents\{.*\} 1000$/m);
    await first.end('SIGTERM');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['state.json']);

    cents = 1_250;
    const second = await runWithState(`--api.url=${url}`);
    await second.shows(/^hoster_balance_observed_increase_cents_total\{.*"available"\} 250$/m);
    // Killed, it can't tell the file that it has compared: the file must not have the old amount any more.
    await second.end('SIGKILL');
    const third = await runWithState(`--api.url=${url}`);
    await third.shows(/^hoster_balance_observed_increase_cents_total\{.*"available"\} 0$/m);
    await third.end('SIGTERM');
    server.close();
  });

  it.concurrent('starts without a state file that is truncated, and keeps that file aside', async ({
    file,
    runWithState,
  }) => {
    writeFileSync(file, [...encodeState([MAIN], 0)].join(''));
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const damaged = readFileSync(file, 'utf8');

    const again = await runWithState();
    const page = await again.shows(/hoster_up\{account="default"\} 1/);
    expect(page).toMatch(/^hoster_exporter_state_load_successful 0$/m);
    expect([...seriesOf(SECONDS, page).values()].some((value) => value > 0)).toBe(false);
    await again.waitForOutput(/the state file is invalid: got .*kept_as=.*state\.json\.damaged-1/);
    expect(readFileSync(`${file}.damaged-1`, 'utf8')).toBe(damaged);
    await again.end('SIGTERM');
    expect(decodeState(readFileSync(file, 'utf8'))).toHaveProperty('accounts');
  });

  it.concurrent('serves without state if the folder is missing, and warns once', async ({
    folder,
    runWithState,
  }) => {
    rmSync(folder, { recursive: true });
    const daemon = await runWithState(...EACH_SECOND);
    await daemon.shows(new RegExp(`^${SECONDS}\\{.*\\} [1-9]`, 'm'));
    await daemon.shows(/^hoster_exporter_state_last_save_successful 0$/m);
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
    const problem = /the state file cannot be written: there is no such folder/g;
    expect(daemon.output().match(problem)).toHaveLength(1);
  });
});
