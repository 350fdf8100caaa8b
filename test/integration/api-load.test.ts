import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../fake-clock.ts';
import { startFaultySimulator } from '../faults/simulated/faults.ts';
import { never } from '../never.ts';
import type { Simulator } from '../simulator.ts';
import { success, wireBalance } from '../unit/api/wire-fixtures.ts';
import { clientOf, closeAll, closeLater, KEY, listen, tally } from './api-client.ts';
import { marketplaceOf } from './simulator-wire.ts';

afterEach(closeAll);

const SECOND = 1_000;

/** A simulated API whose clock is three hours ahead, and a client of it; time stands still until it is told to move. */
async function setUp(own: Parameters<typeof clientOf>[1] = {}) {
  const clock = createFakeClock();
  const simulator = await startFaultySimulator({
    accounts: [{ name: 'main', key: KEY, marketplace: marketplaceOf(3) }],
    clock: { ...clock, now: () => clock.now() + 3 * 3_600 * SECOND },
  });
  closeLater(simulator.close);
  const { client, seen } = clientOf(simulator.url, { clock, ...own });
  return { simulator, clock, client, seen, sent: () => totalOf(simulator) };
}

function totalOf(simulator: Simulator): number {
  return Object.values(simulator.counts()).reduce((sum, count) => sum + count, 0);
}

const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);

describe('an API that responds with 429', () => {
  it.each([
    ['retry-after-seconds', 120],
    ['retry-after-date', 120],
    // The longest backoff, less the jitter.
    ['retry-after-huge', 550],
    ['too-many-requests', 30],
    ['retry-after-negative', 30],
    ['retry-after-garbage', 30],
  ])('gets no request during its backoff, and all of them afterwards: %s, %i s', async (fault, seconds) => {
    const { simulator, clock, client, sent } = await setUp({ concurrency: 8 });
    simulator.faults.on('all', fault);
    const ask = [
      () => client.balance(never),
      () => client.devicePage(1, never),
      () => client.tunnel('a', never),
    ];
    expect(await tally(times(300, () => ask).flatMap((all) => all.map((one) => one())))).toEqual({
      throttled: 900,
    });
    // As many as were under way at once.
    expect(sent()).toBe(8);
    for (let second = 0; second < seconds; second += 10) {
      expect(await tally(ask.map((one) => one()))).toEqual({ throttled: 3 });
      clock.advance(10 * SECOND);
    }
    expect(await tally(ask.map((one) => one()))).toEqual({ throttled: 3 });
    expect(sent()).toBe(8);
    simulator.faults.off();
    clock.advance((seconds * SECOND) / 10 + SECOND);
    expect(await tally(times(50, () => client.balance(never)))).toEqual({ good: 50 });
  });

  it('fails requests as throttled, and 503 with Retry-After fails them as server', async () => {
    const { simulator, client, sent } = await setUp();
    simulator.faults.on('all', 'service-unavailable');
    expect(await tally([client.balance(never)])).toEqual({ server: 1 });
    expect(await tally(times(10, () => client.balance(never)))).toEqual({ server: 10 });
    expect(sent()).toBe(1);
  });
});

describe('an API that is down', () => {
  it.each(['close-before-headers', 'internal-error', 'unknown-error-page'])(
    'gets one request at a time until one succeeds, and then all: %s',
    async (fault) => {
      const { simulator, client, sent } = await setUp({ concurrency: 8 });
      simulator.faults.on('all', fault);
      await tally(times(8, () => client.balance(never)));
      const before = sent();
      expect(before).toBeLessThanOrEqual(10);
      expect(client.isFailing()).toBe(true);
      expect((await tally([client.balance(never)]))['good']).toBeUndefined();
      expect(sent()).toBe(before + 1);

      simulator.faults.off();
      expect(await tally(times(100, () => client.balance(never)))).toEqual({ good: 100 });
      expect(client.isFailing()).toBe(false);
      expect(sent()).toBe(before + 101);
    },
  );
});

describe('a key that is refused', () => {
  it('is sent only by requests that were in flight when it was refused', async () => {
    const { simulator, client, sent } = await setUp({ concurrency: 8 });
    simulator.faults.on('all', 'invalid-api-key');
    expect(await tally(times(1_000, () => client.tunnel('a', never)))).toEqual({ unauthorized: 1_000 });
    expect(sent()).toBe(8);
  });
});

/** A server that closes each connection just as a request comes over it, after so many answers. */
async function serveRace(answers: number, close: (socket: Socket) => void): Promise<string> {
  const body = success(wireBalance());
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const server = createServer((socket) => {
    let given = 0;
    socket.on('data', () => {
      if (given === answers) return close(socket);
      given += 1;
      socket.write(head + body);
    });
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

describe('a server that closes idle connections', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['in an orderly way', (socket) => socket.end()],
    ['with a reset', (socket) => socket.resetAndDestroy()],
  ])('loses none of 200 requests when it closes them %s while a request is on its way', async (_, close) => {
    const { client, clock, seen } = clientOf(await serveRace(1, close), {
      concurrency: 1,
      random: () => 0.999,
    });
    for (let request = 0; request < 200; request += 1) {
      await client.balance(never);
      clock.advance(SECOND);
    }
    expect(seen.filter((line) => line.startsWith('failed')).length).toBe(199);
    expect(seen.filter((line) => line === 'access granted').length).toBe(200);
  });

  it('fails a request with the reason reset when it closes new connections too', async () => {
    const { client, seen } = clientOf(await serveRace(0, (socket) => socket.resetAndDestroy()));
    expect(await tally([client.balance(never)])).toEqual({ reset: 1 });
    expect(seen.filter((line) => line === 'failed balance reset').length).toBe(3);
  });
});

describe('a cap on requests per second', () => {
  it('is kept when more requests are made at the same time', async () => {
    const { clock, client, sent } = await setUp({ requestsPerSecond: 4, concurrency: 8 });
    const requests = times(9, () => client.balance(never));
    const arrived: number[] = [];
    for (let step = 0; step < 2_000; step += 250) {
      while (arrived.length < step / 250 + 1) {
        await new Promise((resolve) => setImmediate(resolve));
        arrived.push(...times(sent() - arrived.length, () => step));
      }
      clock.advance(250);
    }
    await tally(requests);
    expect(arrived).toEqual([0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750]);
  });
});
