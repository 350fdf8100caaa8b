import { describe, expect, it } from 'vitest';
import { CASES } from '../../rules/cases.ts';
import { SCENARIOS } from '../../rules/outages.ts';
import { RULES_FILE, readRules, shippedText } from '../../rules/shipped.ts';

const { alerts, recordings } = readRules(shippedText(RULES_FILE));

/** The watchdog always fires. */
const names = [...new Set(alerts.map(({ alert }) => alert))].filter((name) => name !== 'HosterWatchdog');

/** Returns those that lack something, each with what it lacks and where that goes. */
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

  it('stay short: 300 lines, 20 alerts and 10 recordings', () => {
    expect(shippedText(RULES_FILE).trimEnd().split('\n').length).toBeLessThanOrEqual(300);
    expect(alerts.length).toBeLessThanOrEqual(20);
    expect(recordings.length).toBeLessThanOrEqual(10);
  });

  it('wait a minute at most before they tell of a phone', () => {
    const slow = alerts.filter(
      ({ labels, for: after }) =>
        ['device', 'tunnel', 'event'].includes(labels.scope) && !['0s', '30s', '1m'].includes(after),
    );
    expect(slow.map(({ alert }) => alert)).toEqual([]);
  });
});
