import { describe, expect, it } from 'vitest';
import { atOnce, inSlices, type SlicedWork } from '../../src/slices.ts';

function* count(done: string[]): SlicedWork<string> {
  for (const step of ['one', 'two']) {
    done.push(step);
    yield;
  }
  return 'three';
}

describe('sliced work', () => {
  it('pauses after each slice', async () => {
    const done: string[] = [];
    const pause = async () => {
      done.push('pause');
    };
    expect(await inSlices(count(done), pause)).toBe('three');
    expect(done).toEqual(['one', 'pause', 'two', 'pause']);
  });

  it('can be done at once', () => {
    expect(atOnce(count([]))).toBe('three');
  });
});
