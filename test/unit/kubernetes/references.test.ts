import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../src/config/load.ts';
import { CONFIG_SCHEMA } from '../../../src/features.ts';
import { createExporterMetrics } from '../../../src/metrics/exporter-metrics.ts';
import { ALL_FEATURES, familiesOf } from '../../features.ts';
import { filesIn } from '../../files.ts';
import { ROOT, shippedText } from '../../rules/shipped.ts';
import { BASE, build, only, PERSISTENT } from './kustomization.ts';
import { Workload } from './pod.ts';

const base = build(BASE);

const Selecting = z.object({ selector: z.record(z.string(), z.string()) });
const Service = z.object({
  metadata: z.object({ labels: z.unknown() }),
  spec: Selecting.extend({
    ports: z.tuple([z.object({ name: z.string(), targetPort: z.string() })]),
  }),
});
const Monitor = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: z.unknown() }),
    endpoints: z.tuple([
      z.object({ port: z.string(), relabelings: z.array(z.record(z.string(), z.string())) }),
    ]),
  }),
});
const Policy = z.object({
  spec: z.object({
    podSelector: z.object({ matchLabels: z.unknown() }),
    ingress: z.tuple([z.object({ ports: z.unknown() })]),
  }),
});

describe('the kustomization', () => {
  it('has a part for every file next to it, and for every dashboard', () => {
    const there = ['config/kubernetes', 'grafana/dashboards'].flatMap((folder) =>
      filesIn(join(ROOT, folder)).map((file) => join(folder, file)),
    );
    expect([...build(PERSISTENT).files].sort()).toEqual(there.sort());
  });

  it.each(base.manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
    '%s %s is not too large to be applied',
    (_, __, manifest) => {
      // kubectl keeps all of it in an annotation, and annotations end at 256 KiB.
      expect(JSON.stringify(manifest).length).toBeLessThan(250_000);
    },
  );

  it('names the image of this version', () => {
    const { version } = parse(shippedText('package.json'));
    expect(base.images.map(({ name, newTag }) => [name, newTag])).toEqual([['hoster-exporter', version]]);
  });
});

describe.each([BASE, PERSISTENT])('the pod of %s', (folder) => {
  const { spec } = only(build(folder), 'Deployment', Workload);
  const pod = spec.template.spec;
  const [container] = pod.containers;
  const [port] = container.ports;
  const mounts = new Map(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));

  it('runs the image, as its user, on its port', () => {
    const dockerfile = shippedText('Dockerfile');
    const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
    expect(container.image).toBe('hoster-exporter');
    expect(dockerfile).toContain(`USER ${runAsUser}:${runAsGroup}\n`);
    expect(fsGroup).toBe(runAsGroup);
    expect(dockerfile).toContain(`EXPOSE ${port.containerPort}\n`);
    expect(dockerfile).toContain(`HOSTER_WEB_LISTEN_ADDRESS=:${port.containerPort}\n`);
  });

  it('mounts each of its volumes, as a whole', () => {
    expect([...mounts.keys()]).toEqual(pod.volumes.map(({ name }) => name));
    // What is mounted by subPath is never renewed: neither a new key nor a new configuration would arrive.
    expect(container.volumeMounts.filter(({ subPath }) => subPath !== undefined)).toEqual([]);
  });

  it('has a valid configuration, with the key and the state within its mounts', () => {
    const variables = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const { config, warnings } = loadConfig({
      schema: CONFIG_SCHEMA,
      flags: new Map(),
      environment: variables,
      readFile: (path) => {
        expect(dirname(path)).toBe(mounts.get('configuration'));
        return shippedText(`${BASE}/${basename(path)}`);
      },
      accounts: 'required',
    });
    expect(warnings).toEqual([]);
    expect(config.accounts.map(({ key }) => key)).toEqual([{ file: `${mounts.get('key')}/key` }]);
    expect(dirname(config.state.file ?? '')).toBe(mounts.get('state'));
  });

  it('finds its configuration and its secret by their names', () => {
    const maps = base.manifests.filter((manifest) => manifest.kind === 'ConfigMap');
    const [configuration] = pod.volumes.flatMap(({ configMap }) => configMap ?? []);
    expect(maps.map(({ metadata }) => metadata.name)).toContain(configuration?.name);
    const [secret] = pod.volumes.flatMap((volume) => volume.secret ?? []);
    const command = `create secret generic ${secret?.secretName} --from-file=key=`;
    expect(shippedText('docs/INSTALL.md')).toContain(command);
  });

  it('is probed at the health paths', () => {
    const { livenessProbe, readinessProbe } = container;
    expect(livenessProbe.httpGet).toEqual({ path: '/-/healthy', port: port.name });
    expect(readinessProbe.httpGet).toEqual({ path: '/-/ready', port: port.name });
  });

  it('has the labels and the port that other objects select', () => {
    const service = only(base, 'Service', Service);
    const monitor = only(base, 'ServiceMonitor', Monitor);
    const policy = only(base, 'NetworkPolicy', Policy);
    const { labels } = spec.template.metadata;
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(service.spec.ports[0].targetPort).toBe(port.name);
    expect(monitor.spec.selector.matchLabels).toEqual(service.metadata.labels);
    expect(monitor.spec.endpoints[0].port).toBe(service.spec.ports[0].name);
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    expect(policy.spec.ingress[0].ports).toEqual([{ port: port.name }]);
  });
});

describe('the claim for the state', () => {
  it('is mounted where the state file is', () => {
    const claim = only(
      build(PERSISTENT),
      'PersistentVolumeClaim',
      z.object({ metadata: z.object({ name: z.string() }) }),
    );
    const Volumes = z.object({
      spec: z.object({ template: z.object({ spec: z.object({ volumes: z.array(z.unknown()) }) }) }),
    });
    const { volumes } = only(build(PERSISTENT), 'Deployment', Volumes).spec.template.spec;
    expect(volumes).toContainEqual({
      name: 'state',
      persistentVolumeClaim: { claimName: claim.metadata.name },
    });
  });
});

describe('the ServiceMonitor', () => {
  it('keeps the labels of the exporter, and names the job as rules and dashboards do', () => {
    // What the Prometheus operator puts on every target.
    const ofOperator = ['namespace', 'service', 'pod', 'container', 'endpoint', 'node', 'job', 'instance'];
    const self = createExporterMetrics({ version: '0.0.0', revision: 'none', nodeVersion: 'v20.18.1' });
    const families = [...familiesOf(ALL_FEATURES), ...self.families];
    const ours = new Set(families.flatMap(({ labels }) => labels));
    const { relabelings } = only(base, 'ServiceMonitor', Monitor).spec.endpoints[0];
    expect(relabelings).toEqual([
      { targetLabel: 'job', replacement: 'hoster' },
      ...ofOperator.filter((label) => ours.has(label)).map((regex) => ({ action: 'labeldrop', regex })),
    ]);
  });
});
