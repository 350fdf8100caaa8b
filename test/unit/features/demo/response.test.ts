import { describe, expect, it } from 'vitest';
import { respond } from '../../../../src/features/demo/response.ts';
import { CANARY } from '../../../canary.ts';
import { isObject, type Json, listOf } from '../../../json.ts';
import {
  accountOf,
  ask,
  dataOf,
  everything,
  itemsOf,
  KEY,
  marketplaceOf,
  phoneThat,
  read,
  tunnelPath,
} from './requests.ts';

const marketplace = marketplaceOf();
const DEVICES = '/hoster/v1/devices';
const BALANCE = '/hoster/v1/balance';
const rented = phoneThat(
  marketplace,
  (phone) => phone.rentalStatus === 'self_rented' && phone.tunnel === 'up',
);
const sold = phoneThat(marketplace, ({ rentalStatus }) => rentalStatus === 'sold');
const TUNNEL = tunnelPath(rented.deviceId);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OBJECT_ID = /^[0-9a-f]{24}$/;
const TEXT = /^/;
const isLike = (value: Json | undefined, pattern: RegExp) => typeof value === 'string' && pattern.test(value);
const unlike = (items: readonly (Json | undefined)[], name: string, pattern: RegExp) =>
  items.filter((item) => !isObject(item) || !isLike(item[name], pattern));

describe('a response of the simulator', () => {
  it.each([DEVICES, TUNNEL, BALANCE])('to GET %s has the envelope of a success', (path) => {
    const answered = ask(marketplace, path);
    expect(answered.status).toBe(200);
    expect(answered.headers).toEqual({ 'content-type': 'application/json; charset=utf-8' });
    expect(Object.keys(read(answered))).toEqual(['success', 'data']);
    expect(read(answered)['success']).toBe(true);
  });
});

describe('a device of the simulator', () => {
  const items = everything(marketplace);

  it.each([
    ['deviceId', OBJECT_ID],
    ['model', TEXT],
    ['brand', TEXT],
    ['label', TEXT],
    ['setupStatus', /^(awaiting_device_details|awaiting_agent|active|draft|incomplete|complete)$/],
    ['appVersion', /^\d+\.\d+\.\d+/],
    ['lastHeartbeatAt', INSTANT],
    ['rentalStatus', /^(sold|self_rented|idle)$/],
    ['marketplaceStatus', /^(listed|not_listed)$/],
  ])('has %s as documented', (name, pattern) => {
    expect(unlike(items, name, pattern)).toEqual([]);
  });

  it('has selfRent with a status and a rental id while it is self-rented', () => {
    const selfRents = items
      .filter((item) => item['rentalStatus'] === 'self_rented')
      .map((item) => item['selfRent']);
    expect(selfRents.length).toBeGreaterThan(20);
    expect([...unlike(selfRents, 'status', TEXT), ...unlike(selfRents, 'rentalId', OBJECT_ID)]).toEqual([]);
  });

  it('has selfRent null, omitted or empty while it is not self-rented', () => {
    const others = items.filter((item) => item['rentalStatus'] !== 'self_rented');
    expect(new Set(others.map((item) => JSON.stringify(item['selfRent'])))).toEqual(
      new Set(['null', undefined, '{}']),
    );
  });

  it('has rotation with a status and an interval, or null, or none', () => {
    const rotations = items.map((item) => item['rotation']);
    expect(rotations.filter((one) => one === null).length).toBeGreaterThan(0);
    expect(rotations.filter((one) => one === undefined).length).toBeGreaterThan(0);
    const objects = rotations.filter(isObject);
    expect(
      objects.filter(
        ({ status, intervalInMs }) => !isLike(status, TEXT) || !Number.isSafeInteger(intervalInMs),
      ),
    ).toEqual([]);
    expect(objects.filter((one) => one['status'] === 'active').length).toBeGreaterThan(150);
  });
});

describe('a device list page of the simulator', () => {
  const data = dataOf(ask(marketplace, `${DEVICES}?page=2&limit=100`));
  const alive = marketplace.phones().length;

  it('has the numbers of the list', () => {
    const totalPages = Math.ceil(alive / 100);
    expect(data).toMatchObject({ total: alive, page: 2, limit: 100, totalPages });
  });

  it.each([
    ['', 20],
    ['limit=1', 1],
    ['limit=100&colour=red', 100],
    ['page=99&limit=100', 0],
  ])('has with the query %j %d items', (query, length) => {
    expect(itemsOf(ask(marketplace, `${DEVICES}?${query}`))).toHaveLength(length);
  });

  it.each([
    ['page=0', 'page must be an integer, at least 1'],
    ['page=', 'page must be an integer, at least 1'],
    ['page=1.5', 'page must be an integer, at least 1'],
    ['page=1&page=2', 'page must be an integer, at least 1'],
    ['limit=0', 'limit must be an integer between 1 and 100'],
    ['limit=101', 'limit must be an integer between 1 and 100'],
    ['limit=1e2', 'limit must be an integer between 1 and 100'],
  ])('is refused for %s', (query, message) => {
    const answered = ask(marketplace, `${DEVICES}?${query}`);
    expect(answered.status).toBe(400);
    expect(read(answered)).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message } });
  });

  it('has items; all pages together have each phone once by its creation, without archived ones', () => {
    const archived = marketplaceOf();
    archived.archive([rented.deviceId]);
    const ids = everything(archived).map((item) => item['deviceId']);
    expect(ids).toHaveLength(alive - 1);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect(ids).not.toContain(rented.deviceId);
  });
});

