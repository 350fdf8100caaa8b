import type { Case } from './cases.ts';
import type { Scenario } from './outages.ts';
import { groupsOf, RULES_FILE, shippedText } from './shipped.ts';
import { type Span, STEP, seriesOf } from './timeline.ts';

const INTERVAL = {
  rule_files: ['rules.yml'],
  evaluation_interval: `${STEP}s`,
  group_eval_order: ['hoster.incidents', 'hoster'],
};

/** Minutes between two evaluations of a scenario: rules are evaluated only where alerts are compared. */
export const INTERVALS = [1, 5] as const;

/** Minutes from which on a scenario lasts for long, and the longer interval is enough. */
const LONG = 480;

/** The shipped rules, evaluated each `interval`, without the texts, which are computed for each alert at each evaluation. */
export function rulesWithoutTexts(interval: string): string {
  const groups = groupsOf(shippedText(RULES_FILE));
  return JSON.stringify({
    groups: groups.map((group) => ({
      ...group,
      interval,
      rules: group.rules.map((rule) => ({ ...rule, annotations: undefined })),
    })),
  });
}

/** Returns a file for promtool that compares, at each evaluation, whether the alerts of a scenario fire. */
export function scenarioFile({ minutes, exporters, firing }: Scenario): unknown {
  const interval = INTERVALS[minutes < LONG ? 0 : 1];
  return {
    ...INTERVAL,
    ...{ rule_files: [`alerts-${interval}m.yml`], evaluation_interval: `${interval}m` },
    tests: [
      {
        interval: `${STEP}s`,
        // As in Kubernetes: pods differ, and the label of the site does not.
        input_series: exporters.flatMap((exporter) =>
          seriesOf(exporter, minutes, { cluster: 'north', pod: exporter.instance }),
        ),
        promql_expr_test: Object.entries(firing).flatMap(([asked, spans]) =>
          Array.from({ length: Math.floor(minutes / interval) + 1 }, (_, index) => index * interval).map(
            (minute) => ({
              expr: `count(${selectorOf(asked)}) or vector(0)`,
              eval_time: `${minute}m`,
              exp_samples: [{ labels: '{}', value: Number(isWithin(minute, spans)) }],
            }),
          ),
        ),
      },
    ],
  };
}

/** An alert by its name and a phone or another label: `HosterPhoneLeft p1`, `HosterApiUnavailable severity=critical`. */
function selectorOf(asked: string): string {
  const [alertname, matcher] = asked.split(' ');
  const [label, value] = matcher?.includes('=') === true ? matcher.split('=') : ['device_id', matcher];
  const more = value === undefined ? '' : `, ${label}="${value}"`;
  return `ALERTS{alertname="${alertname}", alertstate="firing"${more}}`;
}

function isWithin(minute: number, spans: readonly Span[]): boolean {
  return spans.some(([from, until]) => minute >= from && minute < until);
}

/** Returns a file for promtool that compares the labels and texts of an alert at a minute, and that it ends. */
export function caseFile(
  { alert, minutes, exporter, others = [], labels, annotations }: Case,
  rules: readonly Rule[],
): unknown {
  const runbook = `https://hoster.example.com/runbooks/${alert}`;
  const firing = rules.map((rule) => ({
    exp_labels: { ...rule.labels, ...labels },
    exp_annotations: { runbook_url: runbook, ...annotations },
  }));
  const url = { 'hoster_exporter_external_url_info{url="https://hoster.example.com"}': () => 1 };
  const [before, fires, ended] = minutes;
  const watched = { instance: 'e', ...exporter, series: { ...url, ...exporter.series } };
  return {
    ...INTERVAL,
    tests: [
      {
        interval: `${STEP}s`,
        input_series: [watched, ...others].flatMap((each) => seriesOf(each, ended)),
        alert_rule_test: [
          { alertname: alert, eval_time: `${before * 60}s`, exp_alerts: [] },
          { alertname: alert, eval_time: `${fires * 60}s`, exp_alerts: firing },
          { alertname: alert, eval_time: `${ended * 60}s`, exp_alerts: [] },
        ],
      },
    ],
  };
}

type Rule = { readonly labels: Readonly<Record<string, string>> };
