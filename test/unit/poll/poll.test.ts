import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { Log } from '../../../src/base/log.ts';
import type { AccountMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { NOTHING_KNOWN } from '../../../src/model/account.ts';
import type { Balance } from '../../../src/model/money.ts';
import { createJudge } from '../../../src/poll/judge.ts';
import { type CollectorTask, createPoll } from '../../../src/poll/poll.ts';
import { createStore } from '../../../src/poll/store.ts';
import { accountIn, moneyOf, NOON, STEP_SETTINGS } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { configuredAccount } from './test-poller.ts';

const MINUTE = 60_000;

/** A poll of the balance whose fetch is given, and what it tells. */
function setUp(fetch: (signal: AbortSignal) => Promise<Balance>, settings = () => STEP_SETTINGS) {
  const clock = createFakeClock();
  const store = createStore([configuredAccount('main')], NOTHING_KNOWN, clock.now, () => {});
  const judge = createJudge({ store, settings, onEvents: () => {}, yieldToEventLoop: async () => {}, clock });
  const told: string[] = [];
  const lines: string[] = [];
  const write = (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push([message, fields['reason'] ?? fields['after']].filter(Boolean).join(': '));
  };
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write, child: () => log };
  const metrics: Pick<AccountMetrics, 'on' | 'pollAttempted' | 'pollEnded' | 'pollSkipped'> = {
    pollAttempted: () => {},
    on: (event) => {
      if (event.kind === 'failed') told.push(`${event.endpoint} failed: ${event.reason}`);
    },
    pollEnded: (collector, failure) => told.push(`${collector} ${failure ?? 'ok'}`),
    pollSkipped: (collector, reason) => told.push(`${collector} skipped: ${reason}`),
  };
  const task: CollectorTask = {
    name: 'balance',
    collect: async (_, signal) => ({
      kind: 'balance',
      elapsed: undefined,
      balance: await fetch(signal),
      apiTime: clock.now(),
    }),
  };
  const poll = createPoll({
    account: 'main',
    task,
    store,
    judge,
    schedule: { intervalSeconds: 60, shortestGap: MINUTE, untilNext: () => MINUTE },
    staleAfterMilliseconds: 15 * MINUTE,
    clock,
    apiTime: clock.now,
    metrics,
    log,
  });
  return { poll, clock, told, lines, reading: () => accountIn(store).balance };
}

const refused = () =>
  new ApiError({ reason: 'unauthorized', endpoint: 'balance', got: 'the key was refused' });

describe('a poll', () => {
  it('that succeeds puts a fresh reading into the store', async () => {
    const { poll, told, lines, reading } = setUp(async () => moneyOf(100, 0).balance);
    await poll.run();
    expect(reading()).toMatchObject({ data: moneyOf(100, 0), state: 'fresh', lastSuccessAt: NOON });
    expect(told).toEqual(['balance ok']);
    expect(lines).toEqual(['first poll succeeded']);
  });

  it('that fails keeps the data of the last poll and marks it as held', async () => {
    let down = false;
    const { poll, clock, told, reading } = setUp(async () => {
      if (down) throw refused();
      return moneyOf(100, 0).balance;
    });
    await poll.run();
    down = true;
    clock.advance(MINUTE);
    await poll.run();
    const times = { lastSuccessAt: NOON, lastAttemptAt: NOON + MINUTE };
    expect(reading()).toMatchObject({
      data: moneyOf(100, 0),
      state: 'stale',
      failure: 'unauthorized',
      ...times,
    });
    expect(told).toEqual(['balance ok', 'balance unauthorized']);
  });

  it('whose judgement throws keeps the known data, and polls again', async () => {
    let broken = false;
    const { poll, told, lines, reading } = setUp(
      async () => moneyOf(100, 0).balance,
      () => {
        if (broken) throw new RangeError('broken');
        return STEP_SETTINGS;
      },
    );
    await poll.run();
    broken = true;
    await poll.run();
    expect(reading()).toMatchObject({ data: moneyOf(100, 0), lastSuccessAt: NOON });
    broken = false;
    await poll.run();
    expect(told).toEqual(['balance ok', 'balance internal', 'balance failed: internal', 'balance ok']);
    expect(lines).toEqual([
      'first poll succeeded',
      'the result of a poll could not be processed: please report this',
    ]);
  });

  it('logs once when it begins to fail and once when it succeeds again', async () => {
    let down = true;
    const { poll, lines } = setUp(async () => {
      if (down) throw refused();
      return moneyOf(1, 0).balance;
    });
    for (let count = 0; count < 5; count += 1) await poll.run();
    down = false;
    await poll.run();
    await poll.run();
    expect(lines).toEqual(['poll failed: unauthorized', 'polls succeed again: unauthorized']);
  });

  it('logs at most three lines a minute, however often it fails and succeeds again', async () => {
    let polls = 0;
    const { poll, clock, lines } = setUp(async () => {
      polls += 1;
      if (polls % 2 === 0) throw refused();
      return moneyOf(1, 0).balance;
    });
    for (let second = 0; second < 120; second += 1) {
      await poll.run();
      clock.advance(1_000);
    }
    expect(lines).toHaveLength(6);
  });

  it('that is in flight keeps a second one from starting', async () => {
    let finish = (_: Balance): void => {};
    const { poll, told } = setUp(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const first = poll.run();
    await poll.run();
    finish(moneyOf(1, 0).balance);
    await first;
    expect(told).toEqual(['balance skipped: overlap', 'balance ok']);
  });

  it('that never ends is the last attempt, although later ones overlap with it', async () => {
    const { poll, clock, told } = setUp(() => new Promise(() => {}));
    const before = poll.attemptedAt();
    void poll.run();
    clock.advance(MINUTE / 2);
    await poll.run();
    expect(told).toEqual(['balance skipped: overlap']);
    expect(poll.attemptedAt()).toBe(before);
  });

  it('is aborted at its deadline', async () => {
    const { poll, clock, told } = setUp(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const run = poll.run();
    clock.advance(MINUTE);
    await run;
    expect(told).toEqual(['balance timeout', 'balance failed: timeout']);
  });

  it('that fails by an internal error has the reason internal, and does not end the daemon', async () => {
    const { poll, told } = setUp(() => Promise.reject(new TypeError('x is not a function')));
    await poll.run();
    expect(told).toEqual(['balance internal', 'balance failed: internal']);
  });

  it('that is stopped changes no data and cannot be started again', async () => {
    const { poll, told, reading } = setUp(
      (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(refused()))),
    );
    const run = poll.run();
    poll.stop();
    await run;
    await poll.run();
    expect(told).toEqual([]);
    expect(reading().lastAttemptAt).toBeUndefined();
  });
});
