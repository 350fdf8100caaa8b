import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { decodeState, encodeState } from '../../src/state/format.ts';
import { MAIN } from '../unit/state/states.ts';
import { EACH_SECOND, type Exporter, KEY, startExporter, startMarketplace } from './exporter.ts';

/*
 * What the built program remembers over a restart, however it ended.
 */

let marketplace: Simulator;
let exporter: Exporter | undefined;
let folder = '';
let file = '';

beforeAll(async () => {
  marketplace = await startMarketplace(40);
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
  file = join(folder, 'state.json');
});

afterEach(() => {
  exporter?.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

afterAll(() => marketplace.close());

async function run(...parameters: readonly string[]): Promise<Exporter> {
  exporter = await startExporter({
    apiUrl: marketplace.url,
    parameters: [`--state.file=${file}`, ...parameters],
    environment: { HOSTER_STATE_INTERVAL: '1s' },
  });
  return exporter;
}

/** Series of a family, by their labels. */
function seriesOf(family: string, page: string): ReadonlyMap<string, number> {
  const samples = page.matchAll(new RegExp(`^${family}(\\{.*\\}) (.*)$`, 'gm'));
  return new Map(Array.from(samples, ([, labels = '', value]) => [labels, Number(value)]));
}

/** Seconds that phones spent in each status, by device id and status; those above zero. */
function secondsIn(text: string): ReadonlyMap<string, number> {
  const decoded = decodeState(text);
  if (!('accounts' in decoded)) throw new Error(decoded.refusal);
  const all = decoded.accounts.flatMap(({ devices }) =>
    [...devices].flatMap(([id, { rentalStatusSeconds }]) =>
      Object.entries(rentalStatusSeconds).map(([status, value]) => [`${id} ${status}`, value] as const),
    ),
  );
  return new Map(all.filter(([, value]) => value > 0));
}

/** The state file once it holds observed time. */
async function keptTime(): Promise<string> {
  for (;;) {
    const text = readdirSync(folder).includes('state.json') ? readFileSync(file, 'utf8') : '';
    if (text.includes('"seconds":{"')) return text;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const SECONDS = 'hoster_device_rental_status_seconds_total';
const SINCE = 'hoster_device_rental_status_since_timestamp_seconds';

describe('a restart with a state file', () => {
  it('continues from the last saved state after kill -9', async () => {
    const killed = await run(...EACH_SECOND);
    await keptTime();
    const since = seriesOf(SINCE, await killed.shows(/hoster_up\{account="default"\} 1/));
    await killed.end('SIGKILL');
    const kept = readFileSync(file, 'utf8');
    const known = secondsIn(kept);
    expect(known.size).toBeGreaterThan(30);
    expect(kept).not.toContain(KEY);

    const again = await run();
    const page = await again.shows(/hoster_up\{account="default"\} 1/);
    const seconds = seriesOf(SECONDS, page);
    // Only the first poll has taken place: the time while we were down counts for nothing.
    for (const [phone, value] of known) {
      const [id, status] = phone.split(' ');
      expect(seconds.get(`{account="default",device_id="${id}",status="${status}"}`)).toBe(value);
    }
    const still = [...seriesOf(SINCE, page)].filter(([labels, at]) => since.get(labels) === at);
    expect(still.length).toBeGreaterThan(30);
    expect(page).toMatch(/^hoster_exporter_state_load_successful 1$/m);
  });

  it('continues from the end of the process after SIGTERM; only the owner can read the file', async () => {
    const first = await run(...EACH_SECOND, '--state.interval=1h');
    await first.shows(new RegExp(`^${SECONDS}\\{.*\\} [1-9]`, 'm'));
    expect(await first.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(secondsIn(readFileSync(file, 'utf8')).size).toBeGreaterThan(30);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it.each([
    ['is truncated', () => truncateSync(file, Math.floor(statSync(file).size / 2))],
    [
      'has a later version',
      () => writeFileSync(file, readFileSync(file, 'utf8').replace('"version":1', '"version":9')),
    ],
  ])('starts without a state file that %s, and keeps that file aside', async (_, damage) => {
    writeFileSync(file, [...encodeState([MAIN], 0)].join(''));
    damage();
    const damaged = readFileSync(file, 'utf8');

    const again = await run();
    const page = await again.shows(/hoster_up\{account="default"\} 1/);
    expect(page).toMatch(/^hoster_exporter_state_load_successful 0$/m);
    expect([...seriesOf(SECONDS, page).values()].some((value) => value > 0)).toBe(false);
    await again.hears(
      /the state file was refused, and nothing is remembered: it .*kept_as=.*state\.json\.damaged-1/,
    );
    expect(readFileSync(`${file}.damaged-1`, 'utf8')).toBe(damaged);
    await again.end('SIGTERM');
    expect(decodeState(readFileSync(file, 'utf8'))).toHaveProperty('accounts');
  });

  it('serves without state if the folder is missing, and warns once', async () => {
    rmSync(folder, { recursive: true });
    const daemon = await run(...EACH_SECOND);
    await daemon.shows(new RegExp(`^${SECONDS}\\{.*\\} [1-9]`, 'm'));
    const page = await daemon.shows(/^hoster_exporter_state_last_save_successful 0$/m);
    expect(page).not.toMatch(/^hoster_exporter_state_last_save_success_timestamp_seconds /m);
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(daemon.said().match(/the state cannot be kept: there is no such folder/g)).toHaveLength(1);
  });
});
