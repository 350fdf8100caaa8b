import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, requestTo, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** Addresses of this machine from 127.0.0.`first`. */
function addresses(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.0.0.${first + index}`);
}

async function dialAll(froms: readonly string[], each: number): Promise<readonly Client[]> {
  const clients = froms.flatMap((from) => Array.from({ length: each }, () => server.dial(from)));
  await Promise.all(clients.map(({ connected }) => connected));
  await server.settled();
  return clients;
}

function open(clients: readonly Client[]): number {
  return clients.filter((client) => client.isOpen()).length;
}

/** Waits until so many of the clients are evicted, and then for any further evictions. */
async function evicted(clients: readonly Client[], count: number): Promise<void> {
  let left = count;
  await new Promise<void>((resolve) => {
    if (count === 0) resolve();
    for (const { closed } of clients) {
      void closed.then(() => {
        left -= 1;
        if (left === 0) resolve();
      });
    }
  });
  await server.settled();
}

describe('connections of one address', () => {
  it('are limited to 32 by evicting the oldest silent ones', async () => {
    const silent = await dialAll(['127.0.0.2'], 32);
    const more = await dialAll(['127.0.0.2'], 8);
    await evicted(silent, 8);
    expect([open(silent), open(more)]).toEqual([24, 8]);
    expect(server.refusals).toEqual(Array.from({ length: 8 }, () => 'address_connections'));
  });

  it('above the limit evict none of another address', async () => {
    const neighbour = await server.ask('/short', '127.0.0.3');
    const silent = await dialAll(['127.0.0.2'], 64);
    await evicted(silent, 32);
    expect([open(silent), neighbour.isOpen()]).toEqual([32, true]);
  });

  it('that are silent are evicted for one of the same address with a request', async () => {
    await dialAll(['127.0.0.1'], 32);
    const honest = await server.ask('/short', '127.0.0.1');
    await honest.waitForOutput(/short$/);
    expect(honest.isOpen()).toBe(true);
  });
});

describe('connections of several addresses', () => {
  it('are limited to 512, and a new one with a request is answered', async () => {
    const silent = await dialAll(addresses(2, 17), 30);
    server.clock.advance(1_001);
    const before = open(silent);
    const honest = await Promise.all(
      addresses(100, 10).map(async (from) => {
        const client = await server.ask('/short', from);
        await client.waitForOutput(/short$/);
        return client;
      }),
    );
    await evicted(silent, 8);
    // One more was evicted for the connection of settled().
    expect([before, open(silent), open(honest)]).toEqual([510, 501, 10]);
    expect(new Set(server.refusals)).toEqual(new Set(['connections']));
  });

  it('that are silent for more than a second are evicted before an idle one', async () => {
    const honest = await server.ask('/short', '127.0.0.100');
    const silent = await dialAll(addresses(2, 16), 31);
    server.clock.advance(1_001);
    const more = await dialAll(addresses(20, 1), 30);
    await evicted(silent, 15);
    expect([honest.isOpen(), open(more)]).toEqual([true, 30]);
  });
});

describe('responses that nobody reads', () => {
  /** Clients that request a large page and do not read it. */
  async function askAll(froms: readonly string[], each: number): Promise<readonly Client[]> {
    const clients = await dialAll(froms, each);
    for (const { socket } of clients) socket.pause();
    for (const { socket } of clients) socket.write(requestTo('/large'));
    await server.settled();
    return clients;
  }

  async function statusFor(from: string): Promise<string> {
    const client = await server.ask('/short', from);
    return client.output().slice(9, 12);
  }

  it('are limited to 40, and more requests get 503 with Retry-After', async () => {
    await askAll(addresses(2, 40), 1);
    const client = await server.ask('/short', '127.0.0.100');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*retry-after: 1\r\n/i);
    expect(server.refusals).toEqual(['busy']);
  });

  it('are evicted for a new request after a second, the oldest first', async () => {
    await askAll(addresses(2, 40), 1);
    server.clock.advance(1_001);
    const [first, second] = [
      await server.ask('/large', '127.0.0.100'),
      await server.ask('/large', '127.0.0.101'),
    ];
    expect([first.output(), second.output()].map((said) => said.slice(9, 12))).toEqual(['200', '200']);
    expect(server.refusals).toEqual(['busy', 'busy']);
  });

  it('never keep /-/healthy from being answered', async () => {
    await askAll(addresses(2, 40), 1);
    const client = await server.ask('/-/healthy', '127.0.0.100');
    expect(client.output()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('no longer count when their connection is closed while they are queued', async () => {
    const readers = await dialAll(addresses(2, 4), 1);
    for (const { socket } of readers) socket.pause();
    for (const { socket } of readers) socket.write(requestTo('/large').repeat(10));
    await server.settled();
    for (const { socket } of readers) socket.resetAndDestroy();
    await server.settled();
    await askAll(addresses(2, 40), 1);
    expect(server.refusals).toEqual([]);
  });

  it('no longer count when their readers leave', async () => {
    const readers = await askAll(addresses(2, 40), 1);
    for (const { socket } of readers) socket.resetAndDestroy();
    let status = '';
    while (status !== '200') status = await statusFor('127.0.0.100');
    expect(status).toBe('200');
  });
});
