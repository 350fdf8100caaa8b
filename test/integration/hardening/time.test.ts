import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, requestTo, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** Tests if a connection is closed after this time, also for a client that does not read. */
async function isClosedAfter(client: Client, milliseconds: number): Promise<boolean> {
  server.clock.advance(milliseconds);
  client.socket.resume();
  await client.closed;
  return true;
}

describe('a slow connection', () => {
  it.each<[string, string]>([
    ['sends nothing', ''],
    ['sends a header slowly', 'GET /short HTTP/1.1\r\nHost: exporter\r\nX-Slow: '],
  ])('is evicted after ten seconds when it %s', async (_, text) => {
    const slow = server.dial();
    await slow.connected;
    slow.socket.write(text);
    await server.settled();
    server.clock.advance(9_000);
    await server.settled();
    expect(slow.isOpen()).toBe(true);
    server.clock.advance(1_000);
    expect(await slow.closed).toBe('');
    expect(server.refusals).toEqual(['slow']);
  });

  it('waits for five minutes at most while its response is computed', async () => {
    const patient = server.dial();
    patient.socket.write(requestTo('/never'));
    await server.settled();
    server.clock.advance(299_000);
    await server.settled();
    expect(patient.isOpen()).toBe(true);
    expect(await isClosedAfter(patient, 1_000)).toBe(true);
    expect(server.refusals).toEqual(['slow']);
  });

  it('has ten seconds to read a response that took longer to compute', async () => {
    const patient = server.dial();
    patient.socket.write(requestTo('/later'));
    await server.settled();
    for (let second = 0; second < 30; second += 1) server.clock.advance(1_000);
    server.finish();
    await patient.waitForOutput(/later$/);
    expect([patient.isOpen(), server.refusals]).toEqual([true, []]);
  });

  it('is evicted after ten seconds of a response that it reads byte by byte', async () => {
    const trickle = await server.ask('/large');
    trickle.socket.pause();
    for (let second = 0; second < 9; second += 1) {
      trickle.socket.read(1);
      server.clock.advance(1_000);
      await server.settled();
      expect(trickle.isOpen()).toBe(true);
    }
    expect(await isClosedAfter(trickle, 3_000)).toBe(true);
    expect(server.refusals).toEqual(['slow']);
  });

  it('is not evicted between two requests, 15 seconds apart', async () => {
    const honest = await server.ask('/short');
    for (let scrape = 0; scrape < 8; scrape += 1) {
      server.clock.advance(15_000);
      const before = honest.output().length;
      honest.socket.write(requestTo('/short'));
      await honest.waitForOutput(new RegExp(`[\\s\\S]{${before + 1}}short$`));
    }
    expect([honest.isOpen(), server.refusals]).toEqual([true, []]);
  });
});
