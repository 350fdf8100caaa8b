import { describe, expect, it } from 'vitest';
import { createConcurrency } from '../../../src/api/concurrency.ts';
import { FAILURE_REASONS } from '../../../src/model/failure.ts';

function setUp(most: number) {
  const limits: number[] = [];
  const concurrency = createConcurrency(most, (limit) => limits.push(limit));
  return {
    concurrency,
    limits,
    succeed: (times: number) => {
      for (let time = 0; time < times; time += 1) concurrency.succeeded();
    },
  };
}

describe('the number of requests at once', () => {
  it.each([
    [1, 1],
    [2, 2],
    [8, 2],
    [64, 2],
  ])('of at most %i begins with %i', (most, first) => {
    expect(setUp(most).limits).toEqual([first]);
  });

  it('grows by one with as many successes as it is, up to what is configured', () => {
    const { concurrency, limits, succeed } = setUp(8);
    succeed(1);
    expect(concurrency.limit()).toBe(2);
    succeed(1);
    expect(concurrency.limit()).toBe(3);
    succeed(25);
    expect(concurrency.limit()).toBe(8);
    succeed(1_000);
    expect(limits).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  it('grows with successes in a row only', () => {
    const { concurrency, succeed } = setUp(8);
    for (let round = 0; round < 10; round += 1) {
      succeed(1);
      concurrency.failed('server', concurrency.mark());
    }
    expect(concurrency.limit()).toBe(2);
  });

  it.each(['throttled', 'timeout'] as const)('is halved by %s, down to one', (reason) => {
    const { concurrency, limits, succeed } = setUp(8);
    succeed(27);
    for (let time = 0; time < 5; time += 1) concurrency.failed(reason, concurrency.mark());
    expect(limits.slice(7)).toEqual([4, 2, 1]);
  });

  it.each(FAILURE_REASONS.filter((reason) => reason !== 'throttled' && reason !== 'timeout'))(
    'is not halved by %s',
    (reason) => {
      const { concurrency, succeed } = setUp(8);
      succeed(27);
      concurrency.failed(reason, concurrency.mark());
      expect(concurrency.limit()).toBe(8);
    },
  );

  it('is halved once for requests that were under way together', () => {
    const { concurrency, succeed } = setUp(8);
    succeed(27);
    const mark = concurrency.mark();
    for (let request = 0; request < 8; request += 1) concurrency.failed('throttled', mark);
    expect(concurrency.limit()).toBe(4);
  });

  it('climbs back from one to eight within 28 successes', () => {
    const { concurrency, succeed } = setUp(8);
    for (let time = 0; time < 5; time += 1) concurrency.failed('timeout', concurrency.mark());
    succeed(27);
    expect(concurrency.limit()).toBe(7);
    succeed(1);
    expect(concurrency.limit()).toBe(8);
  });

  it('stays at one where one is configured', () => {
    const { concurrency, limits, succeed } = setUp(1);
    succeed(10);
    concurrency.failed('timeout', concurrency.mark());
    expect(limits).toEqual([1]);
  });
});
