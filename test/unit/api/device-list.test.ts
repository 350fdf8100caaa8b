import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../src/api/client.ts';
import { type ListingOptions, listDevices } from '../../../src/api/device-list.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { DevicePage } from '../../../src/api/schemas.ts';
import type { Device } from '../../../src/model/device.ts';
import { NOON } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { never } from '../../never.ts';
import { pageOf, pagesOf, phone, phones } from './listed-pages.ts';

type Pages = Readonly<Record<number, DevicePage | readonly DevicePage[]>>;

const byId = (devices: readonly Device[]) => devices.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** A client over pages that are given, one after the other where there are several; one that is not there is never answered. */
function clientOf(pages: Pages, own: Partial<ListingOptions> & { readonly pageMilliseconds?: number } = {}) {
  const clock = createFakeClock();
  const asked: number[] = [];
  const aborted: number[] = [];
  const told: string[] = [];
  const client: Pick<ApiClient, 'devicePage'> = {
    devicePage: async (number, signal) => {
      const times = asked.filter((each) => each === number).length;
      asked.push(number);
      clock.advance(own.pageMilliseconds ?? 0);
      const given = pages[number];
      const value = given !== undefined && 'at' in given ? (given[times] ?? given.at(-1)) : given;
      if (value !== undefined) return { value, apiTime: NOON + (number % 3) };
      if (number === 2) throw new ApiError({ reason: 'server', endpoint: 'devices', got: 'HTTP 500' });
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(number);
          reject(signal.reason);
        });
      });
    },
  };
  const options: ListingOptions = {
    expectedPages: 1,
    budgetMilliseconds: 24_000,
    clock,
    inconsistent: (kind, count) => told.push(`${kind} ${count}`),
    ...own,
  };
  const list = async (signal = never) => {
    const { value, apiTime } = await listDevices(client, signal, options);
    const devices = byId(Array.from(value.devices.values(), ({ device }) => device));
    return { value: { ...value, devices }, apiTime };
  };
  return { list, asked, aborted, told };
}

/** Facts of pages on which nothing is wrong. */
const SOUND = { rejected: 0, faulty: false };

