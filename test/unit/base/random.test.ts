import { describe, expect, it } from 'vitest';
import { between, createRandom, deriveSeed, pick, pickWeighted } from '../../../src/base/random.ts';

const draw = (seed: number, count: number) => {
  const random = createRandom(seed);
  return Array.from({ length: count }, random);
};

describe('the random numbers of the simulator', () => {
  it('are the same for the same seed', () => {
    expect(draw(1, 3)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
    expect(draw(1, 100)).toEqual(draw(1, 100));
  });

  it('depend on every part that a seed is derived from, and on the order', () => {
    const seeds = [deriveSeed(1, 2), deriveSeed(2, 1), deriveSeed(1), deriveSeed(1, 2, 0), deriveSeed(1, 3)];
    expect(new Set(seeds).size).toBe(seeds.length);
  });

  it('include both bounds of an integer range', () => {
    const random = createRandom(4);
    const drawn = new Set(Array.from({ length: 200 }, () => between(random, 3, 5)));
    expect([...drawn].sort()).toEqual([3, 4, 5]);
  });

  it('pick undefined and null like any other choice', () => {
    const random = createRandom(6);
    const drawn = new Set(Array.from({ length: 100 }, () => pick(random, ['a', null, undefined])));
    expect(drawn).toEqual(new Set(['a', null, undefined]));
  });

  it('pick choices by weight', () => {
    const random = createRandom(5);
    const drawn = Array.from({ length: 1_000 }, () =>
      pickWeighted(random, { often: 9, seldom: 1, never: 0 }),
    );
    expect(drawn.filter((choice) => choice === 'often').length).toBeGreaterThan(850);
    expect(drawn).toContain('seldom');
    expect(drawn).not.toContain('never');
  });
});
