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

describe('connections', () => {
  it('are limited to 512, and a new one with a request is answered', async () => {
    const offline = await dialAll(addresses(2, 17), 30);
    server.clock.advance(1_001);
    const before = open(offline);
    const honest = await Promise.all(
      addresses(100, 10).map(async (from) => {
        const client = await server.ask('/short', from);
        await client.waitForOutput(/short$/);
        return client;
      }),
    );
    await evicted(offline, 8);
    // One more was evicted for the connection of settled().
    expect([before, open(offline), open(honest)]).toEqual([510, 501, 10]);
    expect(new Set(server.refusals)).toEqual(new Set(['connections']));
  });

  it('without a request in progress are closed first, the one that has waited longest before others', async () => {
    const idle = await server.ask('/short');
    await idle.waitForOutput(/short$/);
    const silent = await dialAll(addresses(2, 17), 30);
    await dialAll(['127.0.0.100'], 2);
    await idle.closed;
    expect(open(silent)).toBeGreaterThan(508);
  });

  it('that are offline are evicted for one of the same address with a request', async () => {
    await dialAll(['127.0.0.1'], 512);
    const honest = await server.ask('/short', '127.0.0.1');
    await honest.waitForOutput(/short$/);
    expect(honest.isOpen()).toBe(true);
  });
});

describe('responses that no client reads', () => {
  /** Clients that request a large page and do not read it. */
  async function askAll(froms: readonly string[], each: number): Promise<readonly Client[]> {
    const clients = await dialAll(froms, each);
    for (const { socket } of clients) socket.pause();
    for (const { socket } of clients) socket.write(requestTo('/large'));
    await server.settled();
    return clients;
  }

  it('do not keep an honest request from being answered', async () => {
    await askAll(addresses(2, 100), 1);
    const client = await server.ask('/large', '127.0.0.120');
    expect([client.output().slice(9, 12), server.refusals]).toEqual(['200', []]);
  });

  it('stay when there are 512 of them, and new connections are refused', async () => {
    const readers = await Promise.all(
      Array.from({ length: 512 }, async (_, index) => {
        const reader = await server.ask('/large', `127.0.0.${2 + (index % 100)}`);
        reader.socket.pause();
        return reader;
      }),
    );
    const refused = server.dial('127.0.0.120');
    refused.socket.write(requestTo('/short'));
    await refused.closed;
    expect([open(readers), new Set(server.refusals)]).toEqual([512, new Set(['connections'])]);
  });
});
