import { describe, expect, it } from 'vitest';
import { measuredMemory } from '../../measured-memory.ts';
import { shippedText } from '../../rules/shipped.ts';
import { BASE, build, only } from './kustomization.ts';
import { Workload } from './pod.ts';

const { spec } = only(build(BASE), 'Deployment', Workload).spec.template;
const [container] = spec.containers;

const MEBIBYTE = 1024 * 1024;

function bytes(quantity: string): number {
  const [, figure] = quantity.match(/^(\d+)Mi$/) ?? [];
  return Number(figure) * MEBIBYTE;
}

describe('the pod', () => {
  it('fits the profile "restricted" of the Pod Security Standards', () => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('gets no token and no addresses of other services', () => {
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  });

  it('gives its secret to its own group, as a file that no other user can read', () => {
    expect(spec.volumes.map(({ secret }) => secret?.defaultMode)).toContain(0o440);
    expect(container.volumeMounts.filter(({ readOnly }) => readOnly).map(({ name }) => name)).toEqual([
      'configuration',
      'key',
    ]);
  });

  it('requests more memory than 1,000 phones were measured to take, and may use more than 10,000 take', () => {
    expect(bytes(container.resources.requests.memory)).toBeGreaterThan(1.1 * measuredMemory(40));
    expect(bytes(container.resources.requests.memory)).toBeGreaterThan(1.1 * measuredMemory(1_000));
    expect(bytes(container.resources.limits.memory)).toBeGreaterThan(1.1 * measuredMemory(10_000));
  });

  it('has the limit that docs/INSTALL.md and the decisions name', () => {
    const limit = `${container.resources.limits.memory.replace('Mi', '')} MiB`;
    expect(shippedText('docs/INSTALL.md')).toContain(`the limit of ${limit} is enough for 10,000 phones`);
    expect(shippedText('docs/decisions/0018-no-v8-flags.md')).toContain(
      `A container of ${limit} holds 10,000`,
    );
  });

  it('has no limit of CPU', () => {
    expect(container.resources.limits.cpu).toBeUndefined();
  });
});
