import { describe, expect, it } from 'vitest';
import type { DevicePage } from '../../../src/api/answer.ts';
import type { ApiClient } from '../../../src/api/client.ts';
import { ApiError } from '../../../src/api/errors.ts';
import { listDevices } from '../../../src/api/listing.ts';
import { isComplete, NOTHING_READ, notePage, planListing } from '../../../src/api/listing-plan.ts';
import { addPage, joinRuns, type Runs } from '../../../src/api/union.ts';
import type { Device } from '../../../src/model/device.ts';
import { bareDevice, NOON } from '../../builders.ts';

const never = new AbortController().signal;

const phone = (number: number, fields: Partial<Device> = {}) =>
  bareDevice({ id: `phone-${String(number).padStart(5, '0')}`, ...fields });

const phones = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => phone(from + index));

function pageOf(devices: readonly Device[], fields: Partial<DevicePage> = {}): DevicePage {
  return {
    devices,
    rejected: 0,
    total: devices.length,
    page: undefined,
    limit: undefined,
    totalPages: undefined,
    ...fields,
  };
}

/** The pages that a first page leads to, in words. */
function planAfter(...pages: readonly DevicePage[]): string {
  const plan = planListing(pages.reduce(notePage, NOTHING_READ));
  return plan.step === 'read' ? `${plan.pages.at(0)} to ${plan.pages.at(-1)}` : plan.step;
}

describe('the plan of a listing', () => {
  it('begins with the first page', () => {
    expect(planListing(NOTHING_READ)).toEqual({ step: 'read', pages: [1] });
  });

  const full = phones(1, 100);

  it.each<[string, DevicePage, string]>([
    ['of nothing is at its end', pageOf([]), 'finish'],
    ['of one page is at its end', pageOf(full), 'finish'],
    ['of one phone more has a second page', pageOf(full, { total: 101 }), '2 to 2'],
    ['of a thousand phones has ten pages', pageOf(full, { total: 1000, totalPages: 10 }), '2 to 10'],
    [
      'goes by the number of items, not by totalPages too small',
      pageOf(full, { total: 1000, totalPages: 1 }),
      '2 to 10',
    ],
    ['goes by totalPages where it is plausible', pageOf(full, { total: 1000, totalPages: 12 }), '2 to 12'],
    ['has no more pages than items', pageOf(phones(1, 5), { total: 5, totalPages: 1e9 }), '2 to 5'],
    ['goes by the limit that the API says', pageOf(full, { total: 1000, limit: 50 }), '2 to 20'],
    ['goes by the items that the API gives', pageOf(phones(1, 20), { total: 1000, limit: 100 }), '2 to 50'],
    ['never trusts pages larger than asked for', pageOf(full, { total: 1000, limit: 1000 }), '2 to 10'],
    ['counts rejected items as given', pageOf(phones(1, 60), { total: 1000, rejected: 40 }), '2 to 10'],
    ['reads on after an empty page', pageOf([], { total: 300 }), '2 to 3'],
    ['of a million phones is read', pageOf(full, { total: 1_000_000 }), '2 to 10000'],
    ['of more is refused', pageOf(full, { total: 1_000_001 }), 'refuse'],
  ])('%s', (_, page, expected) => {
    expect(planAfter(page)).toBe(expected);
  });

  it('goes on where the list grew while it was read', () => {
    const first = pageOf(full, { total: 200 });
    expect(planAfter(first, pageOf(phones(101, 200), { total: 201 }))).toBe('3 to 3');
  });

  it('does not end sooner where the list shrank', () => {
    const first = pageOf(full, { total: 300 });
    expect(planAfter(first, pageOf(phones(101, 200), { total: 200 }))).toBe('3 to 3');
  });

  it('keeps to the size of the first page', () => {
    const first = pageOf(phones(1, 20), { total: 30 });
    expect(planAfter(first, pageOf(phones(21, 30), { total: 70 }))).toBe('3 to 4');
  });

  it.each([
    [3, 0, true],
    [2, 1, true],
    [2, 0, false],
    [4, 0, false],
  ])('of a total of 3 is complete with %i devices and %i rejected: %s', (devices, rejected, complete) => {
    expect(isComplete({ ...NOTHING_READ, total: 3, rejected }, devices)).toBe(complete);
  });
});

