// Writes all derived documents and golden files, and lists the changed ones. Called by `npm run docs`.
//
// Each is a test's file snapshot, so the tests with snapshots write them, and no list is needed.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of derived files. */
const DERIVED = ['config', 'docs', 'grafana/dashboards', 'test/unit'];

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

const contents = () =>
  new Map(
    ['README.md', ...DERIVED.flatMap(filesIn)].map((path) => [path, readFileSync(path).toString('latin1')]),
  );

const tests = filesIn('test/unit').filter(
  (path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('.toMatchFileSnapshot('),
);
if (process.argv.includes('--list')) {
  console.log(tests.join('\n'));
  process.exit();
}

const before = contents();
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'npm', ...tests, '--update'];
const { status, stdout, stderr } = spawnSync(process.execPath, vitest, { encoding: 'utf8' });
if (status !== 0) process.stdout.write(stdout + stderr);
const changed = [...contents()]
  .filter(([path, content]) => before.get(path) !== content)
  .map(([path]) => path);
console.log(
  changed.length === 0 ? 'No file changed.' : `Changed:\n${changed.map((path) => `  ${path}\n`).join('')}`,
);
process.exitCode = status ?? 1;
