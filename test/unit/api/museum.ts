import type { Reply } from '../../../src/api/receive.ts';
import type { FailureReason } from '../../../src/model/failure.ts';
import { failure, success, wirePage } from './documented.ts';

/** A bad answer that was seen somewhere or can be, and the reason that it has to get. */
export type Exhibit = { readonly name: string; readonly reply: Reply; readonly reason: FailureReason };

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = '<!doctype html><title>Attention Required! | Edge</title>{"';
const PAGE = success(wirePage());

export function reply(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': JSON_TYPE },
): Reply {
  return { status, headers, body: Buffer.from(body) };
}

const html = (status: number) => reply(status, HTML, { 'content-type': 'text/html' });

/** Bad answers to a request for devices. */
export const MUSEUM: readonly Exhibit[] = [
  { name: 'an empty body', reply: reply(200, ''), reason: 'envelope' },
  { name: 'blanks', reply: reply(200, ' \n'), reason: 'envelope' },
  { name: 'null', reply: reply(200, 'null'), reason: 'envelope' },
  { name: 'a number', reply: reply(200, '42'), reason: 'envelope' },
  { name: 'a list', reply: reply(200, '[]'), reason: 'envelope' },
  { name: 'an empty object', reply: reply(200, '{}'), reason: 'envelope' },
  { name: 'success without data', reply: reply(200, '{"success":true}'), reason: 'envelope' },
  { name: 'data null', reply: reply(200, '{"success":true,"data":null}'), reason: 'envelope' },
  { name: 'data without success', reply: reply(200, '{"data":{}}'), reason: 'envelope' },
  { name: 'success as text', reply: reply(200, '{"success":"true","data":{}}'), reason: 'envelope' },
  { name: 'no success without a code', reply: reply(200, '{"success":false}'), reason: 'envelope' },
  { name: 'a login page', reply: html(200), reason: 'envelope' },
  { name: 'a login page that claims to be JSON', reply: reply(200, HTML), reason: 'envelope' },
  {
    name: 'JSON that claims to be text',
    reply: reply(200, PAGE, { 'content-type': 'text/plain' }),
    reason: 'envelope',
  },
  { name: 'words', reply: reply(200, 'service "unavailable'), reason: 'envelope' },
  { name: 'JSON with a comma too much', reply: reply(200, '{"success":true,}'), reason: 'envelope' },
  { name: 'two answers in one', reply: reply(200, PAGE + PAGE), reason: 'envelope' },
  {
    name: 'JSON cut in a list',
    reply: reply(200, '{"success":true,"data":{"items":[{}'),
    reason: 'truncated',
  },
  {
    name: 'JSON cut in a string',
    reply: reply(200, '{"success":true,"data":{"x":"a\\"}]'),
    reason: 'truncated',
  },
  {
    name: 'JSON cut in an escape',
    reply: reply(200, '{"success":true,"data":{"x":"\\u00'),
    reason: 'truncated',
  },
  { name: 'JSON cut in a word', reply: reply(200, '{"success":tr'), reason: 'truncated' },
  {
    name: 'JSON cut in a character',
    reply: reply(200, Buffer.from('{"success":true,"data":"ü').subarray(0, -1)),
    reason: 'truncated',
  },
  {
    name: 'Latin-1',
    reply: reply(200, Buffer.from('{"success":true,"data":{"label":"Küche"}}', 'latin1')),
    reason: 'encoding',
  },
  { name: 'UTF-16', reply: reply(200, Buffer.from(PAGE, 'utf16le')), reason: 'envelope' },
  {
    name: 'gzip that was not asked for',
    reply: reply(200, PAGE, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' }),
    reason: 'encoding',
  },
  { name: 'data of another kind', reply: reply(200, success('nothing')), reason: 'schema' },
  { name: 'a page without items', reply: reply(200, success({ total: 0 })), reason: 'schema' },
  { name: 'items as an object', reply: reply(200, success(wirePage({ items: {} }))), reason: 'schema' },
  { name: 'a page without total', reply: reply(200, success({ items: [] })), reason: 'schema' },
  { name: 'total as text', reply: reply(200, success(wirePage({ total: '1' }))), reason: 'schema' },
  { name: 'a negative total', reply: reply(200, success(wirePage({ total: -1 }))), reason: 'schema' },
  { name: 'a broken total', reply: reply(200, success(wirePage({ total: 1.5 }))), reason: 'schema' },
  {
    name: 'an infinite total',
    reply: reply(200, '{"success":true,"data":{"items":[],"total":1e400}}'),
    reason: 'schema',
  },
  {
    name: 'a page of 1,001 items',
    reply: reply(200, success(wirePage({ items: Array.from({ length: 1001 }, () => ({})) }))),
    reason: 'schema',
  },
  {
    name: 'lists a million deep',
    reply: reply(200, `{"success":true,"data":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    reason: 'schema',
  },
  { name: 'an answer without content', reply: reply(204, '', {}), reason: 'envelope' },
  { name: 'a part of an answer', reply: reply(206, PAGE), reason: 'envelope' },
  {
    name: 'a redirect',
    reply: reply(302, '', { location: 'https://elsewhere.example/x?key=1' }),
    reason: 'redirect',
  },
  { name: 'not modified', reply: reply(304, ''), reason: 'redirect' },
  { name: 'a refusal without JSON', reply: reply(400, 'bad'), reason: 'bad_request' },
  { name: 'a challenge with 401', reply: html(401), reason: 'edge_block' },
  {
    name: 'a refusal with an unknown code and 401',
    reply: reply(401, failure('NEW')),
    reason: 'unauthorized',
  },
  { name: 'payment required', reply: reply(402, failure('NO_MONEY')), reason: 'bad_request' },
  { name: 'a challenge with 403', reply: html(403), reason: 'edge_block' },
  { name: 'a challenge with 403 and no type', reply: reply(403, `\uFEFF ${HTML}`, {}), reason: 'edge_block' },
  { name: 'an empty 403', reply: reply(403, ''), reason: 'edge_block' },
  { name: 'a refusal without a code', reply: reply(403, '{"message":"no"}'), reason: 'unauthorized' },
  {
    name: 'a compressed refusal',
    reply: reply(403, 'x', { 'content-encoding': 'br' }),
    reason: 'edge_block',
  },
  { name: 'a page that is not there', reply: html(404), reason: 'not_found' },
  { name: 'an unknown route', reply: reply(404, failure('NOT_FOUND')), reason: 'not_found' },
  {
    name: 'no tunnel, when devices were asked for',
    reply: reply(404, failure('SELF_RENT_TUNNEL_NOT_FOUND')),
    reason: 'not_found',
  },
  { name: 'a wrong method', reply: reply(405, ''), reason: 'bad_request' },
  { name: 'a request timeout', reply: reply(408, ''), reason: 'timeout' },
  { name: 'too many requests', reply: reply(429, failure('RATE_LIMITED')), reason: 'throttled' },
  { name: 'too many requests, says the edge', reply: html(429), reason: 'throttled' },
  { name: 'a fault without a code', reply: reply(500, '{}'), reason: 'server' },
  { name: 'a bad gateway', reply: html(502), reason: 'server' },
  { name: 'maintenance of the API', reply: reply(503, '{"message":"soon"}'), reason: 'server' },
  { name: 'a challenge with 503', reply: html(503), reason: 'edge_block' },
  { name: 'a gateway timeout', reply: html(504), reason: 'server' },
  { name: 'a page of 520', reply: html(520), reason: 'edge_block' },
  { name: 'a page of 530', reply: html(530), reason: 'edge_block' },
  { name: 'a status that nobody knows', reply: reply(999, ''), reason: 'server' },
];
