import { describe, expect, it } from 'vitest';
import { ask, dataOf, everything, itemsOf, marketplaceOf, read } from './requests.ts';

const marketplace = marketplaceOf();
const DEVICES = '/hoster/v1/devices';

describe('the device list query of the simulator', () => {
  it('has page 1 and limit 20 by default', () => {
    const answered = ask(marketplace, DEVICES);
    expect(dataOf(answered)).toMatchObject({ page: 1, limit: 20 });
    expect(itemsOf(answered)).toHaveLength(20);
  });

  it.each([
    ['page=0', 'page must be an integer, at least 1'],
    ['page=-1', 'page must be an integer, at least 1'],
    ['page=', 'page must be an integer, at least 1'],
    ['page=one', 'page must be an integer, at least 1'],
    ['page=1.5', 'page must be an integer, at least 1'],
    ['page=1&page=2', 'page must be an integer, at least 1'],
    ['limit=0', 'limit must be an integer between 1 and 100'],
    ['limit=101', 'limit must be an integer between 1 and 100'],
    ['limit=1e2', 'limit must be an integer between 1 and 100'],
  ])('refuses %s', (query, message) => {
    const answered = ask(marketplace, `${DEVICES}?${query}`);
    expect(answered.status).toBe(400);
    expect(read(answered)).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message } });
  });

  it.each([
    ['limit=1', 1],
    ['limit=100', 100],
  ])('accepts %s', (query, length) => {
    expect(itemsOf(ask(marketplace, `${DEVICES}?${query}`))).toHaveLength(length);
  });

  it('ignores other parameters', () => {
    expect(ask(marketplace, `${DEVICES}?colour=red`).status).toBe(200);
  });

  it('returns the phones in the order of their creation', () => {
    const ids = everything(marketplace).map((item) => String(item['deviceId']));
    expect(ids).toEqual(ids.toSorted());
  });
});