describe('a listing', () => {
  it('of one page requests it once', async () => {
    const { list, asked, told } = clientOf({ 1: pageOf(phones(1, 5)) });
    expect(await list()).toEqual({
      value: { devices: phones(1, 5), total: 5, pages: 1, passes: 1, complete: true, ...SOUND },
      apiTime: NOON + 1,
    });
    expect(asked).toEqual([1]);
    expect(told).toEqual([]);
  });

  it('of several pages has the API time of the latest response', async () => {
    const { list, asked } = clientOf({
      ...pagesOf(phones(1, 250)),
      3: pageOf(phones(201, 248), { total: 250, rejected: 2 }),
    });
    const { value, apiTime } = await list();
    expect(value).toMatchObject({ total: 250, pages: 3, passes: 1, complete: true });
    expect(value.devices).toEqual(phones(1, 248));
    expect(apiTime).toBe(NOON + 2);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('of as many pages as last time requests all of them at once', async () => {
    const inFlight: number[] = [];
    let [now, most] = [0, 0];
    const pages = pagesOf(phones(1, 10_000));
    const devicePage: ApiClient['devicePage'] = async (number) => {
      inFlight.push(number);
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return { value: pages[number] ?? pageOf([]), apiTime: NOON };
    };
    await listDevices({ devicePage }, never, {
      ...{ expectedPages: 100, budgetMilliseconds: 1, clock: createFakeClock() },
      inconsistent: () => {},
    });
    expect(most).toBe(100);
    expect(inFlight).toHaveLength(100);
  });

  it('with a missing device is read again, and contains the devices of all passes', async () => {
    const shifted = pageOf(phones(100, 199), { total: 200 });
    const { list, asked, told } = clientOf({
      1: pageOf(phones(1, 100), { total: 200 }),
      2: [shifted, pageOf(phones(101, 200), { total: 200 })],
    });
    const { value } = await list();
    expect(value).toMatchObject({ devices: phones(1, 200), total: 200, passes: 2, complete: true });
    expect(asked).toEqual([1, 2, 1, 2]);
    expect(told).toEqual(['duplicate 1', 'incomplete 1']);
  });

  it('contains a device as it was read last', async () => {
    const { list } = clientOf({
      1: [
        pageOf([phone(1, { rentalStatus: 'idle' })], { total: 2, limit: 100 }),
        pageOf([phone(1, { rentalStatus: 'sold' }), phone(2)], { total: 2, limit: 100 }),
      ],
    });
    expect((await list()).value.devices).toEqual([phone(1, { rentalStatus: 'sold' }), phone(2)]);
  });

  it('is not read again if there is no time', async () => {
    const pages = { 1: pageOf(phones(1, 100), { total: 200 }), 2: pageOf(phones(100, 199), { total: 200 }) };
    const slow = clientOf(pages, { pageMilliseconds: 5_000 });
    expect((await slow.list()).value).toMatchObject({ passes: 1, complete: false, devices: phones(1, 199) });
    const quick = clientOf(pages, { pageMilliseconds: 4_000 });
    expect((await quick.list()).value).toMatchObject({ passes: 2, complete: false });
  });

  it('fails as a whole where one page fails, and aborts the others', async () => {
    const { list, asked, aborted } = clientOf({ 1: pageOf(phones(1, 100), { total: 400 }) });
    await expect(list()).rejects.toMatchObject({ reason: 'server' });
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(aborted).toEqual([3, 4]);
  });

  it('rejects with the reason of its caller when it is aborted', async () => {
    const caller = new AbortController();
    const listing = clientOf({}).list(caller.signal);
    caller.abort('deadline');
    await expect(listing).rejects.toBe('deadline');
    await expect(clientOf({ 1: pageOf([]) }).list(AbortSignal.abort('late'))).rejects.toBe('late');
  });

  it('is refused where it claims more than a million devices', async () => {
    const { list, asked, told } = clientOf({ 1: pageOf(phones(1, 100), { total: 1e15 }) });
    await expect(list()).rejects.toThrow(
      'a list of 1000000000000000 devices, expected at most 1000000 on 10000 pages. ',
    );
    expect(asked).toEqual([1]);
    expect(told).toEqual(['overlong 1']);
  });

  it('is refused where every page is the same', async () => {
    const same = pageOf(phones(1, 100), { total: 300 });
    const { list, told } = clientOf({ 1: same, 2: same, 3: same });
    await expect(list()).rejects.toMatchObject({ reason: 'inconsistent' });
    expect(told).toEqual(['page_repeated 1']);
  });
});

describe('a list of which most items have no usable id', () => {
  it('fails, and says which field it is', async () => {
    const { list } = clientOf({ 1: pageOf(phones(1, 4), { total: 10, rejected: 6 }) });
    await expect(list()).rejects.toMatchObject({ reason: 'schema', endpoint: 'devices' });
    await expect(list()).rejects.toThrow('6 of 10 devices without a usable deviceId');
    const half = clientOf({ 1: pageOf(phones(1, 5), { total: 10, rejected: 5 }) });
    expect((await half.list()).value).toMatchObject({ rejected: 5, complete: true });
  });
});

describe('the servers of an API whose clocks disagree', () => {
  const MINUTE = 60_000;
  const reported = pagesOf(phones(1, 300).map((each) => ({ ...each, lastHeartbeatAt: NOON - 20_000 })));
  /** Lists three pages, of servers whose clocks are off by so many minutes. */
  async function listedBy(off: readonly number[]) {
    const devicePage: ApiClient['devicePage'] = async (number) => ({
      value: reported[number] ?? pageOf([]),
      apiTime: NOON + (off[number - 1] ?? 0) * MINUTE,
    });
    const { value, apiTime } = await listDevices({ devicePage }, never, {
      ...{ expectedPages: 1, budgetMilliseconds: 1, clock: createFakeClock(), inconsistent: () => {} },
    });
    const times = [...value.devices.values()].map(({ listedAt }) => (listedAt - NOON) / MINUTE);
    return { times: [...new Set(times)], apiTime: (apiTime - NOON) / MINUTE };
  }

  it.each([
    ['one behind', [-6, 0, 0], -6],
    ['the last one behind', [0, 0, -3], -3],
    ['one ahead', [6, 0, 0], 0],
    ['two ahead, differently', [6, 0, 20], 0],
  ])('give all devices the time of the slowest one: %s', async (_, off, minutes) => {
    expect(await listedBy(off)).toEqual({ times: [minutes], apiTime: minutes });
  });

  it('are left as they are where they agree', async () => {
    expect(await listedBy([6, 6, 6])).toEqual({ times: [6], apiTime: 6 });
    expect(await listedBy([0.1, 0, 0.1])).toEqual({ times: [0.1, 0], apiTime: 0.1 });
  });
});

/** The requests of one pass over pages, where those that are not given are empty. */
async function requestsOf(first: readonly DevicePage[], own: Partial<ListingOptions> = {}) {
  const asked: number[] = [];
  const total = first[0]?.total ?? 0;
  const devicePage: ApiClient['devicePage'] = async (number) => {
    asked.push(number);
    return { value: first[number - 1] ?? pageOf([], { total }), apiTime: NOON };
  };
  await listDevices({ devicePage }, never, {
    ...{ expectedPages: 1, budgetMilliseconds: -1, clock: createFakeClock(), inconsistent: () => {} },
    ...own,
  });
  return asked;
}

describe('a pass over the pages', () => {
  const full = phones(1, 100);
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it.each<[string, DevicePage, number]>([
    ['only the page of an empty list', pageOf([]), 1],
    ['only the page of a list of 100 devices', pageOf(full), 1],
    ['a second page of a list of 101 devices', pageOf(full, { total: 101 }), 2],
    ['as many pages as total needs', pageOf(full, { total: 1000, totalPages: 1 }), 10],
    ['pages of the claimed size', pageOf(phones(1, 50), { total: 1000, limit: 50 }), 20],
    ['pages of the claimed size after a short one', pageOf(phones(1, 20), { total: 1000, limit: 100 }), 10],
    ['pages that are larger than the usual limit', pageOf(phones(1, 250), { total: 1000, limit: 250 }), 4],
    ['pages as large as the first, below their limit', pageOf(full, { total: 1000, limit: 1000 }), 10],
    ['pages that count items without an id', pageOf(phones(1, 60), { total: 1000, rejected: 40 }), 10],
    ['the pages after an empty one', pageOf([], { total: 300 }), 3],
    ['one page behind a full one of a billion', pageOf(full, { totalPages: 1e9 }), 2],
  ])('reads %s', async (_, page, last) => {
    expect(await requestsOf([page])).toEqual(range(1, last));
  });

  it('reads more pages where they are smaller than their limit', async () => {
    const small = (number: number) =>
      pageOf(phones(number * 20 - 19, number * 20), { total: 250, limit: 100 });
    expect(await requestsOf([small(1), small(2), small(3)])).toEqual(range(1, 13));
  });

  it('reads another page where the list grew while it was read', async () => {
    const pages = [pageOf(full, { total: 200 }), pageOf(phones(101, 200), { total: 201 })];
    expect(await requestsOf(pages)).toEqual([1, 2, 3]);
  });

  it('does not take the size of a short last page for the page size', async () => {
    const pages = [
      pageOf([], { total: 105, limit: 100 }),
      pageOf(phones(101, 105), { total: 105, limit: 100 }),
    ];
    expect(await requestsOf(pages)).toEqual([1, 2]);
  });

  it('refuses a list that is longer each time its end is reached', async () => {
    const pages = range(1, 20).map((number) =>
      pageOf(phones(number * 100 - 99, number * 100), { total: (number + 1) * 100 }),
    );
    await expect(requestsOf(pages)).rejects.toThrow('the list kept growing for 10 rounds');
  });

  it('does not take pages without any usable id for repeated ones', async () => {
    const useless = pageOf([], { rejected: 100, total: 200 });
    await expect(requestsOf([useless, useless])).rejects.toMatchObject({ reason: 'schema' });
  });
});

describe('a listing that moved', () => {
  const page = (from: number, to: number, total: number, limit = 100) =>
    pageOf(phones(from, to), { total, limit });
  const of = (pages: readonly DevicePage[], again?: readonly DevicePage[]) =>
    clientOf(
      Object.fromEntries(
        pages.map((first, index) => [
          index + 1,
          again === undefined ? first : [first, again[index] ?? first],
        ]),
      ),
      { expectedPages: pages.length, ...(again === undefined && { budgetMilliseconds: -1 }) },
    ).list();

  it.each<[string, readonly DevicePage[], boolean]>([
    ['with an item without an id is complete', [{ ...page(1, 2, 3), rejected: 1 }], true],
    ['with a device too few is incomplete', [page(1, 2, 3)], false],
    ['with a device too many is incomplete', [page(1, 4, 3)], false],
    ['and grew is complete with the new device', [page(1, 2, 2, 2), page(3, 3, 3, 2)], true],
    ['and shrank is incomplete', [page(1, 2, 4, 2), page(3, 3, 3, 2)], false],
  ])('%s', async (_, pages, complete) => {
    expect((await of(pages)).value.complete).toBe(complete);
  });

  it('is complete if the second pass alone is, with the devices of both', async () => {
    const { value } = await of([page(1, 1, 3)], [page(2, 3, 2)]);
    expect(value).toMatchObject({ complete: true, passes: 2, total: 2, devices: phones(1, 3) });
  });

  it('is incomplete if it shrank between two passes that only together hold as many', async () => {
    const { value } = await of([page(1, 2, 4)], [page(2, 3, 3)]);
    expect(value).toMatchObject({ complete: false, passes: 2 });
  });
});

describe('the merged pages of a listing', () => {
  const merged = async (...pages: readonly (readonly Device[])[]) => {
    const total = new Set(pages.flat().map(({ id }) => id)).size;
    const { list, told } = clientOf(
      Object.fromEntries(
        pages.map((page, index) => [index + 1, pageOf(page, { total, limit: page.length })]),
      ),
      { expectedPages: pages.length, budgetMilliseconds: -1 },
    );
    const { devices } = (await list()).value;
    return { devices, told: told.filter((line) => line.startsWith('duplicate')) };
  };

  it.each([
    ['newer', NOON + 1, 'second'],
    ['equal', NOON, 'second'],
    ['older', NOON - 1, 'first'],
    ['missing', undefined, 'first'],
  ])(
    'keep of two conflicting descriptions the one with the newer heartbeat, or the later one: %s',
    async (_, lastHeartbeatAt, label) => {
      const first = phone(1, { lastHeartbeatAt: NOON, label: 'first' });
      const second = phone(1, { lastHeartbeatAt, label: 'second' });
      const { devices, told } = await merged([first, phone(2)], [second]);
      expect([devices[0]?.label, told]).toEqual([label, ['duplicate 1']]);
    },
  );
});
