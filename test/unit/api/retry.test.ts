import { describe, expect, it } from 'vitest';
import { createRetryBudget } from '../../../src/api/budget.ts';
import { ApiError } from '../../../src/api/errors.ts';
import { FIRST_TRY, planRetry, type Tries } from '../../../src/api/retry.ts';
import type { FailureReason } from '../../../src/model/failure.ts';

const RICH = 10;

const failed = (reason: FailureReason, staleConnection = false) =>
  new ApiError({ reason, endpoint: 'devices', got: 'something', staleConnection });

/** The plan in words: how long to wait, or to give up. */
function plan(failure: ApiError, tries: Tries, tokens = RICH, random = 0.5): string {
  const planned = planRetry(failure, tries, tokens, () => random);
  return planned.step === 'retry' ? `retry after ${planned.afterMilliseconds} ms` : 'give up';
}

describe('a retry', () => {
  it.each<[FailureReason, string]>([
    ['server', 'retry after 250 ms'],
    ['reset', 'retry after 250 ms'],
    ['connect', 'retry after 250 ms'],
    ['truncated', 'retry after 250 ms'],
    ['timeout', 'give up'],
    ['dns', 'give up'],
    ['tls', 'give up'],
    ['redirect', 'give up'],
    ['edge_block', 'give up'],
    ['envelope', 'give up'],
    ['encoding', 'give up'],
    ['too_large', 'give up'],
    ['schema', 'give up'],
    ['unauthorized', 'give up'],
    ['throttled', 'give up'],
    ['not_found', 'give up'],
    ['bad_request', 'give up'],
    ['inconsistent', 'give up'],
    ['internal', 'give up'],
  ])('of %s: %s', (reason, expected) => {
    expect(plan(failed(reason), FIRST_TRY)).toBe(expected);
  });

  it.each([
    [0, 0, 'retry after 0 ms'],
    [0, 0.5, 'retry after 250 ms'],
    [0, 0.998, 'retry after 499 ms'],
    [1, 0, 'retry after 0 ms'],
    [1, 0.5, 'retry after 500 ms'],
    [1, 0.999, 'retry after 999 ms'],
    [2, 0, 'give up'],
  ])('after %i before it, by chance %d: %s', (retries, random, expected) => {
    expect(plan(failed('server'), { retries, renewed: false }, RICH, random)).toBe(expected);
  });

  it.each([
    [0, 'give up'],
    [0.9, 'give up'],
    [1, 'retry after 250 ms'],
  ])('with %d tokens left: %s', (tokens, expected) => {
    expect(plan(failed('server'), FIRST_TRY, tokens)).toBe(expected);
  });
});

describe('a connection that the server had closed', () => {
  it('is replaced at once', () => {
    expect(plan(failed('reset', true), FIRST_TRY)).toBe('retry after 0 ms');
  });

  it('is replaced once, and does not count among the retries', () => {
    const first = planRetry(failed('reset', true), FIRST_TRY, RICH, () => 0.5);
    expect(first).toMatchObject({ tries: { retries: 0, renewed: true } });
    expect(plan(failed('reset', true), { retries: 0, renewed: true })).toBe('retry after 250 ms');
    expect(plan(failed('reset', true), { retries: 2, renewed: true })).toBe('give up');
  });

  it('is replaced even after two retries and without a token, since it costs none', () => {
    expect(plan(failed('reset', true), { retries: 2, renewed: false })).toBe('retry after 0 ms');
    expect(planRetry(failed('reset', true), FIRST_TRY, 0, () => 0.5)).toMatchObject({ isFree: true });
    expect(planRetry(failed('reset'), FIRST_TRY, 1, () => 0.5)).toMatchObject({ isFree: false });
  });
});

describe('the retry budget', () => {
  it('lets one request of a fresh program be retried twice', () => {
    expect(createRetryBudget().tokens()).toBe(2);
  });

  it('earns a token with ten successes', () => {
    const budget = createRetryBudget();
    for (let token = 0; token < 2; token += 1) budget.spend();
    for (let success = 0; success < 9; success += 1) budget.earn();
    expect(budget.tokens()).toBeLessThan(1);
    budget.earn();
    expect(budget.tokens()).toBe(1);
  });

  it('keeps ten tokens at most', () => {
    const budget = createRetryBudget();
    for (let success = 0; success < 1_000; success += 1) budget.earn();
    expect(budget.tokens()).toBe(10);
  });
});
