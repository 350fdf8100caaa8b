import { describe, expect, it } from 'vitest';
import { measuredMemory } from '../../measured-memory.ts';
import { shippedText } from '../../rules/shipped.ts';
import { servicesOf } from '../stack/compose.ts';
import { BASE, build, only } from './kustomization.ts';
import { Workload } from './pod.ts';

const { spec } = only(build(BASE), 'Deployment', Workload).spec.template;
const [container] = spec.containers;

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

  it('requests more memory than 1,000 phones were measured to take', () => {
    const [, mebibytes] = container.resources.requests.memory.match(/^(\d+)Mi$/) ?? [];
    expect(Number(mebibytes) * 2 ** 20).toBeGreaterThan(1.1 * measuredMemory(1_000).resident);
  });

  it('may use as much memory as the unit and the container of the stack', () => {
    const [, mebibytes] =
      shippedText('config/systemd/hoster-exporter.service').match(/^MemoryMax=(\d+)M$/m) ?? [];
    expect(container.resources.limits.memory).toBe(`${mebibytes}Mi`);
    for (const [, { image, mem_limit }] of [...servicesOf('live'), ...servicesOf('demo')])
      if (image.startsWith('hoster-exporter')) expect(mem_limit).toBe(`${mebibytes}m`);
    expect(shippedText('docs/INSTALL.md')).toContain(` --memory ${mebibytes}m `);
    expect(Number(mebibytes) * 2 ** 20).toBeGreaterThan(1.1 * measuredMemory(100_000).peak);
  });

  it('has no limit of CPU', () => {
    expect(container.resources.limits.cpu).toBeUndefined();
  });
});
