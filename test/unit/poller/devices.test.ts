import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { DevicePage } from '../../../src/api/schemas.ts';
import type { Log } from '../../../src/log.ts';
import { DEFAULT_GROUPS } from '../../../src/model/group.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import { devicesCollector } from '../../../src/poller/collectors/devices.ts';
import { afterFailedPoll, afterSuccessfulPoll } from '../../../src/poller/freshness.ts';
import { accountOf, NOON } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { never } from '../../never.ts';
import { pagesOf, phones } from '../api/listed-pages.ts';

const INTERVAL = 30_000;

/** A collector of a list that can be changed between two polls, with all that it asks, counts and says. */
function setUp() {
  const clock = createFakeClock();
  let pages: Record<number, DevicePage> = {};
  let account: AccountSnapshot = accountOf();
  const asked: number[] = [];
  const told: string[] = [];
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { trace: write, debug: write, info: write, warn: write, error: write, child: () => log };
  const task = devicesCollector({
    client: {
      devicePage: async (number) => {
        asked.push(number);
        const value = pages[number];
        if (value === undefined)
          throw new ApiError({ reason: 'not_found', endpoint: 'devices', got: 'HTTP 404' });
        return { value, apiTime: clock.now() };
      },
    },
    groups: DEFAULT_GROUPS,
    silentAfterSeconds: undefined,
    clock,
    yieldToEventLoop: async () => {},
    metrics: {
      listInconsistent: (kind, count) => told.push(`${kind} ${count}`),
    },
    log,
  });
  /** One poll of a list of so many phones; the pages that it asked for. */
  const poll = async (count: number): Promise<string> => {
    pages = pagesOf(phones(1, count));
    asked.length = 0;
    clock.advance(INTERVAL);
    const before = account.devices;
    const limits = {
      deadline: 0.8 * INTERVAL,
      freshFor: 2.5 * INTERVAL,
      lifetime: 15 * 60_000,
      staleAfter: 15 * 60_000,
    };
    account = await task.collect(account, never, limits).then(
      (settle) =>
        task.withReading(account, afterSuccessfulPoll(settle(account), clock.now(), clock.uptime())),
      () => task.withReading(account, afterFailedPoll(before, 'not_found', clock.now())),
    );
    return asked.join(' ');
  };
  /** One poll of two phones, whose heartbeats are so many milliseconds before noon; the message of its failure. */
  const pollCopy = async (before: number): Promise<string> => {
    const copies = phones(1, 2).map((phone) => ({ ...phone, lastHeartbeatAt: NOON - before }));
    pages = pagesOf(copies);
    clock.advance(INTERVAL);
    const { gap, staleAfter } = { gap: INTERVAL, staleAfter: 15 * 60_000 };
    const limits = { deadline: 0.8 * gap, freshFor: 2.5 * gap, lifetime: staleAfter, staleAfter };
    try {
      const settle = await task.collect(account, never, limits);
      account = task.withReading(account, afterSuccessfulPoll(settle(account), clock.now(), clock.uptime()));
      return 'ok';
    } catch (error) {
      return error instanceof ApiError ? (error.message.split('. ')[0] ?? '') : String(error);
    }
  };
  return { poll, pollCopy, told, lines, account: () => account };
}

describe('the devices collector', () => {
  it('requests as many pages at once as the last list had', async () => {
    const { poll } = setUp();
    expect(await poll(250)).toBe('1 2 3');
    expect(await poll(250)).toBe('1 2 3');
    expect(await poll(350)).toBe('1 2 3 4');
  });

  it('requests the first page only after the API refused a page beyond the end', async () => {
    const { poll, account } = setUp();
    await poll(250);
    expect(await poll(150)).toBe('1 2 3');
    expect(account().devices).toMatchObject({ failure: 'not_found', data: { reported: 250 } });
    expect(await poll(150)).toBe('1 2');
    expect(account().devices).toMatchObject({ failure: undefined, data: { reported: 150 } });
  });

  it('ignores old copies of a list for two polls, fails while they go on, and believes them at last', async () => {
    const { pollCopy, told } = setUp();
    expect(await pollCopy(0)).toBe('ok');
    const outcomes: string[] = [];
    for (let poll = 0; poll < 33; poll += 1) outcomes.push(await pollCopy(60_000));
    expect(outcomes).toEqual([
      ...Array.from({ length: 2 }, () => 'ok'),
      ...Array.from({ length: 28 }, () => 'the device list is an old copy'),
      ...Array.from({ length: 3 }, () => 'ok'),
    ]);
    expect(new Set(told)).toEqual(new Set(['stale 1']));
  });

  it('logs once that many devices are missing, and once that they left', async () => {
    const { poll, lines, account } = setUp();
    for (const count of [10, 0, 0]) await poll(count);
    expect(account().devices.data?.devices.size).toBe(10);
    expect(lines).toEqual([
      'many phones are missing from the device list at once; they stay until it is confirmed {"absent":10,"known":10}',
    ]);
    await poll(0);
    await poll(0);
    expect(lines.slice(1)).toEqual([
      'the missing phones were removed: several listings in a row do not have them {"removed":10}',
    ]);
  });

  it('logs once that missing devices are listed again', async () => {
    const { poll, lines } = setUp();
    for (const count of [10, 0, 10, 10]) await poll(count);
    expect(lines.slice(1)).toEqual(['the missing phones are listed again {}']);
  });
});
