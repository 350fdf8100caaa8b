import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, MAIN, type Running, start } from '../process.ts';
import { shippedText } from '../rules/shipped.ts';
import { type RunningCommand, runCommand, startCommand } from '../run-command.ts';
import { EACH_SECOND, KEY } from './exporter.ts';
import { phonesOf, type StandInApi, startStandInApi } from './stand-in-api.ts';

/*
 * The built program on a Unix socket.
 */

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
let paths = 0;
/** Returns a path at which nothing is. */
function unusedPath(): string {
  paths += 1;
  return join(folder, `${paths}.sock`);
}

let api: StandInApi;
const daemons: RunningCommand[] = [];

beforeAll(async () => {
  api = await startStandInApi({ phones: phonesOf(4) });
});

afterAll(async () => {
  await Promise.all(daemons.map(({ stop }) => stop()));
  api.close();
  rmSync(folder, { recursive: true });
});

const flagsOf = (path: string): readonly string[] => [
  '--web.listen-address=127.0.0.1:0',
  `--web.socket=${path}`,
];

/** Starts the daemon on a free port and a socket, in this process. */
function launch(path: string, ...parameters: readonly string[]): RunningCommand {
  const account = { HOSTER_API_URL: api.url, HOSTER_API_KEY: KEY };
  const daemon = startCommand([...flagsOf(path), ...parameters], account);
  daemons.push(daemon);
  return daemon;
}

/** Starts it as a process, which can be killed. */
function launchProcess(path: string): Running {
  return start(process.execPath, [MAIN, ...flagsOf(path)], { HOSTER_API_URL: api.url, HOSTER_API_KEY: KEY });
}

/** Returns the exit code and the output of a program that cannot start. */
async function refusalOf(path: string): Promise<readonly unknown[]> {
  const daemon = launch(path);
  const code = await daemon.ended;
  return [code, daemon.output().trimEnd().split('\n').at(-1)];
}

type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** Sends a request to a socket. Returns the status and the content. */
async function ask(
  socketPath: string,
  { method = 'GET', path = '/api/v1/fleet', headers, body }: Sent = {},
): Promise<{ readonly status: number; readonly content: string }> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request({ socketPath, path, method, agent: false, headers: { ...type, ...headers } });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, content: await text(response) };
}

/** Sends bytes to a socket, and returns the status of the first response; undefined without one. */
async function statusOfBytes(socketPath: string, bytes: string): Promise<number | undefined> {
  const socket = connect(socketPath);
  socket.on('error', () => {});
  socket.end(bytes);
  return Number((await text(socket).catch(() => '')).split(' ')[1]) || undefined;
}

