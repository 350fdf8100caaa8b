import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { understand, whole } from '../../../src/api/understand.ts';
import { readDevicePage } from '../../../src/api/wire/device-page.ts';
import type { Endpoint } from '../../../src/model/endpoint.ts';
import { NOON } from '../../builders.ts';
import { CANARY, failure, success, wirePage } from './documented.ts';
import { MUSEUM, reply } from './museum.ts';
import { recordEvents } from './recorded-events.ts';

type Reply = ReturnType<typeof reply>;

function understood(answer: Reply, endpoint: Endpoint = 'devices') {
  const { events, wire, seen } = recordEvents();
  const read = (data: unknown) => {
    const value = data === undefined ? 'no tunnel' : readDevicePage(data, wire)?.total;
    return value === undefined ? undefined : { value };
  };
  try {
    return { seen, answer: understand(endpoint, { reply: answer, middle: NOON }, whole(read), events) };
  } catch (error) {
    if (error instanceof ApiError) return { seen, error };
    throw error;
  }
}

describe('a bad answer', () => {
  it.each(MUSEUM)('$name is $reason', ({ reply: answer, reason }) => {
    const { error } = understood(answer);
    expect(error?.reason).toBe(reason);
    expect(error?.status).toBe(answer.status);
    expect(error?.cause).toBeUndefined();
  });

  it.each(MUSEUM)('$name leaves no word of its body in the error', ({ reply: answer }) => {
    const { error } = understood(answer);
    const shown = JSON.stringify(error) + error?.message + error?.stack;
    expect(shown).not.toMatch(/canary|doctype|Küche|key=1/);
  });
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
  it.each(ERROR_TABLE)('%i %s is %s', (status, code, reason, seen) => {
    const result = understood(reply(status, failure(code)));
    expect(result.error).toMatchObject({ reason, status, code, endpoint: 'devices' });
    expect(result.seen).toEqual(seen);
  });

  it.each(ERROR_TABLE)('%i %s is %s by its code, whatever its status', (_, code, reason) => {
    expect(understood(reply(200, failure(code))).error?.reason).toBe(reason);
    expect(understood(reply(503, failure(code))).error?.reason).toBe(reason);
  });

  it('is an answer where a tunnel is asked for that is not there', () => {
    const { answer, seen } = understood(reply(404, failure('SELF_RENT_TUNNEL_NOT_FOUND')), 'tunnel');
    expect(answer).toEqual({ value: 'no tunnel', apiTime: NOON });
    expect(seen).toEqual(['access granted']);
  });

  it('shows no code that the document does not name', () => {
    const { error } = understood(reply(403, failure(`${CANARY}CODE`)));
    expect(error?.code).toBeUndefined();
    expect(error?.message).toBe(
      'HTTP 403. The key is missing, invalid, or its account suspended. Check the key and the account.',
    );
  });
});

describe('the key', () => {
  it('is granted by an answer', () => {
    expect(understood(reply(200, success(wirePage()))).seen).toEqual(['access granted']);
  });

  it('is granted even if the data is of no use', () => {
    expect(understood(reply(200, success([]))).seen).toEqual(['access granted']);
  });

  it('is denied by a refusal of the API without a known code', () => {
    expect(understood(reply(403, '{"success":false}')).seen).toEqual(['access denied']);
  });

  it.each([401, 403, 503])('is not judged by a page of the edge with %i', (status) => {
    expect(understood(reply(status, '<html>', { 'content-type': 'text/html' })).seen).toEqual([]);
  });
});

describe('the API time', () => {
  const body = success(wirePage());
  const type = { 'content-type': 'application/json' };

  it('is the Date header', () => {
    const { answer, seen } = understood(reply(200, body, { ...type, date: 'Sun, 01 Mar 2026 12:00:42 GMT' }));
    expect(answer?.apiTime).toBe(NOON + 42_000);
    expect(seen).toEqual(['access granted', 'clockSkew 42']);
  });

  it('is our own clock where a cache answered', () => {
    const headers = { ...type, date: 'Sun, 01 Mar 2026 11:00:00 GMT', age: '3600' };
    const { answer, seen } = understood(reply(200, body, headers));
    expect(answer?.apiTime).toBe(NOON);
    expect(seen).toEqual(['access granted']);
  });

  it.each(['yesterday', '1', 'Mon, 01 Mar 2026 12:00:42 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'is our own clock where the Date header says %j',
    (date) => {
      expect(understood(reply(200, body, { ...type, date })).answer?.apiTime).toBe(NOON);
    },
  );
});

describe('an answer', () => {
  it.each([
    ['application/json', (body) => body],
    ['Application/JSON; charset=UTF-8', (body) => body],
    ['application/vnd.api+json', (body) => body],
    ['application/json', (body) => `\uFEFF${body}`],
  ] satisfies [string, (body: string) => string][])('may come as %s', (type, form) => {
    const answer = reply(200, form(success(wirePage())), {
      'content-type': type,
      'content-encoding': 'identity',
    });
    expect(understood(answer).answer?.value).toBe(1);
  });

  it('may come without a type', () => {
    expect(understood(reply(200, success(wirePage()), {})).answer?.value).toBe(1);
  });
});

describe('a pause that the API asks for', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:05:00 GMT', 300_000],
    ['Sun, 01 Mar 2026 11:05:00 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('Retry-After: %s', (header, milliseconds) => {
    const { error } = understood(reply(429, '', { 'retry-after': header }));
    expect(error?.retryAfterMilliseconds).toBe(milliseconds);
  });

  it('counts a date from the time of the API, not from ours', () => {
    const headers = { date: 'Sun, 01 Mar 2026 13:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 13:00:30 GMT' };
    expect(understood(reply(503, '{}', headers)).error?.retryAfterMilliseconds).toBe(30_000);
  });
});

describe('a redirect', () => {
  it.each([
    ['https://user:pw@Elsewhere.example/path?key=1', 'HTTP 302 to https://elsewhere.example. '],
    ['/relative?key=1', 'HTTP 302. '],
    ['http://[', 'HTTP 302. '],
  ])('to %s names the origin alone', (location, message) => {
    expect(understood(reply(302, '', { location })).error?.message).toBe(
      `${message}Redirects are not followed, since the key would go with them. Put the final address into api_url.`,
    );
  });
});
