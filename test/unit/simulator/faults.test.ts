import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { EncodedResponse } from '../../../src/simulator/response.ts';
import { FAULTS } from '../../faults/simulated/faults.ts';
import { DEVICES, good, marketplace, messageOf, TARGETS, textOf } from './faulty-responses.ts';
import { ask } from './requests.ts';

describe('the catalogue of faults', () => {
  it('has unique names in kebab case', () => {
    const names = FAULTS.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('describes the effect and the endpoints of each fault', () => {
    expect(
      FAULTS.filter(({ description, endpoints }) => description === '' || endpoints.length === 0),
    ).toEqual([]);
  });

  it('leaves a response unchanged while no fault acts', () => {
    expect(good.body.toString()).toBe(JSON.stringify(ask(marketplace, TARGETS.devices).body));
    expect(good.headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      date: 'Mon, 05 Jan 2026 12:00:00 GMT',
    });
  });
});

const STATUSES: Readonly<
  Record<string, readonly [status: number, body: string, headers?: Record<string, string>]>
> = {
  'redirect-same-origin': [301, '<h1>Moved</h1>', { location: `/moved${DEVICES}` }],
  'redirect-other-origin': [302, '<h1>Moved</h1>', { location: `http://localhost:1/moved${DEVICES}` }],
  'bad-request': [400, '"code":"VALIDATION_ERROR"'],
  'missing-api-key': [401, '"code":"MISSING_API_KEY"'],
  'invalid-api-key': [403, '"code":"INVALID_API_KEY"'],
  'hoster-banned': [403, '"code":"HOSTER_BANNED"'],
  'forbidden-html': [403, '<h1>Attention Required!</h1>'],
  'not-found-json': [404, '"code":"NOT_FOUND"'],
  'not-found-html': [404, '<h1>404 Not Found</h1>'],
  'request-timeout': [408, '"code":"REQUEST_TIMEOUT"'],
  'too-many-requests': [429, '"code":"TOO_MANY_REQUESTS"'],
  'retry-after-seconds': [429, '"code":"TOO_MANY_REQUESTS"', { 'retry-after': '120' }],
  'retry-after-date': [429, '"code":"TOO_MANY_REQUESTS"', { 'retry-after': 'Mon, 05 Jan 2026 12:02:00 GMT' }],
  'retry-after-negative': [429, '"code":"TOO_MANY_REQUESTS"', { 'retry-after': '-1' }],
  'retry-after-huge': [429, '"code":"TOO_MANY_REQUESTS"', { 'retry-after': '1000000000' }],
  'retry-after-garbage': [429, '"code":"TOO_MANY_REQUESTS"', { 'retry-after': 'soon' }],
  'internal-error': [500, '"code":"INTERNAL_ERROR"'],
  'bad-gateway-html': [502, '<h1>502 Bad Gateway</h1>'],
  'service-unavailable': [503, '"code":"SERVICE_UNAVAILABLE"', { 'retry-after': '30' }],
  'unknown-error-page': [520, '<h1>Web server is returning an unknown error</h1>'],
};

describe('a status fault', () => {
  it.each(Object.entries(STATUSES))(
    '%s has its status, body and headers',
    (name, [status, body, headers = {}]) => {
      const message = messageOf(TARGETS.devices, name);
      expect(message.status).toBe(status);
      expect(textOf(message)).toContain(body);
      const type = body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
      expect(message.headers).toEqual({
        'content-type': type,
        date: 'Mon, 05 Jan 2026 12:00:00 GMT',
        ...headers,
      });
    },
  );
});

const BODIES: Readonly<Record<string, (message: EncodedResponse) => void>> = {
  html: (message) => {
    expect(message.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(textOf(message)).toMatch(/^<!DOCTYPE html>/);
  },
  'empty-body': ({ body }) => expect(body).toHaveLength(0),
  'null-body': (message) => expect(textOf(message)).toBe('null'),
  'success-false': (message) =>
    expect(textOf(message)).toMatch(/^\{"success":false,"error":\{"code":"INTERNAL_ERROR"/),
  'success-without-data': (message) => expect(textOf(message)).toBe('{"success":true}'),
  'truncated-json': ({ body }) => expect(body).toEqual(good.body.subarray(0, good.body.length >> 1)),
  'byte-order-mark': ({ body }) => {
    expect(body.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(body.subarray(3)).toEqual(good.body);
  },
  'latin-1': ({ body }) => {
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow();
    expect(JSON.parse(body.toString('latin1'))).toMatchObject({ note: 'café', success: true });
  },
  'gzip-declared-not-sent': ({ headers, body }) => {
    expect(headers['content-encoding']).toBe('gzip');
    expect(body).toEqual(good.body);
  },
  'gzip-bomb': ({ headers, body }) => {
    expect(headers['content-encoding']).toBe('gzip');
    expect(body.length).toBeLessThan(400_000);
    expect(() => gunzipSync(body, { maxOutputLength: 8 * 2 ** 20 })).toThrow(
      'Cannot create a Buffer larger than',
    );
  },
  'deep-nesting': ({ body }) => {
    expect(body).toHaveLength(8_000_000 + '{"success":true,"data":}'.length);
    expect(body.subarray(0, 30).toString()).toBe('{"success":true,"data":[[[[[[[');
  },
};

describe('a body fault', () => {
  it.each(Object.entries(BODIES))('%s has the effect of its name, with status 200', (name, check) => {
    const message = messageOf(TARGETS.devices, name);
    expect(message.status).toBe(200);
    check(message);
  });
});

describe('the tables of faults in this file', () => {
  it.each([
    ['status', STATUSES],
    ['body', BODIES],
  ])('have every %s fault that does not need a socket', (kind, table) => {
    const pure = FAULTS.filter((fault) => fault.kind === kind && !('onSocket' in fault));
    expect(Object.keys(table).toSorted()).toEqual(pure.map(({ name }) => name).toSorted());
  });
});
