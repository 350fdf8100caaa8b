// Bundles the fleet page into dist/page: one script, one style sheet, and the licences of the packages in them. Called
// by `npm run build`.

import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { BUNDLED } from './bundled.mjs';

const SOURCE = 'src/features/page/browser';
const TARGET = 'dist/page';

const { metafile } = await build({
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
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
const found = Object.keys(metafile.inputs).flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
const names = [...new Set(found)].sort();
if (names.join() !== BUNDLED.join())
  throw new Error(`The page bundles ${names.join(', ')}: packaging/bundled.mjs`);

mkdirSync(TARGET, { recursive: true });
copyFileSync(`${SOURCE}/index.html`, `${TARGET}/index.html`);
// The manifest and the icons of the home screen.
cpSync('packaging/icons', TARGET, { recursive: true });
const licences = names.map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`;
});
writeFileSync(`${TARGET}/licenses.txt`, licences.join('\n\n'));
