import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { BASE, build, PERSISTENT } from './kustomization.ts';

const MODELS = [
  ConfigMap,
  Deployment,
  NetworkPolicy,
  PersistentVolumeClaim,
  PrometheusRule,
  Service,
  ServiceMonitor,
] as const;

/** @throws if something does not fit the schema of its kind, or its kind has none here */
function validate({
  kind,
  apiVersion,
  ...rest
}: {
  readonly kind: string;
  readonly apiVersion: string;
}): void {
  const found = MODELS.find((model) => model.kind === kind && model.apiVersion === apiVersion);
  if (found === undefined) throw new Error(`no schema for ${apiVersion} ${kind}`);
  // Not by `new`, which asks for data whose type is known already.
  const model: { readonly validate: () => void } = Reflect.construct(found, [rest]);
  model.validate();
}

describe.each([BASE, PERSISTENT])('the kustomization %s', (folder) => {
  it.each(
    build(folder).manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const),
  )('has a %s %s that fits the schema of its kind', (_, __, manifest) => {
    expect(() => validate(manifest)).not.toThrow();
  });
});

describe('a schema', () => {
  it('rejects an unknown field', () => {
    const spec = { ports: [{ port: 'metrics' }] };
    const wrong = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'wrong' }, spec };
    expect(() => validate(wrong)).toThrow(/port/);
  });
});
