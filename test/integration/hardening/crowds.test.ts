import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, requestTo, type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

/** So many addresses of this machine, beginning at 127.0.0.`first`. */
function addresses(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.0.0.${first + index}`);
}

async function dialAll(froms: readonly string[], each: number): Promise<readonly Client[]> {
  const clients = froms.flatMap((from) => Array.from({ length: each }, () => stage.dial(from)));
  await Promise.all(clients.map(({ connected }) => connected));
  await stage.settled();
  return clients;
}

function open(clients: readonly Client[]): number {
  return clients.filter((client) => client.isOpen()).length;
}

/** Waits until so many of the clients are cut off, and any more of them that would be. */
async function cutOff(clients: readonly Client[], count: number): Promise<void> {
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
  await stage.settled();
}

describe('many connections of one address', () => {
  it('are 32 at most, and the oldest that say nothing give way', async () => {
    const mute = await dialAll(['127.0.0.2'], 32);
    const more = await dialAll(['127.0.0.2'], 8);
    await cutOff(mute, 8);
    expect([open(mute), open(more)]).toEqual([24, 8]);
    expect(stage.refusals).toEqual(Array.from({ length: 8 }, () => 'address_connections'));
  });

  it('take nothing from another address', async () => {
    const neighbour = await stage.ask('/short', '127.0.0.3');
    const mute = await dialAll(['127.0.0.2'], 64);
    await cutOff(mute, 32);
    expect([open(mute), neighbour.isOpen()]).toEqual([32, true]);
  });

  it('that say nothing give way to one of the same address that asks', async () => {
    await dialAll(['127.0.0.1'], 32);
    const honest = await stage.ask('/short', '127.0.0.1');
    await honest.hears(/short$/);
    expect(honest.isOpen()).toBe(true);
  });
});

describe('connections of many addresses', () => {
  it('are 512 at most, and one that asks is answered all the same', async () => {
    const mute = await dialAll(addresses(2, 17), 30);
    stage.clock.advance(1_001);
    const before = open(mute);
    const honest = await Promise.all(
      addresses(100, 10).map(async (from) => {
        const client = await stage.ask('/short', from);
        await client.hears(/short$/);
        return client;
      }),
    );
    await cutOff(mute, 8);
    // One more has given way to the last look.
    expect([before, open(mute), open(honest)]).toEqual([510, 501, 10]);
    expect(new Set(stage.refusals)).toEqual(new Set(['connections']));
  });

  it('that say nothing for longer than a second give way before one that is idle', async () => {
    const honest = await stage.ask('/short', '127.0.0.100');
    const mute = await dialAll(addresses(2, 16), 31);
    stage.clock.advance(1_001);
    const more = await dialAll(addresses(20, 1), 30);
    await cutOff(mute, 15);
    expect([honest.isOpen(), open(more)]).toEqual([true, 30]);
  });
});

describe('answers that nobody reads', () => {
  /** Clients that ask for a large page and do not read it. */
  async function askAll(froms: readonly string[], each: number): Promise<readonly Client[]> {
    const clients = await dialAll(froms, each);
    for (const { socket } of clients) socket.pause();
    for (const { socket } of clients) socket.write(requestTo('/large'));
    await stage.settled();
    return clients;
  }

  async function statusFor(from: string): Promise<string> {
    const client = await stage.ask('/short', from);
    return client.said().slice(9, 12);
  }

  it('are 40 at most, and more are told to come again', async () => {
    await askAll(addresses(2, 40), 1);
    const client = await stage.ask('/short', '127.0.0.100');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n[\s\S]*retry-after: 1\r\n/i);
    expect(stage.refusals).toEqual(['busy']);
  });

  it('give way to another address that has none of them', async () => {
    await askAll(addresses(2, 4), 10);
    expect(await statusFor('127.0.0.100')).toBe('200');
    expect(stage.refusals).toEqual(['busy']);
  });

  it('give way after a second, each to another', async () => {
    await askAll(addresses(2, 40), 1);
    stage.clock.advance(1_001);
    const [first, second] = [
      await stage.ask('/large', '127.0.0.100'),
      await stage.ask('/large', '127.0.0.101'),
    ];
    expect([first.said(), second.said()].map((said) => said.slice(9, 12))).toEqual(['200', '200']);
    expect(stage.refusals).toEqual(['busy', 'busy']);
  });

  it('never keep anybody from asking whether the exporter lives', async () => {
    await askAll(addresses(2, 40), 1);
    const client = await stage.ask('/-/healthy', '127.0.0.100');
    expect(client.said()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('give their places back too where their turn had not come', async () => {
    const readers = await dialAll(addresses(2, 4), 1);
    for (const { socket } of readers) socket.pause();
    for (const { socket } of readers) socket.write(requestTo('/large').repeat(10));
    await stage.settled();
    for (const { socket } of readers) socket.resetAndDestroy();
    await stage.settled();
    await askAll(addresses(2, 40), 1);
    expect(stage.refusals).toEqual([]);
  });

  it('give their places back when their readers leave', async () => {
    const readers = await askAll(addresses(2, 40), 1);
    for (const { socket } of readers) socket.resetAndDestroy();
    let status = '';
    while (status !== '200') status = await statusFor('127.0.0.100');
    expect(status).toBe('200');
  });
});
