import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputOf } from '../output.ts';
import { ROOT } from '../rules/shipped.ts';
import { BASE, build, SHARDED } from '../unit/kubernetes/kustomization.ts';

/** Where the type of a kind is declared. */
const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: 'kubernetes-models/v1/ConfigMap',
  Deployment: 'kubernetes-models/apps/v1/Deployment',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
  Service: 'kubernetes-models/v1/Service',
  StatefulSet: 'kubernetes-models/apps/v1/StatefulSet',
  ServiceMonitor: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor',
};

const FOLDER = join(ROOT, '.build/kubernetes');

/*
 * A schema of Kubernetes lets fields pass that it does not know, so a slip in a name would be a setting that is not in
 * force. The compiler is stricter: a literal may have no field that its type has not.
 */
function program(folder: string, extra = ''): string {
  const known = build(folder).manifests.filter(({ kind }) => kind in TYPES);
  const imports = Object.entries(TYPES).map(([kind, module]) => `import type { I${kind} } from '${module}';`);
  const values = known.map(
    ({ kind, ...manifest }, index) =>
      `export const manifest${index}: I${kind} = ${JSON.stringify({ kind, ...manifest })};`,
  );
  return [...imports, ...values, extra].join('\n');
}

async function compile(name: string, text: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}.ts`);
  writeFileSync(file, text);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
  return outputOf('npx', ['tsc', ...options, file]).catch(String);
}

describe('config/kubernetes', () => {
  it.each([BASE, SHARDED])('has in %s only fields of the Kubernetes schema', async (folder) => {
    expect(await compile(folder.replaceAll('/', '-'), program(folder))).toBe('');
  });

  it('is rejected with an unknown field', async () => {
    const wrong = `export const wrong: IDeployment = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { selector: {}, template: { spec: { containers: [{ name: 'a', securityContext: { readOnlyRootFileSystem: true } }] } } } };`;
    expect(await compile('wrong', program(BASE, wrong))).toContain("'readOnlyRootFileSystem' does not exist");
  });
});
