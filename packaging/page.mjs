// Bundles the fleet page into dist/page: one script with its English texts, a file of texts for each other language, one style
// sheet, and the licences of the packages in them. Called by `npm run build`.

import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLED } from './bundled.mjs';
import { markIds, textsOf } from './texts.mjs';

const SOURCE = 'src/features/page/browser';
const TARGET = 'dist/page';

/** Puts the catalogs of the page in the place of those that read files, and marks the messages that its modules say. */
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

/** What no chart of the page uses: a join of tables, and lines as steps and as curves. */
const UNUSED = /^\s*\(?(?:uPlot\.join|paths\.(?:stepped|spline)) +=.*;\n/gm;

/** Takes what is not used away from uPlot, which hangs all of it on one object. */
const lessOfPlot = {
  name: 'less-of-uplot',
  setup: ({ onLoad }) =>
    onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (source.match(UNUSED)?.length !== 3)
        throw new Error('uPlot is made in another way: packaging/page.mjs');
      return { contents: source.replace(UNUSED, '') };
    }),
};

const { version: ownVersion } = JSON.parse(readFileSync('package.json', 'utf8'));
const { metafile, outputFiles } = await build({
  entryPoints: [`${SOURCE}/main.tsx`, `${SOURCE}/fleet.css`],
  outdir: TARGET,
  bundle: true,
  minify: true,
  format: 'esm',
  // The sections of features are outside this folder and its tsconfig.json.
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
  plugins: [ownTexts, lessOfPlot],
});
const found = Object.keys(metafile.inputs).flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
const names = [...new Set(found)].sort();
if (names.join() !== BUNDLED.join())
  throw new Error(`The page bundles ${names.join(', ')}: packaging/bundled.mjs`);

mkdirSync(TARGET, { recursive: true });
for (const { path, text } of outputFiles) {
  const { script, texts } = textsOf(text);
  writeFileSync(
    path,
    path.endsWith('.js') ? script.replace('PAGE_TEXTS', () => JSON.stringify(texts.en)) : text,
  );
  for (const [language, own] of path.endsWith('.js') ? Object.entries(texts) : [])
    if (language !== 'en') writeFileSync(`${TARGET}/${language}.json`, JSON.stringify(own));
}
copyFileSync(`${SOURCE}/index.html`, `${TARGET}/index.html`);
// The manifest and the icons of the home screen.
cpSync('packaging/icons', TARGET, { recursive: true });
const licences = names.map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`;
});
writeFileSync(`${TARGET}/licenses.txt`, licences.join('\n\n'));
