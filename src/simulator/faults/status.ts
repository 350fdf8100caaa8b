import { ENDPOINTS } from '../../model/enums.ts';
import { type EncodedResponse, errorResponse } from '../response.ts';
import { type Fault, type FaultContext, faultsOf } from './fault.ts';

const HTML = 'text/html; charset=utf-8';

/** Error page of a proxy or a content delivery network. */
const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const error =
  (
    status: number,
    code: string,
    message: string,
    headers?: (context: FaultContext) => Record<string, string>,
  ) =>
  (_response: unknown, context: FaultContext) =>
    errorResponse(status, code, message, headers?.(context));

const html =
  (status: number, title: string) =>
  (response: EncodedResponse): EncodedResponse => ({
    status,
    headers: { ...response.headers, 'content-type': HTML },
    body: Buffer.from(page(title)),
  });

const redirect =
  (status: number, target: (context: FaultContext) => string) =>
  (response: EncodedResponse, context: FaultContext) => ({
    ...html(status, 'Moved')(response),
    headers: { ...response.headers, 'content-type': HTML, location: target(context) },
  });

const throttled = (retryAfter?: (context: FaultContext) => string) =>
  error(429, 'TOO_MANY_REQUESTS', 'Too many requests.', (context) =>
    retryAfter === undefined ? {} : { 'retry-after': retryAfter(context) },
  );

const inTwoMinutes = ({ now }: FaultContext) => new Date(now + 120_000).toUTCString();

/** Responses other than 200. A followed redirect shows in the request log at `/moved/…`. */
export const STATUS_FAULTS: readonly Fault[] = faultsOf('status', ENDPOINTS, [
  {
    name: 'redirect-same-origin',
    description: '301 to another path of the same origin',
    onEncoded: redirect(301, ({ path }) => `/moved${path}`),
  },
  {
    name: 'redirect-other-origin',
    description: '302 to another origin, which must never see the API key',
    onEncoded: redirect(302, ({ otherOrigin, path }) => `${otherOrigin}/moved${path}`),
  },
  {
    name: 'bad-request',
    description: '400 VALIDATION_ERROR',
    onResponse: error(400, 'VALIDATION_ERROR', 'The request is not valid.'),
  },
  {
    name: 'missing-api-key',
    description: '401 MISSING_API_KEY although the key was sent, as when a proxy strips it',
    onResponse: error(401, 'MISSING_API_KEY', 'The X-API-KEY header is missing.'),
  },
  {
    name: 'invalid-api-key',
    description: '403 INVALID_API_KEY',
    onResponse: error(403, 'INVALID_API_KEY', 'The API key is not valid.'),
  },
  {
    name: 'hoster-banned',
    description: '403 HOSTER_BANNED',
    onResponse: error(403, 'HOSTER_BANNED', 'The hoster account is suspended.'),
  },
  {
    name: 'forbidden-html',
    description: '403 with the HTML page of a firewall',
    onEncoded: html(403, 'Attention Required!'),
  },
  {
    name: 'not-found-json',
    description: '404 NOT_FOUND, as from a wrong base address',
    onResponse: error(404, 'NOT_FOUND', 'There is no such route.'),
  },
  { name: 'not-found-html', description: '404 with an HTML page', onEncoded: html(404, '404 Not Found') },
  {
    name: 'request-timeout',
    description: '408 REQUEST_TIMEOUT',
    onResponse: error(408, 'REQUEST_TIMEOUT', 'The request took too long.'),
  },
  { name: 'too-many-requests', description: '429 without Retry-After', onResponse: throttled() },
  {
    name: 'retry-after-seconds',
    description: '429 with Retry-After: 120',
    onResponse: throttled(() => '120'),
  },
  {
    name: 'retry-after-date',
    description: '429 with Retry-After as a date two minutes ahead',
    onResponse: throttled(inTwoMinutes),
  },
  {
    name: 'retry-after-negative',
    description: '429 with Retry-After: -1',
    onResponse: throttled(() => '-1'),
  },
  {
    name: 'retry-after-huge',
    description: '429 with Retry-After: 1000000000',
    onResponse: throttled(() => '1000000000'),
  },
  {
    name: 'retry-after-garbage',
    description: '429 with Retry-After: soon',
    onResponse: throttled(() => 'soon'),
  },
  {
    name: 'internal-error',
    description: '500 INTERNAL_ERROR',
    onResponse: error(500, 'INTERNAL_ERROR', 'Internal error.'),
  },
  {
    name: 'bad-gateway-html',
    description: '502 with the HTML page of a proxy',
    onEncoded: html(502, '502 Bad Gateway'),
  },
  {
    name: 'service-unavailable',
    description: '503 with Retry-After: 30',
    onResponse: error(503, 'SERVICE_UNAVAILABLE', 'Down for maintenance.', () => ({ 'retry-after': '30' })),
  },
  {
    name: 'unknown-error-page',
    description: '520 with the HTML page of a content delivery network',
    onEncoded: html(520, 'Web server is returning an unknown error'),
  },
]);
