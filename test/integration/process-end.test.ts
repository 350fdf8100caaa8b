import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { get, MAIN, start } from '../process.ts';
import type { Simulator } from '../simulator.ts';
import { exporterTest as it, KEY, startMarketplace } from './exporter.ts';

/*
 * The end of the built program: by a signal, and by an unexpected exception.
 */

/** Longer than a test may take: a daemon that waits for a hanging response never ends. */
const HANGS = '--client.timeout=5m';

let marketplace: Simulator;
/** Takes connections and never says a word. */
let silence: Server;
let offlineUrl = '';
const offline = new Set<Socket>();
const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));

beforeAll(async () => {
  marketplace = await startMarketplace(20);
  silence = createServer((socket) => {
    offline.add(socket);
    socket.on('error', () => {});
  });
  await once(silence.listen(0, '127.0.0.1'), 'listening');
  const address = silence.address();
  offlineUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});

afterAll(async () => {
  for (const socket of offline) socket.destroy();
  silence.close();
  await marketplace.close();
  rmSync(folder, { recursive: true, force: true });
});

let injections = 0;

/** Code that runs in the program alongside its own. */
function inject(code: string): Readonly<Record<string, string>> {
  injections += 1;
  const file = join(folder, `injected-${injections}.mjs`);
  writeFileSync(file, code);
  return { NODE_OPTIONS: `--import=${file}` };
}

describe('the daemon ends in order', () => {
  it.concurrent('on SIGINT while its polls hang', async ({ run }) => {
    const asked = once(silence, 'connection');
    const daemon = await run({ apiUrl: offlineUrl, parameters: [HANGS] });
    await asked;
    const end = await daemon.end('SIGINT');
    expect([end.code, end.signal]).toEqual([0, null]);
  });

  it.concurrent('on SIGTERM while a client reads slowly', async ({ run }) => {
    // The page is larger than the buffers of a connection.
    const large = await startMarketplace(5_000);
    const daemon = await run({ apiUrl: large.url });
    await daemon.shows(/hoster_up\{account="default"\} 1/);
    const { hostname, port } = new URL(daemon.url);
    const reader = connect(Number(port), hostname);
    reader.on('error', () => {});
    reader.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(reader, 'readable');
    const end = await daemon.end('SIGTERM');
    expect([end.code, end.signal]).toEqual([0, null]);
    reader.destroy();
    await large.close();
  });

  it.concurrent('by the signal itself while a thread is stuck', async ({ run }) => {
    // A pipe that nobody writes into stands for a disk that hangs or a name server that does not answer.
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const stuck = `
      import { open } from 'node:fs';
      open(${JSON.stringify(pipe)}, 'r', () => {});`;
    const daemon = await run({ apiUrl: marketplace.url, environment: inject(stuck) });
    const end = await daemon.end('SIGTERM');
    expect([end.code, end.signal]).toEqual([null, 'SIGTERM']);
  });
});

it.each(['once', 'check'])('the command %s can be interrupted while the API hangs', async (command) => {
  const asked = once(silence, 'connection');
  const child = spawn(process.execPath, [MAIN, command, HANGS], {
    env: { PATH: process.env['PATH'], HOSTER_API_URL: offlineUrl, HOSTER_API_KEY: KEY },
  });
  const printed = text(child.stdout);
  await asked;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([1, null]);
  expect(await printed).toBe('');
});

/** A name server takes port 53, and only root may give a program a resolv.conf of its own, by `unshare` of util-linux. */
const mayReplaceResolver =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['true']).status === 0;

