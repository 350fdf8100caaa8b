import { describe, expect, it } from 'vitest';
import {
  currentValue,
  flag,
  freeText,
  gauge,
  info,
  samples,
  seconds,
  stateSet,
} from '../../../src/metrics/row.ts';

describe('free text', () => {
  it.each([
    ['fits', 'cable replaced', 'cable replaced'],
    ['has exactly as many bytes as fit', 'x'.repeat(128), 'x'.repeat(128)],
    ['is longer', 'x'.repeat(129), `${'x'.repeat(125)}…`],
    ['has characters of several bytes', 'ж'.repeat(100), `${'ж'.repeat(62)}…`],
    ['has characters of several code points', '👩🏽‍🔧'.repeat(20), `${'👩🏽‍🔧'.repeat(8)}…`],
  ])('that %s is cut at a character, with an ellipsis', (_, text, label) => {
    expect(freeText(text)).toBe(label);
  });
});

const number = gauge('g', 'h', (value: number | undefined) => value);
const flagOf = (value: boolean | undefined) => flag('f', 'h', () => value).read({});
const states = stateSet('s', 'h', 'state', ['a', 'b'], (state: 'a' | 'b' | undefined) => state);
const infoOf = (texts: readonly string[] | undefined) => info('i', 'h', ['a', 'b'], () => texts).read({});

it.each([
  ['a gauge shows its number', number.read(1.5), [[1.5]]],
  ['a gauge shows a measured zero', number.read(0), [[0]]],
  ['a gauge without a value has no sample', number.read(undefined), []],
  ['a flag that is true is 1', flagOf(true), [[1]]],
  ['a flag that is false is 0', flagOf(false), [[0]]],
  ['a flag without a value has no sample', flagOf(undefined), []],
  ['an info is always 1 and carries its texts in the declared order', infoOf(['x', 'y']), [[1, 'x', 'y']]],
  ['an info without a value has no sample', infoOf(undefined), []],
  ['a state set of an unknown state has no sample', states.read(undefined), []],
  ['a current value is a label', currentValue('c', 'h', 's', () => 'paused').read({}), [[1, 'paused']]],
  ['samples are returned as they were read', samples('c', 'h', ['k'], () => [[1, 'a']]).read({}), [[1, 'a']]],
])('in a row of metrics, %s', (_, shown, expected) => {
  expect(shown).toEqual(expected);
});

it('a state set has one series per state, exactly one of them at 1', () => {
  expect([...(states.read('b') ?? [])]).toEqual([
    [0, 'a'],
    [1, 'b'],
  ]);
});

it('milliseconds are converted to seconds, and undefined stays undefined', () => {
  expect([seconds(1500), seconds(undefined)]).toEqual([1.5, undefined]);
});
