import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { MAIN } from '../process.ts';
import type { Simulator } from '../simulator.ts';
import { EACH_SECOND, type Exporter, exporterTest as it, KEY, startMarketplace } from './exporter.ts';

/*
 * The built program where nobody reads what it writes, the disk is full, or the descriptors are used up.
 */

const LINUX = process.platform === 'linux';

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
let marketplace: Simulator;

beforeAll(async () => {
  marketplace = await startMarketplace(60);
});

afterAll(async () => {
  await marketplace.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Lets the log grow by more than the megabyte that is buffered: a reload logs what is wrong with 3,000 lines. */
async function fillLog(daemon: Exporter, configFile: string): Promise<void> {
  writeFileSync(configFile, Array.from({ length: 3_000 }, (_, line) => `unknown_${line}: 1\n`).join(''));
  expect((await daemon.post('/-/reload')).status).toBe(500);
  expect((await daemon.get('/metrics')).status).toBe(200);
}

/** A pipe that is full, and that nobody reads. */
function fullPipe(): number {
  const path = join(folder, 'pipe');
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  for (const size of [4_096, 1]) {
    try {
      for (;;) writeSync(pipe, 'x'.repeat(size));
    } catch {
      // It is full now.
    }
  }
  // The program gets another way to it, as a shell gives it one: writes to that block.
  const blocking = openSync(path, constants.O_RDWR);
  closeSync(pipe);
  return blocking;
}

/** A pipe whose reader has gone. */
function brokenPipe(): number {
  const path = join(folder, 'broken');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR);
  const pipe = openSync(path, constants.O_WRONLY);
  closeSync(reader);
  return pipe;
}

/** A socket that is full, and whose other end reads nothing: what supervisors such as journald and pm2 give. */
async function fullSocket(): Promise<Socket> {
  const path = join(folder, 'socket');
  rmSync(path, { force: true });
  const server = createServer({ pauseOnConnect: true });
  await once(server.listen(path), 'listening');
  const socket = connect(path);
  await once(socket, 'connect');
  while (socket.write('x'.repeat(1_024)) || socket.writableLength === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  server.close();
  return socket;
}

describe.runIf(LINUX).concurrent('the daemon continues and ends within two seconds', () => {
  const readers: readonly (readonly [string, () => Promise<number | Socket>])[] = [
    ['a pipe that is not read', async () => fullPipe()],
    ['a socket that is not read', fullSocket],
    ['a pipe whose reader has gone', async () => brokenPipe()],
    ['a full disk', async () => openSync('/dev/full', 'w')],
  ];

  it.for(readers)('with its log on %s', async ([reader, open], { run }) => {
    // Each problem is logged with the path of its file.
    const configFile = join(folder, `${reader.padEnd(240, '.')}.yml`);
    writeFileSync(configFile, '');
    const standardError = await open();
    const daemon = await run({
      apiUrl: marketplace.url,
      parameters: [
        `--config.file=${configFile}`,
        '--web.enable-lifecycle',
        '--log.level=trace',
        ...EACH_SECOND,
      ],
      stdio: ['ignore', 'ignore', standardError],
    });
    await fillLog(daemon, configFile);
    await daemon.shows(/^hoster_up\{account="default"\} 1$/m);
    const end = await daemon.end('SIGTERM');
    expect([end.code, end.signal]).toEqual([0, null]);
    if (typeof standardError === 'number') closeSync(standardError);
    else standardError.destroy();
  });
});

const say = (command: string, stdout: number | 'pipe') =>
  spawn(process.execPath, [MAIN, command, '--log.level=error'], {
    env: { PATH: process.env['PATH'], HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY },
    stdio: ['ignore', stdout, 'pipe'],
  });

describe('a command whose standard output', () => {
  it('is closed by its reader fails without a message', async () => {
    const child = say('once', 'pipe');
    const said = child.stderr === null ? '' : text(child.stderr);
    child.stdout?.destroy();
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await said).toBe('');
  });

  it.runIf(LINUX)('cannot be written fails with a message', async () => {
    const full = openSync('/dev/full', 'w');
    const child = say('once', full);
    const said = child.stderr === null ? '' : text(child.stderr);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await said).toBe('cannot write to standard output (ENOSPC)\n');
    closeSync(full);
  });
});

const hasPrlimit = LINUX && existsOnPath('prlimit');

function existsOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((part) => {
    try {
      return readdirSync(part).includes(program);
    } catch {
      return false;
    }
  });
}

it.runIf(hasPrlimit)('the daemon survives without free file descriptors', async ({ run }) => {
  const daemon = await run({
    apiUrl: marketplace.url,
    parameters: [...EACH_SECOND, `--state.file=${join(folder, 'state.json')}`, '--state.interval=1s'],
  });
  await daemon.shows(/^hoster_up\{account="default"\} 1$/m);
  const { pid } = daemon.child;
  const open = readdirSync(`/proc/${pid}/fd`).length;
  execFileSync('prlimit', ['--pid', `${pid}`, `--nofile=${open + 5}:${open + 5}`]);
  const { hostname, port } = new URL(daemon.url);
  const crowd = Array.from({ length: 60 }, () => connect(Number(port), hostname).on('error', () => {}));
  await daemon.waitForOutput(/cannot write the state file: this process has no file descriptors left/);
  for (const socket of crowd) socket.destroy();
  await daemon.waitForOutput(/saving the state file works again/);
  expect((await daemon.get('/metrics')).status).toBe(200);
  expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
  expect(daemon.output().match(/cannot write the state file/g)).toHaveLength(1);
});
