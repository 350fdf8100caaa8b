import { describe, expect, it } from 'vitest';
import { lnHypergeometricTail } from '../../../src/judgement/hypergeometric.ts';

describe('lnHypergeometricTail', () => {
  it.each([
    // All of 5 marked among 5 drawn of 20: 1 of 15,504 draws.
    [5, 20, 5, 5, 1 / 15_504],
    // By exact binomial coefficients.
    [3, 50, 10, 8, 0.187_772_9],
    // At least 0 is certain, and so is what every draw must have.
    [0, 50, 10, 8, 1],
    [3, 10, 8, 5, 1],
  ])('is exact for at least %i of %i items with %i marked, %i drawn', (overlap, all, marked, drawn, tail) => {
    expect(Math.exp(lnHypergeometricTail(overlap, all, marked, drawn))).toBeCloseTo(tail, 6);
  });

  it('is minus infinity for more marked items than there are', () => {
    expect(lnHypergeometricTail(6, 20, 5, 6)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('does not underflow for whole racks of a large fleet', () => {
    expect(lnHypergeometricTail(400, 10_000, 400, 400)).toBeLessThan(-1_500);
  });
});
