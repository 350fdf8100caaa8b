import { describe, expect, it } from 'vitest';
import { ask, dataOf, everything, itemsOf, marketplaceOf, phoneThat, read } from './requests.ts';

const marketplace = marketplaceOf();
const DEVICES = '/hoster/v1/devices';
const rented = phoneThat(
  marketplace,
  (phone) => phone.rentalStatus === 'self_rented' && phone.tunnel === 'up',
);

describe('the device list query of the simulator', () => {
  it('has page 1 and limit 20 by default', () => {
    const answered = ask(marketplace, DEVICES);
    expect(dataOf(answered)).toMatchObject({ page: 1, limit: 20 });
    expect(itemsOf(answered)).toHaveLength(20);
  });

  it.each([
    ['rentalStatus', 'sold'],
    ['rentalStatus', 'self_rented'],
    ['rentalStatus', 'idle'],
    ['marketplaceStatus', 'listed'],
    ['marketplaceStatus', 'not_listed'],
    ['setupStatus', 'complete'],
    ['setupStatus', 'active'],
    ['setupStatus', 'incomplete'],
  ])('filters by %s=%s', (name, value) => {
    const expected = everything(marketplace).filter((item) => item[name] === value);
    expect(expected.length).toBeGreaterThan(0);
    expect(everything(marketplace, `&${name}=${value}`)).toEqual(expected);
  });

  it('combines filters', () => {
    const expected = everything(marketplace).filter(
      (item) => item['rentalStatus'] === 'idle' && item['marketplaceStatus'] === 'listed',
    );
    expect(everything(marketplace, '&rentalStatus=idle&marketplaceStatus=listed')).toEqual(expected);
  });

  it.each([
    ['a label', 'RACK-02/slot-03', 'label', /rack-02\/slot-03/],
    ['a brand', 'samsung', 'brand', /samsung/],
    ['a model', 'pixel', 'model', /Pixel/],
    ['an identifier', rented.deviceId, 'deviceId', new RegExp(rented.deviceId)],
  ])('finds %s, in upper or lower case', (_, search, name, pattern) => {
    const found = everything(marketplace, `&search=${encodeURIComponent(search)}`);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((item) => !pattern.test(String(item[name])))).toEqual([]);
  });

  it('returns an empty list if nothing matches', () => {
    const { items, total, totalPages } = dataOf(ask(marketplace, `${DEVICES}?search=nothing-is-called-that`));
    expect({ items, total, totalPages }).toEqual({ items: [], total: 0, totalPages: 0 });
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
    ['rentalStatus=rented', 'rentalStatus must be one of: sold, self_rented, idle'],
    ['rentalStatus=', 'rentalStatus must be one of: sold, self_rented, idle'],
    ['marketplaceStatus=both', 'marketplaceStatus must be one of: listed, not_listed'],
    [
      'setupStatus=done',
      'setupStatus must be one of: awaiting_device_details, awaiting_agent, active, draft, incomplete, complete',
    ],
    ['search=', 'search must be a non-empty string'],
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

  it('ignores unknown parameters', () => {
    expect(ask(marketplace, `${DEVICES}?colour=red`).status).toBe(200);
  });
});

describe('the device list order of the simulator', () => {
  it('is the order of creation by default', () => {
    const ids = everything(marketplace).map((item) => String(item['deviceId']));
    expect(ids).toEqual(ids.toSorted());
  });

  it('can be by heartbeat with the newest first', () => {
    const beats = everything(marketplaceOf({ order: 'heartbeat' })).map((item) =>
      String(item['lastHeartbeatAt']),
    );
    expect(beats).toEqual(beats.toSorted().reverse());
  });

  it('can be by rental status', () => {
    const statuses = everything(marketplaceOf({ order: 'status' })).map((item) => item['rentalStatus']);
    expect([...new Set(statuses)]).toEqual(['sold', 'self_rented', 'idle']);
    expect(statuses.indexOf('idle')).toBe(statuses.lastIndexOf('self_rented') + 1);
  });
});
