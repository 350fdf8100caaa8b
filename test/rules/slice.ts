import { parse } from 'yaml';
import { z } from 'zod';
import { readQuery } from '../unit/grafana/promql.ts';
import { shippedText } from './shipped.ts';

const Rule = z.looseObject({
  record: z.string().optional(),
  alert: z.string().optional(),
  expr: z.string(),
});
const Groups = z.object({ groups: z.array(z.looseObject({ name: z.string(), rules: z.array(Rule) })) });

type Rule = z.infer<typeof Rule>;

/** The groups of a file of rules. */
export type Groups = z.infer<typeof Groups>;

const Case = z.looseObject({
  alert_rule_test: z.array(z.object({ alertname: z.string() })).default([]),
  promql_expr_test: z.array(z.object({ expr: z.string() })).default([]),
});

type Case = z.infer<typeof Case>;

const CaseFile = z.looseObject({ rule_files: z.array(z.string()), tests: z.array(z.unknown()) });

/** Cases that ask for the same rules, as the two files that promtool needs. */
export type Sliced = { readonly rules: Groups; readonly cases: unknown };

/**
 * The cases of a file, each with no more rules than it asks for: promtool evaluates every rule that is loaded at every
 * minute of every case, and all of them take ten times as long.
 *
 * @param rulesFile where the rules of a slice will be, by its place in the result
 */
export function sliceCases(file: string, rulesFile: (index: number) => string): readonly Sliced[] {
  const { rule_files, tests, ...rest } = CaseFile.parse(
    // The series that cases share are anchors, which the parser otherwise takes for an attack.
    parse(shippedText(`test/rules/${file}`), { maxAliasCount: -1 }),
  );
  const groups = rule_files.flatMap((path) => Groups.parse(parse(shippedText(`test/rules/${path}`))).groups);
  const slices = new Map<string, { readonly rules: Groups; readonly tests: unknown[] }>();
  for (const test of tests) {
    const rules = slice({ groups }, Case.parse(test));
    const key = JSON.stringify(rules);
    const known = slices.get(key) ?? { rules, tests: [] };
    known.tests.push(test);
    slices.set(key, known);
  }
  return [...slices.values()].map(({ rules, tests: own }, index) => ({
    rules,
    cases: { ...rest, rule_files: [rulesFile(index)], tests: own },
  }));
}

/**
 * The rules that a case follows from, in their order: each of them does what it does among all of them. `ALERTS` in a
 * rule means those that the case names, since a rule reads it only to hold the alert that reads the rule; `ALERTS` in an
 * expression of the case means all of them.
 */
export function slice({ groups }: Groups, { alert_rule_test, promql_expr_test }: Case): Groups {
  const asked = promql_expr_test.flatMap(({ expr }) => metricsIn(expr));
  if (asked.includes('ALERTS')) return { groups };
  const rules = groups.flatMap((group) => group.rules);
  const names = rules.map(nameOf);
  const wanted = new Set([...alert_rule_test.map(({ alertname }) => alertname), ...asked]);
  const isWanted = (rule: Rule): boolean => wanted.has(nameOf(rule));
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const { expr } of rules.filter(isWanted))
      for (const name of metricsIn(expr, names)) wanted.add(name);
  }
  return {
    groups: groups
      .map((group) => ({ ...group, rules: group.rules.filter(isWanted) }))
      .filter((group) => group.rules.length > 0),
  };
}

function nameOf({ record, alert }: Rule): string {
  return record ?? alert ?? '';
}

/** The metrics that an expression names; one that it asks for by a pattern may be any of `names`. */
function metricsIn(expression: string, names: readonly string[] = []): readonly string[] {
  const [, pattern] = /__name__=~"([^"]*)"/.exec(expression) ?? [];
  const matching =
    pattern === undefined ? [] : names.filter((name) => new RegExp(`^(?:${pattern})$`).test(name));
  return [...readQuery(expression).selectors.map(({ metric }) => metric), ...matching];
}
