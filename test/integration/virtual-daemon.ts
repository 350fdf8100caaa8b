import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, yieldToEventLoop } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { createLog } from '../../src/base/log.ts';
import { type Io, prepare } from '../../src/cli/command.ts';
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts';
import type { Scheduler } from '../../src/poll/schedule.ts';
import { dependenciesOf } from '../dependencies.ts';
import { createFakeClock } from '../fake-clock.ts';
import { get } from '../process.ts';
import { type StandInAnswers, startStandInApi } from './stand-in-api.ts';

/*
 * The real daemon behind real sockets, whose clock and schedules a test moves: days pass in seconds.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Time between two polls. */
const INTERVAL = 5 * MINUTE;

const CONFIG = '/etc/hoster.yml';
const KEY_FILE = '/etc/hoster.key';
/** Its folder is the configuration's. */
const TAGS_FILE = '/etc/phones.csv';

type Fleet = {
  readonly accounts: readonly {
    readonly readings: { readonly devices: { readonly lastSuccessAt?: string } };
  }[];
};
type Sections = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, number>> & { readonly id: string; readonly estimate?: unknown };

/** Starts an API; the daemon starts with {@link VirtualDaemon.start}. */
export async function createVirtualDaemon(
  folder: string,
  answers: Partial<StandInAnswers> = {},
  diskOf?: (clock: Clock) => Disk,
) {
  const clock = createFakeClock();
  const api = await startStandInApi({
    heartbeatAt: () => clock.now(),
    headers: () => ({ date: new Date(clock.now()).toUTCString() }),
    ...answers,
  });
  const lines: string[] = [];
  const ticks = new Set<() => void>();
  let daemon: Daemon | undefined;
  let text = '';
  /** The file of tags; undefined without one. */
  let tags: string | undefined;
  const scheduler: Scheduler = (_expression, tick) => ({
    intervalSeconds: INTERVAL / 1000,
    shortestGap: INTERVAL,
    untilNext: () => INTERVAL,
    start: () => void ticks.add(tick),
    stop: () => void ticks.delete(tick),
  });
  const io: Io = {
    ...dependenciesOf({ clock, scheduler, ...(diskOf && { disk: diskOf(clock) }) }),
    print: async () => {},
    printError: () => {},
    colour: false,
    environment: {},
    readFile: async (path) => {
      if (path !== TAGS_FILE) return path === KEY_FILE ? 'key' : text;
      if (tags === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      return tags;
    },
    isReadableByAll: async () => false,
    openLog: (level) =>
      createLog({ level, format: 'logfmt', destination: { write: (line) => lines.push(line) } }),
    interrupted: new Promise(() => {}),
    onHangup: () => {},
  };
  const account = (name: string) => ({ name, api_url: api.url, api_key_file: KEY_FILE });
  const configure = (sections: Sections = {}, names: readonly string[] = ['main']): void => {
    text = JSON.stringify({
      accounts: names.map(account),
      state: { file: join(folder, 'state.json') },
      offline: { after: '10m' },
      web: { listen_address: '127.0.0.1:0' },
      ...sections,
    });
  };
  configure();
  const ask = (path: string) => get(`${daemon?.url}${path}`);
  /** Resolves when all accounts have a list of the present instant. */
  const polled = async (): Promise<void> => {
    const now = new Date(clock.now()).toISOString();
    for (;;) {
      const { accounts }: Fleet = JSON.parse((await ask('/api/v1/fleet')).body);
      if (accounts.every(({ readings }) => readings.devices.lastSuccessAt === now)) return;
      await yieldToEventLoop();
    }
  };
  return {
    api,
    clock,
    lines,
    folder,
    configure,
    ask,
    /** Writes the file of tags, or removes it. */
    writeTags: (content: string | undefined) => {
      tags = content;
    },
    url: () => `${daemon?.url}/`,
    start: async () => {
      const { config, dependencies } = await prepare(new Map([['config.file', CONFIG]]), io);
      daemon = await startDaemon(config, dependencies);
      await daemon.firstRound;
    },
    stop: async () => {
      await daemon?.stop();
      daemon = undefined;
      ticks.clear();
    },
    reload: async () => {
      let isOver = false;
      const report = daemon?.reload().finally(() => {
        isOver = true;
      });
      // Connections that are closed wait for their timers.
      while (!isOver) {
        clock.advance(1_000);
        await yieldToEventLoop();
      }
      return report;
    },
    /** Begins a poll of everything that is not waited for. */
    tick: () => {
      for (const tick of [...ticks]) tick();
    },
    polled,
    /** Lets time pass, with a good poll each five minutes. */
    live: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += INTERVAL) {
        clock.advance(INTERVAL);
        for (const tick of [...ticks]) tick();
        await polled();
      }
    },
    rowsOf: async (month: string): Promise<readonly Row[]> => {
      const { status, body } = await ask(`/api/v1/month?month=${month}`);
      return status === 200 ? JSON.parse(body).rows : [];
    },
    /** Returns a month file as soon as it has this. */
    fileWith: async (month: string, text: string): Promise<string> => {
      for (;;) {
        const file = fileIn(folder, month);
        if (file.includes(text)) return file;
        await yieldToEventLoop();
      }
    },
    close: async () => {
      await daemon?.stop();
      api.close();
    },
  };
}

export type VirtualDaemon = Awaited<ReturnType<typeof createVirtualDaemon>>;

function fileIn(folder: string, month: string): string {
  try {
    return readFileSync(join(folder, 'months', `${month}.csv`), 'utf8');
  } catch {
    return '';
  }
}

const COLUMNS = ['sold_online', 'sold_offline', 'self_rented', 'idle', 'other', 'maintenance', 'unknown'];

/** Returns the seconds of all columns of a row. */
export function totalOf(row: Row | undefined): number {
  return COLUMNS.reduce((sum, column) => sum + (row?.[column] ?? 0), 0);
}
