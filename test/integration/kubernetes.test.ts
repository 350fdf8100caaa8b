import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { outputOf } from '../output.ts';
import { ROOT } from '../rules/shipped.ts';
import { BASE, build, PERSISTENT } from '../unit/kubernetes/kustomization.ts';

/** Where the type of a kind is declared. */
const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: 'kubernetes-models/v1/ConfigMap',
  Deployment: 'kubernetes-models/apps/v1/Deployment',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
  Service: 'kubernetes-models/v1/Service',
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

const WRONG = `export const wrong: IDeployment = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { selector: {}, template: { spec: { containers: [{ name: 'a', securityContext: { readOnlyRootFileSystem: true } }] } } } };`;

const PROGRAMS: Readonly<Record<string, string>> = {
  [BASE]: program(BASE),
  [PERSISTENT]: program(PERSISTENT),
  wrong: program(BASE, WRONG),
};

const fileOf = (name: string): string => `${name.replaceAll('/', '-')}.ts`;

/** What the compiler says of all programs; it reads the types of Kubernetes once. */
let output = '';

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  const files = Object.entries(PROGRAMS).map(([name, text]) => {
    const file = join(FOLDER, fileOf(name));
    writeFileSync(file, text);
    return file;
  });
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig'];
  output = await outputOf(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...files]).catch(String);
});

/** Errors of one program. */
const errorsOf = (name: string): readonly string[] =>
  output.split('\n').filter((line) => line.includes(`${fileOf(name)}(`));

describe('config/kubernetes', () => {
  it.each([BASE, PERSISTENT])('has in %s only fields of the Kubernetes schema', (folder) => {
    expect(errorsOf(folder)).toEqual([]);
  });

  it('is rejected with an unknown field, and for nothing else', () => {
    expect(errorsOf('wrong').join()).toContain("'readOnlyRootFileSystem' does not exist");
    expect(output.match(/error TS\d+/g)).toHaveLength(1);
  });
});
