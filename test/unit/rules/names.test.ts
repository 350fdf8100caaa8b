import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARKETPLACE_STATUSES, RENTAL_STATUSES, SETUP_STATUSES } from '../../../src/model/device.ts';
import {
  ACCESS_STATES,
  COLLECTORS,
  DATA_STATES,
  ENDPOINTS,
  ENUM_FIELDS,
  FAILURE_REASONS,
} from '../../../src/model/enums.ts';
import { INCIDENT_PROBLEMS, INCIDENTS } from '../../../src/model/incident.ts';
import { PROBLEMS } from '../../../src/model/problem.ts';
import { COLUMNS } from '../../../src/model/times.ts';
import {
  documentedQueries,
  ROOT,
  RULES_FILE,
  readRules,
  SCOPES,
  SEVERITIES,
  shippedText,
} from '../../rules/shipped.ts';
import { LABELS_BY_METRIC, TARGET_LABELS } from '../grafana/names.ts';
import { readQuery, type Selector } from '../grafana/promql.ts';

const { recordings, alerts } = readRules(shippedText(RULES_FILE));
const recorded = new Set(recordings.map(({ record }) => record));

const RUNBOOKS = 'docs/runbooks';
const runbooks = readdirSync(join(ROOT, RUNBOOKS)).flatMap((file) =>
  [...shippedText(`${RUNBOOKS}/${file}`).matchAll(/```promql\n(.*?)```/gs)].map(
    ([, expression = '']) => [file, expression] as const,
  ),
);

/** Every shipped expression, by the name of the rule or panel that uses it. */
const expressions: readonly (readonly [name: string, expression: string])[] = [
  ...recordings.map(({ record, expr }) => [record, expr] as const),
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...runbooks,
];

/** The queries that documents show. */
const documented = ['README.md', 'docs/METRICS.md'].flatMap((file) =>
  documentedQueries(file).map((query) => [`${file}: ${query.split('\n')[0]}`, query] as const),
);

/** Labels that the Prometheus operator gives to targets. */
const OF_KUBERNETES = ['pod', 'container', 'endpoint', 'service'] as const;

const EVERY_LABEL = new Set([...[...LABELS_BY_METRIC.values()].flat(), ...TARGET_LABELS, ...OF_KUBERNETES]);

/** The values that a label can have, by a part of the metric's name; labels with other values are not matched on. */
const VALUES: readonly (readonly [metric: RegExp, label: string, values: readonly string[]])[] = [
  [/^hoster_device_time_seconds$/, 'column', COLUMNS],
  [/_rental_status/, 'status', [...RENTAL_STATUSES, 'other']],
  [/_marketplace_status/, 'status', [...MARKETPLACE_STATUSES, 'other']],
  [/_setup_status/, 'status', [...SETUP_STATUSES, 'other']],
  [/_rotation_status/, 'status', ['active']],
  [/^hoster_tunnel_credentials$/, 'status', ['active']],
  [/_api_access$/, 'state', ACCESS_STATES],
  [/_data_state$/, 'state', DATA_STATES],
  [/_polls_skipped_total$/, 'reason', ['overlap', 'no_fleet', 'refused_key']],
  [/_failures_total$/, 'reason', FAILURE_REASONS],
  [/_api_requests_total$/, 'code', ['200', '404']],
  [/./, 'collector', COLLECTORS],
  [/./, 'api', ENDPOINTS],
  [/./, 'field', ENUM_FIELDS],
  [/./, 'job', ['hoster']],
  [/^ALERTS$/, 'alertstate', ['pending', 'firing']],
  [/^ALERTS$/, 'severity', SEVERITIES],
  [/^ALERTS$/, 'scope', SCOPES],
  [/^ALERTS$/, 'alertname', alerts.map(({ alert }) => alert)],
  [/_incident_since:|^hoster_incident_/, 'problem', INCIDENT_PROBLEMS],
  [/^hoster_incident_/, 'sold', ['true', 'false']],
  [/^hoster_devices_with_problem$|_problem_since_/, 'problem', PROBLEMS],
  [/_incident_since:/, 'device_id', ['']],
  [/_common_cause_devices$/, 'kind', ['account', 'group', 'model', 'app_version', 'tunnel_host']],
  [/^hoster_balance_observed_/, 'kind', ['available', 'pending']],
];

