import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { forSite } from '../../../src/commands/rules.ts';
import {
  ALERTMANAGER_FILE,
  PROMETHEUS_FILE,
  RULES_FILE,
  readRules,
  shippedText,
} from '../../rules/shipped.ts';

const Inhibiting = z.object({ inhibit_rules: z.array(z.object({ equal: z.array(z.string()).optional() })) });

describe('the rules for a site', () => {
  it('are the shipped ones without labels of its own', () => {
    for (const file of [RULES_FILE, ALERTMANAGER_FILE, PROMETHEUS_FILE]) {
      expect(forSite(shippedText(file), [], 'hoster')).toBe(shippedText(file));
    }
  });

  it('keep the labels of the site in every grouping and join', () => {
    const { recordings, alerts } = readRules(forSite(shippedText(RULES_FILE), ['cluster', 'team'], 'hoster'));
    const groupings = [...recordings, ...alerts].flatMap(
      ({ expr }) => expr.match(/\b(?:by|on) \([^)]+\)/g) ?? [],
    );
    expect(groupings.length).toBeGreaterThan(50);
    expect(groupings.filter((grouping) => !/\((?:cluster, team, )/.test(grouping))).toEqual([]);
  });

  it('inhibit only alerts of the same site', () => {
    const text = forSite(shippedText(ALERTMANAGER_FILE), ['cluster'], 'hoster');
    const { inhibit_rules } = Inhibiting.parse(parse(text, { merge: true }));
    expect(inhibit_rules.filter(({ equal }) => equal?.[0] !== 'cluster')).toEqual([]);
  });

  it('can select another job', () => {
    expect(forSite(shippedText(RULES_FILE), [], 'phones')).not.toContain('job="hoster"');
    expect(forSite(shippedText(PROMETHEUS_FILE), [], 'phones')).toContain('job_name: phones');
  });
});
