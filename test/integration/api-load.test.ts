import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Simulator } from '../../src/simulator/server.ts';
import { createFakeClock } from '../fake-clock.ts';
import { startFaultySimulator } from '../faults/simulated/faults.ts';
import { never } from '../never.ts';
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

describe('an API with 30 % errors', () => {
  it.each(['internal-error', 'reset-before-headers', 'close-mid-body'])(
    'gets at most a tenth of its requests as retries: %s',
    async (fault) => {
      const { simulator, clock, client, sent } = await setUp();
      simulator.faults.on('balance', fault, { probability: 0.3 });
      let calls = 0;
      for (let good = 0; good < 300; ) {
        const before = sent();
        good += (await tally([client.balance(never)]))['good'] ?? 0;
        // A request that was rejected: the circuit is open.
        if (sent() === before) clock.advance(30 * SECOND);
        else calls += 1;
      }
      const retries = sent() - calls;
      expect(retries / sent()).toBeLessThanOrEqual(0.1);
      expect(retries / sent()).toBeGreaterThan(0.05);
    },
  );
});

describe('an API that responds with 429', () => {
  it.each([
    ['retry-after-seconds', 120],
    ['retry-after-date', 120],
    // Nine tenths of the time after which data expires, less the jitter.
    ['retry-after-huge', 760],
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
    expect(sent()).toBe(2);
    for (let second = 0; second < seconds; second += 10) {
      expect(await tally(ask.map((one) => one()))).toEqual({ throttled: 3 });
      clock.advance(10 * SECOND);
    }
    expect(await tally(ask.map((one) => one()))).toEqual({ throttled: 3 });
    expect(sent()).toBe(2);
    simulator.faults.off();
    clock.advance((seconds * SECOND) / 10 + SECOND);
    expect(await tally(times(50, () => client.balance(never)))).toEqual({ good: 50 });
  });

  it('halves the concurrency, which then grows back', async () => {
    const limits: number[] = [];
    const { simulator, clock, client } = await setUp({
      concurrency: 8,
      onLimit: (limit) => limits.push(limit),
    });
    await tally(times(100, () => client.balance(never)));
    simulator.faults.on('balance', 'retry-after-seconds', { times: 1 });
    await tally([client.balance(never)]);
    clock.advance(200 * SECOND);
    await tally(times(100, () => client.balance(never)));
    expect(limits).toEqual([2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 7, 8]);
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
    'gets one probe when its circuit is half open, and all requests after it: %s',
    async (fault) => {
      const { simulator, clock, client, sent } = await setUp({ concurrency: 8 });
      simulator.faults.on('all', fault);
      for (let request = 0; request < 5; request += 1) await tally([client.balance(never)]);
      const before = sent();
      expect(before).toBeLessThanOrEqual(7);
      await tally(times(100, () => client.balance(never)));
      clock.advance(30 * SECOND - 1);
      await tally(times(100, () => client.balance(never)));
      expect(sent()).toBe(before);

      simulator.faults.off();
      clock.advance(1);
      const { good, ...refused } = await tally(times(100, () => client.balance(never)));
      expect(good).toBe(1);
      expect(Object.values(refused)).toEqual([99]);
      expect(sent()).toBe(before + 1);

      expect(await tally(times(100, () => client.balance(never)))).toEqual({ good: 100 });
      expect(sent()).toBe(before + 101);
    },
  );
});

describe('a key that is refused', () => {
  it('is sent only by requests that were in flight when it was refused', async () => {
    const { simulator, client, sent } = await setUp({ concurrency: 8 });
    simulator.faults.on('all', 'invalid-api-key');
    expect(await tally(times(1_000, () => client.tunnel('a', never)))).toEqual({ unauthorized: 1_000 });
    expect(sent()).toBe(2);
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
