import { expect, it } from 'vitest';
import { RULES_FILE, readRules } from '../../rules/shipped.ts';

const COMPLETE = `
      - alert: HosterExample
        expr: hoster_up == 0
        for: 5m
        labels: { severity: warning, scope: device }
        annotations: { summary: a, description: b, runbook_url: c }
`;

const fileOf = (rules: string): string => `groups:\n  - name: example\n    rules:${rules}`;

it('a complete rule is read', () => {
  expect(readRules(fileOf(COMPLETE)).alerts.map(({ alert }) => alert)).toEqual(['HosterExample']);
});

it.each([
  ['a scope', /, scope: device/, 'HosterExample: labels.scope: '],
  ['a runbook', /, runbook_url: c/, 'HosterExample: annotations.runbook_url: '],
  ['an expression', /^ +expr: .*\n/m, 'HosterExample: expr: '],
])('a rule without %s is refused with its file, alert and field', (_, part, problem) => {
  const read = () =>
    readRules(fileOf(COMPLETE + COMPLETE.replace('HosterExample', 'HosterOther').replace(part, '')));
  expect(read).toThrow(`${RULES_FILE}: ${problem.replace('HosterExample', 'HosterOther')}`);
  expect(read).not.toThrow('HosterExample');
});
