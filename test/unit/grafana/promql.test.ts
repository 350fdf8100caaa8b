import { describe, expect, it } from 'vitest';
import { readQuery } from './promql.ts';

describe('parsing a query', () => {
  it('finds its selectors with their functions', () => {
    expect(
      readQuery('sum by (a) (rate(x_total{a=~"$a|", b!="}\\""}[$__rate_interval])) / 2').selectors,
    ).toEqual([
      {
        metric: 'x_total',
        matchers: [
          { label: 'a', operator: '=~', value: '$a|' },
          { label: 'b', operator: '!=', value: '}\\"' },
        ],
        range: '$__rate_interval',
        within: ['rate', 'sum'],
      },
    ]);
  });

  it('finds its functions, but no keywords', () => {
    const { functions, selectors } = readQuery(
      'max without (b) (x > bool 1) and on (a) last_over_time(y[1h] @ end()) unless z offset -1d or w + Inf',
    );
    expect(functions).toEqual(['max', 'last_over_time']);
    expect(selectors.map(({ metric }) => metric)).toEqual(['x', 'y', 'z', 'w']);
  });

  it('finds the labels that it groups and joins by, and those that it creates', () => {
    const { labels, made } = readQuery(
      'topk by (a) ($limit, x) * on (b) group_left (c, d) label_replace(count_values("e", y), "f", "$1", "g", "(.+)")',
    );
    expect(labels).toEqual(['a', 'b', 'c', 'd']);
    expect(made).toEqual(['e', 'f', '$1', 'g', '(.+)']);
  });

  it.each(['sum(x', 'x)', 'x ? y', 'x{a=}', 'rate(x[5 m])', 'x and on y'])('refuses %s', (expression) => {
    expect(() => readQuery(expression)).toThrow(RangeError);
  });
});
