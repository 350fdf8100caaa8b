import { ENDPOINTS } from '../../model/endpoint.ts';
import { failure } from '../answer.ts';
import type { Message } from '../message.ts';
import { type Fault, faultsOf, type Occasion } from './fault.ts';

const HTML = 'text/html; charset=utf-8';

/** A page as a proxy or a content delivery network in front of the API would send it. */
const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const error =
  (status: number, code: string, message: string, headers?: (occasion: Occasion) => Record<string, string>) =>
  (_answer: unknown, occasion: Occasion) =>
    failure(status, code, message, headers?.(occasion));

const html =
  (status: number, title: string) =>
  (message: Message): Message => ({
    status,
    headers: { ...message.headers, 'content-type': HTML },
    body: Buffer.from(page(title)),
  });

const redirect =
  (status: number, target: (occasion: Occasion) => string) => (message: Message, occasion: Occasion) => ({
    ...html(status, 'Moved')(message),
    headers: { ...message.headers, 'content-type': HTML, location: target(occasion) },
  });

const throttled = (retryAfter?: (occasion: Occasion) => string) =>
  error(429, 'TOO_MANY_REQUESTS', 'Too many requests.', (occasion) =>
    retryAfter === undefined ? {} : { 'retry-after': retryAfter(occasion) },
  );

const inTwoMinutes = ({ now }: Occasion) => new Date(now + 120_000).toUTCString();

/** Answers that are not 200. Whoever follows one of the redirects is seen in the request log at `/moved/…`. */
export const STATUS_FAULTS: readonly Fault[] = faultsOf('status', ENDPOINTS, [
  {
    name: 'redirect-same-origin',
    description: '301 to another path of the same origin',
    onMessage: redirect(301, ({ path }) => `/moved${path}`),
  },
  {
    name: 'redirect-other-origin',
    description: '302 to another origin, which must never see the API key',
    onMessage: redirect(302, ({ otherOrigin, path }) => `${otherOrigin}/moved${path}`),
  },
  {
    name: 'bad-request',
    description: '400 VALIDATION_ERROR',
    onAnswer: error(400, 'VALIDATION_ERROR', 'The request is not valid.'),
  },
  {
    name: 'missing-api-key',
    description: '401 MISSING_API_KEY although the key was sent, as when a proxy strips it',
    onAnswer: error(401, 'MISSING_API_KEY', 'The X-API-KEY header is missing.'),
  },
  {
    name: 'invalid-api-key',
    description: '403 INVALID_API_KEY',
    onAnswer: error(403, 'INVALID_API_KEY', 'The API key is not valid.'),
  },
  {
    name: 'hoster-banned',
    description: '403 HOSTER_BANNED',
    onAnswer: error(403, 'HOSTER_BANNED', 'The hoster account is suspended.'),
  },
  {
    name: 'forbidden-html',
    description: '403 with the HTML page of a firewall',
    onMessage: html(403, 'Attention Required!'),
  },
  {
    name: 'not-found-json',
    description: '404 NOT_FOUND, as from a wrong base address',
    onAnswer: error(404, 'NOT_FOUND', 'There is no such route.'),
  },
  { name: 'not-found-html', description: '404 with an HTML page', onMessage: html(404, '404 Not Found') },
  {
    name: 'request-timeout',
    description: '408 REQUEST_TIMEOUT',
    onAnswer: error(408, 'REQUEST_TIMEOUT', 'The request took too long.'),
  },
  { name: 'too-many-requests', description: '429 without Retry-After', onAnswer: throttled() },
  { name: 'retry-after-seconds', description: '429 with Retry-After: 120', onAnswer: throttled(() => '120') },
  {
    name: 'retry-after-date',
    description: '429 with Retry-After as a date two minutes ahead',
    onAnswer: throttled(inTwoMinutes),
  },
  { name: 'retry-after-negative', description: '429 with Retry-After: -1', onAnswer: throttled(() => '-1') },
  {
    name: 'retry-after-huge',
    description: '429 with Retry-After: 1000000000',
    onAnswer: throttled(() => '1000000000'),
  },
  {
    name: 'retry-after-garbage',
    description: '429 with Retry-After: soon',
    onAnswer: throttled(() => 'soon'),
  },
  {
    name: 'internal-error',
    description: '500 INTERNAL_ERROR',
    onAnswer: error(500, 'INTERNAL_ERROR', 'Internal error.'),
  },
  {
    name: 'bad-gateway-html',
    description: '502 with the HTML page of a proxy',
    onMessage: html(502, '502 Bad Gateway'),
  },
  {
    name: 'service-unavailable',
    description: '503 with Retry-After: 30',
    onAnswer: error(503, 'SERVICE_UNAVAILABLE', 'Down for maintenance.', () => ({ 'retry-after': '30' })),
  },
  {
    name: 'unknown-error-page',
    description: '520 with the HTML page of a content delivery network',
    onMessage: html(520, 'Web server is returning an unknown error'),
  },
]);
