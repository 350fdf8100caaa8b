import { describe, expect, it } from 'vitest';
import {
  about,
  counters,
  currentValue,
  flag,
  gauge,
  info,
  isStatus,
  type Row,
  samples,
  seconds,
  stateSet,
} from '../../../src/metrics/row.ts';
import { samplesOf } from '../../../src/metrics/sample.ts';

/** What a row says of whatever it is asked about. */
const saidBy = (row: Row<unknown>) => samplesOf(row, {});

describe('a row', () => {
  it.each([
    ['a gauge shows its number', gauge('g', 'h', (n: number | undefined) => n), 1.5, [[1.5]]],
    ['a gauge shows a measured zero', gauge('g', 'h', (n: number | undefined) => n), 0, [[0]]],
    ['a gauge without a value has no sample', gauge('g', 'h', (n: number | undefined) => n), undefined, []],
  ])('%s', (_, row, subject, expected) => {
    expect(samplesOf(row, subject)).toEqual(expected);
  });

  it('counters show one sample for each state', () => {
    const row = counters('c', 'h', 'state', ['a', 'b'], (counts: { a: number; b: number }) => counts);
    expect(samplesOf(row, { a: 1, b: 0 })).toEqual([
      [1, 'a'],
      [0, 'b'],
    ]);
    expect(row.readsTheSame({ a: 1, b: 0 }, { a: 1, b: 0 })).toBe(true);
    expect(row.readsTheSame({ a: 1, b: 0 }, { a: 1, b: 2 })).toBe(false);
  });

  it.each([
    [true, [[1]]],
    [false, [[0]]],
    [undefined, []],
  ])('a flag shows %s as %j', (value, expected) => {
    expect(saidBy(flag('f', 'h', () => value))).toEqual(expected);
  });

  it('an info is always 1 and carries its texts in the declared order', () => {
    expect(saidBy(info('i', 'h', ['a', 'b'], () => ['x', 'y']))).toEqual([[1, 'x', 'y']]);
  });

  it('an info about nothing has no sample', () => {
    expect(saidBy(info('i', 'h', ['a'], () => undefined))).toEqual([]);
  });

  it('a state set has one series per state, exactly one of them at 1', () => {
    const row = stateSet('s', 'h', 'state', ['a', 'b', 'c'], (state: 'a' | 'b' | 'c') => state);
    expect(samplesOf(row, 'b')).toEqual([
      [0, 'a'],
      [1, 'b'],
      [0, 'c'],
    ]);
  });

  it('a state set of an unknown state has no sample', () => {
    expect(saidBy(stateSet('s', 'h', 'state', ['a'], () => undefined))).toEqual([]);
  });

  it('a current value is one series that names it', () => {
    expect(saidBy(currentValue('c', 'h', 'status', () => 'paused'))).toEqual([[1, 'paused']]);
  });

  it('several samples stand as they were read', () => {
    expect(saidBy(samples('counter', 'c', 'h', ['kind'], () => [[1, 'a']]))).toEqual([[1, 'a']]);
  });

  it('milliseconds become seconds, and absent stays absent', () => {
    expect([seconds(1500), seconds(undefined)]).toEqual([1.5, undefined]);
  });

  it('an open status is compared with the documented value, and absent stays absent', () => {
    expect([isStatus('up', 'up'), isStatus('down', 'up'), isStatus(undefined, 'up')]).toEqual([
      true,
      false,
      undefined,
    ]);
  });
});

describe('two subjects read the same', () => {
  type Phone = {
    readonly age?: number | undefined;
    readonly state?: 'a' | 'b' | undefined;
    readonly text?: string;
  };
  const age = gauge('g', 'h', (phone: Phone) => phone.age);
  const late = flag('f', 'h', ({ age: seconds }: Phone) => seconds !== undefined && seconds > 5);
  const state = stateSet('s', 'h', 'state', ['a', 'b'], (phone: Phone) => phone.state);
  const texts = info('i', 'h', ['a', 'b'], ({ text }: Phone) =>
    text === undefined ? undefined : [text, 'x'],
  );
  const several = samples('counter', 'c', 'h', ['kind'], (phone: Phone) => [
    [phone.age ?? 0, 'one'],
    [1, phone.text ?? ''],
  ]);

  it.each([
    ['gauges of one number', age, { age: 1 }, { age: 1 }, true],
    ['gauges of two numbers', age, { age: 1 }, { age: 2 }, false],
    ['gauges, one of them absent', age, { age: 0 }, {}, false],
    ['absent gauges', age, {}, {}, true],
    ['gauges of no number', age, { age: Number.NaN }, { age: Number.NaN }, true],
    ['gauges of the two zeros', age, { age: 0 }, { age: -0 }, false],
    ['flags of other numbers', late, { age: 1 }, { age: 2 }, true],
    ['flags that differ', late, { age: 1 }, { age: 6 }, false],
    ['state sets in one state', state, { state: 'a' }, { state: 'a' }, true],
    ['state sets in two states', state, { state: 'a' }, { state: 'b' }, false],
    ['texts', texts, { text: 'a' }, { text: 'a' }, true],
    ['other texts', texts, { text: 'a' }, { text: 'b' }, false],
    ['texts, one of them absent', texts, { text: '' }, {}, false],
    ['several samples', several, { age: 1, text: 'a' }, { age: 1, text: 'a' }, true],
    ['several samples with another label', several, { age: 1, text: 'a' }, { age: 1, text: 'b' }, false],
    ['several samples with another value', several, { age: 1, text: 'a' }, { age: 2, text: 'a' }, false],
  ] as const)('where they are %s', (_, row, one, other, same) => {
    expect(row.readsTheSame(one, other)).toBe(same);
    expect(row.readsTheSame(other, one)).toBe(same);
  });

  it('where the rows are about a part, and the part is the same one', () => {
    let reads = 0;
    const [row] = about(
      ({ part }: { readonly part: Phone }) => part,
      [
        gauge('g', 'h', (part: Phone) => {
          reads += 1;
          return part.age;
        }),
      ],
    );
    const part = { age: 1 };
    expect(row && samplesOf(row, { part })).toEqual([[1]]);
    reads = 0;
    expect(row?.readsTheSame({ part }, { part })).toBe(true);
    expect(reads).toBe(0);
    expect(row?.readsTheSame({ part }, { part: { age: 1 } })).toBe(true);
    expect(row?.readsTheSame({ part }, { part: { age: 2 } })).toBe(false);
  });
});
