import type { Endpoint } from '../model/endpoint.ts';
import type { Json } from './json.ts';
import { parseListQuery } from './listing.ts';
import type { Marketplace } from './marketplace.ts';

/** A hoster: his key chooses what is answered ("Every resource is scoped to the hoster that owns the key"). */
export type Account = {
  /** How the request log calls him; never the key. */
  readonly name: string;
  readonly key: string;
  readonly marketplace: Marketplace;
};

/** A request as far as answers depend on it. Header names are in lower case. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** An answer before it becomes bytes. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
};

const DEVICES_PATH = '/hoster/v1/devices';
const BALANCE_PATH = '/hoster/v1/balance';
const TUNNEL_PATH = /^\/hoster\/v1\/devices\/([^/]+)\/self-rent\/tunnel$/;

/** Like the identifiers that the API document shows: an object id, 24 hexadecimal digits. */
const DEVICE_ID = /^[0-9a-f]{24}$/i;

/** The endpoint that a path belongs to. */
export function endpointOf(path: string): Endpoint | undefined {
  if (path === DEVICES_PATH) return 'devices';
  if (path === BALANCE_PATH) return 'balance';
  return TUNNEL_PATH.test(path) ? 'tunnel' : undefined;
}

/**
 * Answers a request as the API document says. Pure: the worlds are read as they are, whoever calls has advanced them.
 * A route that the document does not know is 404 NOT_FOUND and a method other than GET is 405 METHOD_NOT_ALLOWED (both
 * not shown in the document); only then the key is looked at, and only after that the parameters.
 */
export function answer(accounts: readonly Account[], request: Request): Answer {
  const endpoint = endpointOf(request.path);
  if (endpoint === undefined) return failure(404, 'NOT_FOUND', 'There is no such route.');
  if (request.method !== 'GET') {
    return failure(405, 'METHOD_NOT_ALLOWED', 'Only GET is allowed here.', { allow: 'GET' });
  }
  const key = request.headers['x-api-key'];
  if (key === undefined || key === '')
    return failure(401, 'MISSING_API_KEY', 'The X-API-KEY header is missing.');
  const account = accounts.find((one) => one.key === key);
  if (account === undefined) return failure(403, 'INVALID_API_KEY', 'The API key is not valid.');
  if (account.marketplace.isSuspended())
    return failure(403, 'HOSTER_BANNED', 'The hoster account is suspended.');
  return ANSWERS[endpoint](account.marketplace, request);
}

const ANSWERS: Readonly<Record<Endpoint, (marketplace: Marketplace, request: Request) => Answer>> = {
  devices: (marketplace, { query }) => {
    const parsed = parseListQuery(query);
    return 'invalid' in parsed ? invalid(parsed.invalid) : success(marketplace.devices(parsed.query));
  },
  tunnel: (marketplace, { path }) => {
    const deviceId = TUNNEL_PATH.exec(path)?.[1] ?? '';
    if (!DEVICE_ID.test(deviceId)) return invalid('id must be a device identifier of 24 hexadecimal digits');
    const tunnel = marketplace.tunnel(deviceId.toLowerCase());
    if (tunnel !== undefined) return success(tunnel);
    return failure(404, 'SELF_RENT_TUNNEL_NOT_FOUND', 'There is no active self-rent tunnel for this device.');
  },
  balance: (marketplace) => success(marketplace.balance()),
};

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

/** 200 with the envelope of a success. */
export function success(data: Json): Answer {
  return { status: 200, headers: JSON_HEADERS, body: { success: true, data } };
}

/** The envelope of an error. */
export function failure(
  status: number,
  code: string,
  message: string,
  headers: Answer['headers'] = {},
): Answer {
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: { success: false, error: { code, message } },
  };
}

const invalid = (message: string): Answer => failure(400, 'VALIDATION_ERROR', message);
