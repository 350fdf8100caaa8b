import { describe, expect, it } from 'vitest';
import { BOARDS, boardOf } from './board.ts';
import { RULES } from './rules/all.ts';

/** For each rule, by the beginning of its name: a dashboard, and what to write where in its file to break the rule. */
const BREACHES: readonly (readonly [
  rule: string,
  file: string,
  search: string | RegExp,
  replacement: string,
])[] = [
  ['template-datasource', 'fleet.json', '"label": "Data source"', '"label": "Source"'],
  ['template-job', 'fleet.json', '"label": "Job"', '"label": "job"'],
  ['template-label-promql', 'fleet.json', '"label_values(hoster_up', '"values(hoster_up'],
  ['template-on-time-change-reload', 'fleet.json', '"refresh": 2', '"refresh": 1'],
  ['panel-datasource', 'fleet.json', /"uid": "\$\{datasource\}"/g, '"uid": "prometheus"'],
  ['panel-datasource', 'month.json', /"panelId": \d+/g, '"panelId": 99'],
  ['panel-units', 'money.json', '"unit": "percentunit"', '"unit": "per cent"'],
  ['panel-no-targets', 'fleet.json', /"targets": \[[^[\]]*\]/, '"targets": []'],
  ['target-rate-interval', 'exporter.json', '[$__rate_interval]', '[5m]'],
  ['target-job', 'fleet.json', /age_seconds\{job=~/g, 'age_seconds{job='],
  ['target-counter-agg', 'exporter.json', 'increase(', 'max_over_time('],
  ['uneditable-dashboard', 'fleet.json', '"editable": false', '"editable": true'],
  ['panels have ids', 'fleet.json', '"id": 2,', '"id": 3,'],
  ['panels lie inside', 'fleet.json', '"x": 14,', '"x": 13,'],
  ['queries of a panel', 'fleet.json', '"refId": "B"', '"refId": "A"'],
  ['the uid is fixed', 'fleet.json', '"uid": "hoster-fleet"', '"uid": "a8f3"'],
  ['the tag', 'fleet.json', /"hoster-exporter"/g, '"hoster"'],
  ['nothing is asked at import', 'fleet.json', '"editable"', '"__inputs": [], "editable"'],
  ['the version of the schema', 'fleet.json', '"schemaVersion": 42', '"schemaVersion": 36'],
  ['it refreshes', 'fleet.json', '"refresh": "1m"', '"refresh": "5s"'],
  ['it refreshes', 'month.json', '"refresh": ""', '"refresh": "1m"'],
  ['panels have a title', 'fleet.json', '"title": "Data"', '"title": ""'],
  ['panels have a title', 'fleet.json', /"noValue": "No data"/, '"noValue": ""'],
  ['tables and timelines', 'fleet.json', /\$limit/g, '25'],
  ['subqueries over', 'money.json', '[$__range:1h]', '[$__range:6h]'],
  ['the first panel', 'month.json', '"title": "Data"', '"title": "Sources"'],
  ['phones without a group', 'month.json', '"field": "named (max)"', '"field": "rate"'],
  ['panels without a value', 'fleet.json', '"noValue": "No data"', '"noValue": "No phone is offline"'],
  [
    'queries have',
    'fleet.json',
    'hoster_group_devices{',
    `hoster_group_devices{${'job=~\\"$job\\",'.repeat(30)}`,
  ],
  [
    'sums of the exporter',
    'fleet.json',
    'max by(account)(hoster_balance_observed',
    'rate(hoster_balance_observed',
  ],
  ['seconds are shown', 'device.json', /"unit": "s"/g, '"unit": "none"'],
  ['cents are shown', 'money.json', /\/100/g, ''],
  ['incidents are', 'fleet.json', /hoster_incident_since_timestamp_seconds\{/g, 'hoster_up{'],
  ['links lead', 'fleet.json', 'var-device_id=', 'var-device='],
  ['links to a dashboard', 'fleet.json', /__data\.fields\.account/g, 'account'],
  ['tables fit', 'fleet.json', '"value": 190', '"value": 900'],
  ['calculations from two', 'month.json', '"alias": "sold_offline_start"', '"alias": "start"'],
  ['timelines drop', 'fleet.json', '"pattern": ".*"', '"pattern": "Value"'],
  ['panels that show names', 'device.json', 'absent(', 'group('],
  ['names of series', 'money.json', 'total {{currency}}', '{{currency}}'],
  ['selectors of what', 'fleet.json', 'account=~\\"$account\\",device_id=\\"\\"', 'device_id=\\"\\"'],
  ['metrics exist', 'fleet.json', 'hoster_device_info{', 'hoster_device_details{'],
  ['labels exist', 'fleet.json', 'rental_status=\\"sold\\"', 'rental=\\"sold\\"'],
  ['labels that are grouped', 'fleet.json', '{{rental_status}}', '{{rental}}'],
  ['replicas count once', 'fleet.json', 'max by(account,group,state)', 'sum by(account,group,state)'],
  [
    'statuses are not averaged',
    'money.json',
    'max by(account,device_id,status)(hoster_device_marketplace_status{',
    'avg_over_time(hoster_device_marketplace_status{',
  ],
  ['metrics that every program has', 'exporter.json', /hoster_exporter_build_info/g, 'hoster_up'],
  ['variables that are used', 'fleet.json', '$only', '$kind'],
];

describe('the rules for dashboards', () => {
  it.each(BREACHES)('detect a breach of %s in %s', (name, file, search, replacement) => {
    const text = BOARDS.find((board) => board.file === file)?.text ?? '';
    const broken = text.replace(search, () => replacement);
    expect(broken).not.toBe(text);
    const rules = RULES.filter((rule) => rule.name.startsWith(name));
    expect(rules.flatMap(({ breaches }) => breaches(boardOf(file, broken)))).not.toEqual([]);
    expect(rules).toHaveLength(1);
  });

  it('are all covered by a breach in this file', () => {
    const unbroken = RULES.filter(({ name }) => !BREACHES.some(([rule]) => name.startsWith(rule)));
    expect(unbroken).toEqual([]);
  });
});
