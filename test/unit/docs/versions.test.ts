import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT, shippedText } from '../../rules/shipped.ts';

const STABILITY = shippedText('docs/STABILITY.md').replaceAll(/\s+/g, ' ');

const Package = z.object({ engines: z.object({ node: z.string().startsWith('>=') }) });

const oldestNode = Package.parse(JSON.parse(shippedText('package.json'))).engines.node.slice(2);

/** The first group of a pattern in a file; a text that no document has where it does not match. */
function found(file: string, pattern: RegExp): string {
  return pattern.exec(shippedText(file))?.[1] ?? `no ${pattern} in ${file}`;
}

describe('the oldest Node', () => {
  it.each(['README.md', 'CONTRIBUTING.md', 'docs/STABILITY.md', 'docs/INSTALL.md'])(
    'is that of package.json in %s',
    (document) => {
      const named = shippedText(document).match(/\b20\.\d+(?:\.\d+)?\b/g) ?? [];
      expect(named.filter((version) => !oldestNode.startsWith(version))).toEqual([]);
      expect(named).toContain(oldestNode);
    },
  );
});

const Workflow = z.looseObject({
  jobs: z.looseObject({
    npm: z.looseObject({
      strategy: z.looseObject({ matrix: z.object({ node: z.array(z.coerce.string()) }) }),
    }),
  }),
});

describe('the tests of npm', () => {
  const { strategy } = Workflow.parse(parse(shippedText('.github/workflows/ci.yml'))).jobs.npm;
  const tested = strategy.matrix.node;
  const newest = tested.at(-1) ?? '';

  it('run in CI on each Node from the oldest to that of the image', () => {
    expect(tested[0]).toBe(oldestNode);
    expect(newest).toBe(found('Dockerfile', /^ARG NODE_IMAGE=.*\/node:(\d+)\./m));
  });

  it.each(['x64', 'arm64'])('run on the Node of the Debian package for %s', (architecture) => {
    expect(found('packaging/node.txt', new RegExp(`^node-linux-${architecture} (\\S+) sha512-`, 'm'))).toBe(
      found('Dockerfile', /^ARG NODE_IMAGE=.*\/node:([\d.]+)-/m),
    );
  });

  it.each(['x64', 'arm64'])('run on the Node of the archive for %s', (architecture) => {
    const [major = ''] = found(
      'packaging/archive-node.txt',
      new RegExp(`^node-linux-${architecture} (\\S+) sha512-`, 'm'),
    ).split('.');
    expect(tested).toContain(major);
    expect(shippedText('docs/INSTALL.md')).toContain(`its own Node.js ${major}`);
  });

  it('run on the versions of Node that docs/STABILITY.md names', () => {
    expect(STABILITY).toContain(`Tests run on ${tested.slice(0, -1).join(', ')} and ${newest}, `);
  });
});

describe('docs/STABILITY.md', () => {
  it.each(['Prometheus', 'Alertmanager', 'Grafana'])('names the oldest %s of the stack', (program) => {
    const oldest = found('docs/STACK.md', new RegExp(`^\\| ${program} \\|.*\\| (\\d+\\.\\d+) \\|$`, 'm'));
    expect(STABILITY).toContain(`${program} ${oldest}`);
  });

  it('names the newest Grafana of the stack', () => {
    const newest = found('compose.yaml', /image: docker\.io\/grafana\/grafana:(\d+\.\d+)\./);
    expect(STABILITY).toContain(`to ${newest}`);
  });
});

describe('the paths in docs/STABILITY.md', () => {
  const [, section = ''] = shippedText('docs/STABILITY.md').split(/^## Paths$/m);
  const named = new Set(
    Array.from(section.split(/^## /m)[0]?.matchAll(/`(\/[^` ]*)`/g) ?? [], ([, path]) => path),
  );

  it('are all that the exporter serves', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/features\/demo/.test(file),
    );
    const served = sources.flatMap((file) =>
      Array.from(shippedText(`src/${file}`).matchAll(/'(\/(?:api\/v1|sd|-)\/[\w-]+)'/g), ([, path]) => path),
    );
    expect(served.length).toBeGreaterThan(8);
    expect(served.filter((path) => !named.has(path))).toEqual([]);
    expect(
      [...named].filter((path = '') => /^\/(?:api|sd|-)\//.test(path) && !served.includes(path)),
    ).toEqual([]);
  });
});
