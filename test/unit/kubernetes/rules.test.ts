import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { RULES_FILE, shippedText } from '../../rules/shipped.ts';
import { BASE } from './kustomization.ts';

/**
 * The file of rules as an object of the Prometheus operator: their text, comments and all, two columns further in. A value of
 * several lines keeps its lines, since YAML counts their columns from that of their key.
 */
function prometheusRule(): string {
  const text = shippedText(RULES_FILE).replace(/^(?=.)/gm, '  ');
  return `# Derived from ${RULES_FILE} by \`npm run docs\`; a test keeps it current.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: hoster-exporter
  labels:
    app.kubernetes.io/name: hoster-exporter
spec:
${text}`;
}

describe('config/kubernetes/base/prometheus-rule.yml', () => {
  it('has the rules of Prometheus', async () => {
    await expect(prometheusRule()).toMatchFileSnapshot(`../../../${BASE}/prometheus-rule.yml`);
  });

  it('has the same rules after the operator has parsed it', () => {
    expect(parse(prometheusRule()).spec.groups).toEqual(parse(shippedText(RULES_FILE)).groups);
  });
});
