import { describe, expect, it } from 'vitest';
import { CANARY } from '../../../canary.ts';
import { isObject, type Json, listOf } from '../../../json.ts';
import { ask, dataOf, everything, itemsOf, marketplaceOf, phoneThat, read, tunnelPath } from './requests.ts';

const marketplace = marketplaceOf();
const DEVICES = '/hoster/v1/devices';
const BALANCE = '/hoster/v1/balance';
const rented = phoneThat(
  marketplace,
  (phone) => phone.rentalStatus === 'self_rented' && phone.tunnel === 'up',
);
const TUNNEL = tunnelPath(rented.deviceId);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OBJECT_ID = /^[0-9a-f]{24}$/;
const text = (value: Json | undefined) => typeof value === 'string';
const whole = (value: Json | undefined) => Number.isSafeInteger(value);
const like = (pattern: RegExp) => (value: Json | undefined) =>
  typeof value === 'string' && pattern.test(value);
const oneOf =
  (...values: readonly string[]) =>
  (value: Json | undefined) =>
    typeof value === 'string' && values.includes(value);

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
    ['deviceId', like(OBJECT_ID)],
    ['model', text],
    ['brand', text],
    ['label', text],
    [
      'setupStatus',
      oneOf('awaiting_device_details', 'awaiting_agent', 'active', 'draft', 'incomplete', 'complete'),
    ],
    ['appVersion', like(/^\d+\.\d+\.\d+/)],
    ['lastHeartbeatAt', like(INSTANT)],
    ['rentalStatus', oneOf('sold', 'self_rented', 'idle')],
    ['marketplaceStatus', oneOf('listed', 'not_listed')],
  ])('has %s as documented', (name, isRight) => {
    expect(items.filter((item) => !isRight(item[name]))).toEqual([]);
  });

  it.each([
    ['status', text],
    ['rentalId', like(OBJECT_ID)],
  ])('has selfRent.%s while it is self-rented', (name, isRight) => {
    const selfRents = items
      .filter((item) => item['rentalStatus'] === 'self_rented')
      .map((item) => item['selfRent']);
    expect(selfRents.length).toBeGreaterThan(20);
    expect(selfRents.filter((one) => !isObject(one) || !isRight(one[name]))).toEqual([]);
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
    expect(objects.filter((one) => !text(one['status']) || !whole(one['intervalInMs']))).toEqual([]);
    expect(objects.filter((one) => one['status'] === 'active').length).toBeGreaterThan(150);
  });
});

describe('a device list page of the simulator', () => {
  const data = dataOf(ask(marketplace, `${DEVICES}?page=2&limit=100`));
  const alive = marketplace.phones().length;

  it.each([
    ['total', alive],
    ['page', 2],
    ['limit', 100],
    ['totalPages', Math.ceil(alive / 100)],
  ])('has %s', (name, expected) => {
    expect(data[name]).toBe(expected);
  });

  it('has items; all pages together have each phone once, without archived ones', () => {
    const archived = marketplaceOf();
    archived.archive([rented.deviceId]);
    const ids = everything(archived).map((item) => item['deviceId']);
    expect(new Set(ids).size).toBe(alive - 1);
    expect(ids).toHaveLength(alive - 1);
    expect(ids).not.toContain(rented.deviceId);
  });

  it('is empty after the last page', () => {
    expect(itemsOf(ask(marketplace, `${DEVICES}?page=99&limit=100`))).toEqual([]);
  });
});

describe('a tunnel of the simulator', () => {
  const tunnel = dataOf(ask(marketplace, TUNNEL));

  it.each([
    ['tunnelId', like(OBJECT_ID)],
    ['status', oneOf('enabled', 'disabled')],
    ['host', like(/^[a-z0-9.-]+$/)],
    ['socks5Port', like(/^\d{4,5}$/)],
    ['httpsPort', like(/^\d{4,5}$/)],
    ['transparentSocks5Port', like(/^\d{4,5}$/)],
    ['uptimeStatus', oneOf('up', 'down')],
  ])('has %s as documented', (name, isRight) => {
    expect(tunnel[name]).toSatisfy(isRight);
  });

  const credentials = marketplace
    .phones()
    .filter((phone) => phone.rentalStatus === 'self_rented' && phone.tunnel !== 'missing')
    .map((phone) => listOf(dataOf(ask(marketplace, tunnelPath(phone.deviceId)))['credentials']));

  it('has one to four credentials', () => {
    expect(new Set(credentials.map(({ length }) => length))).toEqual(new Set([1, 2, 3, 4]));
  });

  it.each([
    ['credentialId', like(new RegExp(`^${CANARY.credentialId}`))],
    ['username', like(new RegExp(`^${CANARY.username}`))],
    ['password', like(new RegExp(`^${CANARY.password}`))],
    ['label', like(new RegExp(`^${CANARY.credentialLabel}`))],
    ['status', oneOf('active', 'disabled')],
    ['createdAt', like(INSTANT)],
    ['updatedAt', like(INSTANT)],
  ])('has credentials with %s as documented', (name, isRight) => {
    expect(credentials.flat().filter((one) => !isObject(one) || !isRight(one[name]))).toEqual([]);
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
