import { getEventListeners, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type ListingOptions, listDevices } from '../../src/api/device-list.ts';
import { createFakeClock } from '../fake-clock.ts';
import { never } from '../never.ts';
import {
  failure,
  success,
  wireBalance,
  wireDevice,
  wirePage,
  wireTunnel,
} from '../unit/api/wire-fixtures.ts';
import { clientOf, closeAll, errorOf, KEY, listen, TIMEOUT } from './api-client.ts';

afterEach(closeAll);

/** A client of a server that answers as told. */
async function serve(answer: RequestListener, options = {}) {
  const url = `http://127.0.0.1:${await listen(createServer(answer))}`;
  return { ...clientOf(url, options), url };
}

/** A client of something on a socket that need not be HTTP. */
async function serveRaw(answer: (socket: Socket) => void) {
  const server = createTcpServer((socket) => socket.once('data', () => answer(socket)));
  return clientOf(`http://127.0.0.1:${await listen(server)}`);
}

function respond(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Options of a listing: at most one pass, and no listener. */
const LISTING: ListingOptions = {
  expectedPages: 1,
  budgetMilliseconds: 0,
  clock: createFakeClock(),
  inconsistent: () => {},
};

/** Reasons of the failures in the events, each once, since some requests are retried. */
const failures = (seen: readonly string[]) => [...new Set(seen.filter((line) => line.startsWith('failed')))];

const phones = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    wireDevice({ deviceId: `phone-${String(from + index).padStart(5, '0')}` }),
  );

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A promise, and what keeps it. */
function promised() {
  let keep = () => {};
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { kept, keep };
}

describe('a request', () => {
  it('is a GET with the key, for uncompressed JSON and past caches', async () => {
    const requests: IncomingMessage[] = [];
    const { client } = await serve((request, response) => {
      requests.push(request);
      respond(response, success(wireBalance()));
    });
    await client.balance(never);
    const { method, url, headers } = requests[0] ?? {};
    const { host: _, ...sent } = headers ?? {};
    expect({ method, url, sent }).toEqual({
      method: 'GET',
      url: '/hoster/v1/balance',
      sent: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'cache-control': 'no-cache',
        connection: 'keep-alive',
        'user-agent': 'hoster-exporter/test',
        'x-api-key': KEY,
      },
    });
  });

  it.each([
    ['', '/hoster/v1/balance'],
    ['/', '/hoster/v1/balance'],
    ['/api/', '/api/hoster/v1/balance'],
    ['/api/v2?x=1', '/api/v2/hoster/v1/balance'],
  ])('to a base address that ends in %j goes to %s', async (path, expected) => {
    const paths: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      paths.push(request.url);
      respond(response, success(wireBalance()));
    });
    await clientOf(url + path).client.balance(never);
    expect(paths).toEqual([expected]);
  });

  it('has the path of its endpoint', async () => {
    const paths: (string | undefined)[] = [];
    const { client } = await serve((request, response) => {
      paths.push(request.url);
      respond(response, success(request.url?.includes('tunnel') ? wireTunnel() : wirePage()));
    });
    await client.devicePage(3, never);
    await client.tunnel('65f0', never);
    await client.tunnel('../a b', never);
    expect(paths).toEqual([
      '/hoster/v1/devices?page=3&limit=100',
      '/hoster/v1/devices/65f0/self-rent/tunnel',
      '/hoster/v1/devices/..%2Fa%20b/self-rent/tunnel',
    ]);
  });
});

describe('a response', () => {
  it('becomes a value with the time of the API', async () => {
    const { client, seen } = await serve((_, response) => {
      response.setHeader('date', 'Sun, 01 Mar 2026 12:00:30 GMT');
      respond(response, success(wireBalance()));
    });
    expect(await client.balance(never)).toEqual({
      value: { availableCents: 12_345, pendingCents: 678, totalCents: 13_023 },
      apiTime: Date.UTC(2026, 2, 1, 12, 0, 30),
    });
    expect(seen).toEqual(['responded balance 200', 'access granted', 'clockSkew 30']);
  });

  it('with 404 for a tunnel means that the device has no tunnel', async () => {
    const { client, seen } = await serve((_, response) => {
      response.sendDate = false;
      respond(response, failure('SELF_RENT_TUNNEL_NOT_FOUND'), 404);
    });
    expect((await client.tunnel('a', never)).value).toBeUndefined();
    expect(seen).toEqual(['responded tunnel 404', 'access granted']);
  });

  it('with a refused key causes one event and one ApiError', async () => {
    const { client, seen } = await serve((_, response) => respond(response, failure('INVALID_API_KEY'), 403));
    const error = await errorOf(client.balance(never));
    expect(error).toMatchObject({ reason: 'unauthorized', endpoint: 'balance', code: 'INVALID_API_KEY' });
    expect(seen).toEqual(['responded balance 403', 'access invalid_key', 'failed balance unauthorized']);
  });

  it('is unpacked within the limit of a body where something compresses it although the request excludes that', async () => {
    const sizes = [1, 9];
    const { client, seen } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      const megabytes = response.req.headers['accept-encoding'] === 'identity' && sizes.shift();
      response.end(gzipSync(success(wireBalance({ padding: 'x'.repeat(Number(megabytes) * 1e6) }))));
    });
    await client.balance(never);
    expect((await errorOf(client.balance(never))).reason).toBe('too_large');
    expect(seen.at(-1)).toBe('failed balance too_large');
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is not followed, since the key would go with it',
    async (status) => {
      const strangers: IncomingMessage[] = [];
      const stranger = await serve((request, response) => {
        strangers.push(request);
        respond(response, success(wireBalance()));
      });
      const { client, seen } = await serve((_, response) => {
        response.writeHead(status, { location: `${stranger.url}/steal?key=1` }).end();
      });
      const error = await errorOf(client.balance(never));
      expect(error.message).toContain(`HTTP ${status} to ${stranger.url}. `);
      expect(seen).toEqual([`responded balance ${status}`, 'failed balance redirect']);
      expect(strangers).toEqual([]);
    },
  );
});

