import { describe, expect, it } from 'vitest';
import { type Groups, slice } from '../../rules/slice.ts';

const RULES: Groups = {
  groups: [
    {
      name: 'thresholds',
      rules: [
        { record: 'limit:a', expr: '1' },
        { record: 'limit:b', expr: '2' },
      ],
    },
    {
      name: 'facts',
      rules: [
        { record: 'seen', expr: 'up == 1' },
        { record: 'age', expr: 'heartbeat and seen' },
        { record: 'held', expr: 'ALERTS{alertstate="firing"} unless seen' },
      ],
    },
    {
      name: 'alerts',
      rules: [
        { alert: 'Silent', expr: 'age > scalar(limit:a) or held{alertname="Silent"}' },
        { alert: 'Dead', expr: 'age > scalar(limit:b)' },
        { alert: 'Missing', expr: 'count({__name__=~"limit:.+"}) < 2' },
      ],
    },
  ],
};

/** The names of the rules that are left for a case. */
function left(alerts: readonly string[], expressions: readonly string[] = []): readonly string[] {
  const { groups } = slice(RULES, {
    alert_rule_test: alerts.map((alertname) => ({ alertname })),
    promql_expr_test: expressions.map((expr) => ({ expr })),
  });
  return groups.flatMap(({ rules }) => rules.map(({ record, alert }) => record ?? alert ?? ''));
}

describe('a slice of the rules', () => {
  it('contains what an alert depends on, in the order of the file', () => {
    expect(left(['Silent'])).toEqual(['limit:a', 'seen', 'age', 'held', 'Silent']);
    expect(left(['Dead'])).toEqual(['limit:b', 'seen', 'age', 'Dead']);
    expect(left(['Silent', 'Dead'])).toEqual(['limit:a', 'limit:b', 'seen', 'age', 'held', 'Silent', 'Dead']);
  });

  it('contains rules that a pattern of names selects', () => {
    expect(left(['Missing'])).toEqual(['limit:a', 'limit:b', 'Missing']);
  });

  it('contains what an expression depends on', () => {
    expect(left([], ['count(age)'])).toEqual(['seen', 'age']);
  });

  it('contains all rules for a case that queries ALERTS', () => {
    expect(left([], ['ALERTS{alertstate="firing"}'])).toHaveLength(8);
  });

  it('has no group without rules', () => {
    expect(slice(RULES, { alert_rule_test: [], promql_expr_test: [] }).groups).toEqual([]);
  });
});
