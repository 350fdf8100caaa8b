import { describe, expect, it } from 'vitest';
import type { FailureReason } from '../../../src/model/failure.ts';
import type { Tunnel } from '../../../src/model/tunnel.ts';
import { tunnelsCollector } from '../../../src/poller/collectors/tunnels.ts';
import { planTurns } from '../../../src/poller/turns.ts';
import { accountOf, bareDevice, fleetDevice, fleetOf, freshReading, tunnelOf } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { failureOf } from './staged-poller.ts';

const SECOND = 1_000;

/** Phones whose tunnels each take a second to answer, two at a time. */
function setUp(...ids: readonly string[]) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const failures = new Map<string, FailureReason>();
  const told = new Map<string, Tunnel | undefined>();
  const devices = ids.map((id) => fleetDevice(bareDevice({ id, rentalStatus: 'self_rented' })));
  let account = accountOf({ devices: freshReading(fleetOf(...devices)) });
  const collector = tunnelsCollector({
    client: {
      tunnel: (deviceId, signal, known) =>
        new Promise((resolve, reject) => {
          asked.push(deviceId);
          told.set(deviceId, known);
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
    answers: () => account.tunnels.data,
    told,
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
  it('asks for all of them if there is time', async () => {
    const { round, known, asked } = setUp('a', 'b', 'c');
    expect(await round(2)).toBeUndefined();
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('tells what is known of each, for the answers that say the same', async () => {
    const { round, answers, told } = setUp('a', 'b');
    await round(1);
    expect(told.get('a')).toBeUndefined();
    const before = answers()?.get('a');
    await round(1);
    expect(told.get('a')).toBe(before?.tunnel);
    expect(answers()?.get('a')?.answeredAt).toBe((before?.answeredAt ?? 0) + SECOND);
  });

  it('that its deadline ends keeps what was answered, and the next one begins with who was cut off', async () => {
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

  it('visits all although one of them can never be read', async () => {
    const { round, asked, known, failures } = setUp('a', 'b', 'c', 'd');
    failures.set('a', 'server');
    for (let count = 0; count < 2; count += 1) await round(1);
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c', 'd', 'c', 'd', 'a', 'b'],
      ['b', 'c', 'd'],
    ]);
  });

  it('fails if its deadline ends it before anything was answered', async () => {
    expect(await setUp('a', 'b').round(0)).toBe('deadline');
  });

  it.each(['unauthorized', 'throttled'] as const)(
    'asks for no more when the answer is %s',
    async (reason) => {
      const { round, asked, failures } = setUp('a', 'b', 'c', 'd');
      for (const id of ['a', 'b']) failures.set(id, reason);
      expect(await round(3)).toMatchObject({ reason });
      expect(asked()).toEqual(['a', 'b']);
    },
  );

  it('goes on when a tunnel cannot be read', async () => {
    const { round, asked, known, failures } = setUp('a', 'b', 'c');
    failures.set('a', 'server');
    expect(await round(3)).toBeUndefined();
    expect([asked(), known()]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });
});

it('ten thousand tunnels of which a round holds a sixth are all visited within six rounds', () => {
  const live = Array.from({ length: 10_000 }, (_, index) => `phone-${index}`);
  const turns = new Set<string>();
  const visited = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    for (const id of planTurns(new Set(live), turns).slice(0, 1_667)) {
      turns.delete(id);
      turns.add(id);
      visited.add(id);
    }
  }
  expect(visited.size).toBe(10_000);
});

it.each([
  ['those that never had a turn come first', ['a', 'b', 'c'], ['b'], ['a', 'c', 'b']],
  ['then those whose turn is longest ago', ['a', 'b', 'c'], ['c', 'a', 'b'], ['c', 'a', 'b']],
  ['those whose rental ended have no turn', ['b'], ['a', 'b'], ['b']],
])('%s', (_, live, turns, order) => {
  expect(planTurns(new Set(live), new Set(turns))).toEqual(order);
});
