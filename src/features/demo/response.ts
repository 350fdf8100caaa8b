import type { Endpoint } from '../../model/enums.ts';
import type { Marketplace } from './marketplace.ts';

/** A hoster's account, chosen by its key ("Every resource is scoped to the hoster that owns the key"). */
export type SimulatedAccount = { readonly key: string; readonly marketplace: Marketplace };

/** The parts of a request that are used. Header names are in lower case. */
export type SimulatedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type SimulatedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Becomes JSON: a property that is `undefined` is omitted. */
  readonly body: unknown;
};

const DEVICES_PATH = '/hoster/v1/devices';
const BALANCE_PATH = '/hoster/v1/balance';
const TUNNEL_PATH = /^\/hoster\/v1\/devices\/([^/]+)\/self-rent\/tunnel$/;

/** An object id, as in the examples of the API document. */
const DEVICE_ID = /^[0-9a-f]{24}$/i;

export function endpointOf(path: string): Endpoint | undefined {
  if (path === DEVICES_PATH) return 'devices';
  if (path === BALANCE_PATH) return 'balance';
  return TUNNEL_PATH.test(path) ? 'tunnel' : undefined;
}

/**
 * Returns the response to a request as the API document defines it. Pure: the caller has advanced the marketplaces. Checks
 * the route (404 NOT_FOUND), the method (405 METHOD_NOT_ALLOWED; both are not in the document), the key and the parameters.
 */
export function respond(accounts: readonly SimulatedAccount[], request: SimulatedRequest): SimulatedResponse {
  const endpoint = endpointOf(request.path);
  if (endpoint === undefined) return errorResponse(404, 'NOT_FOUND', 'There is no such route.');
  if (request.method !== 'GET')
    return errorResponse(405, 'METHOD_NOT_ALLOWED', 'Only GET is allowed here.', { allow: 'GET' });
  const key = request.headers['x-api-key'];
  if (!key) return errorResponse(401, 'MISSING_API_KEY', 'The X-API-KEY header is missing.');
  const account = accounts.find((one) => one.key === key);
  if (account === undefined) return errorResponse(403, 'INVALID_API_KEY', 'The API key is not valid.');
  return RESPONDERS[endpoint](account.marketplace, request);
}

const RESPONDERS: Readonly<
  Record<Endpoint, (marketplace: Marketplace, request: SimulatedRequest) => SimulatedResponse>
> = {
  // Filters and `search`, which the exporter never sends, are ignored.
  devices: (marketplace, { query }) => {
    const page = integerOf(query, 'page', 1);
    const limit = integerOf(query, 'limit', 20);
    if (Number.isNaN(page) || page < 1) return invalid('page must be an integer, at least 1');
    if (Number.isNaN(limit) || limit < 1 || limit > 100)
      return invalid('limit must be an integer between 1 and 100');
    return successResponse(marketplace.devices(page, limit));
  },
  tunnel: (marketplace, { path }) => {
    const deviceId = TUNNEL_PATH.exec(path)?.[1] ?? '';
    if (!DEVICE_ID.test(deviceId)) return invalid('id must be a device identifier of 24 hexadecimal digits');
    const tunnel = marketplace.tunnel(deviceId.toLowerCase());
    if (tunnel === 'broken') return errorResponse(500, 'INTERNAL_ERROR', 'The tunnel cannot be read.');
    if (tunnel !== undefined) return successResponse(tunnel);
    return errorResponse(
      404,
      'SELF_RENT_TUNNEL_NOT_FOUND',
      'There is no active self-rent tunnel for this device.',
    );
  },
  balance: (marketplace) => successResponse(marketplace.balance()),
};

/** Returns a query parameter; NaN if it is not an integer or is given twice. */
function integerOf(query: URLSearchParams, name: string, missing: number): number {
  const [text, ...others] = query.getAll(name);
  if (text === undefined) return missing;
  return others.length === 0 && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

export function successResponse(data: unknown): SimulatedResponse {
  return { status: 200, headers: JSON_HEADERS, body: { success: true, data } };
}

export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers: SimulatedResponse['headers'] = {},
): SimulatedResponse {
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: { success: false, error: { code, message } },
  };
}

const invalid = (message: string): SimulatedResponse => errorResponse(400, 'VALIDATION_ERROR', message);

export type EncodedResponse = Omit<SimulatedResponse, 'body'> & { readonly body: Buffer };

/** Encodes a response, with `now` (milliseconds since 1970) as its `date`. */
export function encodeResponse({ status, headers, body }: SimulatedResponse, now: number): EncodedResponse {
  return {
    status,
    headers: { ...headers, date: new Date(now).toUTCString() },
    body: Buffer.from(JSON.stringify(body)),
  };
}
