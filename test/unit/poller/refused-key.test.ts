import { describe, expect, it } from 'vitest';
import { stagePoller } from './staged-poller.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('a key that is refused', () => {
  /** A poller whose key was refused to all of its collectors, after all went well. */
  async function refused() {
    let rotated = false;
    const stage = stagePoller({
      refreshKey: () => {
        const isNew = rotated;
        rotated = false;
        return isNew;
      },
    });
    stage.script.rented = ['a'];
    await stage.poller.pollAll();
    Object.assign(stage.script.failures, {
      devices: 'unauthorized',
      balance: 'unauthorized',
      tunnel: 'unauthorized',
    });
    await Promise.all(['devices', 'tunnels', 'balance'].map((each) => stage.tick(each)));
    [stage.asked(), stage.told()];
    return {
      ...stage,
      rotate: () => {
        rotated = true;
      },
      /** Ticks of all collectors, every 30 seconds of so many milliseconds. */
      pass: async (milliseconds: number) => {
        for (let passed = 0; passed < milliseconds; passed += 30 * SECOND) {
          stage.clock.advance(30 * SECOND);
          for (const each of ['devices', 'tunnels', 'balance']) await stage.tick(each);
        }
      },
    };
  }

  it('is left alone, and each poll that was due is counted', async () => {
    const { asked, told, pass } = await refused();
    await pass(30 * SECOND);
    expect(asked()).toEqual([]);
    expect(told()).toEqual([
      'devices skipped: refused_key',
      'tunnels skipped: refused_key',
      'balance skipped: refused_key',
    ]);
  });

  it('is tried after five minutes and then every hour, with the balance only', async () => {
    const { asked, pass } = await refused();
    await pass(5 * MINUTE);
    expect(asked()).toEqual(['balance']);
    await pass(24 * HOUR);
    expect(asked()).toEqual(Array.from({ length: 24 }, () => 'balance'));
  });

  it('is tried at the ticks of others where the balance is polled rarely', async () => {
    const { asked, clock, tick } = await refused();
    clock.advance(5 * MINUTE);
    await tick('devices');
    expect(asked()).toEqual(['balance']);
  });

  it('lets everything go on once it is granted', async () => {
    const { asked, pass, script } = await refused();
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) delete script.failures[endpoint];
    await pass(5.5 * MINUTE);
    expect(asked()).toEqual(['balance', 'a', 'balance', 'devices', 'a', 'balance']);
  });

  it('is no obstacle to the next one, which is used from the next tick on', async () => {
    const { asked, script, rotate, tick } = await refused();
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) delete script.failures[endpoint];
    rotate();
    await tick('tunnels');
    await tick('devices');
    expect(asked()).toEqual(['a', 'devices']);
  });

  it('for the balance only does not keep the phones from being listed', async () => {
    const { poller, script, tick, asked } = stagePoller();
    script.failures.balance = 'unauthorized';
    await poller.pollAll();
    asked();
    await tick('devices');
    await tick('balance');
    expect(asked()).toEqual(['devices']);
  });

  it('writes a line for each collector when it is refused, and one when it is granted', async () => {
    const { lines, pass, script } = await refused();
    await pass(HOUR);
    for (const endpoint of ['devices', 'tunnel', 'balance'] as const) delete script.failures[endpoint];
    await pass(2 * HOUR);
    expect(lines.slice(3)).toEqual([
      ...Array.from({ length: 3 }, () => 'poll failed'),
      ...Array.from({ length: 3 }, () => 'poll succeeds again'),
    ]);
  });
});
