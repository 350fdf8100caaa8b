import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { HttpResponse } from '../../../src/api/http.ts';
import { classifyResponse, parseResponse } from '../../../src/api/response.ts';
import { createParsers } from '../../../src/api/schemas.ts';
import type { Endpoint } from '../../../src/model/enums.ts';
import { NOON } from '../../builders.ts';
import { BAD_RESPONSES, httpResponse } from './bad-responses.ts';
import { recordEvents } from './recorded-events.ts';
import { CANARY, failure, success, wirePage } from './wire-fixtures.ts';

/** Parses a response; returns its value and time, or its error, and the events. */
function parse(response: HttpResponse, endpoint: Endpoint = 'devices') {
  const { on, seen } = recordEvents();
  const { devicePage } = createParsers(on);
  const read = (data: unknown) => {
    const value = data === undefined ? 'no tunnel' : devicePage(data)?.total;
    return value === undefined ? undefined : { value };
  };
  try {
    return {
      seen,
      parsed: parseResponse(endpoint, response, { middle: NOON, expected: NOON }, read, on),
    };
  } catch (error) {
    if (error instanceof ApiError) return { seen, error };
    throw error;
  }
}

describe('an invalid response', () => {
  it.each(BAD_RESPONSES)(
    '%s fails with %s, and leaves no text of its body in the error',
    (_, reason, response) => {
      const { error } = parse(response);
      expect(error).toMatchObject({ reason, status: response.status });
      expect(error?.cause).toBeUndefined();
      expect(JSON.stringify(error) + error?.message + error?.stack).not.toMatch(/canary|doctype|Küche|key=1/);
    },
  );
});

/** "Errors" of the API document, row by row. */
const ERROR_TABLE: readonly (readonly [number, string, string, readonly string[]])[] = [
  [400, 'VALIDATION_ERROR', 'bad_request', []],
  [401, 'MISSING_API_KEY', 'unauthorized', ['access missing_key']],
  [403, 'INVALID_API_KEY', 'unauthorized', ['access invalid_key']],
  [403, 'HOSTER_BANNED', 'unauthorized', ['access suspended']],
  [404, 'SELF_RENT_TUNNEL_NOT_FOUND', 'not_found', []],
  [500, 'INTERNAL_ERROR', 'server', []],
];

describe('an error of the API document', () => {
  it.each(ERROR_TABLE)(
    'with the status %i and the code %s has the reason %s, which follows from the code',
    (status, code, reason, seen) => {
      const result = parse(httpResponse(status, failure(code)));
      expect(result.error).toMatchObject({ reason, status, code, endpoint: 'devices' });
      expect(result.seen).toEqual(seen);
      for (const other of [200, 503])
        expect(parse(httpResponse(other, failure(code))).error?.reason).toBe(reason);
    },
  );

  it('is a success where a device has no tunnel', () => {
    const { parsed, seen } = parse(httpResponse(404, failure('SELF_RENT_TUNNEL_NOT_FOUND')), 'tunnel');
    expect(parsed).toEqual({ value: 'no tunnel', apiTime: NOON, isDated: false });
    expect(seen).toEqual(['access granted']);
  });

  it('shows no code that the document does not name', () => {
    const { error } = parse(httpResponse(403, failure(`${CANARY}CODE`)));
    expect(error?.code).toBeUndefined();
    expect(error?.message).toBe(
      'HTTP 403. The key is missing or invalid, or the account is suspended. Check both.',
    );
  });
});

describe('the state of the key', () => {
  it.each([
    ['granted by a valid response', 200, success(wirePage()), 'access granted'],
    ['granted even if the data is unusable', 200, success([]), 'access granted'],
    ['denied by a refusal of the API without a known code', 403, '{"success":false}', 'access denied'],
  ])('is %s', (_, status, body, event) => {
    expect(parse(httpResponse(status, body)).seen).toEqual([event]);
  });

  it.each([401, 403, 503])('does not follow from a page of an edge with status %i', (status) => {
    expect(parse(httpResponse(status, '<html>', { 'content-type': 'text/html' })).seen).toEqual([]);
  });
});

