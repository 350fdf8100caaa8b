import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/features.ts';

const ROOT = join(import.meta.dirname, '../..');

const folder = mkdtempSync(join(tmpdir(), 'hoster-without-'));
/** The copy, at one path for all features: TypeScript checks only what differs from the one before. */
const target = join(folder, 'copy');
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
const PROSE = ['documents', 'derived', 'api', 'flags', 'versions'].map(
  (name) => `test/unit/docs/${name}.test.ts`,
);

/** Tests of boards and rules with a metric of the feature, which a person edits, too; without it, they have nothing to show. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  tags: ['test/unit/grafana/lint.test.ts'],
  incidents: ['test/unit/rules/names.test.ts', 'test/unit/grafana/lint.test.ts'],
  page: ['test/unit/architecture/imports.test.ts'],
};

/** Rows of README that list a path of a feature. */
const README_ROWS: Readonly<Record<string, RegExp>> = {
  page: /^\| `\/(?:assets\/…|runbooks\/NAME)?`.*\n/gm,
  maintenance: /^\| .*`DELETE \/api\/v1\/maintenance`.*\n/m,
  month: /^\| `\/api\/v1\/month`.*\n/m,
  incidents: /^\| `\/api\/v1\/incidents`.*\n/m,
  history: /^\| `\/api\/v1\/history`.*\n/m,
  discovery: /^\| `\/sd\/tunnels`.*\n/m,
};

/** Lines of its stable metrics. */
const STABLE: Readonly<Record<string, RegExp>> = {
  incidents: /^hoster_incident_acknowledged_.*\n/m,
  maintenance: /^hoster_(?:devices_in_)?maintenance.*\n/gm,
};

/** Deletes a feature: its folder, its lines, and the tests that import it. */
function deleteFeature(target: string, name: string): void {
  const imports = new Map([...importsIn(target)].filter(([path]) => !path.startsWith('src/')));
  const settings = (FEATURES.find((each) => each.name === name)?.settings ?? []).flatMap(
    ({ section, shape }) => Object.keys(shape).map((key) => [section, key] as const),
  );
  rmSync(join(target, 'src/features', name), { recursive: true });
  const entry = new RegExp(`.*[/]${name}/.*\\n|^  ${name},\\n|\\b${name}, |, ${name}\\b`, 'gm');
  for (const path of LISTS.filter((each) => existsSync(join(target, each))))
    edit(join(target, path), (text) => text.replace(entry, ''));
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
  // A list of windows, not a section of settings.
  if (name === 'maintenance')
    edit(join(target, 'config/hoster-exporter.example.yml'), (text) =>
      text.replace(/^maintenance:.*\n(?:[ #].*\n)*/m, ''),
    );
  // The stable metrics of a feature go with it.
  const stable = STABLE[name];
  if (stable !== undefined)
    edit(join(target, 'test/unit/metrics/golden/stable.txt'), (text) => text.replace(stable, ''));
  if (name === 'history')
    edit(join(target, 'packaging/bundled.mjs'), (text) => text.replace(", 'uplot'", ''));
  if (name === 'page') deletePage(target);
  for (const path of importersOf(imports, (each) => isGone(target, each))) rmSync(join(target, path));
  rmSync(join(target, 'test/unit/features', name), { recursive: true, force: true });
}

/** Reports whether a source file was deleted. */
function isGone(target: string, path: string): boolean {
  return path.startsWith('src/') && !existsSync(join(target, path));
}

/** Deletes what needs the page in a browser: the sections of other features, and the steps that bundle it. */
function deletePage(target: string): void {
  for (const each of readdirSync(join(target, 'src/features'), { encoding: 'utf8' }))
    for (const part of ['section.tsx', `${each}.css`, 'browser'])
      rmSync(join(target, 'src/features', each, part), { recursive: true, force: true });
  edit(join(target, 'package.json'), (text) =>
    text.replace(' && node packaging/page.mjs', '').replace(' && tsc -p src/features/page/browser', ''),
  );
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

/** Without these, the documents and the unit tests are tried, too: what most others meet, and what has a browser. */
const TESTED: readonly string[] = ['incidents', 'page'];

describe('the project without the feature', () => {
  it.each(FEATURES.map(({ name }) => name))('%s has types and passes lint', (name) => {
    copyTo(target);
    const isOnPage = ['section.tsx', 'browser'].some((part) =>
      existsSync(join(target, 'src/features', name, part)),
    );
    deleteFeature(target, name);
    // The tests that write documents run as `docs`.
    const writing = run(target, 'node', 'packaging/docs.mjs', '--list').stdout.split('\n');
    const reading = unitTests(target, name).filter((path) => !writing.includes(path));
    const steps = [
      // No other file was edited.
      ['node_modules/.bin/biome', 'check', '--write', '--error-on-warnings', 'src', 'packaging'],
      ...(isOnPage && name !== 'page'
        ? [
            ['node', 'packaging/page.mjs'],
            ['node_modules/.bin/tsc', '-p', 'src/features/page/browser'],
          ]
        : []),
      ['node_modules/.bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', join(folder, 'types')],
      ...(TESTED.includes(name)
        ? [
            ['npm', 'run', '--silent', 'compile'],
            ['node', 'packaging/docs.mjs'],
            ['node_modules/.bin/vitest', 'run', '--project', 'npm', '--reporter', 'dot', ...reading],
          ]
        : []),
    ];
    for (const step of steps) {
      const { status, stdout, stderr } = run(target, ...step);
      expect(status, `${step.join(' ')}\n${stdout.slice(-6_000)}${stderr.slice(-2_000)}`).toBe(0);
    }
    rmSync(target, { recursive: true });
  });
});
