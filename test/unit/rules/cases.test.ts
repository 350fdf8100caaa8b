import { describe, expect, it } from 'vitest';
import { CASES } from '../../rules/cases.ts';
import { SCENARIOS } from '../../rules/outages.ts';
import { RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

const { alerts, recordings } = readRules(shippedText(RULES_FILE));

/** The watchdog always fires. */
const names = [...new Set(alerts.map(({ alert }) => alert))].filter((name) => name !== 'HosterWatchdog');

/** Returns those with something missing, each with what is missing and where it belongs. */
function lacking(file: string, has: ReadonlySet<string>): readonly string[] {
  return names.filter((name) => !has.has(name)).map((name) => `${name} has no case in ${file}`);
}

describe('the rules', () => {
  it('have a case with the texts of each alert', () => {
    expect(lacking('test/rules/cases.ts', new Set(CASES.map(({ alert }) => alert)))).toEqual([]);
  });

  it('have cases of alerts that exist', () => {
    const asked = SCENARIOS.flatMap(({ firing }) => Object.keys(firing).map((key) => key.split(' ')[0]));
    const strange = [...CASES.map(({ alert }) => alert), ...asked].filter(
      (name) => !names.includes(name ?? ''),
    );
    expect(strange).toEqual([]);
  });

  it('read neither earlier alerts nor earlier recordings: the exporter remembers', () => {
    // Sums over a time are for people who set objectives; no alert reads them.
    const ofAlerts = recordings.filter(({ record }) => !record.startsWith('account:'));
    const expressions = [...alerts, ...ofAlerts].map(({ expr }) => expr);
    expect(expressions.filter((expr) => /\boffset\b|ALERTS/.test(expr))).toEqual([]);
    const own = recordings.filter(({ record, expr }) => expr.includes(record));
    expect(own.map(({ record }) => record)).toEqual([]);
  });

  it('wait for nothing but what Prometheus alone sees', () => {
    const slow = alerts.filter(({ for: after }) => after !== '0s');
    expect([...new Set(slow.map(({ alert }) => alert))]).toEqual([
      'HosterExporterDown',
      'HosterExporterBlind',
      'HosterExporterStalled',
    ]);
  });
});
