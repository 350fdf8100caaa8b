import { gzipSync } from 'node:zlib';
import type { HttpResponse } from '../../../src/api/http.ts';
import type { FailureReason } from '../../../src/model/enums.ts';
import { failure, success, wirePage } from './wire-fixtures.ts';

/** A bad response that was seen somewhere, or can be, with the reason of its failure. */
type BadResponse = readonly [name: string, reason: FailureReason, response: HttpResponse];

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

const ok = (body: string | Uint8Array) => httpResponse(200, body);
const page = (fields: Record<string, unknown>) => ok(success(wirePage(fields)));
const coded = (body: string | Uint8Array, coding: string, status = 200) =>
  httpResponse(status, body, { 'content-encoding': coding });

/** Bad responses to a request for devices. */
export const BAD_RESPONSES: readonly BadResponse[] = [
  ['an empty body', 'envelope', ok('')],
  ['null', 'envelope', ok('null')],
  ['a list', 'envelope', ok('[]')],
  ['an empty object', 'envelope', ok('{}')],
  ['data null', 'envelope', ok('{"success":true,"data":null}')],
  ['data without success', 'envelope', ok('{"data":{}}')],
  ['success as text', 'envelope', ok('{"success":"true","data":{}}')],
  ['no success without a code', 'envelope', ok('{"success":false}')],
  ['a login page', 'envelope', html(200)],
  ['a login page that claims to be JSON', 'envelope', ok(HTML)],
  ['JSON that claims to be text', 'envelope', httpResponse(200, PAGE, { 'content-type': 'text/plain' })],
  ['JSON with a comma too much', 'envelope', ok('{"success":true,}')],
  ['JSON cut in a list', 'truncated', ok('{"success":true,"data":{"items":[{}')],
  ['JSON cut in a string', 'truncated', ok('{"success":true,"data":{"x":"a\\"}]')],
  ['JSON cut in an escape', 'truncated', ok('{"success":true,"data":{"x":"\\u00')],
  ['JSON cut in a character', 'truncated', ok(Buffer.from('{"success":true,"data":"ü').subarray(0, -1))],
  ['Latin-1', 'encoding', ok(Buffer.from('{"success":true,"data":{"label":"Küche"}}', 'latin1'))],
  ['UTF-16', 'envelope', ok(Buffer.from(PAGE, 'utf16le'))],
  [
    'gzip that was not asked for',
    'encoding',
    httpResponse(200, PAGE, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' }),
  ],
  ['gzip that lacks its end', 'truncated', coded(gzipSync(PAGE).subarray(0, -20), 'gzip')],
  [
    'gzip that unpacks to more than any page',
    'too_large',
    coded(gzipSync(Buffer.alloc(9_000_000, ' ')), 'gzip'),
  ],
  ['two compressions', 'encoding', coded(gzipSync(gzipSync(PAGE)), 'gzip, gzip')],
  ['a 511 without a page', 'server', httpResponse(511, 'x')],
  ['a login page of the network with 511', 'edge_block', html(511)],
  ['data of another kind', 'schema', ok(success('nothing'))],
  ['a page without items', 'schema', ok(success({ total: 0 }))],
  ['a page of 1,001 items', 'schema', page({ items: Array.from({ length: 1001 }, () => ({})) })],
  ['lists a million deep', 'schema', ok(`{"success":true,"data":${'['.repeat(1e6)}${']'.repeat(1e6)}}`)],
  ['a part of an answer', 'envelope', httpResponse(206, PAGE)],
  ['a redirect', 'redirect', httpResponse(302, '', { location: 'https://elsewhere.example/x?key=1' })],
  ['a refusal without JSON', 'bad_request', httpResponse(400, 'bad')],
  ['a refusal with an unknown code and 401', 'unauthorized', httpResponse(401, failure('NEW'))],
  ['a challenge with 403', 'edge_block', html(403)],
  ['a challenge with 403 and no type', 'edge_block', httpResponse(403, `\uFEFF ${HTML}`, {})],
  ['an empty 403', 'edge_block', httpResponse(403, '')],
  ['a refusal without a code', 'unauthorized', httpResponse(403, '{"message":"no"}')],
  ['a compressed refusal', 'edge_block', coded('x', 'br', 403)],
  ['a page that is not there', 'not_found', html(404)],
  [
    'no tunnel, when devices were asked for',
    'not_found',
    httpResponse(404, failure('SELF_RENT_TUNNEL_NOT_FOUND')),
  ],
  ['a wrong method', 'bad_request', httpResponse(405, '')],
  ['a request timeout', 'timeout', httpResponse(408, '')],
  ['too many requests', 'throttled', httpResponse(429, failure('RATE_LIMITED'))],
  ['too many requests, says the edge', 'throttled', html(429)],
  ['a fault without a code', 'server', httpResponse(500, '{}')],
  ['a bad gateway', 'server', html(502)],
  ['maintenance of the API', 'server', httpResponse(503, '{"message":"soon"}')],
  ['a challenge with 503', 'edge_block', html(503)],
  ['a gateway timeout', 'server', html(504)],
  ['a page of 520', 'edge_block', html(520)],
  ['a status that nobody knows', 'server', httpResponse(999, '')],
];
