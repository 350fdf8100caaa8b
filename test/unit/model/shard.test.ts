import { describe, expect, it } from 'vitest';
import { collectorsOf, isOwn, shardOf, WHOLE } from '../../../src/model/shard.ts';

const TOTALS = [1, 2, 3, 4, 5, 8, 16, 256];

describe('the shard of a phone', () => {
  // These never change: a process of an older version would look after other phones than the rest think it does.
  it.each([
    ['65f0c0ffee0123456789abcd', [0, 1, 1, 1, 4, 4, 8, 157]],
    ['65f0c0ffee0123456789abce', [0, 1, 2, 2, 2, 6, 13, 245]],
    ['phone-1', [0, 1, 1, 1, 1, 6, 14, 14]],
    ['phone-2', [0, 0, 0, 0, 0, 5, 5, 65]],
    ['a', [0, 1, 1, 1, 4, 4, 9, 52]],
    ['A', [0, 1, 1, 1, 4, 4, 4, 226]],
    ['_', [0, 1, 1, 3, 3, 7, 9, 55]],
    ['-', [0, 1, 2, 3, 3, 5, 5, 81]],
    ['x'.repeat(64), [0, 1, 1, 3, 3, 3, 11, 85]],
  ])('%s is the same for ever', (deviceId, shards) => {
    expect(TOTALS.map((total) => shardOf(deviceId, total))).toEqual(shards);
  });
});

describe('a shard', () => {
  it('that is the only one looks after every phone', () => {
    expect(isOwn(WHOLE, 'phone-1')).toBe(true);
  });

  it('looks after its own phones and no others', () => {
    const owners = [0, 1, 2, 3].filter((index) => isOwn({ index, total: 4 }, 'phone-1'));
    expect(owners).toEqual([1]);
  });

  it('polls what there is once for an account only if it is the first', () => {
    expect(collectorsOf(WHOLE)).toEqual(['devices', 'tunnels', 'balance']);
    expect(collectorsOf({ index: 0, total: 4 })).toEqual(['devices', 'tunnels', 'balance']);
    expect(collectorsOf({ index: 3, total: 4 })).toEqual(['devices', 'tunnels']);
  });
});
