import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { runCommand } from '../run-command.ts';
import {
  EACH_SECOND,
  type Exporter,
  exporterTest,
  type InProcess,
  type Served,
  serveExporter,
} from './exporter.ts';
import { phonesOf, type StandInApi, type StandInPhone, startStandInApi } from './stand-in-api.ts';

/*
 * The owner's word to the built program, over real sockets.
 */

const HOUR = 3_600_000;

const it = exporterTest.extend<{
  /** Three racks. The first has been offline for an hour. */
  readonly farm: (...parameters: readonly string[]) => Promise<InProcess>;
  /** Phones that are served until the test ends; returns the address. */
  readonly phones: (phones: readonly StandInPhone[]) => Promise<string>;
  /** A folder for the state file. */
  readonly folder: string;
}>({
  folder: async ({ onTestFinished }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await use(folder);
  },
  phones: async ({ onTestFinished }, use) => {
    await use(async (phones) => {
      const api = await startFarmApi(phones);
      onTestFinished(api.close);
      return api.url;
    });
  },
  farm: async ({ serve, phones }, use) => {
    await use(async (...parameters) => {
      const apiUrl = await phones(FARM);
      const exporter = await serve({ apiUrl, parameters: [...PARAMETERS, ...parameters] });
      await exporter.shows(UP);
      return exporter;
    });
  },
});

/** Serves phones. Those in the first rack have been offline for an hour. */
function startFarmApi(phones: readonly StandInPhone[]): Promise<StandInApi> {
  const offlineSince = Date.now() - HOUR;
  const heartbeatAt = (id: string): number => (id < 'phone-05' ? offlineSince : Date.now());
  return startStandInApi({ phones, heartbeatAt });
}

const FARM = [...phonesOf(4), ...phonesOf(8, 'rack-02').slice(4)];
const PARAMETERS = [...EACH_SECOND, '--time-zone=Europe/Kyiv'];
const UP = /hoster_up\{account="default"\} 1/;

/** Sends a request as a proxy on this machine does that adds no header. Returns the status. */
async function statusThroughPlainProxy({ url }: Served, version: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(RACK);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/maintenance HTTP/${version}\r\nHost: ${hostname}:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return Number((await text(socket)).split(' ')[1]);
}

type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

async function ask({ url }: Served, { method = 'POST', path = '/api/v1/maintenance', headers, body }: Asked) {
  const sent = request(new URL(path, url), {
    method,
    headers: {
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...headers,
    },
  });
  sent.end(body);
  return await new Promise<{ status: number; content: string }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, content: await text(response) });
    });
  });
}

const json = (body: unknown): Asked => ({ body: JSON.stringify(body) });
const RACK = { groups: ['rack-01'], for: '2h', reason: 'moving <b>it</b>' };

async function maintenanceOf({ get }: Served): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await get('/api/v1/fleet?phones=no')).body).maintenance;
}

/** Returns what the JSON says of the rights of this sender, with phones and without. */
async function allowsChanges({ get }: Served): Promise<readonly unknown[]> {
  const bodies = [await get('/api/v1/fleet'), await get('/api/v1/fleet?phones=no')];
  return bodies.map(({ body }) => JSON.parse(body).exporter.allowsChanges);
}

const ON = '--web.enable-changes';

