import type { ApiClient } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { Log } from '../../../src/base/log.ts';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { NOTHING_KNOWN } from '../../../src/model/account.ts';
import type { Endpoint, FailureReason } from '../../../src/model/enums.ts';
import { createJudge } from '../../../src/poll/judge.ts';
import { createPoller, type PollerOptions } from '../../../src/poll/poller.ts';
import type { Scheduler } from '../../../src/poll/schedule.ts';
import { createStore } from '../../../src/poll/store.ts';
import { accountIn, bareDevice, moneyOf, NOON, STEP_SETTINGS, tunnelOf } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** The behaviour of the API; tests change it as they go. */
export type Script = {
  /** Ids of the phones that are self-rented. */
  rented: readonly string[];
  /** The reason why each endpoint fails; undefined if it works. */
  readonly failures: Partial<Record<Endpoint, FailureReason>>;
  /** Devices whose tunnel can't be read. */
  unreadable: readonly string[];
  /** Devices whose tunnel request never ends, even if it is aborted. */
  hanging: readonly string[];
  /** Lets the tunnel requests of a device wait until the returned function is called. */
  readonly hold: (deviceId: string) => () => void;
  /** Endpoints that refused the key. */
  refused: readonly Endpoint[];
};

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** An account as the configuration has it. */
export const configuredAccount = (name: string) => ({
  ...{ name, currency: undefined, balanceLowCents: undefined },
  ...{ apiUrl: new URL(`https://${name}.example.com`), key: { environment: 'KEY' } },
});

export function failureOf(endpoint: Endpoint, reason: FailureReason): ApiError {
  return new ApiError({ reason, endpoint, got: 'what the test asked for' });
}

type PromiseWithResolvers = { readonly promise: Promise<void>; readonly resolve: () => void };

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Creates a poller of the account `main` at a scripted API, and records its requests, counters and log lines. */
export function createTestPoller(
  own: Partial<PollerOptions> = {},
  yieldToEventLoop: () => Promise<void> = async () => {},
) {
  const clock = createFakeClock();
  const held = new Map<string, PromiseWithResolvers>();
  const script: Script = {
    rented: [],
    failures: {},
    unreadable: [],
    hanging: [],
    refused: [],
    hold: (deviceId) => {
      const wait = promiseWithResolvers();
      held.set(deviceId, wait);
      return wait.resolve;
    },
  };
  const asked: string[] = [];
  const told: string[] = [];
  const lines: string[] = [];
  const ask = (endpoint: Endpoint, what: string) => {
    asked.push(what);
    const reason = script.failures[endpoint];
    if (reason !== undefined) throw failureOf(endpoint, reason);
  };
  const client: ApiClient = {
    devicePage: async () => {
      ask('devices', 'devices');
      const devices = script.rented.map((id) => bareDevice({ id, rentalStatus: 'self_rented' }));
      const value = {
        devices,
        rejected: 0,
        faulty: false,
        total: devices.length,
        page: 1,
        limit: 100,
        totalPages: 1,
      };
      return { value, apiTime: clock.now() };
    },
    tunnel: async (deviceId) => {
      ask('tunnel', deviceId);
      if (script.hanging.includes(deviceId)) await new Promise(() => {});
      await held.get(deviceId)?.promise;
      if (script.unreadable.includes(deviceId)) throw failureOf('tunnel', 'server');
      return { value: tunnelOf({ id: `tunnel of ${deviceId}` }), apiTime: clock.now() };
    },
    balance: async () => {
      ask('balance', 'balance');
      return { value: moneyOf(100, 0).balance, apiTime: clock.now() };
    },
    isFailing: () => false,
    apiTime: clock.now,
    isRefused: (endpoint) => script.refused.includes(endpoint),
    forgetRefusals: () => {},
    close: async () => {},
  };
  const ticks = new Map<string, () => void>();
  const scheduler: Scheduler = (expression, tick) => {
    ticks.set(expression, tick);
    return {
      intervalSeconds: 30,
      shortestGap: 30_000,
      untilNext: () => 30_000,
      start: () => {},
      stop: () => {},
    };
  };
  const write = (_: object, message: string) => lines.push(message);
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write, child: () => log };
  const build = { version: '0', revision: '0', nodeVersion: '0' };
  const store = createStore([configuredAccount('main')], NOTHING_KNOWN, clock.now, () => {});
  const judge = createJudge({
    store,
    settings: () => STEP_SETTINGS,
    onEvents: () => {},
    yieldToEventLoop,
    clock,
  });
  const poller = createPoller({
    account: 'main',
    client,
    concurrency: 2,
    refreshKey: async () => {},
    store,
    judge,
    schedules: { devices: 'devices', tunnels: 'tunnels', balance: 'balance' },
    staleAfterMilliseconds: 15 * 60_000,
    scheduler,
    clock,
    metrics: {
      ...createExporterMetrics(build).forAccount('main'),
      pollEnded: (collector, failure) => told.push(`${collector} ${failure ?? 'ok'}`),
      pollSkipped: (collector, reason) => told.push(`${collector} skipped: ${reason}`),
    },
    log,
    ...own,
  });
  return {
    poller,
    clock,
    script,
    lines,
    account: () => accountIn(store),
    tick: async (collector: string) => {
      ticks.get(collector)?.();
      await settled();
    },
    /** Requests and counters since the last call. */
    asked: () => asked.splice(0),
    told: () => told.splice(0),
    startedAt: NOON,
  };
}
