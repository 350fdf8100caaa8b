import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALERTMANAGER_FILE, RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';
import { addSiteLabel } from '../rules/site.ts';

const Inhibiting = z.object({ inhibit_rules: z.array(z.object({ equal: z.array(z.string()).optional() })) });

describe('the rules for targets with a label of their own', () => {
  it('keep it in every grouping and join', () => {
    const { recordings, alerts } = readRules(addSiteLabel(shippedText(RULES_FILE), 'team'));
    const groupings = [...recordings, ...alerts].flatMap(
      ({ expr }) => expr.match(/\b(?:by|on) \([^)]+\)/g) ?? [],
    );
    expect(groupings.length).toBeGreaterThan(20);
    expect(groupings.filter((grouping) => !/\((?:team, )/.test(grouping))).toEqual([]);
  });

  it('inhibit only alerts of the same site', () => {
    const text = addSiteLabel(shippedText(ALERTMANAGER_FILE), 'team');
    const { inhibit_rules } = Inhibiting.parse(parse(text, { merge: true }));
    expect(inhibit_rules.filter(({ equal }) => equal?.[0] !== 'team')).toEqual([]);
  });
});
