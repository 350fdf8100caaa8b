import { describe, expect, it } from 'vitest';
import { remember } from '../../../src/api/wire/memo.ts';

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
