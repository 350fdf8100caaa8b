import { expect, it } from 'vitest';
import { acceptsGzip } from '../../../src/http/encoding.ts';

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
])('Accept-Encoding %j takes gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
