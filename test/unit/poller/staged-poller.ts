import type { ApiClient } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { Log } from '../../../src/log.ts';
import { createSelfMetrics } from '../../../src/metrics/self.ts';
import type { Endpoint } from '../../../src/model/endpoint.ts';
import type { FailureReason } from '../../../src/model/failure.ts';
import { WHOLE } from '../../../src/model/shard.ts';
import type { TickCause } from '../../../src/poller/cadence.ts';
import { createPoller, type PollerOptions } from '../../../src/poller/poller.ts';
import type { Scheduler } from '../../../src/poller/schedule.ts';
import { createStore } from '../../../src/poller/store.ts';
import { bareDevice, moneyOf, NOON, tunnelOf } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** How the staged API behaves; tests change it as they go. */
export type Script = {
  /** Ids of the phones that are self-rented. */
  rented: readonly string[];
  /** What each endpoint fails with; undefined where it answers. */
  readonly failures: Partial<Record<Endpoint, FailureReason>>;
  /** Phones whose tunnel can't be read. */
  unreadable: readonly string[];
  /** Phones whose tunnel is never answered, whatever the signal says. */
  hanging: readonly string[];
};

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function failureOf(endpoint: Endpoint, reason: FailureReason): ApiError {
  return new ApiError({ reason, endpoint, got: 'what the test asked for' });
}

/** A poller of the account `main` at an API that follows a script, with all that it asks, counts and says. */
export function stagePoller(own: Partial<PollerOptions> = {}) {
  const clock = createFakeClock();
  const script: Script = { rented: [], failures: {}, unreadable: [], hanging: [] };
  const asked: string[] = [];
  const told: string[] = [];
  const lines: string[] = [];
  const ask = (endpoint: Endpoint, what: string) => {
    asked.push(what);
    const reason = script.failures[endpoint];
    if (reason !== undefined) throw failureOf(endpoint, reason);
  };
  const client: ApiClient = {
    devicePage: async (number, _, taker) => {
      ask('devices', 'devices');
      const devices = script.rented.map((id) => bareDevice({ id, rentalStatus: 'self_rented' }));
      const value = { devices, rejected: 0, total: devices.length, page: 1, limit: 100, totalPages: 1 };
      return { value: taker.take(value, number), apiTime: clock.now() };
    },
    tunnel: async (deviceId) => {
      ask('tunnel', deviceId);
      if (script.hanging.includes(deviceId)) await new Promise(() => {});
      if (script.unreadable.includes(deviceId)) throw failureOf('tunnel', 'server');
      return { value: tunnelOf({ id: `tunnel of ${deviceId}` }), apiTime: clock.now() };
    },
    balance: async () => {
      ask('balance', 'balance');
      return { value: moneyOf(100, 0).balance, apiTime: clock.now() };
    },
    close: async () => {},
  };
  const ticks = new Map<string, (cause: TickCause) => void>();
  const scheduler: Scheduler = (expression, tick) => {
    ticks.set(expression, tick);
    return { intervalSeconds: 30, start: () => {}, stop: () => {} };
  };
  const write = (_: object, message: string) => lines.push(message);
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write, child: () => log };
  const build = { version: '0', revision: '0', nodeVersion: '0' };
  const store = createStore([{ name: 'main', currency: undefined }], () => {});
  const poller = createPoller({
    account: 'main',
    client,
    concurrency: 2,
    refreshKey: () => false,
    store,
    shard: WHOLE,
    schedules: { devices: 'devices', tunnels: 'tunnels', balance: 'balance' },
    staleAfterMilliseconds: 15 * 60_000,
    scheduler,
    clock,
    pause: async () => {},
    metrics: {
      ...createSelfMetrics(build, []).forAccount('main'),
      pollEnded: (collector, _, failure) => told.push(`${collector} ${failure ?? 'ok'}`),
      pollSkipped: (collector, reason) => told.push(`${collector} skipped: ${reason}`),
      watchdogFired: (collector) => told.push(`${collector} watchdog`),
    },
    log,
    ...own,
  });
  return {
    poller,
    clock,
    script,
    lines,
    account: () => store.account('main'),
    tick: async (collector: string, cause: TickCause = 'due') => {
      ticks.get(collector)?.(cause);
      await settled();
    },
    /** What was asked and told since the last time. */
    asked: () => asked.splice(0),
    told: () => told.splice(0),
    startedAt: NOON,
  };
}
