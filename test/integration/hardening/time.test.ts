import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, requestTo, type Stage, setStage } from './stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

/** Whether a connection is closed by a reset even for one who does not read. */
async function isCutAfter(client: Client, milliseconds: number): Promise<boolean> {
  stage.clock.advance(milliseconds);
  client.socket.resume();
  await client.closed;
  return true;
}

describe('a connection that takes its time', () => {
  it.each<[string, string]>([
    ['says nothing', ''],
    ['sends a header slowly', 'GET /short HTTP/1.1\r\nHost: exporter\r\nX-Slow: '],
    ['sends a method slowly', 'GE'],
  ])('is cut off after ten seconds: it %s', async (_, text) => {
    const slow = stage.dial();
    await slow.connected;
    slow.socket.write(text);
    await stage.settled();
    stage.clock.advance(9_000);
    await stage.settled();
    expect(slow.isOpen()).toBe(true);
    stage.clock.advance(1_000);
    expect(await slow.closed).toBe('');
    expect(stage.refusals).toEqual(['slow']);
  });

  it.each<[string, string]>([
    ['whose reader never reads', '/large'],
    ['that does not come', '/never'],
  ])('is cut off after ten seconds of an answer %s', async (_, path) => {
    const slow = stage.dial();
    slow.socket.pause();
    slow.socket.write(requestTo(path));
    await slow.connected;
    await stage.settled();
    expect(await isCutAfter(slow, 10_000)).toBe(true);
    expect(stage.refusals).toEqual(['slow']);
  });

  it('is cut off after ten seconds of an answer that its reader takes byte by byte', async () => {
    const trickle = await stage.ask('/large');
    trickle.socket.pause();
    for (let second = 0; second < 9; second += 1) {
      trickle.socket.read(1);
      stage.clock.advance(1_000);
      await stage.settled();
      expect(trickle.isOpen()).toBe(true);
    }
    expect(await isCutAfter(trickle, 2_000)).toBe(true);
    expect(stage.refusals).toEqual(['slow']);
  });

  it('is not cut off while it asks and reads', async () => {
    const honest = await stage.ask('/short');
    for (let scrape = 0; scrape < 5; scrape += 1) {
      stage.clock.advance(5_000);
      const before = honest.said().length;
      honest.socket.write(requestTo('/short'));
      await honest.hears(new RegExp(`[\\s\\S]{${before + 1}}short$`));
    }
    expect([honest.isOpen(), stage.refusals]).toEqual([true, []]);
  });
});