/** Headers of a request that came through a proxy on this machine, and the status that it gets. */
const PROXIES: readonly (readonly [proxy: string, Readonly<Record<string, string>>, number])[] = [
  ['nginx with the usual headers', { 'x-real-ip': '203.0.113.7', 'x-forwarded-for': '203.0.113.7' }, 403],
  ['nginx that passes the host alone', { host: 'hoster.example.com' }, 421],
  ['Caddy', { host: 'hoster.example.com', via: '1.1 Caddy', 'x-forwarded-proto': 'https' }, 421],
  [
    'Caddy that sets the host of the upstream',
    { via: '1.1 Caddy', 'x-forwarded-host': 'hoster.example.com' },
    403,
  ],
  ['Traefik', { host: 'hoster.example.com', 'x-forwarded-server': 'edge' }, 421],
  ['HAProxy without forwardfor', { host: 'hoster.example.com' }, 421],
  ['Apache', { 'x-forwarded-server': 'hoster.example.com' }, 403],
  ['Envoy', { 'x-envoy-expected-rq-timeout-ms': '15000', 'x-request-id': 'a' }, 403],
  ['cloudflared', { 'cf-connecting-ip': '203.0.113.7', 'cf-ray': 'a' }, 403],
  ['tailscale serve', { 'tailscale-user-login': 'x@example.com' }, 403],
  ['a load balancer', { 'true-client-ip': '203.0.113.7' }, 403],
  ...[
    ...['remote-user', 'x-remote-user', 'x-auth-request-user', 'x-authentik-username', 'x-webauth-user'],
    ...['x-pomerium-jwt-assertion', 'proxy-connection', 'client-ip', 'x-scheme', 'x-varnish'],
    ...[
      'ngrok-trace-id',
      'x-amzn-trace-id',
      'x-azure-clientip',
      'x-arr-ssl',
      'x_forwarded_for',
      'x-new-gate',
    ],
  ].map((name) => [`a gate that adds ${name}`, { [name]: 'a' }, 403] as const),
  [
    'any proxy, from a browser',
    { origin: 'https://hoster.example.com', 'sec-fetch-site': 'same-origin' },
    403,
  ],
];

