// Reduces package.json and package-lock.json, in a copy of this folder, to the production dependencies and what `npm run
// emit` needs. install.sh calls it: browsers, linters and test runners are no use to an owner.

import { readFileSync, writeFileSync } from 'node:fs';
import { BUNDLED } from './bundled.mjs';

const BUILD = ['typescript', '@types/node', 'esbuild', 'marked', ...BUNDLED];

const manifest = read('package.json');
const lock = read('package-lock.json');

const ranges = BUILD.map((name) => [name, manifest.devDependencies[name]]);
manifest.devDependencies = Object.fromEntries(ranges);
lock.packages[''].devDependencies = manifest.devDependencies;

// The dependencies of compiler and bundler are the programs of the platforms, of which npm installs one.
const needed = BUILD.flatMap((name) => {
  const { dependencies, optionalDependencies } = lock.packages[`node_modules/${name}`];
  return [name, ...Object.keys({ ...dependencies, ...optionalDependencies })];
});
const kept = new Set(needed.map((name) => `node_modules/${name}`));
for (const [path, entry] of Object.entries(lock.packages)) {
  if ((entry.dev || entry.devOptional) && !kept.has(path)) delete lock.packages[path];
}

write('package.json', manifest);
write('package-lock.json', lock);

function read(name) {
  return JSON.parse(readFileSync(name, 'utf8'));
}

function write(name, value) {
  writeFileSync(name, `${JSON.stringify(value, null, 2)}\n`);
}
