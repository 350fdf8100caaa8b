import { parse } from 'yaml';
import { z } from 'zod';
import { ALERTMANAGER_FILE, shippedText } from './shipped.ts';

const InhibitRule = z.strictObject({
  source_matchers: z.array(z.string()),
  target_matchers: z.array(z.string()),
  equal: z.array(z.string()).optional(),
});

const Configuration = z.object({ inhibit_rules: z.array(InhibitRule) });

export type InhibitRule = z.infer<typeof InhibitRule>;

/** The labels of an alert, its name among them. */
export type AlertLabels = Readonly<Record<string, string>>;

/** The inhibitions as shipped. */
export function readInhibitRules(): readonly InhibitRule[] {
  return Configuration.parse(parse(shippedText(ALERTMANAGER_FILE), { merge: true })).inhibit_rules;
}

/**
 * Reports whether Alertmanager inhibits an alert while the others fire ("Inhibition" of its documentation): some other one
 * is a source of a rule that the alert is a target of, and the labels in `equal` agree. A label that is missing is an
 * empty one. An alert that is both never keeps another one of that kind quiet.
 */
export function isInhibited(
  alert: AlertLabels,
  firing: readonly AlertLabels[],
  rules: readonly InhibitRule[],
): boolean {
  return rules.some((rule) => {
    if (!matches(rule.target_matchers, alert)) return false;
    const isBoth = matches(rule.source_matchers, alert);
    return firing.some(
      (other) =>
        matches(rule.source_matchers, other) &&
        (rule.equal ?? []).every((label) => (other[label] ?? '') === (alert[label] ?? '')) &&
        !(isBoth && matches(rule.target_matchers, other)),
    );
  });
}

function matches(matchers: readonly string[], labels: AlertLabels): boolean {
  return matchers.every((text) => {
    const [, label = '', operator = '', value = ''] = /^(\w+)(=~|!~|!=|=)"(.*)"$/.exec(text) ?? [];
    if (label === '') throw new RangeError(`Not a matcher: ${text}`);
    const has = labels[label] ?? '';
    const fits = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(has) : has === value;
    return operator.startsWith('!') ? !fits : fits;
  });
}
