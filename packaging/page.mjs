// Bundles the fleet page into dist/page: a script, one that it loads for charts, a file of texts for each language, one style sheet,
// and the licences of the packages in them. Called by `npm run build`.

import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLED } from './bundled.mjs';
import { markIds, textsOf } from './texts.mjs';

const SOURCE = 'src/features/page/browser';
const TARGET = 'dist/page';

/** Replaces the catalogs that read files with the page's, and marks the messages that its modules say. */
const ownTexts = {
  name: 'own-texts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/catalogs\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('.ts', '.page.ts')),
    }));
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => ({
      contents: markIds(readFileSync(path, 'utf8')),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

const { version: ownVersion } = JSON.parse(readFileSync('package.json', 'utf8'));
const { metafile, outputFiles } = await build({
  entryPoints: [`${SOURCE}/main.tsx`, `${SOURCE}/fleet.css`],
  outdir: TARGET,
  bundle: true,
  splitting: true,
  // The chart library is the only part that is loaded later.
  chunkNames: 'charts',
  minify: true,
  format: 'esm',
  // The features' sections are outside this folder and its tsconfig.json.
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // docs/GUIDE.md names these browsers.
  target: ['chrome80', 'safari14'],
  // A page that stays open compares its version with the exporter's.
  define: { PAGE_VERSION: JSON.stringify(ownVersion) },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
  plugins: [ownTexts],
});
const found = Object.keys(metafile.inputs).flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
const names = [...new Set(found)].sort();
if (names.join() !== BUNDLED.join())
  throw new Error(`The page bundles ${names.join(', ')}: packaging/bundled.mjs`);

mkdirSync(TARGET, { recursive: true });
for (const { path, text } of outputFiles) {
  const isMain = path.endsWith('/main.js');
  const { script, texts } = isMain ? textsOf(text) : { script: text, texts: {} };
  writeFileSync(path, script);
  for (const [language, own] of Object.entries(texts))
    writeFileSync(`${TARGET}/${language}.json`, JSON.stringify(own));
}
const scripts = outputFiles.map(({ path }) => basename(path)).filter((name) => name.endsWith('.js'));
writeFileSync(`${TARGET}/scripts.txt`, scripts.join('\n'));
copyFileSync(`${SOURCE}/index.html`, `${TARGET}/index.html`);
// The manifest and the icons of the home screen.
cpSync('packaging/icons', TARGET, { recursive: true });
const licences = names.map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`;
});
writeFileSync(`${TARGET}/licenses.txt`, licences.join('\n\n'));
