import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { outputOf } from '../output.ts';
import { ROOT } from '../rules/shipped.ts';

it('the npm package says from which commit it was built, and builds outside of a checkout too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-revision-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'dist'));
  const run = (program: string, ...parameters: readonly string[]) => outputOf(program, parameters, folder);
  const writeRevision = () => run('node', join(ROOT, 'packaging/revision.mjs'));
  const revision = () => readFileSync(join(folder, 'dist/revision.txt'), 'utf8');

  await writeRevision();
  expect(readdirSync(join(folder, 'dist'))).toEqual([]);

  writeFileSync(join(folder, 'tracked'), '1');
  await run('git', 'init', '--quiet');
  await run('git', 'add', 'tracked');
  await run('git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'a');
  const commit = await run('git', 'rev-parse', 'HEAD');
  await writeRevision();
  expect(revision()).toBe(`${commit}\n`);

  writeFileSync(join(folder, 'tracked'), '2');
  await writeRevision();
  expect(revision()).toBe(`${commit}-dirty\n`);
});
