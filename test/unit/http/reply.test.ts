import { expect, it } from 'vitest';
import { acceptsGzip, matchesEntityTag } from '../../../src/http/reply.ts';

it.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['gzip;q=0', false],
  ['identity', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip;q=rubbish', false],
])('reads from Accept-Encoding %j that gzip is accepted: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

it.each([
  [undefined, false],
  ['', false],
  ['W/"a-1"', true],
  ['"a-1"', true],
  ['*', true],
  ['"b", W/"a-1"', true],
  ['"a-10"', false],
  ['a-1', false],
])('reads from If-None-Match %j that it names W/"a-1": %s', (header, expected) => {
  expect(matchesEntityTag(header, 'W/"a-1"')).toBe(expected);
});
