import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALLOCATOR, startChild } from '../child.ts';
import { KEY } from '../dependencies.ts';
import { createMemoryGroup, mayLimitMemory } from '../limit.ts';
import { median, memoryOf, sleep } from '../measure.ts';
import { byNode, type Figure, type Scenario } from '../report.ts';

/** The scrape interval of config/prometheus/prometheus.yml. */
const SCRAPE_MILLISECONDS = 15_000;

/** Maximum of resident memory in MB with the limit, by the number of phones. */
const MAX_MEGABYTES: Readonly<Record<number, number>> = byNode(
  { 1000: 130, 10000: 200, 100000: 500 },
  { 1000: 150, 10000: 240, 100000: 550 },
);

export const memory: Scenario = {
  name: 'memory',
  title: 'Memory of the daemon on its shipped schedule, scraped as Prometheus does',
  isSlow: true,
  async *run({ phones, minutes, limit }) {
    for (const size of phones) {
      if (mayLimitMemory()) yield* figuresOf(size, limit, await measure(size, minutes, limit));
      yield* figuresOf(size, undefined, await measure(size, minutes, undefined));
    }
  },
};

type Measured = { readonly resident: number; readonly peak: number };

function* figuresOf(
  phones: number,
  limit: number | undefined,
  { resident, peak }: Measured,
): Generator<Figure> {
  const most = MAX_MEGABYTES[phones];
  const bar = most === undefined || limit === undefined ? {} : { bar: { atMost: most } };
  const where = limit === undefined ? 'no limit' : `limit of ${limit} MiB`;
  yield { name: `resident, ${where}`, phones, value: resident / 1e6, unit: 'MB', ...bar };
  yield { name: `peak, ${where}`, phones, value: peak / 1e6, unit: 'MB' };
}

/** Measures a daemon with a state file, as the unit has one, in a group with this limit. Rejects if it is killed. */
async function measure(phones: number, minutes: number, limit: number | undefined): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-bench-memory-'));
  const group = limit === undefined ? undefined : createMemoryGroup(limit);
  const simulator = await startChild('simulator', { parameters: [String(phones)] });
  const [port = 0] = await simulator.ask('port');
  const command = [process.execPath, 'dist/main.js'];
  const [program = '', ...parameters] = group?.command(command) ?? command;
  try {
    const daemon = spawn(program, parameters, {
      env: {
        ...process.env,
        ...ALLOCATOR,
        HOSTER_API_URL: `http://127.0.0.1:${port}`,
        HOSTER_API_KEY: KEY,
        HOSTER_STATE_FILE: join(folder, 'state.json'),
        HOSTER_WEB_LISTEN_ADDRESS: '127.0.0.1:0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return await watch(daemon, minutes);
  } finally {
    await simulator.stop();
    group?.remove();
    rmSync(folder, { recursive: true });
  }
}

/** Scrapes a daemon as Prometheus does, and stops it. */
async function watch(daemon: ChildProcess, minutes: number): Promise<Measured> {
  const ended = endOf(daemon);
  ended.catch(() => {});
  const url = await Promise.race([addressOf(daemon), ended]);
  const residents: number[] = [];
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    await Promise.race([Promise.all([scrape(`${url}/metrics`), sleep(SCRAPE_MILLISECONDS)]), ended]);
    residents.push(memoryOf(daemon.pid ?? 0).now);
  }
  const { peak } = memoryOf(daemon.pid ?? 0);
  daemon.kill('SIGTERM');
  await ended;
  // Of the last two minutes: it rises and falls with every poll.
  return { resident: median(residents.slice(-8)), peak };
}

/** Resolves when the daemon has ended as it should. Rejects if it was killed, as for its memory. */
async function endOf(daemon: ChildProcess): Promise<void> {
  const [code, signal] = await once(daemon, 'exit');
  if (code !== 0) throw new Error(`the daemon ended with ${code ?? signal}`);
}

function addressOf(daemon: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    daemon.stderr?.on('data', (piece: Buffer) => {
      const [, url] = /msg=listening url=(\S+)/.exec(piece.toString()) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Resolves when the page was read, or the daemon has gone. */
function scrape(url: string): Promise<void> {
  return new Promise((resolve) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) =>
      response.resume().once('close', resolve),
    ).once('error', () => resolve());
  });
}
