import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const ROOT = join(import.meta.dirname, '../..');
export const RULES_FILE = 'config/prometheus/hoster.rules.yml';
export const THRESHOLDS_FILE = 'config/prometheus/hoster.thresholds.yml';
export const PROMETHEUS_FILE = 'config/prometheus/prometheus.yml';
export const ALERTMANAGER_FILE = 'config/alertmanager/alertmanager.yml';

export const SEVERITIES = ['critical', 'warning', 'info', 'none'] as const;

/** Scopes of alerts, from the exporter to the single phone. */
export const SCOPES = [
  'exporter',
  'account',
  'api',
  'api_quality',
  'fleet',
  'tunnels',
  'device',
  'tunnel',
  'money',
] as const;

const Recording = z.strictObject({ record: z.string(), expr: z.string() });

const Alerting = z.strictObject({
  alert: z.string().regex(/^Hoster[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z.string(),
  keep_firing_for: z.string(),
  labels: z.strictObject({ severity: z.enum(SEVERITIES), scope: z.enum(SCOPES) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook_url: z.string(),
    dashboard_url: z.string(),
  }),
});

export type Recording = z.infer<typeof Recording>;
export type Alerting = z.infer<typeof Alerting>;

const RuleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      interval: z.string().optional(),
      rules: z.array(z.looseObject({ record: z.string().optional(), alert: z.string().optional() })),
    }),
  ),
});

const CaseFile = z.object({
  tests: z.array(
    z.object({
      name: z.string(),
      alert_rule_test: z
        .array(z.object({ alertname: z.string(), eval_time: z.string(), exp_alerts: z.array(z.unknown()) }))
        .optional(),
    }),
  ),
});

export type Scenario = z.infer<typeof CaseFile>['tests'][number];

export function shippedText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/**
 * Everything that a file of rules declares, in its order.
 *
 * @param file its name in messages
 * @throws Error with each problem: file, alert and field
 */
export function readRules(
  text: string,
  file = RULES_FILE,
): {
  readonly recordings: readonly Recording[];
  readonly alerts: readonly Alerting[];
} {
  const rules = RuleFile.parse(parse(text)).groups.flatMap((group) => group.rules);
  const problems: string[] = [];
  const parsed = <Rule>(schema: z.ZodType<Rule>, rule: (typeof rules)[number]): readonly Rule[] => {
    const result = schema.safeParse(rule);
    if (result.success) return [result.data];
    const name = rule.alert ?? rule.record ?? 'a rule without a name';
    for (const { path, message } of result.error.issues)
      problems.push(
        `${file}: ${[name, path.join('.')].filter((part) => part !== '').join(': ')}: ${message}`,
      );
    return [];
  };
  const recordings = rules.filter(({ alert }) => alert === undefined);
  const all = {
    recordings: recordings.flatMap((rule) => parsed(Recording, rule)),
    alerts: rules.filter(({ alert }) => alert !== undefined).flatMap((rule) => parsed(Alerting, rule)),
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return all;
}

/** The figures of a file of thresholds, by the names of their series. */
export function readThresholds(text: string): ReadonlyMap<string, number> {
  return new Map(readRules(text).recordings.map(({ record, expr }) => [record, product(expr)]));
}

/** "15 * 60" is a figure that a reader understands; nothing else is calculated. */
function product(expression: string): number {
  const figure = expression.split('*').reduce((result, factor) => result * Number(factor), 1);
  if (Number.isNaN(figure)) throw new RangeError(`Not a product of numbers: ${expression}`);
  return figure;
}

/** The names of the files in `test/rules` that promtool runs. */
export const CASE_FILES: readonly string[] = readdirSync(join(ROOT, 'test/rules')).filter((name) =>
  name.endsWith('.test.yml'),
);

export function readScenarios(file: string): readonly Scenario[] {
  // The series that scenarios share are anchors, which the parser otherwise takes for an attack.
  return CaseFile.parse(parse(shippedText(`test/rules/${file}`), { maxAliasCount: -1 })).tests;
}
