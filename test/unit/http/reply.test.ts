import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { acceptsGzip, inflate, inflatedReply, matchesEtag, shareRuns } from '../../../src/http/reply.ts';

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
])('acceptsGzip returns for Accept-Encoding %j: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

it.each([
  [undefined, false],
  ['', false],
  ['W/"a-1"', true],
  ['"a-1"', true],
  ['*', true],
  ['"b", W/"a-1"', true],
  ['"a-10"', false],
  ['a-1', false],
])('matchesEtag returns for If-None-Match %j and the tag W/"a-1": %s', (header, expected) => {
  expect(matchesEtag(header, 'W/"a-1"')).toBe(expected);
});

it('inflate decompresses a gzip member in several chunks', async () => {
  const text = 'one line\n'.repeat(10_000);
  const bytes = gzipSync(text);
  const chunks = [bytes.subarray(0, 20), bytes.subarray(20)];
  const inflated = await inflate({ chunks, length: bytes.length, textLength: text.length });
  expect(String(inflated)).toBe(text);
});

it('inflatedReply has status 406 for a text above 64 MiB, which is not inflated', async () => {
  const inflated = await inflate({ chunks: [], length: 0, textLength: 64 * 1024 * 1024 + 1 });
  const { status, content } = inflatedReply(inflated, {});
  expect([status, String(content)]).toEqual([
    406,
    'more than 64 MiB of text is only sent with gzip: try curl --compressed\n',
  ]);
});

it('shareRuns shares one run between concurrent calls, and runs again after a failure', async () => {
  let runs = 0;
  const run = shareRuns(async () => {
    runs += 1;
    if (runs === 2) throw new Error('failed');
    return runs;
  });
  expect(await Promise.all([run(), run(), run()])).toEqual([1, 1, 1]);
  await expect(run()).rejects.toThrow('failed');
  expect(await run()).toBe(3);
});
