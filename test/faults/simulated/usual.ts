import { type EncodedResponse, errorResponse, successResponse } from '../../../src/features/demo/response.ts';
import { ENDPOINTS } from '../../../src/model/enums.ts';
import { isObject } from '../../json.ts';
import { type Fault, type FaultContext, faultsOf } from './fault.ts';

const HTML = 'text/html; charset=utf-8';

/** Error page of a proxy or a content delivery network. */
const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

/** A response of the API with an error. */
export const error =
  (
    status: number,
    code: string,
    message: string,
    headers?: (context: FaultContext) => Record<string, string>,
  ) =>
  (_response: unknown, context: FaultContext) =>
    errorResponse(status, code, message, headers?.(context));

/** A web page in place of a response of the API. */
export const html =
  (status: number, title: string) =>
  (response: EncodedResponse): EncodedResponse => ({
    status,
    headers: { ...response.headers, 'content-type': HTML },
    body: Buffer.from(page(title)),
  });

export const throttled = (retryAfter?: (context: FaultContext) => string) =>
  error(429, 'TOO_MANY_REQUESTS', 'Too many requests.', (context) =>
    retryAfter === undefined ? {} : { 'retry-after': retryAfter(context) },
  );

/** The faults that most tests need. */
export const USUAL_FAULTS: readonly Fault[] = [
  ...faultsOf('status', ENDPOINTS, [
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
    { name: 'too-many-requests', description: '429 without Retry-After', onResponse: throttled() },
    {
      name: 'retry-after-seconds',
      description: '429 with Retry-After: 120',
      onResponse: throttled(() => '120'),
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
  ]),
  ...faultsOf('body', ENDPOINTS, [
    {
      name: 'html',
      description: '200 with an HTML page, as from a captive portal',
      onEncoded: html(200, 'Log in to the Wi-Fi'),
    },
  ]),
  ...faultsOf('socket', ENDPOINTS, [
    { name: 'hang', description: 'the request is read and gets no response', onSocket: () => {} },
    {
      name: 'close-before-headers',
      description: 'the connection is closed in an orderly way in place of a response',
      onSocket: ({ socket }) => {
        socket.end();
      },
    },
  ]),
  ...faultsOf(
    'listing',
    ['devices'],
    [
      {
        name: 'fleet-vanishes',
        description: 'an account without a phone',
        onResponse: (response) => {
          const data = isObject(response.body) ? response.body['data'] : undefined;
          return isObject(data) ? successResponse({ ...data, items: [], total: 0, totalPages: 0 }) : response;
        },
      },
    ],
  ),
];