describe('a deadline', () => {
  it('aborts a request that gets no response', async () => {
    const arrived = promised();
    const { client, clock, seen } = await serve(() => arrived.keep());
    const error = errorOf(client.balance(never));
    await arrived.kept;
    clock.advance(TIMEOUT);
    expect((await error).message).toBe(
      'no usable response (DEADLINE: no complete response within 15000 ms). ' +
        'The response took too long. If it persists, raise client.timeout.',
    );
    expect(seen).toEqual(['failed balance timeout']);
  });

  it('aborts a response that trickles, however often a byte arrives', async () => {
    const closed = promised();
    let trickle = (_: string) => {};
    const headArrived = promised();
    const { client, clock, seen } = await serve((_, response) => {
      response.on('close', closed.keep).writeHead(200, { 'content-type': 'application/json' });
      trickle = (text) => response.write(text);
      response.write('{', headArrived.keep);
    });
    const error = errorOf(client.balance(never));
    await headArrived.kept;
    for (let second = 0; second < 14; second += 1) {
      trickle(' ');
      clock.advance(1_000);
      await settle();
    }
    expect(seen).toEqual([]);
    clock.advance(1_000);
    expect((await error).reason).toBe('timeout');
    await closed.kept;
    expect(seen).toEqual(['failed balance timeout']);
  });

  it('does not include the wait for a free slot', async () => {
    const responses: ServerResponse[] = [];
    let arrived = promised();
    const { client, clock } = await serve(
      (_, response) => {
        responses.push(response);
        arrived.keep();
      },
      { concurrency: 1 },
    );
    const first = client.balance(never);
    const second = client.balance(never);
    await arrived.kept;
    clock.advance(TIMEOUT - 1);
    arrived = promised();
    for (const response of responses.splice(0)) respond(response, success(wireBalance()));
    await first;
    await arrived.kept;
    clock.advance(TIMEOUT - 1);
    for (const response of responses.splice(0)) respond(response, success(wireBalance()));
    expect((await second).value.totalCents).toBe(13_023);
  });
});

describe('a caller that aborts its request', () => {
  it.each([
    ['before the response', false],
    ['during the response', true],
  ])('%s gets its own reason, and no request counts as failed', async (_, withHead) => {
    const arrived = promised();
    const closed = promised();
    const { client, seen } = await serve((_, response) => {
      response.on('close', closed.keep);
      if (withHead) response.writeHead(200, { 'content-length': '100' }).write('{', arrived.keep);
      else arrived.keep();
    });
    const caller = new AbortController();
    const request = client.balance(caller.signal);
    await arrived.kept;
    await settle();
    caller.abort('stopped');
    await expect(request).rejects.toBe('stopped');
    await closed.kept;
    expect(seen).toEqual([]);
  });

  it('before it is sent causes no request', async () => {
    const { client, seen } = await serve((_, response) => respond(response, success(wireBalance())));
    await expect(client.balance(AbortSignal.abort('late'))).rejects.toBe('late');
    expect(seen).toEqual([]);
  });

  it('leaves no listener on its signal when its requests have ended', async () => {
    const { client } = await serve((request, response) =>
      respond(response, request.url?.includes('balance') ? '{}' : success(wirePage())),
    );
    const caller = new AbortController();
    setMaxListeners(0, caller.signal);
    await Promise.allSettled(Array.from({ length: 20 }, () => client.balance(caller.signal)));
    await listDevices(client, caller.signal, LISTING);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });
});

