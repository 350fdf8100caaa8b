import { describe, expect, it } from 'vitest';
import { createResults } from '../../../../src/http/auth/results.ts';

const results = () => createResults(Buffer.from('of this process'));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `key ${index}`);

describe('results of checks', () => {
  it('are kept, right ones and wrong ones', () => {
    const { get, set } = results();
    set('one', true);
    set('two', false);
    expect([get('one'), get('two'), get('three')]).toEqual([true, false, undefined]);
  });

  it('are a hundred at most, and the oldest goes first', () => {
    const { get, set } = results();
    for (const key of numbered(150)) set(key, false);
    expect(numbered(150).filter((key) => get(key) !== undefined)).toEqual(numbered(150).slice(50));
  });

  it('that are right are not pushed out by any number of wrong ones', () => {
    const { get, set } = results();
    for (const key of ['one', 'two']) set(key, true);
    for (const key of numbered(1_000)) set(key, false);
    expect([get('one'), get('two'), numbered(1_000).filter((key) => get(key) === false).length]).toEqual([
      true,
      true,
      98,
    ]);
  });

  it('of a hundred right ones make room only for another right one', () => {
    const { get, set } = results();
    for (const key of numbered(100)) set(key, true);
    set('wrong', false);
    expect(get('wrong')).toBeUndefined();
    get('key 0');
    set('right', true);
    expect([get('key 0'), get('key 1'), get('right')]).toEqual([true, undefined, true]);
  });

  it('are kept under keys that tell users, hashes and passwords apart, and show none of them', () => {
    const { keyOf } = results();
    const keys = [
      keyOf('a', 'b', 'c'),
      keyOf('ab', '', 'c'),
      keyOf('a', 'bc', ''),
      keyOf('a"', '"b', 'c'),
      createResults(Buffer.from('of another')).keyOf('a', 'b', 'c'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key))).toBe(true);
  });
});
