import { request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Route } from '../../src/http/reply.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { type Server, startServer } from '../../src/http/server.ts';
import { routeSourcesOf } from '../route-sources.ts';
import { silentLog } from '../silent-log.ts';

const TEXT = 'hoster_up{account="main"} 1\n'.repeat(10_000);
const GZIPPED = gzipSync(TEXT);

let reloads = 0;

const ROUTES = createRoutes(
  routeSourcesOf({
    scrape: async () => ({ chunks: [GZIPPED], length: GZIPPED.length, textLength: TEXT.length }),
    reload: async () => {
      reloads += 1;
      return { problems: [], warnings: [], pending: [] };
    },
  }),
);

const answers: string[] = [];
let server: Server | undefined;

async function serve(routes: ReadonlyMap<string, Route> = ROUTES, host = '127.0.0.1'): Promise<Server> {
  await server?.close();
  answers.length = 0;
  server = await startServer({
    host,
    port: 0,
    routes,
    onAnswer: (path, status) => answers.push(`${path} ${status}`),
    onRefusal: () => {},
    clock: systemClock,
    log: silentLog,
  });
  return server;
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

it.each([
  ['', 'http://127.0.0.1:'],
  ['0.0.0.0', 'http://127.0.0.1:'],
  ['::', 'http://[::1]:'],
  ['127.0.0.1', 'http://127.0.0.1:'],
])('a server that listens on "%s" gives an address that one can open', async (host, start) => {
  const { url } = await serve(ROUTES, host);
  expect(url.startsWith(start)).toBe(true);
  expect((await ask(`${url}/-/healthy`)).status).toBe(200);
});

type Answer = {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
};

function ask(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) });
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('GET /metrics', () => {
  it.each([
    ['as gzip', { 'accept-encoding': 'gzip' }, 'gzip', GZIPPED],
    ['as plain text', {}, undefined, Buffer.from(TEXT)],
  ])('is answered %s with its Content-Length', async (_, headers, encoding, body) => {
    const { url } = await serve();
    const answer = await ask(`${url}/metrics?x=1`, 'GET', headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-length']).toBe(String(body.length));
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body.equals(body)).toBe(true);
  });

  it('serves the complete page to 20 clients at the same time', async () => {
    const { url } = await serve();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => ask(`${url}/metrics`, 'GET', { 'accept-encoding': 'gzip' })),
    );
    expect(all.every(({ body }) => gunzipSync(body).toString() === TEXT)).toBe(true);
  });

  it('serves the page after another client has disconnected', async () => {
    const { url } = await serve();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect((await ask(`${url}/metrics`)).body.toString()).toBe(TEXT);
  });
});

describe('the HTTP server', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])(
    'refuses %s for a POST route with the allowed method',
    async (method) => {
      const { url } = await serve();
      const answer = await ask(`${url}/-/reload`, method);
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    },
  );

  it('accepts POST /-/reload from a program and rejects it from a page of another site', async () => {
    const { url } = await serve();
    reloads = 0;
    const program = await ask(`${url}/-/reload`, 'POST');
    const elsewhere = await ask(`${url}/-/reload`, 'POST', { origin: 'https://evil.example.com' });
    const sandboxed = await ask(`${url}/-/reload`, 'POST', { 'sec-fetch-site': 'cross-site' });
    expect([program.status, elsewhere.status, sandboxed.status, reloads]).toEqual([200, 403, 403, 1]);
    expect(answers).toEqual(['/-/reload 200', '/-/reload 403', '/-/reload 403']);
  });

  it('counts an unknown path as "other"', async () => {
    const { url } = await serve();
    expect((await ask(`${url}/../../etc/passwd`)).status).toBe(404);
    expect(answers).toEqual(['other 404']);
  });

  it('sends security headers, and lets no page of another origin read it', async () => {
    const { url } = await serve();
    const { headers } = await ask(`${url}/metrics`, 'GET', { origin: 'https://dashboard.example.com' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it('closes while a keep-alive connection is open', async () => {
    const { url, close } = await serve();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    await close();
    await closed;
  });

  it('fails to start when the address is in use', async () => {
    const { url } = await serve();
    const options = { host: '127.0.0.1', port: Number(new URL(url).port), routes: ROUTES };
    const told = { onAnswer: () => {}, onRefusal: () => {}, log: silentLog };
    const second = startServer({ ...options, ...told, clock: systemClock });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
