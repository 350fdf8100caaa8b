// Bundles the compiled program into few files: `node packaging/bundle.mjs FOLDER`. The Debian package, the image and the archives ship them.
//
// FOLDER gets package.json, and dist with the files that the program reads at run time, in the same places as in the project.
// LICENSES has the licences of the bundled packages.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const [, , target] = process.argv;
if (target === undefined) throw new Error('expected a folder');
const dist = join(target, 'dist');
rmSync(target, { recursive: true, force: true });

/** Keeps the addresses that modules find files by, since all chunks are in one folder. */
const keepAddresses = {
  name: 'keep-addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^#!.*/, '')
        .replaceAll(
          'import.meta.url',
          `new URL(${JSON.stringify(relative('dist', path))}, import.meta.url).href`,
        ),
    })),
};

const { metafile } = await build({
  // A worker is loaded by its address. compose.yaml runs the last one, which is part of the demo.
  entryPoints: {
    main: 'dist/main.js',
    'http/web-config/bcrypt-worker': 'dist/http/web-config/bcrypt-worker.js',
    ...(existsSync('dist/features/demo') && { 'demo-history': 'packaging/demo-history.mjs' }),
  },
  outdir: dist,
  // Chunk names depend on paths, so packages behind a link would give other bytes.
  preserveSymlinks: true,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  // CommonJS packages call it for Node's modules.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [keepAddresses],
});

const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync(join(target, 'package.json'), `${JSON.stringify({ name, version, type })}\n`);
cpSync('dist/page', join(dist, 'page'), { recursive: true });
cpSync('dist/text/catalogs', join(dist, 'text/catalogs'), { recursive: true });
for (const file of ['revision.txt', 'sbom.cdx.json']) {
  if (existsSync(`dist/${file}`)) cpSync(`dist/${file}`, join(dist, file));
}
// `setup` fills them in and copies them.
cpSync('config/alertmanager', join(target, 'config/alertmanager'), { recursive: true });
cpSync('config/prometheus', join(target, 'config/prometheus'), {
  recursive: true,
  filter: (path) => !path.endsWith('prometheus.yml'),
});

const folders = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
);
const licences = [...new Set(folders)].sort().map((folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  // A few packages name their licence only in package.json.
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `By ${manifest.author?.name ?? manifest.author}`;
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
});
writeFileSync(
  join(target, 'LICENSES'),
  [...licences, readFileSync('dist/page/licenses.txt', 'utf8')].join('\n\n'),
);