describe('a tunnel of the simulator', () => {
  const tunnel = dataOf(ask(marketplace, TUNNEL));

  it.each([
    ['tunnelId', OBJECT_ID],
    ['status', /^(enabled|disabled)$/],
    ['host', /^[a-z0-9.-]+$/],
    ['socks5Port', /^\d{4,5}$/],
    ['httpsPort', /^\d{4,5}$/],
    ['transparentSocks5Port', /^\d{4,5}$/],
    ['uptimeStatus', /^(up|down)$/],
  ])('has %s as documented', (name, pattern) => {
    expect(unlike([tunnel], name, pattern)).toEqual([]);
  });

  const credentials = marketplace
    .phones()
    .filter((phone) => phone.rentalStatus === 'self_rented' && phone.tunnel !== 'missing')
    .map((phone) => listOf(dataOf(ask(marketplace, tunnelPath(phone.deviceId)))['credentials']));

  it('has one to four credentials', () => {
    expect(new Set(credentials.map(({ length }) => length))).toEqual(new Set([1, 2, 3, 4]));
  });

  it.each([
    ['credentialId', new RegExp(`^${CANARY.credentialId}`)],
    ['username', new RegExp(`^${CANARY.username}`)],
    ['password', new RegExp(`^${CANARY.password}`)],
    ['label', new RegExp(`^${CANARY.credentialLabel}`)],
    ['status', /^(active|disabled)$/],
    ['createdAt', INSTANT],
    ['updatedAt', INSTANT],
  ])('has credentials with %s as documented', (name, pattern) => {
    expect(unlike(credentials.flat(), name, pattern)).toEqual([]);
  });

  it('lists disabled credentials too', () => {
    expect(JSON.stringify(credentials)).toContain('"status":"disabled"');
  });

  it('is down while the phone is offline', () => {
    const offline = marketplaceOf();
    offline.edit([rented.deviceId], { online: false });
    expect(dataOf(ask(offline, TUNNEL))['uptimeStatus']).toBe('down');
  });
});

describe('the balance of the simulator', () => {
  it('consists of integer cents, with the total of available and pending money', () => {
    expect(dataOf(ask(marketplace, BALANCE))).toEqual({
      availableCents: 125_000,
      pendingCents: 8_200,
      totalCents: 133_200,
    });
  });
});

describe('an error response of the simulator', () => {
  const as = (key: string) => ({ headers: { 'x-api-key': key } });
  const unknown = tunnelPath('f'.repeat(24));

  it.each([
    ['an invalid device id', tunnelPath('not-an-id'), {}, 400, 'VALIDATION_ERROR'],
    ['an undecodable device id', tunnelPath('%zz'), {}, 400, 'VALIDATION_ERROR'],
    ['devices without a key', DEVICES, { headers: {} }, 401, 'MISSING_API_KEY'],
    ['a tunnel without a key', TUNNEL, { headers: {} }, 401, 'MISSING_API_KEY'],
    ['the balance without a key', BALANCE, { headers: {} }, 401, 'MISSING_API_KEY'],
    ['devices with an empty key', DEVICES, as(''), 401, 'MISSING_API_KEY'],
    ['devices with a wrong key', DEVICES, as('wrong'), 403, 'INVALID_API_KEY'],
    ['the tunnel of a sold phone', tunnelPath(sold.deviceId), {}, 404, 'SELF_RENT_TUNNEL_NOT_FOUND'],
    ['the tunnel of an unknown phone', unknown, {}, 404, 'SELF_RENT_TUNNEL_NOT_FOUND'],
    ['an unknown route', '/hoster/v2/devices', {}, 404, 'NOT_FOUND'],
    ['a device alone', `${DEVICES}/${sold.deviceId}`, {}, 404, 'NOT_FOUND'],
    ['a method other than GET', DEVICES, { method: 'POST' }, 405, 'METHOD_NOT_ALLOWED'],
  ])('to %s has the documented status, code and envelope', (_, target, request, status, code) => {
    const answered = ask(marketplace, target, request);
    expect(answered.status).toBe(status);
    expect(answered.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(read(answered)).toEqual({ success: false, error: { code, message: expect.stringMatching(/./) } });
  });

  it.each([
    ['missing', 404],
    ['broken', 500],
  ] as const)('of a self-rented phone whose tunnel is %s has the status %d', (tunnel, status) => {
    const world = marketplaceOf();
    world.edit([rented.deviceId], { tunnel });
    expect(ask(world, TUNNEL).status).toBe(status);
  });
});

it('several accounts of the simulator have only their own phones', () => {
  const small = marketplaceOf({ phones: [sold] });
  const accounts = [accountOf(marketplace), { key: 'another key', marketplace: small }];
  const request = { method: 'GET', path: DEVICES, query: new URLSearchParams() };
  const totalFor = (key: string) =>
    dataOf(respond(accounts, { ...request, headers: { 'x-api-key': key } }))['total'];
  expect([totalFor(KEY), totalFor('another key')]).toEqual([everything(marketplace).length, 1]);
});