/** Finds matchers that can never match: each alternative of a pattern has to fit a value. */
function impossible({ metric, matchers }: Selector): readonly string[] {
  return matchers.flatMap(({ label, value }) => {
    const known = VALUES.find(([pattern, name]) => name === label && pattern.test(metric));
    if (known === undefined) return [`${metric}{${label}}: no list of values`];
    const [, , values] = known;
    return value
      .split('|')
      .filter((alternative) => !values.some((each) => new RegExp(`^(?:${alternative})$`).test(each)))
      .map((alternative) => `${metric}{${label}="${alternative}"}`);
  });
}

describe('the expressions in the rules, runbooks and documents', () => {
  it.each([...expressions, ...documented])('%s names metrics that exist', (_, expression) => {
    const asked = readQuery(expression).selectors.map(({ metric }) => metric);
    expect(asked.filter((metric) => !LABELS_BY_METRIC.has(metric) && !recorded.has(metric))).toEqual([]);
  });

  it.each([...expressions, ...documented])('%s names labels that these metrics have', (_, expression) => {
    const { selectors, labels, made } = readQuery(expression);
    const strange = selectors.flatMap(({ metric, matchers }) => {
      const known = LABELS_BY_METRIC.get(metric) ?? [...EVERY_LABEL];
      return matchers
        .filter(({ label }) => !known.includes(label) && !TARGET_LABELS.some((each) => each === label))
        .map(({ label }) => `${metric}{${label}}`);
    });
    expect(strange).toEqual([]);
    expect(labels.filter((label) => !EVERY_LABEL.has(label) && !made.includes(label))).toEqual([]);
  });

  it.each([...expressions, ...documented])('%s names values that these labels can have', (_, expression) => {
    expect(readQuery(expression).selectors.flatMap(impossible)).toEqual([]);
  });
});

describe('the recorded series', () => {
  const used = new Set(
    expressions.flatMap(([, expression]) => readQuery(expression).selectors.map(({ metric }) => metric)),
  );

  it('have names of level, metric and operation', () => {
    expect([...recorded].filter((name) => !/^[a-z_]+:hoster_[a-z_]+:[a-z0-9_]+$/.test(name))).toEqual([]);
  });

  it('are each used by a rule or explained in docs/SLO.md', () => {
    const page = shippedText('docs/SLO.md');
    expect([...recorded].filter((name) => !used.has(name) && !page.includes(name))).toEqual([]);
  });

  it('ask for each incident of the exporter by the alert and the severity that its table says', () => {
    const notified = INCIDENT_PROBLEMS.map((problem) => {
      const own = alerts.filter(({ expr }) =>
        [...expr.matchAll(/problem=~?"([^"]*)"/g)].some(([, pattern = '']) =>
          new RegExp(`^(?:${pattern})$`).test(problem),
        ),
      );
      return [
        ...([problem, [...new Set(own.map(({ alert }) => alert))]] as const),
        own.map(({ labels }) => labels.severity).join(),
      ] as const;
    });
    expect(notified.map(([problem, names]) => [problem, names])).toEqual(
      INCIDENT_PROBLEMS.map((problem) => [problem, [INCIDENTS[problem].alert]]),
    );
    expect(
      notified.filter(([problem, , severity]) => !severity.includes(INCIDENTS[problem].severity)),
    ).toEqual([]);
  });
});

it('alerts about incidents have the same start, note and code: the file has no aliases', () => {
  const texts = alerts
    .map(({ annotations: { since, note, acknowledge } }) => JSON.stringify({ since, note, acknowledge }))
    .filter((text) => text !== '{}');
  expect(texts.length).toBeGreaterThan(15);
  expect(new Set(texts).size).toBe(1);
});
