import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/features.ts';

const ROOT = join(import.meta.dirname, '../..');

const folder = mkdtempSync(join(tmpdir(), 'hoster-without-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Files that list the features. */
const LISTS = [
  'src/features.ts',
  'src/features/page/browser/sections.ts',
  'src/features/page/browser/fleet.css',
] as const;

/** Files that show each setting, one a line. */
const EXAMPLES = ['config/hoster-exporter.example.yml', 'config/systemd/environment'] as const;

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function run(cwd: string, ...[command = '', ...args]: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
}

/** Copies the files of the checkout that git knows. */
function copyTo(target: string): void {
  const { stdout } = run(ROOT, 'git', 'ls-files', '--cached', '--others', '--exclude-standard');
  for (const path of stdout.split('\n').filter(Boolean))
    cpSync(join(ROOT, path), join(target, path), { verbatimSymlinks: true });
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
}

/** What each source file imports, by its path. */
function importsIn(target: string): ReadonlyMap<string, readonly string[]> {
  const files = ['src', 'test', 'bench'].flatMap((part) =>
    readdirSync(join(target, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(part, path)),
  );
  const pathsIn = (file: string) =>
    Array.from(readFileSync(join(target, file), 'utf8').matchAll(/'(\.[^']*\.tsx?)'/g), ([, path = '']) =>
      join(dirname(file), path),
    );
  return new Map(files.map((file) => [file, pathsIn(file)]));
}

/** Lists the files that import one of some files, however far. */
function importersOf(imports: ReadonlyMap<string, readonly string[]>, isOne: (path: string) => boolean) {
  const found = new Set<string>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [file, paths] of imports)
      if (paths.some((path) => isOne(path) || found.has(path))) found.add(file);
  }
  return [...found];
}

/** Tests of documents and of the tree itself; but for the prose of documents, which a person edits. */
const READING = /^test\/unit\/(?:architecture|docs|features\/page|grafana|rules|systemd)/;
const PROSE = ['test/unit/docs/documents.test.ts', 'test/unit/docs/derived.test.ts'];

/** Tests of boards and rules with a metric of the feature, which a person edits, too; without it, they have nothing to show. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  tags: ['test/unit/grafana/lint.test.ts'],
  incidents: ['test/unit/rules/names.test.ts'],
};

/** Rows of README that list a path of a feature. */
const README_ROWS: Readonly<Record<string, RegExp>> = {
  month: /^\| `\/api\/v1\/month`.*\n/m,
  incidents: /^\| `\/api\/v1\/incidents`.*\n/m,
  history: /^\| `\/api\/v1\/history`.*\n/m,
  discovery: /^\| `\/sd\/tunnels`.*\n/m,
};

/** Deletes a feature: its folder, its lines, and the tests that import it. */
function deleteFeature(target: string, name: string): void {
  const imports = new Map([...importsIn(target)].filter(([path]) => !path.startsWith('src/')));
  const settings = (FEATURES.find((each) => each.name === name)?.settings ?? []).flatMap(
    ({ section, shape }) => Object.keys(shape).map((key) => [section, key] as const),
  );
  rmSync(join(target, 'src/features', name), { recursive: true });
  const entry = new RegExp(`.*[/]${name}/.*\\n|^  ${name},\\n|\\b${name}, |, ${name}\\b`, 'gm');
  for (const path of LISTS) edit(join(target, path), (text) => text.replace(entry, ''));
  for (const [section, key] of settings) {
    // The section of the file, up to the next one; several have settings with the same name.
    const own = new RegExp(`^${section}:.*\\n(?:[ #].*\\n)*`, 'm');
    const line = new RegExp(`^ *#? ?(?:${key}:|HOSTER_${section}_${key}=).*\\n`, 'gmi');
    const withoutKey = (text: string): string => text.replace(line, '').replace(/^\w+:.*\n$/, '');
    for (const path of EXAMPLES)
      edit(join(target, path), (text) =>
        own.test(text) ? text.replace(own, withoutKey) : text.replace(line, ''),
      );
  }
  const row = README_ROWS[name];
  if (row !== undefined) edit(join(target, 'README.md'), (text) => text.replace(row, ''));
  // The stable metrics of a feature go with it.
  if (name === 'incidents')
    edit(join(target, 'test/unit/metrics/golden/stable.txt'), (text) =>
      text.replace(/^hoster_incident_acknowledged_.*\n/m, ''),
    );
  if (name === 'history')
    edit(join(target, 'packaging/bundled.mjs'), (text) => text.replace(", 'uplot'", ''));
  for (const path of importersOf(imports, (each) => each.startsWith(`src/features/${name}/`)))
    rmSync(join(target, path));
}

/** Lists the unit tests that may notice it: those that load the features, and those that read other files. */
function unitTests(target: string, name: string): readonly string[] {
  const loading = importersOf(importsIn(target), (path) => path === 'src/features.ts');
  const isAmong = (path: string): boolean => loading.includes(path) || READING.test(path);
  const edited = [...PROSE, ...(READERS[name] ?? [])];
  return [...importsIn(target).keys()].filter(
    (path) =>
      path.startsWith('test/unit/') && path.endsWith('.test.ts') && !edited.includes(path) && isAmong(path),
  );
}

describe('the project without the feature', () => {
  it.each(['month', 'incidents', 'history', 'tags', 'discovery', 'chat', 'demo'])(
    '%s has types, passes lint and its remaining unit tests',
    (name) => {
      const target = join(folder, name);
      copyTo(target);
      deleteFeature(target, name);
      // The tests that write documents run as `docs`.
      const writing = run(target, 'node', 'packaging/docs.mjs', '--list').stdout.split('\n');
      const reading = unitTests(target, name).filter((path) => !writing.includes(path));
      const steps = [
        // No other file was edited.
        ['node_modules/.bin/biome', 'check', '--write', '--error-on-warnings', 'src', 'packaging'],
        ['npm', 'run', '--silent', 'compile'],
        ['node_modules/.bin/tsc', '-p', 'src/features/page/browser'],
        ['node_modules/.bin/tsc', '--noEmit'],
        ['node', 'packaging/docs.mjs'],
        ['node_modules/.bin/vitest', 'run', '--project', 'npm', '--reporter', 'dot', ...reading],
      ];
      for (const step of steps) {
        const { status, stdout, stderr } = run(target, ...step);
        expect(status, `${step.join(' ')}\n${stdout.slice(-6_000)}${stderr.slice(-2_000)}`).toBe(0);
      }
      rmSync(target, { recursive: true });
    },
  );
});
