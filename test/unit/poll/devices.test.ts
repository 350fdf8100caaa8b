import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { DevicePage } from '../../../src/api/schemas.ts';
import { finish } from '../../../src/base/steps.ts';
import { step } from '../../../src/judge/step.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import { devicesCollector } from '../../../src/poll/collectors/devices.ts';
import { accountOf, bareDevice, NOON, POLLED_AT_NOON, STEP_SETTINGS } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { never } from '../../never.ts';
import { pagesOf, phones } from '../api/listed-pages.ts';

const INTERVAL = 30_000;
const TIMING = { dueIn: INTERVAL, slack: INTERVAL, deadline: 0.8 * INTERVAL };

/** A collector of a list that can be changed between two polls, with all that it asks and counts. */
function setUp() {
  const clock = createFakeClock();
  let pages: Record<number, DevicePage> = {};
  let account: AccountSnapshot = accountOf();
  const asked: number[] = [];
  const counted: string[] = [];
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
    staleAfterMilliseconds: STEP_SETTINGS.staleAfterMilliseconds,
    clock,
    metrics: {
      listInconsistent: (kind, count) => counted.push(`${kind} ${count}`),
    },
  });
  let observedAt = clock.uptime();
  const poll = async (): Promise<string> => {
    asked.length = 0;
    clock.advance(INTERVAL);
    try {
      const observation = await task.collect(account, never, {
        ...TIMING,
        sinceObserved: () => clock.uptime() - observedAt,
      });
      if (observation === undefined) return 'nothing new';
      observedAt = clock.uptime();
      const known = finish(step(account.known, observation, STEP_SETTINGS));
      account = accountOf({ devices: { ...POLLED_AT_NOON, data: known.fleet } });
      return 'ok';
    } catch (error) {
      account = { ...account, devices: { ...account.devices, failure: 'not_found' } };
      return error instanceof ApiError ? (error.message.split('. ')[0] ?? '') : String(error);
    }
  };
  return {
    /** One poll of a list of so many phones; the pages that it asked for. */
    pollList: async (count: number): Promise<string> => {
      pages = pagesOf(phones(1, count));
      await poll();
      return asked.join(' ');
    },
    /** One poll of two phones, whose heartbeats are so many milliseconds before noon; how it ended. */
    pollCopy: async (before: number): Promise<string> => {
      pages = pagesOf(phones(1, 2).map((phone) => ({ ...phone, lastHeartbeatAt: NOON - before })));
      return await poll();
    },
    /** One poll of phones with these ids, each with its own label; how it ended. */
    pollIds: async (...ids: readonly string[]): Promise<string> => {
      pages = pagesOf(ids.map((id, index) => bareDevice({ id, label: `rack-01/${index}` })));
      return await poll();
    },
    counted,
    devices: () => account.devices,
  };
}

describe('the devices collector', () => {
  it('requests as many pages at once as the last list had', async () => {
    const { pollList } = setUp();
    expect(await pollList(250)).toBe('1 2 3');
    expect(await pollList(250)).toBe('1 2 3');
    expect(await pollList(350)).toBe('1 2 3 4');
  });

  it('requests the first page only after the API refused a page beyond the end', async () => {
    const { pollList, devices } = setUp();
    await pollList(250);
    expect(await pollList(150)).toBe('1 2 3');
    expect(devices()).toMatchObject({ failure: 'not_found', data: { reported: 250 } });
    expect(await pollList(150)).toBe('1 2');
    expect(devices()).toMatchObject({ failure: undefined, data: { reported: 150 } });
  });

  it('rejects lists whose ids are others each time, and takes new ones that stay', async () => {
    const { pollIds, counted, devices } = setUp();
    const ids = (round: string) => [1, 2, 3, 4, 5].map((slot) => `${round}${slot}`);
    expect(await pollIds(...ids('a'))).toBe('ok');
    for (const round of ['b', 'c', 'd'])
      expect(await pollIds(...ids(round))).toBe('5 phones have another ID than in the list before');
    expect([...(devices().data?.devices.keys() ?? [])]).toEqual(ids('a'));
    expect(await pollIds(...ids('e'))).toContain('another ID');
    expect(await pollIds(...ids('e'))).toBe('ok');
    expect(counted).toEqual(Array.from({ length: 4 }, () => 'renumbered 1'));
  });

  it('takes a phone that has another id at once, and phones that were replaced with their labels', async () => {
    const { pollIds } = setUp();
    await pollIds('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    expect(await pollIds('a', 'b', 'c', 'd', 'e', 'f', 'x', 'y')).toBe('ok');
  });

  it('ignores old copies of a list for two polls, fails while they go on, and believes them at last', async () => {
    const { pollCopy, counted } = setUp();
    expect(await pollCopy(0)).toBe('ok');
    const outcomes: string[] = [];
    for (let poll = 0; poll < 33; poll += 1) outcomes.push(await pollCopy(60_000));
    expect(outcomes).toEqual([
      ...Array.from({ length: 2 }, () => 'nothing new'),
      ...Array.from({ length: 27 }, () => 'the device list is an old copy'),
      ...Array.from({ length: 4 }, () => 'ok'),
    ]);
    expect(new Set(counted)).toEqual(new Set(['stale 1']));
  });
});
