import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** The project, also for benchmarks, which are compiled into a folder of their own. */
export const ROOT = join(import.meta.dirname, '../..').replace(/\/bench\/\.build$/, '');
export const RULES_FILE = 'config/prometheus/hoster.rules.yml';
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
  'device',
  'tunnel',
  'event',
  'escalation',
  'money',
] as const;

/** A template that makes one of two of them, by what the alert is about. */
const oneOfTwo = <Values extends readonly string[]>(values: Values) =>
  z.union([
    z.enum(values),
    z.string().refine((text) => {
      const [, one = '', other = ''] =
        /^\{\{ if .+ \}\}(\w+)\{\{ else \}\}(\w+)\{\{ end \}\}$/.exec(text) ?? [];
      return values.includes(one) && values.includes(other);
    }),
  ]);

const Severity = oneOfTwo(SEVERITIES);
const Scope = oneOfTwo(SCOPES);

const Recording = z.strictObject({ record: z.string(), expr: z.string() });

const Alerting = z.strictObject({
  alert: z.string().regex(/^Hoster[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z.string().default('0s'),
  keep_firing_for: z.string().optional(),
  labels: z.strictObject({ severity: Severity, scope: Scope, escalated: z.literal('true').exactOptional() }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    since: z.string().optional(),
    over: z.string().optional(),
    note: z.string().optional(),
    acknowledge: z.string().optional(),
    runbook_url: z.string(),
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

export function shippedText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The groups of a file of rules. */
export function groupsOf(text: string): z.infer<typeof RuleFile>['groups'] {
  // Common parsers refuse a file with many aliases.
  return RuleFile.parse(parse(text, { maxAliasCount: 0 })).groups;
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
  const rules = groupsOf(text).flatMap((group) => group.rules);
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

/** The queries that a document shows: each begins in the first column, where brackets may close too. */
export function documentedQueries(file: string): readonly string[] {
  return [...shippedText(file).matchAll(/```promql\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.replaceAll(/^#.*\n/gm, '').split(/\n+(?=[^\s)])/))
    .filter((query) => query.trim() !== '');
}
