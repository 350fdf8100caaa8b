import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { type Collections, noneOf, watchGarbage, withOneMore } from '../../../src/metrics/garbage.ts';

function collect(): void {
  setFlagsFromString('--expose-gc');
  const run: unknown = runInNewContext('gc');
  if (typeof run === 'function') run();
}

describe('collections of garbage', () => {
  it('are timed from when they are watched', async () => {
    const told = watchGarbage();
    expect(told()).toEqual([]);
    collect();
    const [major] = await vi.waitFor(() => {
      const found = told().filter(({ kind }) => kind === 'major');
      expect(found).not.toEqual([]);
      return found;
    });
    expect(major?.count).toBeGreaterThan(0);
    expect(major?.seconds).toBeGreaterThan(0);
  });

  it.each<[number, Collections['upTo']]>([
    [0.0005, [1, 1, 1, 1, 1, 1]],
    [0.001, [1, 1, 1, 1, 1, 1]],
    [0.05, [0, 0, 1, 1, 1, 1]],
    [5, [0, 0, 0, 0, 0, 1]],
    [60, [0, 0, 0, 0, 0, 0]],
  ])('of %d s count in each bucket that is no shorter', (seconds, upTo) => {
    expect(withOneMore(noneOf('minor'), seconds)).toEqual({ kind: 'minor', upTo, count: 1, seconds });
  });
});
