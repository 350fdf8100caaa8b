import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALERTMANAGER_FILE, RULES_FILE, readRules, shippedText } from '../rules/shipped.ts';

const Routes = z.object({
  inhibit_rules: z.array(z.object({ equal: z.array(z.string()).optional() })),
});

describe('the rules for targets with a label of their own', () => {
  it('keep it in every grouping and join', () => {
    const { recordings, alerts } = readRules(shippedText(RULES_FILE));
    const expressions = [...recordings, ...alerts].map(({ expr }) => expr);
    expect(expressions.filter((expr) => /\b(?:without|ignoring) \(/.test(expr)).length).toBeGreaterThan(10);
    expect(expressions.filter((expr) => /\b(?:by|on) \(/.test(expr))).toEqual([]);
  });

  it('inhibit only alerts of the same site, and group by it', () => {
    const text = shippedText(ALERTMANAGER_FILE);
    const { inhibit_rules } = Routes.parse(parse(text, { merge: true }));
    expect(inhibit_rules.filter(({ equal }) => equal?.[0] !== 'cluster')).toEqual([]);
    expect(text.match(/group_by: \[(?!cluster\b)/g)).toBeNull();
  });
});
