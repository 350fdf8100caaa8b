import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { type Io, prepare } from '../../src/cli/command.ts';
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts';
import { createMarketplace } from '../../src/features/demo/marketplace.ts';
import { createFleet } from '../../src/features/demo/phones.ts';
import { NOON } from '../builders.ts';
import { CANARY } from '../canary.ts';
import { dependenciesOf } from '../dependencies.ts';
import { startFaultySimulator } from '../faults/simulated/faults.ts';
import type { Simulator } from '../simulator.ts';

export const KEYS = { main: `${CANARY.apiKey}main`, other: `${CANARY.apiKey}other` };

export let simulator: Simulator;
let daemon: Daemon | undefined;
let scrapes = 0;
export const lines: string[] = [];
export const files = new Map<string, string>();

/** Makes a daemon and a marketplace new for each test of the file that calls it. */
export function useReloadHarness(): void {
  beforeEach(async () => {
    lines.length = 0;
    files.clear();
    for (const [name, key] of Object.entries(KEYS)) files.set(`/etc/${name}.key`, key);
    const marketplaceOf = (seed: number, size: number) =>
      createMarketplace({ seed, phones: createFleet({ seed, size }), startAt: NOON });
    simulator = await startFaultySimulator({
      accounts: [
        { name: 'main', key: KEYS.main, marketplace: marketplaceOf(1, 120) },
        { name: 'other', key: KEYS.other, marketplace: marketplaceOf(2, 5) },
      ],
      clock: { ...systemClock, now: () => NOON },
    });
  });

  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
    await simulator.close();
  });
}

export const accountOf = (name: string) => ({
  name,
  api_url: simulator.url,
  api_key_file: `/etc/${name}.key`,
});

export type File = Readonly<Record<string, unknown>>;

export function write(accounts: readonly File[], sections: File = {}): void {
  files.set(
    '/etc/hoster.yml',
    JSON.stringify({ accounts, web: { listen_address: '127.0.0.1:0', enable_lifecycle: true }, ...sections }),
  );
}

/** Starts a daemon on the file, whose first round of polls has ended. */
export async function start(): Promise<Daemon> {
  const io: Io = {
    ...dependenciesOf({
      clock: { ...systemClock, monotonic: () => systemClock.monotonic() + scrapes * 1_000 },
    }),
    print: async () => {},
    printError: () => {},
    colour: false,
    environment: {},
    readFile: async (path) => {
      const content = files.get(path);
      if (content === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      return content;
    },
    isReadableByAll: async () => false,
    openLog: (level) =>
      createLog({ level, format: 'logfmt', destination: { write: (line) => lines.push(line) } }),
    interrupted: new Promise(() => {}),
    onHangup: () => {},
  };
  const { config, dependencies } = await prepare(new Map([['config.file', '/etc/hoster.yml']]), io);
  daemon = await startDaemon(config, dependencies);
  await daemon.firstRound;
  return daemon;
}

type Response = { readonly status: number | undefined; readonly body: string };

export function send(path: string, method: string, body?: File): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const options = { method, agent: false, headers };
    const message = request(`${daemon?.url}${path}`, options, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) });
    });
    message.on('error', reject);
    message.end(body && JSON.stringify(body));
  });
}

export const reload = (): Promise<Response> => send('/-/reload', 'POST');

/** Scrapes a second after the last scrape, so that they share nothing. */
export async function scrape(): Promise<string> {
  scrapes += 1;
  return (await send('/metrics', 'GET')).body;
}

/** Scrapes until the page shows this. */
export async function shown(pattern: RegExp): Promise<string> {
  for (;;) {
    const page = await scrape();
    if (pattern.test(page)) return page;
  }
}

export function phonesOf(account: string, page: string): number {
  return page.match(new RegExp(`^hoster_device_info\\{account="${account}"`, 'gm'))?.length ?? 0;
}
