import { describe, expect, it } from 'vitest';
import { respond } from '../../../../src/features/demo/response.ts';
import {
  accountOf,
  ask,
  dataOf,
  everything,
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
const sold = phoneThat(marketplace, (phone) => phone.rentalStatus === 'sold');
const TUNNEL = tunnelPath(rented.deviceId);

describe('an error response of the simulator', () => {
  const noKey = { headers: {} };
  const wrongKey = { headers: { 'x-api-key': 'wrong' } };

  it.each([
    ['page below 1', marketplace, `${DEVICES}?page=0`, {}, 400, 'VALIDATION_ERROR'],
    ['an invalid device id', marketplace, tunnelPath('not-an-id'), {}, 400, 'VALIDATION_ERROR'],
    ['an undecodable device id', marketplace, tunnelPath('%zz'), {}, 400, 'VALIDATION_ERROR'],
    ['devices without a key', marketplace, DEVICES, noKey, 401, 'MISSING_API_KEY'],
    ['a tunnel without a key', marketplace, TUNNEL, noKey, 401, 'MISSING_API_KEY'],
    ['the balance without a key', marketplace, BALANCE, noKey, 401, 'MISSING_API_KEY'],
    [
      'devices with an empty key',
      marketplace,
      DEVICES,
      { headers: { 'x-api-key': '' } },
      401,
      'MISSING_API_KEY',
    ],
    ['devices with a wrong key', marketplace, DEVICES, wrongKey, 403, 'INVALID_API_KEY'],
    ['a tunnel with a wrong key', marketplace, TUNNEL, wrongKey, 403, 'INVALID_API_KEY'],
    ['the balance with a wrong key', marketplace, BALANCE, wrongKey, 403, 'INVALID_API_KEY'],
    [
      'the tunnel of a sold phone',
      marketplace,
      tunnelPath(sold.deviceId),
      {},
      404,
      'SELF_RENT_TUNNEL_NOT_FOUND',
    ],
    [
      'the tunnel of an unknown phone',
      marketplace,
      tunnelPath('f'.repeat(24)),
      {},
      404,
      'SELF_RENT_TUNNEL_NOT_FOUND',
    ],
    ['an unknown route', marketplace, '/hoster/v2/devices', {}, 404, 'NOT_FOUND'],
    ['a device alone', marketplace, `${DEVICES}/${sold.deviceId}`, {}, 404, 'NOT_FOUND'],
    ['a method other than GET', marketplace, DEVICES, { method: 'POST' }, 405, 'METHOD_NOT_ALLOWED'],
  ])('to %s has the documented status, code and envelope', (_, world, target, request, status, code) => {
    const answered = ask(world, target, request);
    expect(answered.status).toBe(status);
    expect(answered.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(read(answered)).toEqual({ success: false, error: { code, message: expect.stringMatching(/./) } });
  });

  it('is 404 for a self-rented phone without a tunnel', () => {
    const world = marketplaceOf();
    world.edit([rented.deviceId], { tunnel: 'missing' });
    expect(ask(world, TUNNEL).status).toBe(404);
  });

  it('is 500 for a self-rented phone with a broken tunnel', () => {
    const world = marketplaceOf();
    world.edit([rented.deviceId], { tunnel: 'broken' });
    expect(ask(world, TUNNEL).status).toBe(500);
  });
});

describe('several accounts of the simulator', () => {
  it('have only their own phones', () => {
    const small = marketplaceOf({ phones: [sold] });
    const accounts = [accountOf(marketplace), { key: 'another key', marketplace: small }];
    const totalFor = (key: string) =>
      dataOf(
        respond(accounts, {
          method: 'GET',
          path: DEVICES,
          query: new URLSearchParams(),
          headers: { 'x-api-key': key },
        }),
      )['total'];
    expect([totalFor(KEY), totalFor('another key')]).toEqual([everything(marketplace).length, 1]);
  });
});
