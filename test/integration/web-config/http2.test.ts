import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { USERS } from './cases.ts';
import { fixture, serve, showing, TLS } from './stage.ts';

const sessions: ClientHttp2Session[] = [];

afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

async function open(content: string, options: object = {}, clock = systemClock): Promise<ClientHttp2Session> {
  const { url } = await serve(content, clock);
  const session = connect(url, { ca: fixture('authority.pem'), ...options });
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders) {
  const stream = session.request({ ':path': '/', ...headers });
  const answered = new Promise<NodeJS.Dict<string | string[] | number>>((resolve, reject) => {
    stream.once('response', resolve);
    stream.once('error', reject);
  });
  stream.end();
  const found = await answered;
  return { status: found[':status'], headers: found, body: await text(stream) };
}

const BASIC = `Basic ${Buffer.from('alice:alice123').toString('base64')}`;

describe('HTTP/2', () => {
  it('is spoken with those who choose it', async () => {
    const session = await open(TLS);
    const { status, headers, body } = await ask(session, {});
    expect([session.alpnProtocol, status, body]).toEqual(['h2', 200, 'Hello World!\n']);
    expect(headers).toMatchObject({ 'content-length': '13', 'x-content-type-options': 'nosniff' });
  });

  it('is not where it is turned off', async () => {
    const session = await open(`${TLS}http_server_config:\n  http2: false\n`);
    await expect(ask(session, {})).rejects.toThrow();
  });

  it('asks for passwords and client certificates as HTTP/1 does', async () => {
    const policy = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n';
    const session = await open(`${TLS}${policy}${USERS}`, showing('client'));
    expect((await ask(session, {})).status).toBe(401);
    expect((await ask(session, { authorization: BASIC })).status).toBe(200);
    await expect(ask(await open(TLS + policy), {})).rejects.toThrow();
  });

  it('carries many answers at once, large ones too, and heads without a body', async () => {
    const session = await open(TLS);
    const all = await Promise.all(Array.from({ length: 12 }, () => ask(session, { ':path': '/large' })));
    expect(all.map(({ body }) => body.length)).toEqual(Array.from({ length: 12 }, () => 3_000_001));
    const head = await ask(session, { ':path': '/large', ':method': 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '3000001', '']);
  });

  it('knows a page of the same site from others', async () => {
    const session = await open(TLS);
    const { host } = new URL(session.originSet?.[0] ?? 'https://localhost');
    const post = { ':path': '/-/reload', ':method': 'POST' };
    expect((await ask(session, { ...post, origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await ask(session, { ...post, ':authority': host, origin: `https://${host}` })).status).toBe(200);
  });

  it('refuses headers that are too large', async () => {
    const session = await open(TLS);
    expect((await ask(session, { 'x-large': 'x'.repeat(9_000) })).status).toBe(431);
    expect((await ask(session, { 'x-large': 'x'.repeat(7_000) })).status).toBe(200);
  });

  it('ends a connection that takes back request after request', async () => {
    const session = await open(TLS);
    await ask(session, {});
    let taken = 0;
    for (; taken < 300 && !session.destroyed && !session.closed; taken++) {
      const stream = session.request({ ':path': '/never' });
      stream.on('error', () => {}).resume();
      setImmediate(() => stream.close(constants.NGHTTP2_CANCEL));
      await new Promise((resolve) => stream.once('close', resolve));
    }
    expect([session.destroyed || session.closed, taken]).toEqual([true, expect.closeTo(105, -1)]);
    expect((await ask(await open(TLS), {})).status).toBe(200);
  });

  it('ends a connection on which nothing happens, and not one that has an answer under way', async () => {
    const clock = createFakeClock();
    const session = await open(TLS, {}, clock);
    await ask(session, {});
    const busy = await open(TLS, {}, clock);
    busy.request({ ':path': '/never' }).on('error', () => {});
    await ask(busy, {});
    const closed = new Promise((resolve) => session.once('close', resolve));
    clock.advance(8_000);
    await closed;
    expect([busy.closed, (await ask(busy, {})).status]).toEqual([false, 200]);
  });
});