describe('the API time', () => {
  const body = success(wirePage());
  const type = { 'content-type': 'application/json' };

  it.each([
    ['the Date header', { date: 'Sun, 01 Mar 2026 12:00:42 GMT' }, 42_000, ['clockSkew 42']],
    ['the local time if a cache responds', { date: 'Sun, 01 Mar 2026 11:00:00 GMT', age: '3600' }, 0, []],
    ['the local time if the date has another form', { date: '1' }, 0, []],
    ['the local time if the weekday is wrong', { date: 'Mon, 01 Mar 2026 12:00:42 GMT' }, 0, []],
    ['the local time if the clock was never set', { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0, []],
  ])('is %s', (_, headers, ahead, events) => {
    const { parsed, seen } = parse(httpResponse(200, body, { ...type, ...headers }));
    expect(parsed?.apiTime).toBe(NOON + ahead);
    expect(seen).toEqual(['access granted', ...events]);
  });
});

describe('a valid response', () => {
  it.each([
    ['application/json', (body) => body],
    ['Application/JSON; charset=UTF-8', (body) => body],
    ['application/vnd.api+json', (body) => body],
    ['application/json', (body) => `\uFEFF${body}`],
  ] satisfies [string, (body: string) => string][])('may have the content type %s', (type, form) => {
    const response = httpResponse(200, form(success(wirePage())), {
      'content-type': type,
      'content-encoding': 'identity',
    });
    expect(parse(response).parsed?.value).toBe(1);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('may be compressed with %s, though that was not asked for', (coding, compress) => {
    const response = httpResponse(200, compress(success(wirePage())), { 'content-encoding': coding });
    expect(parse(response).parsed?.value).toBe(1);
  });

  it('may have no content type', () => {
    expect(parse(httpResponse(200, success(wirePage()), {})).parsed?.value).toBe(1);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:05:00 GMT', 300_000],
    ['Sun, 01 Mar 2026 11:05:00 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%j is parsed to milliseconds, or not at all', (header, milliseconds) => {
    const { error } = parse(httpResponse(429, '', { 'retry-after': header }));
    expect(error?.retryAfterMilliseconds).toBe(milliseconds);
  });

  it('is relative to the time of the API, not to the local time, if it is a date', () => {
    const headers = { date: 'Sun, 01 Mar 2026 13:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 13:00:30 GMT' };
    expect(parse(httpResponse(503, '{}', headers)).error?.retryAfterMilliseconds).toBe(30_000);
  });
});

describe('a redirect', () => {
  it.each([
    ['https://user:pw@Elsewhere.example/path?key=1', 'HTTP 302 to https://elsewhere.example. '],
    ['/relative?key=1', 'HTTP 302 to another path. '],
    ['//elsewhere.example/path', 'HTTP 302. '],
    ['http://[', 'HTTP 302. '],
  ])('to %s is described by its origin only', (location, message) => {
    expect(parse(httpResponse(302, '', { location })).error?.message).toBe(
      `${message}The API redirected the request. Redirects are not followed, because they would carry the key. If the new address is the API, put it into api_url. It may also be the login page of this network.`,
    );
  });
});

describe('a web page', () => {
  it('is named, and the advice says that it may be a login page', () => {
    const response = httpResponse(200, '<!doctype html><title>Wi-Fi</title>', {
      'content-type': 'text/html',
    });
    expect(parse(response).error?.message).toMatch(
      /^HTTP 200 with a web page\. .*this network does not require a login/,
    );
  });
});

describe('a large body', () => {
  const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const padding = ' '.repeat(256 * 1024);
  const reasonOf = (text: string) =>
    classifyResponse('devices', httpResponse(200, `{"success":true,"data":${text}}${padding}`));

  it('is parsed up to a depth of 64', () => {
    expect(reasonOf(lists(63))).toMatchObject({ kind: 'success' });
  });

  it.each([64, 1_000_000])('is not parsed if it holds %i nested lists', (depth) => {
    expect(reasonOf(lists(depth))).toMatchObject({ reason: 'schema' });
  });

  it('may have any number of brackets in its texts', () => {
    expect(reasonOf(JSON.stringify('"['.repeat(1_000)))).toMatchObject({ kind: 'success' });
  });
});
