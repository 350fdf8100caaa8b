import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shippedText } from '../../rules/shipped.ts';

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

  it('runs all tests of npm in CI', () => {
    const [, job = ''] =
      /^ {2}oldest-node:\n(.*?)(?=^ {2}\S)/ms.exec(shippedText('.github/workflows/ci.yml')) ?? [];
    expect(job).toContain(`node-version: ${oldestNode}`);
    expect(job).toContain('npm test');
  });
});

describe('docs/STABILITY.md', () => {
  it('names the Node of the image', () => {
    const major = found('Dockerfile', /^ARG NODE_IMAGE=.*\/node:(\d+)\./m);
    expect(STABILITY).toMatch(new RegExp(`Node[^.]* ${major}\\b`));
  });

  it.each(['Prometheus', 'Alertmanager', 'Grafana'])('names the oldest %s of the stack', (program) => {
    const oldest = found('docs/STACK.md', new RegExp(`^\\| ${program} \\|.*\\| (\\d+\\.\\d+) \\|$`, 'm'));
    expect(STABILITY).toContain(`${program} ${oldest}`);
  });

  it('names the newest Grafana of the stack', () => {
    const newest = found('compose.yaml', /image: docker\.io\/grafana\/grafana:(\d+\.\d+)\./);
    expect(STABILITY).toContain(`to ${newest}`);
  });
});
