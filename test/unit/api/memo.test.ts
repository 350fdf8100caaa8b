import { describe, expect, it } from 'vitest';
import { createWordsMemo, remember, rememberLast, type Word } from '../../../src/api/wire/memo.ts';

function counted() {
  const asked: string[] = [];
  return {
    asked,
    read: remember((text) => {
      asked.push(text);
      return `${text}!`;
    }),
  };
}

describe('a memory for texts', () => {
  it('asks once for each', () => {
    const { read, asked } = counted();
    expect(['a', 'b', 'a'].map(read)).toEqual(['a!', 'b!', 'a!']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('does not keep long ones', () => {
    const { read, asked } = counted();
    const long = 'x'.repeat(65);
    expect([long, long].map(read)).toEqual([`${long}!`, `${long}!`]);
    expect(asked).toEqual([long, long]);
  });

  it('starts anew when it is full', () => {
    const { read, asked } = counted();
    for (let number = 0; number <= 4096; number += 1) read(String(number));
    read('4096');
    expect(asked.length).toBe(4097);
    read('0');
    expect(asked.length).toBe(4098);
  });
});

it('a memory of one asks again for each text that is not the one before', () => {
  const asked: string[] = [];
  const read = rememberLast((text) => {
    asked.push(text);
    return text === 'none' ? undefined : `${text}!`;
  });
  expect(['a', 'a', 'b', 'a', 'none', 'none'].map(read)).toEqual([
    'a!',
    'a!',
    'b!',
    'a!',
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(['a', 'b', 'a', 'none']);
});

describe('a memory for several words', () => {
  type Item = readonly [Word, Word];
  const memory = () => createWordsMemo<Item, string>([([first]) => first, ([, second]) => second], 8);

  it('knows what was kept for the same words in the same places', () => {
    const memo = memory();
    memo.keep(['ab', 'c'], 'one');
    memo.keep(['ab', 5], 'two');
    expect(memo.recall(['ab', 'c'])).toBe('one');
    expect(memo.recall(['ab', 5])).toBe('two');
  });

  it.each<Item>([
    ['a', 'bc'],
    ['c', 'ab'],
    ['ab', ''],
    ['ab', 'd'],
  ])('knows nothing of %j and %j', (...words) => {
    const memo = memory();
    memo.keep(['ab', 'c'], 'one');
    expect(memo.recall(words)).toBeUndefined();
  });

  it('does not keep words that are long together', () => {
    const memo = memory();
    memo.keep(['abcd', 'efgh'], 'short');
    memo.keep(['abcd', 'efghi'], 'long');
    memo.keep(['abcd', 12_345], 'long');
    expect(memo.recall(['abcd', 'efgh'])).toBe('short');
    expect(memo.recall(['abcd', 'efghi'])).toBeUndefined();
    expect(memo.recall(['abcd', 12_345])).toBeUndefined();
  });

  it('starts anew when it is full', () => {
    const memo = memory();
    for (let number = 0; number < 4096; number += 1) memo.keep(['a', number], 'kept');
    expect(memo.recall(['a', 0])).toBe('kept');
    memo.keep(['b', 0], 'kept');
    expect(memo.recall(['a', 0])).toBeUndefined();
    expect(memo.recall(['b', 0])).toBe('kept');
  });
});
