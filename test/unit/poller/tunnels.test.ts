import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../../src/model/enums.ts';
import { settleTunnels, tunnelsCollector } from '../../../src/poller/collectors/tunnels.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  NOON,
  tunnelOf,
} from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { failureOf } from './test-poller.ts';

const SECOND = 1_000;

/** Phones whose tunnels each take a second to answer, two at a time. */
function setUp(...ids: readonly string[]) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const failures = new Map<string, FailureReason>();
  const devices = ids.map((id) => fleetDevice(bareDevice({ id, rentalStatus: 'self_rented' })));
  let account = accountOf({ devices: freshReading(fleetOf(...devices)) });
  const collector = tunnelsCollector({
    client: {
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
    staleAfterMilliseconds: 15 * 60 * SECOND,
    now: clock.now,
  });
  return {
    asked: () => asked.splice(0),
    failures,
    known: () => [...(account.tunnels.data?.keys() ?? [])],
    /** One round that its deadline ends after so many seconds; resolves to why it failed. */
    round: async (seconds: number): Promise<unknown> => {
      const controller = new AbortController();
      const outcome = collector.collect(account, controller.signal, 24 * SECOND).then(
        (data) => {
          account = { ...account, tunnels: freshReading(data) };
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
  it('polls all of them if there is time', async () => {
    const { round, known, asked } = setUp('a', 'b', 'c');
    expect(await round(2)).toBeUndefined();
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('keeps its answers when its deadline ends it, and the next one begins with the others', async () => {
    const { round, known, asked } = setUp('a', 'b', 'c', 'd', 'e');
    expect(await round(1)).toBeUndefined();
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ]);
    await round(1);
    expect([asked(), known()]).toEqual([
      ['c', 'd', 'e', 'a'],
      ['a', 'b', 'c', 'd'],
    ]);
    await round(1);
    expect([asked(), known()]).toEqual([
      ['e', 'a', 'b', 'c'],
      ['a', 'b', 'c', 'd', 'e'],
    ]);
  });

  it('polls all although one of them can never be read', async () => {
    const { round, asked, known, failures } = setUp('a', 'b', 'c', 'd');
    failures.set('a', 'server');
    for (let count = 0; count < 2; count += 1) await round(1);
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c', 'd', 'c', 'd', 'a', 'b'],
      ['b', 'c', 'd'],
    ]);
  });

  it('fails if its deadline ends it before any answer', async () => {
    expect(await setUp('a', 'b').round(0)).toBe('deadline');
  });

  it.each(['unauthorized', 'throttled'] as const)('ends when a response is %s', async (reason) => {
    const { round, asked, failures } = setUp('a', 'b', 'c', 'd');
    for (const id of ['a', 'b']) failures.set(id, reason);
    expect(await round(3)).toMatchObject({ reason });
    expect(asked()).toEqual(['a', 'b']);
  });

  it('goes on after a tunnel that cannot be read', async () => {
    const { round, asked, known, failures } = setUp('a', 'b', 'c');
    failures.set('a', 'server');
    expect(await round(3)).toBeUndefined();
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });
});

describe('the tunnels after a round', () => {
  const MINUTE = 60 * SECOND;
  const STALE_AFTER = 15 * MINUTE;
  const known = new Map([
    ['a', answerAtNoon(tunnelOf({ id: 'old-a' }))],
    ['b', answerAtNoon(tunnelOf({ id: 'old-b' }))],
  ]);

  it('are the new answers, and the last one of a device that could not be polled', () => {
    const answer = { tunnel: undefined, answeredAt: NOON + MINUTE };
    const settled = settleTunnels(known, ['a', 'b'], new Map([['a', answer]]), NOON + MINUTE, STALE_AFTER);
    expect([...settled]).toEqual([
      ['a', answer],
      ['b', known.get('b')],
    ]);
  });

  it('do not include an answer that is too old', () => {
    expect(settleTunnels(known, ['a'], new Map(), NOON + STALE_AFTER + 1, STALE_AFTER).size).toBe(0);
  });

  it('do not include an answer from the future, since the clock was set back', () => {
    expect(settleTunnels(known, ['a'], new Map(), NOON - 1, STALE_AFTER).size).toBe(0);
  });

  it('do not include a device whose rental ended', () => {
    expect([...settleTunnels(known, ['b'], new Map(), NOON, STALE_AFTER).keys()]).toEqual(['b']);
  });
});
