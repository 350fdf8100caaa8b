import { gzipSync } from 'node:zlib';
import type { HttpResponse } from '../../../src/api/http.ts';
import type { FailureReason } from '../../../src/model/enums.ts';
import { failure, success, wirePage } from './wire-fixtures.ts';

/** A bad response that was seen somewhere, or can be, with the reason of its failure. */
type BadResponse = {
  readonly name: string;
  readonly response: HttpResponse;
  readonly reason: FailureReason;
};

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = '<!doctype html><title>Attention Required! | Edge</title>{"';
const PAGE = success(wirePage());

export function httpResponse(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': JSON_TYPE },
): HttpResponse {
  return { status, headers, body: Buffer.from(body) };
}

const html = (status: number) => httpResponse(status, HTML, { 'content-type': 'text/html' });

/** Bad responses to a request for devices. */
export const BAD_RESPONSES: readonly BadResponse[] = [
  { name: 'an empty body', response: httpResponse(200, ''), reason: 'envelope' },
  { name: 'blanks', response: httpResponse(200, ' \n'), reason: 'envelope' },
  { name: 'null', response: httpResponse(200, 'null'), reason: 'envelope' },
  { name: 'a number', response: httpResponse(200, '42'), reason: 'envelope' },
  { name: 'a list', response: httpResponse(200, '[]'), reason: 'envelope' },
  { name: 'an empty object', response: httpResponse(200, '{}'), reason: 'envelope' },
  { name: 'success without data', response: httpResponse(200, '{"success":true}'), reason: 'envelope' },
  { name: 'data null', response: httpResponse(200, '{"success":true,"data":null}'), reason: 'envelope' },
  { name: 'data without success', response: httpResponse(200, '{"data":{}}'), reason: 'envelope' },
  {
    name: 'success as text',
    response: httpResponse(200, '{"success":"true","data":{}}'),
    reason: 'envelope',
  },
  { name: 'no success without a code', response: httpResponse(200, '{"success":false}'), reason: 'envelope' },
  { name: 'a login page', response: html(200), reason: 'envelope' },
  { name: 'a login page that claims to be JSON', response: httpResponse(200, HTML), reason: 'envelope' },
  {
    name: 'JSON that claims to be text',
    response: httpResponse(200, PAGE, { 'content-type': 'text/plain' }),
    reason: 'envelope',
  },
  { name: 'words', response: httpResponse(200, 'service "unavailable'), reason: 'envelope' },
  {
    name: 'JSON with a comma too much',
    response: httpResponse(200, '{"success":true,}'),
    reason: 'envelope',
  },
  { name: 'two answers in one', response: httpResponse(200, PAGE + PAGE), reason: 'envelope' },
  {
    name: 'JSON cut in a list',
    response: httpResponse(200, '{"success":true,"data":{"items":[{}'),
    reason: 'truncated',
  },
  {
    name: 'JSON cut in a string',
    response: httpResponse(200, '{"success":true,"data":{"x":"a\\"}]'),
    reason: 'truncated',
  },
  {
    name: 'JSON cut in an escape',
    response: httpResponse(200, '{"success":true,"data":{"x":"\\u00'),
    reason: 'truncated',
  },
  { name: 'JSON cut in a word', response: httpResponse(200, '{"success":tr'), reason: 'truncated' },
  {
    name: 'JSON cut in a character',
    response: httpResponse(200, Buffer.from('{"success":true,"data":"ü').subarray(0, -1)),
    reason: 'truncated',
  },
  {
    name: 'Latin-1',
    response: httpResponse(200, Buffer.from('{"success":true,"data":{"label":"Küche"}}', 'latin1')),
    reason: 'encoding',
  },
  { name: 'UTF-16', response: httpResponse(200, Buffer.from(PAGE, 'utf16le')), reason: 'envelope' },
  {
    name: 'gzip that was not asked for',
    response: httpResponse(200, PAGE, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' }),
    reason: 'encoding',
  },
  {
    name: 'gzip that lacks its end',
    response: httpResponse(200, gzipSync(PAGE).subarray(0, -20), { 'content-encoding': 'gzip' }),
    reason: 'truncated',
  },
  {
    name: 'gzip that unpacks to more than any page',
    response: httpResponse(200, gzipSync(Buffer.alloc(9_000_000, ' ')), { 'content-encoding': 'gzip' }),
    reason: 'too_large',
  },
  {
    name: 'two compressions',
    response: httpResponse(200, gzipSync(gzipSync(PAGE)), { 'content-encoding': 'gzip, gzip' }),
    reason: 'encoding',
  },
  {
    name: 'a compressed login page',
    response: httpResponse(200, gzipSync(HTML), { 'content-encoding': 'gzip' }),
    reason: 'envelope',
  },
  { name: 'a 511 without a page', response: httpResponse(511, 'x'), reason: 'server' },
  { name: 'a login page of the network with 511', response: html(511), reason: 'edge_block' },
  { name: 'data of another kind', response: httpResponse(200, success('nothing')), reason: 'schema' },
  { name: 'a page without items', response: httpResponse(200, success({ total: 0 })), reason: 'schema' },
  {
    name: 'items as an object',
    response: httpResponse(200, success(wirePage({ items: {} }))),
    reason: 'schema',
  },
  { name: 'a page without total', response: httpResponse(200, success({ items: [] })), reason: 'schema' },
  {
    name: 'total as text',
    response: httpResponse(200, success(wirePage({ total: 'one' }))),
    reason: 'schema',
  },
  {
    name: 'a negative total',
    response: httpResponse(200, success(wirePage({ total: -1 }))),
    reason: 'schema',
  },
  {
    name: 'a broken total',
    response: httpResponse(200, success(wirePage({ total: 1.5 }))),
    reason: 'schema',
  },
  {
    name: 'an infinite total',
    response: httpResponse(200, '{"success":true,"data":{"items":[],"total":1e400}}'),
    reason: 'schema',
  },
  {
    name: 'a page of 1,001 items',
    response: httpResponse(200, success(wirePage({ items: Array.from({ length: 1001 }, () => ({})) }))),
    reason: 'schema',
  },
  {
    name: 'lists a million deep',
    response: httpResponse(200, `{"success":true,"data":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    reason: 'schema',
  },
  { name: 'an answer without content', response: httpResponse(204, '', {}), reason: 'envelope' },
  { name: 'a part of an answer', response: httpResponse(206, PAGE), reason: 'envelope' },
  {
    name: 'a redirect',
    response: httpResponse(302, '', { location: 'https://elsewhere.example/x?key=1' }),
    reason: 'redirect',
  },
  { name: 'not modified', response: httpResponse(304, ''), reason: 'redirect' },
  { name: 'a refusal without JSON', response: httpResponse(400, 'bad'), reason: 'bad_request' },
  { name: 'a challenge with 401', response: html(401), reason: 'edge_block' },
  {
    name: 'a refusal with an unknown code and 401',
    response: httpResponse(401, failure('NEW')),
    reason: 'unauthorized',
  },
  { name: 'payment required', response: httpResponse(402, failure('NO_MONEY')), reason: 'bad_request' },
  { name: 'a challenge with 403', response: html(403), reason: 'edge_block' },
  {
    name: 'a challenge with 403 and no type',
    response: httpResponse(403, `\uFEFF ${HTML}`, {}),
    reason: 'edge_block',
  },
  { name: 'an empty 403', response: httpResponse(403, ''), reason: 'edge_block' },
  {
    name: 'a refusal without a code',
    response: httpResponse(403, '{"message":"no"}'),
    reason: 'unauthorized',
  },
  {
    name: 'a compressed refusal',
    response: httpResponse(403, 'x', { 'content-encoding': 'br' }),
    reason: 'edge_block',
  },
  { name: 'a page that is not there', response: html(404), reason: 'not_found' },
  { name: 'an unknown route', response: httpResponse(404, failure('NOT_FOUND')), reason: 'not_found' },
  {
    name: 'no tunnel, when devices were asked for',
    response: httpResponse(404, failure('SELF_RENT_TUNNEL_NOT_FOUND')),
    reason: 'not_found',
  },
  { name: 'a wrong method', response: httpResponse(405, ''), reason: 'bad_request' },
  { name: 'a request timeout', response: httpResponse(408, ''), reason: 'timeout' },
  { name: 'too many requests', response: httpResponse(429, failure('RATE_LIMITED')), reason: 'throttled' },
  { name: 'too many requests, says the edge', response: html(429), reason: 'throttled' },
  { name: 'a fault without a code', response: httpResponse(500, '{}'), reason: 'server' },
  { name: 'a bad gateway', response: html(502), reason: 'server' },
  { name: 'maintenance of the API', response: httpResponse(503, '{"message":"soon"}'), reason: 'server' },
  { name: 'a challenge with 503', response: html(503), reason: 'edge_block' },
  { name: 'a gateway timeout', response: html(504), reason: 'server' },
  { name: 'a page of 520', response: html(520), reason: 'edge_block' },
  { name: 'a page of 530', response: html(530), reason: 'edge_block' },
  { name: 'a status that nobody knows', response: httpResponse(999, ''), reason: 'server' },
];