describe.skipIf(!mayReplaceResolver).concurrent('where no name server answers', () => {
  const nameServer = createSocket('udp4');
  const configuration = join(folder, 'resolv.conf');

  beforeAll(async () => {
    nameServer.bind(53, '127.0.0.153');
    await once(nameServer, 'listening');
    // As short as the resolver of glibc can wait.
    writeFileSync(configuration, 'nameserver 127.0.0.153\noptions timeout:3 attempts:1\n');
  });

  afterAll(() => nameServer.close());

  it.for(['check', 'once'])('the command %s ends with code 1', async (command) => {
    const program = `mount --bind '${configuration}' /etc/resolv.conf && exec "$@"`;
    const child = spawn('unshare', ['--mount', 'sh', '-c', program, 'sh', process.execPath, MAIN, command], {
      env: { PATH: process.env['PATH'], HOSTER_API_URL: 'https://api.example.com', HOSTER_API_KEY: KEY },
      stdio: 'ignore',
    });
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});

describe.concurrent('an unexpected exception', () => {
  it.for([
    ['an error', 'throw new Error("boom\\n\\u001b[31m")', /^hoster-exporter: unexpected Error: boom�/m],
    ['a promise rejected with a text', 'Promise.reject("canary-password")', /\(ERR_UNHANDLED_REJECTION\)$/m],
  ] as const)(
    'ends the process with code 1 and a message without secrets: %s',
    async ([_, fault, words], { run }) => {
      const environment = inject(`process.on('SIGUSR2', () => { ${fault} })`);
      const daemon = await run({ apiUrl: marketplace.url, environment });
      expect(await daemon.end('SIGUSR2')).toMatchObject({ code: 1, signal: null });
      expect(daemon.output()).toMatch(words);
      expect(daemon.output()).toMatch(/^This is a bug; please report it\.$/m);
      expect(daemon.output()).not.toContain('canary');
    },
  );
});

describe.concurrent('the daemon', () => {
  it('leaves no inspector open after SIGUSR1 at any moment of its start', async () => {
    for (const milliseconds of [0, 20, 60, 150]) {
      const { child, output, waitForOutput, stop } = start(
        process.execPath,
        ['--inspect-port=0', MAIN, 'run', '--web.listen-address=127.0.0.1:0'],
        { HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY },
      );
      await setTimeout(milliseconds);
      child.kill('SIGUSR1');
      // Before Node has a handler, the signal ends the process.
      const isUp = await waitForOutput(/msg=listening/).then(
        () => true,
        () => child.signalCode !== 'SIGUSR1',
      );
      if (!isUp) continue;
      const port = /Debugger listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(output())?.[1];
      if (port !== undefined)
        await expect(get(`http://127.0.0.1:${port}/json`)).rejects.toThrow('ECONNREFUSED');
      await stop();
    }
  });

  it('opens no inspector at all with the environment of the systemd unit', async () => {
    const unit = readFileSync('config/systemd/hoster-exporter.service', 'utf8');
    const options = /^Environment=NODE_OPTIONS=(.+)$/m.exec(unit)?.[1] ?? '';
    for (const milliseconds of [20, 60, 150]) {
      const { child, output, waitForOutput, stop } = start(
        process.execPath,
        [MAIN, 'run', '--web.listen-address=127.0.0.1:0'],
        { HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY, NODE_OPTIONS: options },
      );
      await setTimeout(milliseconds);
      child.kill('SIGUSR1');
      // Before Node has a handler, the signal ends the process.
      await waitForOutput(/msg=listening/).catch(() => expect(child.signalCode).toBe('SIGUSR1'));
      expect(output()).not.toContain('Debugger listening');
      await stop();
    }
  });

  it('opens no inspector on SIGUSR1, and reloads the configuration on SIGHUP', async ({ run }) => {
    const file = join(folder, 'hoster.yml');
    writeFileSync(file, 'features: { rental_ids: false }\n');
    const daemon = await run({
      apiUrl: marketplace.url,
      parameters: [`--config.file=${file}`, '--web.enable-lifecycle'],
    });
    daemon.child.kill('SIGUSR1');
    expect(await daemon.shows(/hoster_up\{account="default"\} 1/)).not.toContain(
      'hoster_device_self_rent_info',
    );

    writeFileSync(file, 'features: { rental_ids: true }\n');
    daemon.child.kill('SIGHUP');
    await daemon.waitForOutput(/configuration reloaded/);
    await daemon.shows(/hoster_device_self_rent_info\{/);

    writeFileSync(file, 'features: { rental_ids: maybe }\n');
    daemon.child.kill('SIGHUP');
    await daemon.waitForOutput(/reload failed.*hoster\.yml:1:13: features\.rental_ids: got/);
    const page = await daemon.shows(/hoster_exporter_config_last_reload_successful 0/);
    expect(page).toContain('hoster_device_self_rent_info{');
    expect((await daemon.post('/-/reload')).status).toBe(500);
    expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(daemon.output()).not.toMatch(/[Dd]ebugger/);
  });
});
