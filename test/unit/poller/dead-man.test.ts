import { describe, expect, it } from 'vitest';
import { type AccountMetrics, createSelfMetrics } from '../../../src/metrics/self.ts';
import type { Collector } from '../../../src/model/endpoint.ts';
import { createDeadMan } from '../../../src/poller/dead-man.ts';

const TIMEOUT = 15_000;

/** A switch whose time passes when it is told to, and the metrics of the account "main" behind it. */
function setUp() {
  let now = 0;
  const deadMan = createDeadMan(() => now);
  const self = createSelfMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' }, []);
  const watch = (account: string) => deadMan.watch(account, self.forAccount(account));
  const silences = (...accounts: readonly string[]) => deadMan.silences(accounts, TIMEOUT);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { watch, silences, pass };
}

function silence(collector: Collector, seconds: number): string {
  return `no poll of the ${collector} of main began or ended for ${seconds} s`;
}

describe('the dead man', () => {
  it('is alive for three intervals and a time-out, and not any longer', () => {
    const { watch, silences, pass } = setUp();
    watch('main').pollScheduled('devices', 30);
    pass(105_000);
    expect(silences('main')).toEqual([]);
    pass(1);
    expect(silences('main')).toEqual([silence('devices', 105)]);
  });

  it.each<[string, (metrics: AccountMetrics) => void]>([
    ['a poll that succeeded', (metrics) => metrics.pollEnded('devices', 1, undefined)],
    ['a poll that failed', (metrics) => metrics.pollEnded('devices', 24, 'timeout')],
    ['a key that was refused', (metrics) => metrics.pollSkipped('devices', 'refused_key')],
    ['no phones to ask for', (metrics) => metrics.pollSkipped('devices', 'no_fleet')],
    ['a poll that is still under way', (metrics) => metrics.pollSkipped('devices', 'overlap')],
  ])('takes %s for a sign of life', (_, sign) => {
    const { watch, silences, pass } = setUp();
    const metrics = watch('main');
    metrics.pollScheduled('devices', 30);
    for (let round = 0; round < 10; round += 1) {
      pass(100_000);
      sign(metrics);
    }
    expect(silences('main')).toEqual([]);
  });

  it('waits for each collector as long as its own schedule says', () => {
    const { watch, silences, pass } = setUp();
    const metrics = watch('main');
    metrics.pollScheduled('devices', 30);
    metrics.pollScheduled('tunnels', 30);
    metrics.pollScheduled('balance', 3_600);
    pass(1_000_000);
    expect(silences('main')).toEqual([silence('devices', 1_000), silence('tunnels', 1_000)]);
    pass(10_000_000);
    expect(silences('main')).toContain(silence('balance', 11_000));
  });

  it('is not kept alive by another collector or account', () => {
    const { watch, silences, pass } = setUp();
    const metrics = watch('main');
    const other = watch('other');
    for (const each of [metrics, other]) {
      each.pollScheduled('devices', 30);
      each.pollScheduled('balance', 30);
    }
    pass(200_000);
    other.pollEnded('devices', 1, undefined);
    other.pollEnded('balance', 1, undefined);
    metrics.pollEnded('balance', 1, undefined);
    expect(silences('main', 'other')).toEqual([silence('devices', 200)]);
  });

  it('begins anew with a schedule that a reload changed', () => {
    const { watch, silences, pass } = setUp();
    const metrics = watch('main');
    metrics.pollScheduled('devices', 3_600);
    pass(3_600_000);
    metrics.pollScheduled('devices', 1);
    expect(silences('main')).toEqual([]);
    pass(18_001);
    expect(silences('main')).toEqual([silence('devices', 18)]);
  });

  it('says nothing of an account that is gone, or of polls that nobody scheduled', () => {
    const { watch, silences, pass } = setUp();
    watch('gone').pollScheduled('devices', 1);
    watch('main').pollEnded('balance', 1, undefined);
    pass(1_000_000);
    expect(silences('main')).toEqual([]);
  });
});
