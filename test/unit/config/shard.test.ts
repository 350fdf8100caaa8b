import { describe, expect, it } from 'vitest';
import { load, problemsOf, type TestSources } from './sources.ts';

const shardOf = (sources: TestSources) => load(sources).config.shard;

describe('the shard of a configuration', () => {
  it.each<[string, TestSources, { index: number; total: number }]>([
    ['is the only one by default', {}, { index: 0, total: 1 }],
    ['comes from flags', { flags: { 'shard.index': '2', 'shard.total': '4' } }, { index: 2, total: 4 }],
    [
      'comes from variables',
      { environment: { HOSTER_SHARD: '2', HOSTER_TOTAL_SHARDS: '4' } },
      { index: 2, total: 4 },
    ],
    ['comes from the file', { file: 'shard: { index: 2, total: 4 }' }, { index: 2, total: 4 }],
    [
      'is the number of the pod',
      { file: 'shard: { index: auto, total: 4 }', environment: { HOSTNAME: 'hoster-exporter-3' } },
      { index: 3, total: 4 },
    ],
    [
      'is the number of the pod by POD_NAME, since HOSTNAME may name the node',
      {
        file: 'shard: { index: auto, total: 4 }',
        environment: { POD_NAME: 'hoster-exporter-3', HOSTNAME: 'worker-1' },
      },
      { index: 3, total: 4 },
    ],
  ])('%s', (_, sources, expected) => {
    expect(shardOf(sources)).toEqual(expected);
  });

  it.each<[string, TestSources, string]>([
    [
      'a number beyond the last shard',
      { flags: { 'shard.index': '4', 'shard.total': '4' } },
      '--shard: shard.index: got 4, expected a number below shard.total (--total-shards), which is 4',
    ],
    [
      'a number without a total',
      { file: 'shard: { index: 1 }' },
      '/etc/hoster/hoster.yml:1:10: shard.index: got 1, expected a number below shard.total (--total-shards), which is 1',
    ],
    [
      'a word',
      { environment: { HOSTER_SHARD: 'first', HOSTER_TOTAL_SHARDS: '4' } },
      'HOSTER_SHARD: shard.index: got "first", expected a whole number from 0 to 255, or auto',
    ],
    [
      'no shards at all',
      { flags: { 'shard.total': '0' } },
      '--total-shards: shard.total: got "0", expected a whole number from 1 to 256',
    ],
    [
      'auto where neither POD_NAME nor HOSTNAME is set',
      { flags: { 'shard.index': 'auto', 'shard.total': '4' } },
      '--shard: shard.index: got "auto", expected a number, since neither POD_NAME nor HOSTNAME is set',
    ],
    [
      'auto in a pod without a number',
      { flags: { 'shard.index': 'auto' }, environment: { HOSTNAME: 'hoster-exporter-7d4b9c-x2x' } },
      '--shard: shard.index: got "auto", expected a number, since HOSTNAME is "hoster-exporter-7d4b9c-x2x" and does not end in one, as in hoster-exporter-3',
    ],
    [
      'auto in a pod beyond the last shard',
      {
        flags: { 'shard.index': 'auto', 'shard.total': '4' },
        environment: { HOSTNAME: 'hoster-exporter-4' },
      },
      '--shard: shard.index: got "auto", expected a pod whose number is below shard.total (--total-shards), which is 4: HOSTNAME is "hoster-exporter-4"',
    ],
  ])('can not be %s', (_, sources, problem) => {
    expect(problemsOf(() => load(sources))).toEqual([problem]);
  });
});
