import { expect, it } from 'vitest';
import { matchesTag } from '../../../src/http/entity-tag.ts';

it.each([
  [undefined, false],
  ['', false],
  ['W/"a-1"', true],
  ['"a-1"', true],
  ['*', true],
  ['"b", W/"a-1"', true],
  ['"a-10"', false],
  ['a-1', false],
])('If-None-Match %j matches W/"a-1": %s', (header, expected) => {
  expect(matchesTag(header, 'W/"a-1"')).toBe(expected);
});
