import { describe, expect, it } from 'vitest';
import { createTestPoller, settled } from './test-poller.ts';

const TIMEOUT = 15_000;

/** A poller whose collectors are due each 30 seconds. */
function setUp() {
  const { poller, clock, script } = createTestPoller();
  return { poller, clock, script, stalled: () => poller.stalled(TIMEOUT) };
}

const sentence = (collector: string, seconds: number): string =>
  `no poll of the ${collector} of main has ended for ${seconds} s`;

describe('a collector', () => {
  it('is stalled after three intervals and a timeout without an attempt', () => {
    const { clock, stalled } = setUp();
    clock.advance(105_000);
    expect(stalled()).toEqual([]);
    clock.advance(1);
    expect(stalled()).toEqual(['devices', 'tunnels', 'balance'].map((name) => sentence(name, 105)));
  });

  it('is never stalled while it is polled, even if its polls fail or are skipped', async () => {
    const { poller, clock, script, stalled } = setUp();
    script.failures.devices = 'server';
    script.refused = ['balance'];
    for (let round = 0; round < 10; round += 1) {
      clock.advance(100_000);
      await poller.pollAll();
    }
    expect(stalled()).toEqual([]);
  });

  it('is stalled although other collectors are polled', async () => {
    const { poller, clock, script, stalled } = setUp();
    script.rented = ['a'];
    await poller.pollAll();
    script.hanging = ['a'];
    for (let round = 0; round < 3; round += 1) {
      void poller.pollAll();
      await settled();
      clock.advance(20_000);
    }
    clock.advance(106_000);
    expect(stalled()).toContain(sentence('devices', 126));
  });
});
