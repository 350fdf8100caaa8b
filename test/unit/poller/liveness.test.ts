import { describe, expect, it } from 'vitest';
import type { Collector } from '../../../src/model/enums.ts';
import { createLiveness } from '../../../src/poller/liveness.ts';

const TIMEOUT = 15_000;

function setUp() {
  let now = 0;
  const liveness = createLiveness({ monotonic: () => now });
  return {
    observe: liveness.observe,
    stalled: (...accounts: readonly string[]) => liveness.stalled(accounts, TIMEOUT),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

function sentence(collector: Collector, seconds: number): string {
  return `no poll of the ${collector} of main began or ended for ${seconds} s`;
}

describe('a collector', () => {
  it('is stalled after three intervals and a timeout without an attempt', () => {
    const { observe, stalled, pass } = setUp();
    observe('main').scheduled('devices', 30);
    pass(105_000);
    expect(stalled('main')).toEqual([]);
    pass(1);
    expect(stalled('main')).toEqual([sentence('devices', 105)]);
  });

  it('is never stalled while it is attempted, even if its polls fail', () => {
    const { observe, stalled, pass } = setUp();
    const observer = observe('main');
    observer.scheduled('devices', 30);
    for (let round = 0; round < 10; round += 1) {
      pass(100_000);
      observer.attempted('devices');
    }
    expect(stalled('main')).toEqual([]);
  });

  it('is given time according to its own schedule', () => {
    const { observe, stalled, pass } = setUp();
    const observer = observe('main');
    observer.scheduled('devices', 30);
    observer.scheduled('tunnels', 30);
    observer.scheduled('balance', 3_600);
    pass(1_000_000);
    expect(stalled('main')).toEqual([sentence('devices', 1_000), sentence('tunnels', 1_000)]);
    pass(10_000_000);
    expect(stalled('main')).toContain(sentence('balance', 11_000));
  });

  it('is stalled although other collectors and accounts are attempted', () => {
    const { observe, stalled, pass } = setUp();
    const main = observe('main');
    const other = observe('other');
    for (const observer of [main, other]) {
      observer.scheduled('devices', 30);
      observer.scheduled('balance', 30);
    }
    pass(200_000);
    other.attempted('devices');
    other.attempted('balance');
    main.attempted('balance');
    expect(stalled('main', 'other')).toEqual([sentence('devices', 200)]);
  });

  it('restarts its time limit with a schedule that a reload changed', () => {
    const { observe, stalled, pass } = setUp();
    const observer = observe('main');
    observer.scheduled('devices', 3_600);
    pass(3_600_000);
    observer.scheduled('devices', 1);
    expect(stalled('main')).toEqual([]);
    pass(18_001);
    expect(stalled('main')).toEqual([sentence('devices', 18)]);
  });

  it('of an account that is gone, or without a schedule, is never stalled', () => {
    const { observe, stalled, pass } = setUp();
    observe('gone').scheduled('devices', 1);
    observe('main').attempted('balance');
    pass(1_000_000);
    expect(stalled('main')).toEqual([]);
  });
});