describe.concurrent('maintenance over HTTP', () => {
  /** Shared by the tests whose requests are refused. */
  let refusing: InProcess;
  let api: StandInApi;

  beforeAll(async () => {
    api = await startFarmApi(FARM);
    refusing = await serveExporter({ apiUrl: api.url, parameters: [...PARAMETERS, ON] });
    await refusing.shows(UP);
  });

  afterAll(async () => {
    expect(await maintenanceOf(refusing)).toEqual([]);
    await refusing.stop();
    api.close();
  });

  it('covers a rack, says so, is shown and logged, and ends', async ({ farm }) => {
    const exporter = await farm(ON);
    await exporter.shows(/^hoster_incident_since_timestamp_seconds/m);
    expect(await allowsChanges(exporter)).toEqual([true, true]);
    const { status, content } = await ask(exporter, json(RACK));
    expect(status).toBe(201);
    const { id, phones, offlinePhones, text: said } = JSON.parse(content);
    expect([phones, offlinePhones]).toEqual([4, 4]);
    expect(said).toMatch(/^4 phones, 4 offline, until \d+ \w+ \d\d:\d\d \S+$/);
    await exporter.shows(/^hoster_devices_in_maintenance\{account="default"\} 4$/m);
    await exporter.shows(/^hoster_incident_ended_seconds\{.*reason="maintenance"\}/m);
    expect(await maintenanceOf(exporter)).toMatchObject([
      { id, source: 'requested', by: 'loopback', reason: 'moving <b>it</b>', phones: 4 },
    ]);
    expect(exporter.output()).toMatch(/maintenance started.*by=loopback/);
    expect((await ask(exporter, { method: 'DELETE', path: `/api/v1/maintenance?id=${id}` })).status).toBe(
      200,
    );
    await exporter.shows(/^hoster_devices_in_maintenance\{account="default"\} 0$/m);
    expect((await ask(exporter, { method: 'DELETE', path: `/api/v1/maintenance?id=${id}` })).status).toBe(
      404,
    );
  });

  it('refuses what cannot be meant, and changes nothing', async () => {
    const refused: Readonly<Record<string, unknown>> = {
      'no selection': { for: '2h' },
      'all and a group': { all: true, groups: ['rack-01'], for: '2h' },
      'no end': { groups: ['rack-01'] },
      'two ends': { groups: ['rack-01'], for: '2h', until_back: true },
      'a time that is over': { groups: ['rack-01'], until: '2020-01-01T00:00' },
      'more than 30 days': { groups: ['rack-01'], for: '800h' },
      'half a minute': { groups: ['rack-01'], for: '30s' },
      'an unknown key': { groups: ['rack-01'], for: '2h', surprise: true },
      'a group that is no text': { groups: [1], for: '2h' },
      'a list': [],
      nothing: null,
    };
    const answers = Object.entries(refused).map(async ([name, body]) => {
      const { status, content } = await ask(refusing, json(body));
      return [name, status, /(^|, )expected /.test(content)];
    });
    expect(await Promise.all(answers)).toEqual(Object.keys(refused).map((name) => [name, 400, true]));
    expect(await maintenanceOf(refusing)).toEqual([]);
  });

  it('takes a body in chunks, as tunnels and proxies send it, up to the limit', async () => {
    const send = async (body: string) => {
      const address = new URL('/api/v1/maintenance', refusing.url);
      const sent = request(address, { method: 'POST', headers: { 'content-type': 'application/json' } });
      for (let start = 0; start < body.length; start += 1_000) sent.write(body.slice(start, start + 1_000));
      sent.end();
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode;
    };
    expect(await send(JSON.stringify({ groups: ['rack-99'], for: '2h' }))).toBe(400);
    expect(await send(JSON.stringify({ ...RACK, reason: 'x'.repeat(140_000) }))).toBe(413);
  });

  it('refuses what another site or machine may have sent, what is too long, and what is not JSON', async () => {
    const body = JSON.stringify(RACK);
    const statuses = await Promise.all(
      [
        { body, headers: { origin: 'https://evil.example' } },
        { body, headers: { 'sec-fetch-site': 'cross-site' } },
        { body, headers: { host: 'evil.example' } },
        { body, headers: { 'x-forwarded-for': '203.0.113.7' } },
        { body, headers: { forwarded: 'for=203.0.113.7;proto=https' } },
        { body, headers: { via: '1.1 Caddy' } },
        { body, headers: { 'x-real-ip': '203.0.113.7' } },
        { body, headers: { 'content-type': 'text/plain' } },
        { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        { body: JSON.stringify({ ...RACK, reason: 'x'.repeat(140_000) }) },
        { body: '{"groups":' },
        { method: 'GET' },
        { method: 'PUT', body },
      ].map(async (asked) => (await ask(refusing, asked)).status),
    );
    expect(statuses).toEqual([403, 403, 421, 403, 403, 403, 403, 415, 415, 413, 400, 405, 405]);
    expect(await maintenanceOf(refusing)).toEqual([]);
  });

  it('refuses acknowledgements and notes of another site or machine, which can read', async () => {
    const body = JSON.stringify({ device: 'no-such-phone', note: 'hello' });
    const send = async (headers: Readonly<Record<string, string>>) =>
      (await ask(refusing, { path: '/api/v1/incidents', body, headers })).status;
    const others = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'x-forwarded-for': '203.0.113.7' },
    ];
    expect(await Promise.all(others.map((headers) => send(headers)))).toEqual([403, 403, 403]);
    expect(await send({ 'content-type': 'text/plain' })).toBe(415);
    expect(await send({})).toBe(404);
    const reading = { method: 'GET', headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await ask(refusing, { path: '/api/v1/incidents', ...reading })).status).toBe(200);
  });

  it('takes a thousand phones, and says what to do with more', async ({ serve, phones }) => {
    const labelOf = (index: number): string => `phone-04${'x'.repeat(52)}${index}`;
    const many = Array.from({ length: 1_001 }, (_, index) => labelOf(index));
    const apiUrl = await phones(many.map((label, index) => ({ deviceId: `id-${index}`, label })));
    const exporter = await serve({ apiUrl, parameters: [...PARAMETERS, ON] });
    await exporter.shows(UP);
    const taken = await ask(exporter, json({ devices: many.slice(1), for: '2h' }));
    expect(taken.status).toBe(201);
    const refused = await ask(exporter, json({ devices: many, for: '2h' }));
    expect([refused.status, refused.content]).toEqual([
      400,
      'expected at most 1000 names in devices: use their groups, or all\n',
    ]);
  });

  it('is refused where a name in a list fits nothing, with the nearest one', async () => {
    const refusals = [
      [{ groups: ['rack-01', 'rakc-02'] }, 'Unknown group "rakc-02". Did you mean "rack-02"?'],
      [{ devices: ['rack-01/1', 'rack-01/x'] }, 'Unknown phone "rack-01/x". Did you mean "rack-01/1"?'],
      [{ accounts: ['other'] }, 'Unknown account "other". Known: default.'],
      [{ groups: ['cellar'] }, 'Unknown group "cellar". Known: rack-01, rack-02.'],
    ] as const;
    for (const [scope, text] of refusals) {
      const { status, content } = await ask(refusing, json({ ...scope, for: '2h' }));
      expect([status, content.trim()]).toEqual([400, text]);
    }
    expect(await maintenanceOf(refusing)).toEqual([]);
  });

  it('of the same phones is extended, even if it is requested several times at once', async ({ farm }) => {
    const exporter = await farm(ON);
    const said = await Promise.all(
      ['30m', '2h', '1h'].map((length) => ask(exporter, json({ ...RACK, for: length }))),
    );
    const ids = said.map(({ content }) => JSON.parse(content).id);
    expect(new Set(ids).size).toBe(1);
    const other = await ask(
      exporter,
      json({ accounts: ['default'], groups: ['rack-01', 'rack-01'], for: '1h' }),
    );
    expect(JSON.parse(other.content)).toMatchObject({
      id: ids[0],
      text: expect.stringMatching(/^4 phones, 4 offline, extended, until /),
    });
    const [held, ...rest] = await maintenanceOf(exporter);
    expect([held, rest]).toMatchObject([
      { covers: 'rack-01', accounts: ['default'], groups: ['rack-01'], phones: 4, reason: RACK.reason },
      [],
    ]);
    expect(Math.round((Date.parse(String(held?.['until'])) - Date.now()) / 60_000)).toBe(120);
  });

  it('that ends says what covers its phones still, and counts them while another covers them', async ({
    farm,
  }) => {
    const exporter = await farm(ON);
    const one = await ask(
      exporter,
      json({ devices: ['rack-01/1'], for: '3h', reason: 'battery', by: 'Olha' }),
    );
    await ask(exporter, json({ groups: ['rack-01'], for: '2h' }));
    expect(await maintenanceOf(exporter)).toMatchObject([
      { covers: 'rack-01/1', phones: 1, by: 'Olha', reason: 'battery' },
      { covers: 'rack-01', phones: 4, by: 'loopback' },
    ]);
    const { id } = JSON.parse(one.content);
    const ended = await ask(exporter, { method: 'DELETE', path: `/api/v1/maintenance?id=${id}` });
    expect(JSON.parse(ended.content).text).toMatch(
      /^Maintenance ended\. 1 phone is still in maintenance \(rack-01\) until \d+ \w+ \d\d:\d\d \S+\.$/,
    );
    expect(await exporter.shows(/^hoster_devices_in_maintenance\{account="default"\} 4$/m)).toBeDefined();
  });

  it('is on the disk before it is answered, so that a crash loses none and brings none back', async ({
    run,
    phones,
    folder,
  }) => {
    const apiUrl = await phones(FARM);
    const parameters = [...PARAMETERS, ON, `--state.file=${join(folder, 'state.json')}`];
    const startAgain = async (before?: Exporter): Promise<Exporter> => {
      await before?.end('SIGKILL');
      const exporter = await run({ apiUrl, parameters });
      await exporter.shows(UP);
      return exporter;
    };
    const first = await startAgain();
    const said = await Promise.all(
      ['rack-01', 'rack-02'].map((group) => ask(first, json({ groups: [group], for: '2h' }))),
    );
    const [ended, kept] = said.map(({ content }) => JSON.parse(content).id);
    const second = await startAgain(first);
    expect((await maintenanceOf(second)).map(({ id }) => id).toSorted()).toEqual([ended, kept].toSorted());
    await ask(second, { method: 'DELETE', path: `/api/v1/maintenance?id=${ended}` });
    const third = await startAgain(second);
    expect((await maintenanceOf(third)).map(({ id }) => id)).toEqual([kept]);
  });

  it('changes nothing where the disk does not take it, and says why', async ({ serve, phones, folder }) => {
    const apiUrl = await phones(FARM);
    const parameters = [...PARAMETERS, ON, `--state.file=${join(folder, 'lost', 'state.json')}`];
    const exporter = await serve({ apiUrl, parameters });
    await exporter.shows(UP);
    const { status, content } = await ask(exporter, json(RACK));
    expect([status, content]).toEqual([
      507,
      expect.stringMatching(/^nothing was changed: cannot write the state file: its folder does not exist/),
    ]);
    expect(await maintenanceOf(exporter)).toEqual([]);
  });

  it('gives nobody the rights of this machine through a proxy, whichever it is', async () => {
    for (const [proxy, headers, status] of PROXIES) {
      const { status: got } = await ask(refusing, { body: JSON.stringify(RACK), headers });
      expect([proxy, got]).toEqual([proxy, status]);
    }
    expect(await maintenanceOf(refusing)).toEqual([]);
  });

  it('is refused through a proxy that adds no header and speaks HTTP/1.0, as nginx does', async ({
    farm,
  }) => {
    const exporter = await farm(ON);
    expect(await statusThroughPlainProxy(exporter, '0.9')).toBe(403);
    expect(await statusThroughPlainProxy(exporter, '1.0')).toBe(403);
    expect(await statusThroughPlainProxy(exporter, '2.0')).toBe(403);
    expect(await statusThroughPlainProxy(exporter, '1.1')).toBe(201);
  });

  it('is refused without a login where an external address says that a proxy is in front', async ({
    farm,
  }) => {
    const exporter = await farm(ON, '--web.external-url=https://hoster.example.com');
    expect(await statusThroughPlainProxy(exporter, '1.1')).toBe(403);
    expect(await allowsChanges(exporter)).toEqual([false, false]);
    const own = { origin: 'https://hoster.example.com', 'sec-fetch-site': 'same-origin' };
    const { status, content } = await ask(exporter, { body: JSON.stringify(RACK), headers: own });
    expect([status, content]).toEqual([403, expect.stringContaining('web.external_url')]);
  });

  it('is off unless it is switched on', async ({ farm }) => {
    const exporter = await farm();
    expect((await ask(exporter, json(RACK))).status).toBe(404);
    expect(await maintenanceOf(exporter)).toEqual([]);
  });

  it('takes a hundred requests at a time, however many arrive at once, and still answers scrapes', async ({
    farm,
  }) => {
    const exporter = await farm(ON);
    const scopeOf = (bits: number) =>
      FARM.flatMap(({ deviceId }, bit) => ((bits >> bit) & 1 ? [deviceId] : []));
    const statuses: number[] = [];
    for (let bits = 1; bits <= 105; bits += 7) {
      const some = [0, 1, 2, 3, 4, 5, 6].map((more) => json({ devices: scopeOf(bits + more), for: '2h' }));
      statuses.push(
        ...(await Promise.all(some.map((each) => ask(exporter, each)))).map(({ status }) => status),
      );
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.slice(100)).toEqual([400, 400, 400, 400, 400]);
    expect((await exporter.get('/metrics')).status).toBe(200);
  });

  it('takes one request of a connection, and nothing behind its body', async ({ farm }) => {
    const exporter = await farm(ON);
    const { hostname, port } = new URL(exporter.url);
    const body = JSON.stringify(RACK);
    const head = `POST /api/v1/maintenance HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(head + body.slice(0, 10));
    socket.write(`${body.slice(10)}${head}${body}`);
    await text(socket).catch(() => '');
    expect((await maintenanceOf(exporter)).length).toBeLessThanOrEqual(1);
    expect((await exporter.get('/metrics')).status).toBe(200);
  });
});

describe('hoster-exporter maintenance', () => {
  const command = async (...parameters: readonly string[]) => {
    const { code, out, error } = await runCommand(['maintenance', ...parameters]);
    return { code, said: code === 0 ? out : error };
  };

  it('starts, lists and ends it, on several exporters', async ({ farm }) => {
    const [one, other] = [await farm(ON), await farm(ON)];
    const url = `--url=${one.url},${other.url}`;
    const started = await command('start', url, '--group=rack-01', '--for=2h', '--reason=moving');
    expect(started).toMatchObject({ code: 0 });
    expect(started.said.match(/: rack-01: 4 phones, 4 offline, until /g)).toHaveLength(2);
    const listed = await command('list', `--url=${one.url}`);
    expect(listed.said).toMatch(/^\w{6} +rack-01 +4 +4 +\d+ \w+ \d\d:\d\d \S+ +loopback +moving/m);
    const [id = ''] = /^\w{6}(?= )/m.exec(listed.said) ?? [];
    expect(await command('end', id, `--url=${one.url}`)).toMatchObject({ code: 0 });
    expect((await command('list', `--url=${one.url}`)).said).toBe('No phone is in maintenance.\n');
  });

  it('takes names with commas in quotes, in each Unicode form', async ({ serve, phones }) => {
    const apiUrl = await phones([
      ...phonesOf(1),
      { deviceId: 'phone-02', label: 'Kyiv, rack 1/1' },
      { deviceId: 'phone-03', label: 'B\u00FCro/1' },
    ]);
    const exporter = await serve({ apiUrl, parameters: [...PARAMETERS, ON] });
    await exporter.shows(UP);
    const url = `--url=${exporter.url}`;
    const started = await command('start', url, '--group="Kyiv, rack 1", Bu\u0308ro', '--for=2h');
    expect(started).toEqual({
      code: 0,
      said: expect.stringContaining(': B\u00FCro, Kyiv, rack 1: 2 phones'),
    });
    const other = await command('start', url, '--device="Kyiv, rack 1/1",rack-01/1', '--for=2h');
    expect(other).toEqual({ code: 0, said: expect.stringContaining(': 2 phones') });
  });

  it('says that a login is required, or that the one of its file was rejected', async ({
    folder,
    onTestFinished,
  }) => {
    const server = createServer((_, response) => response.writeHead(401).end('Unauthorized'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const file = join(folder, 'login');
    writeFileSync(file, 'anna:canary');
    const url = `--url=http://127.0.0.1:${port}`;
    expect(await command('list', url)).toEqual({
      code: 1,
      said: expect.stringContaining(
        'requires a login: use --login-file with a file that contains user:password',
      ),
    });
    const refused = await command('list', url, `--login-file=${file}`);
    expect(refused).toEqual({ code: 1, said: expect.stringContaining('rejected the login of --login-file') });
    expect(refused.said).not.toContain('canary');
  });

  it('says what is wrong', async ({ farm }) => {
    const exporter = await farm(ON);
    const url = `--url=${exporter.url}`;
    expect(await command('start', url, '--group=rak-01', '--for=2h')).toMatchObject({ code: 1 });
    expect(await command('start', '--url=http://127.0.0.1:9', '--all', '--for=2h')).toMatchObject({
      code: 1,
    });
    expect(await command('end')).toMatchObject({ code: 2 });
    expect(await command('begin')).toMatchObject({ code: 2 });
    expect(await command('start', url, '--all', '--for=soon')).toMatchObject({ code: 2 });
    expect(await command('start', url, '--all', '--group=rack-01', '--for=2h')).toMatchObject({ code: 2 });
    expect(await command('start', url, '--all')).toEqual({
      code: 2,
      said: expect.stringContaining('one of --for, --until and --until-back'),
    });
    const secret = await command('list', '--url=http://anna:canary@127.0.0.1:9');
    expect([secret.code, secret.said.includes('canary')]).toEqual([2, false]);
  });
});