describe('a connection', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const BODY = success(wireBalance());

  // The tests of the exporter under each fault break connections in more ways.
  it.each<[string, (socket: Socket) => void, string]>([
    ['is closed in the head', (socket) => socket.end(HEAD), 'reset'],
    [
      'is closed in a body of no known length',
      (socket) => socket.end(`${HEAD}\r\n{"success":tr`),
      'truncated',
    ],
    ['does not use HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'envelope'],
  ])('that %s fails the request once, with its reason', async (_, answer, reason) => {
    const { client, seen } = await serveRaw(answer);
    const error = await errorOf(client.balance(never));
    expect(error.reason).toBe(reason);
    expect(failures(seen)).toEqual([`failed balance ${reason}`]);
    expect(inspect(error, { depth: 10 })).not.toMatch(/availableCents|SSH/);
  });

  it('to a closed port fails with the reason connect', async () => {
    const server = createServer();
    const url = `http://127.0.0.1:${await listen(server)}`;
    await new Promise((resolve) => server.close(resolve));
    const { client, seen } = clientOf(url);
    const error = await errorOf(client.balance(never));
    expect(error.message).toMatch(
      /^no usable response \(ECONNREFUSED: connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. Could not connect\./,
    );
    expect(failures(seen)).toEqual(['failed balance connect']);
  });

  it('to an invalid host name fails with the reason dns', async () => {
    const { client } = clientOf(`http://${'x'.repeat(64)}.invalid`);
    expect((await errorOf(client.balance(never))).reason).toBe('dns');
  });

  it('with TLS to a server without TLS fails with the reason tls', async () => {
    const { url } = await serve((_, response) => respond(response, BODY));
    const { client } = clientOf(url.replace('http:', 'https:'));
    expect((await errorOf(client.balance(never))).reason).toBe('tls');
  });

  it('of a closed client fails the request', async () => {
    const { client } = await serve((_, response) => respond(response, BODY));
    await client.close();
    expect((await errorOf(client.balance(never))).reason).toBe('internal');
  });

  it('is reused, also after error responses', async () => {
    let connections = 0;
    const server = createServer((request, response) => {
      if (request.url === '/hoster/v1/balance') respond(response, success(wireBalance()));
      else respond(response, failure('INTERNAL_ERROR'), 500);
    }).on('connection', () => {
      connections += 1;
    });
    const { client } = clientOf(`http://127.0.0.1:${await listen(server)}`, { concurrency: 1 });
    await client.balance(never);
    await errorOf(client.devicePage(1, never));
    await client.balance(never);
    await errorOf(client.tunnel('a', never));
    expect(connections).toBe(1);
  });
});

describe('the API key', () => {
  it('with a line break is never sent and appears in no error', async () => {
    const { client, seen } = await serve((_, response) => respond(response, '{}'), { key: `${KEY}\n` });
    const error = await errorOf(client.balance(never));
    expect(error.reason).toBe('internal');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(seen).toEqual(['failed balance internal']);
  });

  it('appears in no error of any kind', async () => {
    const { client } = await serve((request, response) => {
      const echo = JSON.stringify({
        success: false,
        error: { code: KEY, message: request.headers['x-api-key'] },
      });
      respond(response, echo, 403);
    });
    const error = await errorOf(client.balance(never));
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
  });
});

describe('a fleet', () => {
  it('is listed completely', async () => {
    const total = 2_050;
    const { client, seen } = await serve((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
      const items = phones((page - 1) * 100, Math.min(100, total - (page - 1) * 100));
      respond(response, success(wirePage({ items, total, page, totalPages: 21 })));
    });
    const { value } = await listDevices(client, never, LISTING);
    const ids = phones(0, total).map(({ deviceId }) => deviceId);
    expect([...value.devices.keys()].toSorted()).toEqual(ids.toSorted());
    expect(value).toMatchObject({ total, complete: true });
    expect(seen.filter((line) => line === 'responded devices 200').length).toBe(21);
  });

  it('is listed with at most the configured number of requests in flight', async () => {
    const held: ServerResponse[] = [];
    let arrived = promised();
    const { client } = await serve(
      (_, response) => {
        held.push(response);
        if (held.length === 2) arrived.keep();
      },
      { concurrency: 2 },
    );
    const requests = Array.from({ length: 8 }, () => client.balance(never));
    for (let round = 0; round < 4; round += 1) {
      await arrived.kept;
      for (let turn = 0; turn < 20; turn += 1) await settle();
      expect(held.length).toBe(2);
      arrived = promised();
      for (const response of held.splice(0)) respond(response, success(wireBalance()));
    }
    await Promise.all(requests);
  });

  it('is not listed when one page fails, which counts as one failure', async () => {
    const { client, seen } = await serve((request, response) => {
      const first = wirePage({ total: 300, items: phones(0, 100) });
      if (request.url?.includes('page=1&')) respond(response, success(first));
      else if (request.url?.includes('page=2&')) respond(response, failure('INTERNAL_ERROR'), 500);
    });
    expect((await errorOf(listDevices(client, never, LISTING))).reason).toBe('server');
    expect(failures(seen)).toEqual(['failed devices server']);
  });
});
