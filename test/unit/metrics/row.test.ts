import { describe, expect, it } from 'vitest';
import {
  currentValue,
  flag,
  freeText,
  gauge,
  info,
  type Row,
  samples,
  seconds,
  stateSet,
} from '../../../src/metrics/row.ts';

/** The samples of a row for any subject. */
const samplesOf = (row: Row<unknown>) => row.read({});

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

describe('a row of metrics', () => {
  it.each([
    ['a gauge shows its number', gauge('g', 'h', (n: number | undefined) => n), 1.5, [[1.5]]],
    ['a gauge shows a measured zero', gauge('g', 'h', (n: number | undefined) => n), 0, [[0]]],
    ['a gauge without a value has no sample', gauge('g', 'h', (n: number | undefined) => n), undefined, []],
  ])('%s', (_, row, subject, expected) => {
    expect(row.read(subject)).toEqual(expected);
  });

  it.each([
    [true, [[1]]],
    [false, [[0]]],
    [undefined, []],
  ])('a flag with the value %s has the samples %j', (value, expected) => {
    expect(samplesOf(flag('f', 'h', () => value))).toEqual(expected);
  });

  it('an info is always 1 and carries its texts in the declared order', () => {
    expect(samplesOf(info('i', 'h', ['a', 'b'], () => ['x', 'y']))).toEqual([[1, 'x', 'y']]);
  });

  it('an info without a value has no sample', () => {
    expect(samplesOf(info('i', 'h', ['a'], () => undefined))).toEqual([]);
  });

  it('a state set has one series per state, exactly one of them at 1', () => {
    const row = stateSet('s', 'h', 'state', ['a', 'b', 'c'], (state: 'a' | 'b' | 'c') => state);
    expect(row.read('b')).toEqual([
      [0, 'a'],
      [1, 'b'],
      [0, 'c'],
    ]);
  });

  it('a state set of an unknown state has no sample', () => {
    expect(samplesOf(stateSet('s', 'h', 'state', ['a'], () => undefined))).toEqual([]);
  });

  it('a current value has one series with the value as a label', () => {
    expect(samplesOf(currentValue('c', 'h', 'status', () => 'paused'))).toEqual([[1, 'paused']]);
  });

  it('samples are returned as they were read', () => {
    expect(samplesOf(samples('c', 'h', ['kind'], () => [[1, 'a']]))).toEqual([[1, 'a']]);
  });

  it('milliseconds are converted to seconds, and undefined stays undefined', () => {
    expect([seconds(1500), seconds(undefined)]).toEqual([1.5, undefined]);
  });
});