describe('an exporter on a Unix socket, and on TCP with a login', () => {
  const path = unusedPath();
  let url = '';

  beforeAll(async () => {
    const web = join(folder, 'web.yml');
    // The password of anna is "test".
    writeFileSync(
      web,
      `basic_auth_users: { anna: '$2b$04$IWYwwWBJqpGISyosJEcp7OqiGHY8WuhOA0XY.pm18MK0Ozjdpa2Um' }\n`,
    );
    const daemon = launch(
      path,
      ...EACH_SECOND,
      `--web.config.file=${web}`,
      `--state.file=${join(folder, 'state.json')}`,
      '--web.enable-changes',
      '--web.change-users=anna',
      '--web.external-url=https://hoster.example.com',
    );
    [, url = ''] = await daemon.waitForOutput(/msg=listening url=(\S+) socket=\S+\.sock /);
    await daemon.waitForOutput(/msg="first poll succeeded" .*collector=devices/);
  });

  it('lets its owner and its group connect, and nobody else', () => {
    expect((statSync(path).mode & 0o777).toString(8)).toBe('660');
  });

  it('asks for the login on TCP only', async () => {
    expect((await get(`${url}/metrics`)).status).toBe(401);
    expect((await ask(path, { path: '/metrics' })).content).toContain('hoster_exporter_build_info{');
    const { exporter } = JSON.parse((await ask(path)).content);
    expect(exporter.allowsChanges).toBe(true);
  });

  it.each(['--web.socket=', '--url=unix:'])('is found by commands with %s', async (flag) => {
    const run = async (...command: readonly string[]) => await runCommand([...command, `${flag}${path}`]);
    const started = await run('maintenance', 'start', '--group=rack-01', '--for=2h');
    expect(started).toMatchObject({ code: 0, error: '', out: expect.stringContaining('4 phones') });
    const [id = ''] = started.out.split(':');
    expect((await run('maintenance', 'list')).out).toContain(id);
    expect(await run('maintenance', 'end', id)).toMatchObject({ code: 0, error: '' });
    expect(await run('incidents')).toMatchObject({ code: 0, error: '' });
    expect(await run('month', '--format=json')).toMatchObject({ code: 0, error: '' });
    expect(await run('tags')).toMatchObject({ code: 0, error: '' });
  });

  it('is found by the health check, which sees more than a refused login', async () => {
    expect(await runCommand(['healthcheck', `--web.socket=${path}`])).toEqual({
      code: 0,
      out: '',
      error: '',
    });
    const gone = unusedPath();
    expect(await runCommand(['healthcheck', `--web.socket=${gone}`])).toMatchObject({
      code: 1,
      error: `unhealthy: unix:${gone} did not respond (there is no such socket: is the exporter running, and is this its web.socket?)\n`,
    });
  });

  it.each(['config/systemd/hoster-exporter-telegram.service', 'compose.yaml'])(
    'is reached with the options of Node that the chat has in %s',
    async (file) => {
      const [, options = ''] = shippedText(file).match(/NODE_OPTIONS[=:] ?([^",}]+)/) ?? [];
      expect(options).toContain('--max-semi-space-size=1');
      const check = start(process.execPath, [MAIN, 'healthcheck', `--web.socket=${path}`], {
        NODE_OPTIONS: options,
      });
      await once(check.child, 'close');
      expect(check.output()).toBe('');
    },
  );

  /** An accepted request that changes nothing: the exporter answers 400. */
  const unknownRack: Sent = {
    method: 'POST',
    path: '/api/v1/maintenance',
    body: { groups: ['rack-99'], for: '2h' },
  };

  it.each([
    ['localhost', 400],
    ['hoster.example.com', 421],
    ['evil.example', 421],
    ['', 400],
    ['a b', 400],
  ])('answers the host "%s" with %i, as on loopback', async (host, status) => {
    expect((await ask(path, { ...unknownRack, headers: { host } })).status).toBe(status);
  });

  it.each<[what: string, headers: Readonly<Record<string, string>>, status: number]>([
    ['of a page of another site', { origin: 'https://evil.example' }, 403],
    ['that a browser calls cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of its own page, through ssh -L', { host: 'localhost:9823', origin: 'http://localhost:9823' }, 400],
    ['of a page behind the external address', { origin: 'https://hoster.example.com' }, 403],
    ['of a proxy', { 'x-forwarded-for': '203.0.113.7' }, 403],
    ['with a wrong login, which does not count', { authorization: 'Basic eDp5' }, 400],
  ])('answers a request for maintenance %s', async (_, headers, status) => {
    expect((await ask(path, { ...unknownRack, headers })).status).toBe(status);
  });

  it('answers HTTP/1.0, which proxies speak, without the rights of this machine', async () => {
    const body = '{"groups":["rack-99"],"for":"2h"}';
    const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const ofVersion = (version: string) =>
      statusOfBytes(path, `POST /api/v1/maintenance HTTP/${version}\r\n${head}${body}`);
    expect(await ofVersion('1.0')).toBe(403);
    expect(await ofVersion('1.1')).toBe(400);
  });

  it.each([
    ['a host in the target', 'GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n', 421],
    ['a long target', `GET /${'a'.repeat(3_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 414],
    ['large headers', `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['1.3 MB of requests', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(35_000), undefined],
  ])('limits requests as on TCP: %s', async (_, bytes, status) => {
    expect(await statusOfBytes(path, bytes)).toBe(status);
  });

  it('answers both listeners while 1,000 connections on the socket are idle', async () => {
    const sockets: Socket[] = [];
    for (let index = 0; index < 1_000; index += 1) {
      const socket = connect(path);
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
    }
    expect((await ask(path)).status).toBe(200);
    expect((await get(`${url}/`)).status).toBe(401);
    const { content } = await ask(path, { path: '/metrics' });
    const [, evicted] =
      content.match(/^hoster_exporter_http_rejected_total\{reason="connections"\} (\d+)$/m) ?? [];
    expect(Number(evicted)).toBeGreaterThanOrEqual(488);
    for (const socket of sockets) socket.destroy();
  });
});

describe('a command on a machine with two exporters', () => {
  const service = unusedPath();
  let own = '';
  const environment = { HOSTER_SERVICE_SOCKET: service };

  beforeAll(async () => {
    await launch(service, '--web.enable-changes').waitForOutput(
      /msg="first poll succeeded" .*collector=devices/,
    );
    const daemon = startCommand(['--web.listen-address=127.0.0.1:0', '--web.enable-changes'], {
      HOSTER_API_URL: api.url,
      HOSTER_API_KEY: KEY,
    });
    daemons.push(daemon);
    [, own = ''] = await daemon.waitForOutput(/msg=listening url=http:\/\/(\S+)/);
    await daemon.waitForOutput(/msg="first poll succeeded" .*collector=devices/);
  });

  /** Returns the exporter that a change was for. */
  const exporterOf = async (flags: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const { out, error } = await runCommand(['maintenance', 'start', '--all', '--for=1h', ...flags], {
      ...environment,
      ...more,
    });
    return out.match(/^exporter: (.*)$/m)?.[1] ?? error;
  };
  const file = (content: string): string => {
    const path = join(folder, `${content.length}.yml`);
    writeFileSync(path, content);
    return `--config.file=${path}`;
  };

  it('asks the service of the package where nothing is named', async () => {
    expect(await exporterOf([])).toBe(`unix:${service}`);
  });

  it('asks the exporter that a flag, a configuration or a variable names', async () => {
    const url = `http://${own}`;
    expect(await exporterOf([`--url=${url}`])).toBe(url);
    expect(await exporterOf([`--web.listen-address=${own}`])).toBe(url);
    expect(await exporterOf([file(`web: { listen_address: "${own}" }`)])).toBe(url);
    expect(await exporterOf([], { HOSTER_WEB_LISTEN_ADDRESS: own })).toBe(url);
    expect(await exporterOf([`--web.listen-address=${own}`], { HOSTER_WEB_SOCKET: service })).toBe(url);
    expect(await exporterOf([file(`web: { listen_address: "${own}", socket: ${service} }`)])).toBe(
      `unix:${service}`,
    );
    expect(await exporterOf([`--web.socket=${service}`], { HOSTER_WEB_LISTEN_ADDRESS: own })).toBe(
      `unix:${service}`,
    );
  });

  it('does not ask the service where the exporter that is named is stopped', async () => {
    const flag = file('web: { listen_address: "127.0.0.1:1" }');
    expect(await runCommand(['healthcheck', flag], environment)).toMatchObject({ code: 1 });
    expect((await runCommand(['month', flag], environment)).error).toContain('http://127.0.0.1:1');
    const gone = unusedPath();
    expect(await exporterOf([`--web.socket=${gone}`])).toContain('there is no such socket');
  });
});

describe('the file of a Unix socket', () => {
  it('is removed at the end, and replaced after a kill', async () => {
    const path = unusedPath();
    const killed = launchProcess(path);
    await killed.waitForOutput(/msg=listening/);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');
    expect(existsSync(path)).toBe(true);
    const next = launch(path);
    await next.waitForOutput(/msg=listening/);
    expect((await ask(path)).status).toBe(200);
    expect(await next.stop()).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it('stays with the process that listens on it', async () => {
    const path = unusedPath();
    const first = launch(path);
    await first.waitForOutput(/msg=listening/);
    expect(await refusalOf(path)).toEqual([
      1,
      `cannot listen on the socket ${path} (web.socket): another process is listening on it: stop it, or choose another path`,
    ]);
    expect((await ask(path)).status).toBe(200);
    await first.stop();
  });

  it.each<[what: string, make: (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, 'kept')],
    ['a folder', (path) => mkdirSync(path)],
    ['a link', (path) => symlinkSync('/nowhere', path)],
  ])('is not made in place of %s', async (_, make) => {
    const path = unusedPath();
    make(path);
    const [code, line] = await refusalOf(path);
    expect(code).toBe(1);
    expect(line).toContain(`${path} (web.socket): something other than a socket is there`);
  });

  it('stays where another exporter listens on it by now', async () => {
    const path = unusedPath();
    const first = launch(path);
    await first.waitForOutput(/msg=listening/);
    unlinkSync(path);
    const second = launch(path);
    await second.waitForOutput(/msg=listening/);
    expect(await first.stop()).toBe(0);
    expect((await ask(path)).status).toBe(200);
    expect(await second.stop()).toBe(0);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('needs a folder', async () => {
    const [code, line] = await refusalOf('/nowhere/web.sock');
    expect(code).toBe(1);
    expect(line).toContain('its folder does not exist');
  });
});