describe('the union of pages', () => {
  const union = (...pages: readonly (readonly Device[])[]) => joinRuns(pages.reduce<Runs>(addPage, []));

  it('is in the order of ids, whatever the order of the pages', () => {
    const all = phones(1, 250);
    const shuffled = all.toSorted((a, b) => Number(a.id.at(-1)) - Number(b.id.at(-1)));
    const pages = Array.from({ length: 25 }, (_, index) => shuffled.slice(index * 10, index * 10 + 10));
    expect(union(...pages)).toEqual(all);
    expect(union(...pages.toReversed())).toEqual(all);
  });

  it('has each phone once', () => {
    expect(union(phones(1, 5), phones(4, 8), [], phones(1, 1))).toEqual(phones(1, 8));
    expect(union([phone(1), phone(1)])).toEqual([phone(1)]);
  });

  it.each([
    ['newer', NOON + 1, 'second'],
    ['equal', NOON, 'first'],
    ['older', NOON - 1, 'first'],
    ['missing', undefined, 'first'],
  ])('of a phone listed twice keeps the newer heartbeat: %s', (_, lastHeartbeatAt, label) => {
    const first = phone(1, { lastHeartbeatAt: NOON, label: 'first' });
    const second = phone(1, { lastHeartbeatAt, label: 'second' });
    expect(union([first], [second])).toMatchObject([{ label }]);
  });

  it('of nothing is nothing', () => {
    expect(union()).toEqual([]);
  });
});

/** A client over pages that are given; a page that is not there fails. */
function clientOf(pages: Readonly<Record<number, DevicePage>>) {
  const asked: number[] = [];
  const aborted: number[] = [];
  const client: Pick<ApiClient, 'devicePage'> = {
    devicePage: async (number, signal) => {
      asked.push(number);
      const value = pages[number];
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
  return { client, asked, aborted };
}

describe('a listing', () => {
  it('of one page', async () => {
    const { client, asked } = clientOf({ 1: pageOf(phones(1, 5)) });
    expect(await listDevices(client, never)).toEqual({
      value: { devices: phones(1, 5), total: 5, pages: 1, passes: 1, rejected: 0, complete: true },
      apiTime: NOON + 1,
    });
    expect(asked).toEqual([1]);
  });

  it('of several pages has the API time of the latest', async () => {
    const { client, asked } = clientOf({
      1: pageOf(phones(1, 100), { total: 250 }),
      2: pageOf(phones(101, 200), { total: 250 }),
      3: pageOf(phones(201, 248), { total: 250, rejected: 2 }),
    });
    const { value, apiTime } = await listDevices(client, never);
    expect(value).toMatchObject({ total: 250, pages: 3, rejected: 2, complete: true });
    expect(value.devices).toEqual(phones(1, 248));
    expect(apiTime).toBe(NOON + 2);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('is not complete where a shift hid phones', async () => {
    const { client } = clientOf({
      1: pageOf(phones(1, 100), { total: 200 }),
      2: pageOf(phones(100, 199), { total: 200 }),
    });
    const { value } = await listDevices(client, never);
    expect(value.devices).toEqual(phones(1, 199));
    expect(value.complete).toBe(false);
  });

  it('fails as a whole where one page fails, and aborts the others', async () => {
    const { client, asked, aborted } = clientOf({ 1: pageOf(phones(1, 100), { total: 400 }) });
    await expect(listDevices(client, never)).rejects.toMatchObject({ reason: 'server' });
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(aborted).toEqual([3, 4]);
  });

  it('ends with the reason of its caller', async () => {
    const caller = new AbortController();
    const { client } = clientOf({ 1: pageOf(phones(1, 100), { total: 100 }) });
    const endless = { devicePage: clientOf({}).client.devicePage };
    const listing = listDevices(endless, caller.signal);
    caller.abort('deadline');
    await expect(listing).rejects.toBe('deadline');
    await expect(listDevices(client, AbortSignal.abort('late'))).rejects.toBe('late');
  });

  it('is refused where it claims more than a million phones', async () => {
    const { client, asked } = clientOf({ 1: pageOf(phones(1, 100), { total: 1e15 }) });
    await expect(listDevices(client, never)).rejects.toThrow(
      'devices: a list of 1000000000000000 devices, of which at most 10000 pages of 100 are read. ',
    );
    expect(asked).toEqual([1]);
  });
});
