import type { EncodedResponse } from '../../../src/features/demo/response.ts';
import { ENDPOINTS } from '../../../src/model/enums.ts';
import { type Fault, type FaultContext, faultsOf } from './fault.ts';
import { error, html, throttled } from './usual.ts';

const redirect =
  (status: number, target: (context: FaultContext) => string) =>
  (response: EncodedResponse, context: FaultContext) => {
    const moved = html(status, 'Moved')(response);
    return { ...moved, headers: { ...moved.headers, location: target(context) } };
  };

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
    name: 'unknown-error-page',
    description: '520 with the HTML page of a content delivery network',
    onEncoded: html(520, 'Web server is returning an unknown error'),
  },
]);
