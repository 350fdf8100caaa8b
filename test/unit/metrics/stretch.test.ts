import { crc32, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  compact,
  createCompressor,
  EMPTY_RUN,
  extend,
  gzipBody,
  joined,
  type Stretch,
  store,
} from '../../../src/metrics/stretch.ts';

const compress = createCompressor();

function textOf(...stretches: readonly Stretch[]): string {
  return gunzipSync(Buffer.concat(gzipBody(extend(EMPTY_RUN, stretches)).chunks)).toString();
}

describe('stretches', () => {
  it.each(['', 'hoster_up 1\n', '📱 рядом\n', 'x'.repeat(65_535), 'y'.repeat(65_536), 'z'.repeat(200_000)])(
    'come back as they were, compressed or stored (%#)',
    (text) => {
      expect(textOf(compress.texts([text]))).toBe(text);
      expect(textOf(store(text))).toBe(text);
      expect(textOf(store(text), compress.texts([text]), store(text))).toBe(text.repeat(3));
    },
  );

  it('are compressed from several texts as from one', () => {
    expect(compress.texts(['a\n', '', 'b\n'])).toEqual(compress.texts(['a\nb\n']));
  });

  it('do not change when the next one is made', () => {
    const first = compress.texts(['a'.repeat(1_000)]);
    compress.texts(['b'.repeat(1_000)]);
    expect(textOf(first)).toBe('a'.repeat(1_000));
  });

  it('know their sum', () => {
    const run = extend(extend(EMPTY_RUN, [compress.texts(['ab'])]), [store('c'), compress.texts(['d'])]);
    const { checksum, textBytes, deflatedBytes, chunks } = run;
    expect({ checksum, textBytes, deflatedBytes }).toEqual({
      checksum: crc32('abcd'),
      textBytes: 4,
      deflatedBytes: Buffer.concat(chunks).length,
    });
  });

  it('are the same text when they are joined into one', () => {
    const stretches = [compress.texts(['one\n']), store('two\n'), compress.texts(['три\n'])];
    expect(textOf(joined(stretches))).toBe('one\ntwo\nтри\n');
    expect(textOf(store('a'), joined(stretches), store('b'))).toBe('aone\ntwo\nтри\nb');
    expect(textOf(joined([]))).toBe('');
  });

  it('are the same bytes in fewer chunks, of which only small ones were copied', () => {
    const [small, large] = [store('small'), store('x'.repeat(100_000))];
    const run = extend(EMPTY_RUN, [small, small, large, small, small]);
    const { chunks, ...rest } = compact(run);
    expect(rest).toEqual({
      checksum: run.checksum,
      textBytes: run.textBytes,
      deflatedBytes: run.deflatedBytes,
    });
    expect(Buffer.concat(chunks)).toEqual(Buffer.concat(run.chunks));
    expect(chunks).toHaveLength(3);
    expect(chunks[1]).toBe(large.deflated);
  });
});
