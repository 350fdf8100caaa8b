import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn } from '../files.ts';
import { outputOf } from '../output.ts';
import { productionPackages } from '../production-packages.ts';
import { ROOT } from '../rules/shipped.ts';

const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string(), mode: z.number() })) })]);
const Manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
    exports: z.unknown(),
  })
  .loose();
const Materials = z.object({
  metadata: z.object({ component: z.object({ name: z.string() }) }),
  components: z.array(z.object({ name: z.string(), version: z.string() })),
});

const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), integrity: z.string().optional() }).loose()),
});

/** Everything that a user gets; what fits none of these is not for users. */
const RULES: readonly RegExp[] = [
  /^(?:package\.json|LICENSE|(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|compose\.yaml)$/,
  /^dist\/(?!.*\.test\.).+\.js$/,
  /^dist\/text\/catalogs\/[a-z]{2}\.ftl$/,
  /^dist\/page\/(?:[a-z-]+\.(?:html|css)|licenses\.txt|icon-\d+\.png|manifest\.webmanifest|scripts\.txt|[a-z]{2}\.json)$/,
  /^dist\/page\/runbooks\/(?:\w+\.html|names\.txt)$/,
  /^dist\/(?:sbom\.cdx\.json|revision\.txt)$/,
  /^config\/(?:[a-z.-]+\.yml|hoster-exporter\.schema\.json)$/,
  /^config\/(?:prometheus|alertmanager|kubernetes\/[a-z]+)\/[a-z.-]+\.yml$/,
  /^config\/alertmanager\/(?:start\.sh|templates\/(?:[a-z]{2}\/)?[a-z]+\.tmpl)$/,
  /^config\/prometheus\/[a-z]{2}\/hoster\.rules\.yml$/,
  /^config\/systemd\/(?:hoster-exporter(?:-telegram)?\.service|hoster-exporter\.sysusers|environment)$/,
  /^grafana\/dashboards\/(?:[a-z]+\.json|kustomization\.yml)$/,
  /^grafana\/provisioning\/[a-z]+\/[a-z]+\.yml$/,
  /^docs\/(?:[A-Z-]+|runbooks\/[A-Za-z]+|decisions\/(?:\d{4}-[a-z0-9-]+|README))\.md$/,
  /^docs\/pictures\/[a-z-]+\.png$/,
];

/** Scripts that npm runs when the package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare'];

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

describe('the npm package', () => {
  let files: readonly { readonly path: string; readonly mode: number }[] = [];

  beforeAll(async () => {
    const said = await outputOf('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
    [{ files }] = Packed.parse(JSON.parse(said));
  });

  it('contains what a user needs, and nothing else', () => {
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => !RULES.some((rule) => rule.test(path)))).toEqual([]);
    expect(RULES.filter((rule) => !paths.some((path) => rule.test(path)))).toEqual([]);
  });

  it('contains what its documents link to', () => {
    const paths = files.map(({ path }) => path);
    const dead = paths
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```.*?^```/gms, '');
        return Array.from(
          text.matchAll(/(?:\]\(|src=")(?!https?:|mailto:|#)([^)\s"#]+)/g),
          ([, link = '']) => `${path}: ${join(dirname(path), link)}`,
        );
      })
      .filter((link) => {
        const target = link.split(': ')[1] ?? '';
        return !paths.some((path) => path === target || path.startsWith(`${target.replace(/\/$/, '')}/`));
      });
    expect(dead).toEqual([]);
  });

  it('contains the whole program as built from the sources', () => {
    const sources = filesIn(join(ROOT, 'src')).filter(
      (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'),
    );
    const programs = files.flatMap(({ path }) => path.match(/^dist\/(.*)\.js$/)?.[1] ?? []);
    // The page is bundled.
    const compiled = sources.filter((file) => !/\.tsx$|\/browser\//.test(file));
    expect(programs.sort()).toEqual(
      ['page/charts', 'page/main', ...compiled.map((file) => file.replace(/\.ts$/, ''))].sort(),
    );
  });

  it('has one executable program', () => {
    expect(readJson('package.json')).toMatchObject({ bin: { 'hoster-exporter': 'dist/main.js' } });
    expect(files.find(({ path }) => path === 'dist/main.js')?.mode).toBe(0o755);
  });

  it('has no install scripts, no exports and no types', () => {
    const manifest = Manifest.parse(readJson('package.json'));
    expect(Object.keys(manifest.scripts).filter((name) => INSTALL_SCRIPTS.includes(name))).toEqual([]);
    expect(manifest.exports).toEqual({});
    expect(manifest).not.toHaveProperty('types');
    expect(manifest).not.toHaveProperty('main');
  });

  it('lists exactly its production packages, and those in the fleet page, in its bill of materials', () => {
    const { metadata, components } = Materials.parse(readJson('dist/sbom.cdx.json'));
    expect(metadata.component.name).toBe('hoster-exporter');
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    const { devDependencies } = Manifest.parse(readJson('package.json'));
    const bundled = ['preact', 'uplot'].map((name) => `${name}@${devDependencies[name]}`);
    const production = productionPackages().map(({ name, version }) => `${name}@${version}`);
    expect(listed.sort()).toEqual([...production, ...bundled].sort());
    const licences = readFileSync(join(ROOT, 'dist/page/licenses.txt'), 'utf8');
    for (const name of bundled) expect(licences).toContain(`${name.replace('@', ' ')}\n\nThe MIT License`);
  });

  it('pins exactly its production packages in its npm-shrinkwrap.json', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-package-'));
    const target = join(folder, 'npm-shrinkwrap.json');
    await outputOf('node', [join(ROOT, 'packaging/production-lock.mjs'), target]);
    const { packages } = Lock.parse(JSON.parse(readFileSync(target, 'utf8')));
    rmSync(folder, { recursive: true });
    const { '': program, ...others } = packages;
    expect(program).not.toHaveProperty('devDependencies');
    const pinned = Object.entries(others).map(([path, { version }]) => `${path} ${version}`);
    expect(pinned.sort()).toEqual(
      productionPackages()
        .map(({ path, version }) => `${path} ${version}`)
        .sort(),
    );
    expect(Object.values(others).filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
    const { scripts } = Manifest.parse(readJson('package.json'));
    expect(scripts).toMatchObject({
      prepack: expect.stringContaining('packaging/production-lock.mjs npm-shrinkwrap.json'),
      postpack: 'node packaging/files.mjs remove npm-shrinkwrap.json',
    });
  });

  it('prints the revision that was written when it was built', async () => {
    const { scripts } = Manifest.parse(readJson('package.json'));
    expect(scripts['compile']).toContain('node packaging/revision.mjs');
    const revision = await readFile(join(ROOT, 'dist/revision.txt'), 'utf8').catch(() => 'unknown');
    const version = await outputOf('node', [join(ROOT, 'dist/main.js'), '--version']);
    expect(version).toContain(`(revision ${revision.trim()}, Node.js v`);
  });

  it('depends only on packages for all platforms and without install scripts', () => {
    const other = productionPackages().filter(
      ({ path, hasInstallScript, os, cpu }) =>
        hasInstallScript ||
        os !== undefined ||
        cpu !== undefined ||
        filesIn(join(ROOT, path)).some((file) => file.endsWith('.node')),
    );
    expect(other.map(({ name }) => name)).toEqual([]);
  });
});
