import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { RULES_FILE, shippedText, THRESHOLDS_FILE } from '../../rules/shipped.ts';
import { BASE } from './kustomization.ts';

const DERIVED = [
  ['prometheus-rule', 'hoster-exporter', RULES_FILE],
  ['prometheus-rule.thresholds', 'hoster-exporter-thresholds', THRESHOLDS_FILE],
] as const;

/**
 * A file of rules as an object of the Prometheus operator: its text, comments and all, two columns further in. A value of
 * several lines keeps its lines, since YAML counts their columns from that of their key.
 */
function prometheusRule(name: string, source: string): string {
  const text = shippedText(source).replace(/^(?=.)/gm, '  ');
  return `# Derived from ${source} by \`npm run docs\`; a test keeps it current.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/name: hoster-exporter
spec:
${text}`;
}

describe.each(DERIVED)('config/kubernetes/base/%s.yml', (file, name, source) => {
  it(`has the rules of ${source}`, async () => {
    await expect(prometheusRule(name, source)).toMatchFileSnapshot(`../../../${BASE}/${file}.yml`);
  });

  it('has the same rules after the operator has parsed it', () => {
    const { groups } = parse(shippedText(source));
    expect(parse(prometheusRule(name, source)).spec.groups).toEqual(groups);
  });
});
