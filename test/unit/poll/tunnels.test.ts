import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../../src/model/enums.ts';
import { tunnelsCollector } from '../../../src/poll/collectors/tunnels.ts';
import { accountOf, bareDevice, fleetDevice, fleetOf, freshReading, tunnelOf } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { failureOf } from './test-poller.ts';

const SECOND = 1_000;
const TIMING = {
  dueIn: 30 * SECOND,
  slack: 30 * SECOND,
  deadline: 24 * SECOND,
  sinceObserved: () => undefined,
};

/** Phones whose tunnels each take a second to answer, two at a time. */
function setUp(...ids: readonly string[]) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const failures = new Map<string, FailureReason>();
  const devices = ids.map((id) => fleetDevice(bareDevice({ id, rentalStatus: 'self_rented' })));
  const account = accountOf({ devices: freshReading(fleetOf(...devices)) });
  const known = new Set<string>();
  const collector = tunnelsCollector({
    client: {
      isFailing: () => false,
      tunnel: (deviceId, signal) =>
        new Promise((resolve, reject) => {
          asked.push(deviceId);
          signal.addEventListener('abort', () => reject(signal.reason));
          clock.after(SECOND, () => {
            const reason = failures.get(deviceId);
            if (reason !== undefined) reject(failureOf('tunnel', reason));
            else
              resolve({
                value: tunnelOf({ id: `of ${deviceId}` }),
                apiTime: clock.now(),
              });
          });
        }),
    },
    account: () => account,
    concurrency: 2,
  });
  return {
    polled: () => asked.splice(0),
    failures,
    known: () => [...known].toSorted(),
    /** One round that its deadline ends after so many seconds; resolves to why it failed. */
    round: async (seconds: number): Promise<unknown> => {
      const controller = new AbortController();
      setMaxListeners(0, controller.signal);
      const outcome = collector.collect(account, controller.signal, TIMING).then(
        (observation) => {
          if (observation?.kind !== 'tunnels') return;
          for (const id of observation.results.keys()) known.add(id);
        },
        (error: unknown) => error,
      );
      for (let second = 0; second < seconds; second += 1) {
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
        clock.advance(SECOND);
      }
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      controller.abort('deadline');
      return outcome;
    },
  };
}

describe('a round of tunnels', () => {
  it('polls all tunnels if there is time', async () => {
    const { round, known, polled } = setUp('a', 'b', 'c');
    expect(await round(2)).toBeUndefined();
    expect([polled(), known()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('keeps its results when its deadline ends it, and the next one begins with the other tunnels', async () => {
    const { round, known, polled } = setUp('a', 'b', 'c', 'd', 'e');
    expect(await round(1)).toBeUndefined();
    expect([polled(), known()]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ]);
    await round(1);
    expect([polled(), known()]).toEqual([
      ['c', 'd', 'e', 'a'],
      ['a', 'b', 'c', 'd'],
    ]);
    await round(1);
    expect([polled(), known()]).toEqual([
      ['e', 'a', 'b', 'c'],
      ['a', 'b', 'c', 'd', 'e'],
    ]);
  });

  it('polls all tunnels although one of them can never be read', async () => {
    const { round, polled, known, failures } = setUp('a', 'b', 'c', 'd');
    failures.set('a', 'server');
    for (let count = 0; count < 2; count += 1) await round(1);
    expect([polled(), known()]).toEqual([
      ['a', 'b', 'c', 'd', 'c', 'd', 'b', 'a'],
      ['b', 'c', 'd'],
    ]);
  });

  it('fails if its deadline ends it before any response', async () => {
    expect(await setUp('a', 'b').round(0)).toBe('deadline');
  });

  it.each(['unauthorized', 'throttled'] as const)('ends when a response is %s', async (reason) => {
    const { round, polled, failures } = setUp('a', 'b', 'c', 'd');
    for (const id of ['a', 'b']) failures.set(id, reason);
    expect(await round(3)).toMatchObject({ reason });
    expect(polled()).toEqual(['a', 'b']);
  });

  it('continues after a tunnel that cannot be read', async () => {
    const { round, polled, known, failures } = setUp('a', 'b', 'c');
    failures.set('a', 'server');
    expect(await round(3)).toBeUndefined();
    expect([polled(), known()]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });
});

describe('broken tunnels', () => {
  it('come last in the next round', async () => {
    const { round, polled, failures } = setUp('a', 'b', 'c', 'd');
    for (const id of ['a', 'b']) failures.set(id, 'server');
    await round(2);
    polled();
    await round(2);
    expect(polled()).toEqual(['c', 'd', 'a', 'b']);
  });

  it('end a round after a hundred failures in a row, and the next ones continue behind them', async () => {
    const many = Array.from({ length: 250 }, (_, index) => `phone-${index}`);
    const { round, polled, known, failures } = setUp(...many);
    for (const id of many.slice(0, 200)) failures.set(id, 'server');
    await round(150);
    expect(polled()).toHaveLength(101);
    for (let rounds = 0; rounds < 2; rounds += 1) await round(150);
    expect(known()).toEqual(many.slice(200).toSorted());
  });
});
