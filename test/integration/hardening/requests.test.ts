import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestTo, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** Sends these bytes and returns everything received until the connection is closed. */
async function answerTo(bytes: string): Promise<string> {
  const client = server.dial();
  client.socket.write(bytes);
  return client.closed;
}

const CLOSED = 'Connection: close\r\nContent-Length: 0\r\n\r\n';

describe('a malformed request', () => {
  it.each<[string, string, number, string]>([
    ['garbage', '\u0001\u0002canary\r\n\r\n', 400, 'Bad Request'],
    ['another protocol', '\u0016\u0003\u0001\u0000\u00a5\u0001canary', 400, 'Bad Request'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'Bad Request'],
    ['an unknown method', 'CANARY / HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
    ['an invalid version', 'GET / HTTP/canary\r\n\r\n', 400, 'Bad Request'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: canary\r\n\r\n', 400, 'Bad Request'],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: x/canary\r\n\r\n', 400, 'Bad Request'],
    ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 400, 'Bad Request'],
    ['lines that end with LF only', 'GET /canary HTTP/1.1\nHost: x\n\n', 400, 'Bad Request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'Bad Request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'Bad Request',
    ],
    [
      'a header of 36 kB',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Canary: ${'canary'.repeat(6_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
    [
      'an address of 36 kB',
      `GET /${'canary'.repeat(6_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])('is refused with a response that repeats nothing of it: %s', async (_, bytes, status, words) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ${words}\r\n`));
    expect(answer).not.toMatch(/canary/i);
    expect(answer.toLowerCase()).toContain('connection: close\r\n');
  });

  it('gets an empty 400 and is counted', async () => {
    expect(await answerTo('\u0001\u0002\r\n\r\n')).toBe(`HTTP/1.1 400 Bad Request\r\n${CLOSED}`);
    expect(server.refusals).toEqual(['malformed']);
  });
});

describe('a request', () => {
  it('may have the cookies of a login proxy, up to 32 kB', async () => {
    const cookie = `Connection: close\r\nCookie: ${'c'.repeat(30_000)}\r\n`;
    const bytes = requestTo('/short').replace('\r\n\r\n', `\r\n${cookie}\r\n`);
    expect(await answerTo(bytes)).toMatch(/^HTTP\/1\.1 200 /);
    const larger = await answerTo(bytes.replace('Cookie: ', `Cookie: ${'c'.repeat(4_000)}`));
    expect(larger).toMatch(/the headers are larger than 32 kB: delete this site's cookies\n$/);
  });

  it('with an address above 2048 characters gets 414', async () => {
    const answer = await answerTo(requestTo(`/short?${'canary'.repeat(400)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 414 URI Too Long\r\n/);
    expect(answer).toMatch(/the address is longer than 2048 characters\n$/);
    expect(server.refusals).toEqual(['url_length']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'with the method %s gets 405 with Allow and ends its connection',
    async (method) => {
      const answer = await answerTo(`${method} /short HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
      expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/i);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

  it('with the method CONNECT gets no response', async () => {
    expect(await answerTo('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')).toBe('');
  });

  it('with a body is answered before its body has arrived', async () => {
    const answer = await answerTo(
      'GET /short HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nxxx',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/short$/);
  });

  it('that fails internally gets 500 without details', async () => {
    const answer = await answerTo(requestTo('/broken'));
    expect(answer).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(answer).toMatch(/\r\n\r\ninternal error\n$/);
    expect(answer).not.toMatch(/canary|\bat |\.ts|\.js/);
  });

  it('is answered after the client has closed its sending half', async () => {
    const client = server.dial();
    client.socket.end(requestTo('/later'));
    await server.settled();
    server.finish();
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*later$/);
  });

  it.each([
    'http://exporter.localhost/short',
    'HTTP://localhost:9823/short?a=b',
    'https://[::1]:9823/short',
    'http://127.0.0.1/short',
  ])('for the absolute address %s is answered like one for the path', async (target) => {
    const answer = await answerTo(
      `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*short$/);
  });

  it.each([
    ['http://evil.example/short', 421],
    ['http://localhost', 404],
    ['http://localhost?/short', 404],
    ['http://user@localhost/short', 404],
    ['http:///short', 404],
    ['ftp://localhost/short', 404],
  ])('for the absolute address %s gets %i', async (target, status) => {
    const answer = await answerTo(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('is cut off with its connection when another one follows in the same packet', async () => {
    const client = server.dial();
    client.socket.write(requestTo('/short').repeat(2));
    expect(await client.closed).toBe('');
    expect([server.refusals, server.answers]).toEqual([['pipelined'], 0]);
  });

  it.each(['\n\n', '\r\n\n', '\n\r\n'])(
    'is not one of many that one packet brings when its head ends with %j',
    async (end) => {
      const answer = await answerTo(`GET /short HTTP/1.1\r\nHost: localhost${end}`.repeat(3));
      expect([answer.match(/HTTP\/1\.1 200/g), server.answers]).toEqual([null, 0]);
      expect(server.refusals).toHaveLength(1);
    },
  );

  it('is cut off with its connection when another one follows before its response', async () => {
    const client = server.dial();
    client.socket.write(requestTo('/never'));
    await server.settled();
    client.socket.write(requestTo('/short'));
    expect(await client.closed).toBe('');
    expect(server.refusals).toEqual(['pipelined']);
  });

  it('that arrives byte by byte is answered, and so is the next one of its connection', async () => {
    const client = server.dial();
    for (const _ of [1, 2]) {
      const before = client.output().length;
      for (const byte of requestTo('/short')) client.socket.write(byte);
      await client.waitForOutput(new RegExp(`[\\s\\S]{${before + 1}}short$`));
    }
    expect([client.isOpen(), server.refusals]).toEqual([true, []]);
  });

  it.each([
    ['before it', `\r\n${requestTo('/short')}`],
    ['before it in pieces', '\r', `\n\r\n${requestTo('/short')}`],
    ['behind it', `${requestTo('/short')}\r\n`],
    ['behind it in a packet of its own', requestTo('/short'), '\r\n'],
  ])('is answered when there is an empty line %s', async (_, ...packets) => {
    const client = server.dial();
    for (const packet of packets) {
      client.socket.write(packet);
      await server.settled();
    }
    await client.waitForOutput(/^HTTP\/1\.1 200 OK\r\n[\s\S]*short$/);
    client.socket.write(requestTo('/short'));
    await client.waitForOutput(/short[\s\S]+short$/);
    expect([client.isOpen(), server.refusals]).toEqual([true, []]);
  });

  it.each(['127.0.0.1', 'localhost:9823', 'app.localhost', '[::1]:9823', '[::ffff:127.0.0.1]:9823'])(
    'to a listener on loopback is answered when its Host is %s',
    async (host) => {
      const answer = await answerTo(`GET /short HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '192.0.2.1:9823',
    '127.0.0.1.evil.example',
    '[::ffff:192.0.2.1]',
  ])('to a listener on loopback gets 421 when its Host is %s', async (host) => {
    const answer = await answerTo(`GET /short HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/);
    expect(answer).toContain('web.external_url');
    expect([server.refusals, server.answers]).toEqual([['host'], 1]);
  });

  it('to a listener on [::ffff:127.0.0.1] gets 421 when its Host is foreign', async () => {
    await server.close();
    server = await startTestServer(undefined, '::ffff:127.0.0.1');
    const answer = await answerTo('GET /short HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/);
  });

  it('to a listener on loopback is answered if its Host is the one in web.external_url', async () => {
    const answer = await answerTo(
      'GET /short HTTP/1.1\r\nHost: Exporter.example:8443\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});
