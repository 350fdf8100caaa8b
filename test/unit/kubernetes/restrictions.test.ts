import { describe, expect, it } from 'vitest';
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

  it('has the memory that is promised to be enough, for 1,000 phones at least and 50,000 at most', () => {
    const promised = (phones: number) => 110_000_000 + 1_000 * (phones - 1_000);
    expect(bytes(container.resources.requests.memory)).toBeGreaterThan(promised(1_000));
    expect(bytes(container.resources.limits.memory)).toBeGreaterThan(1.5 * promised(50_000));
  });

  it('has no limit of CPU', () => {
    expect(container.resources.limits.cpu).toBeUndefined();
  });
});
