// Lists the npm packages that the program needs on this machine, and those that build it, one per line: folder, name, version and
// checksum. build-deb.sh downloads them without npm, browsers, linters and test runners in a third of the time.

import { readFileSync } from 'node:fs';
import { BUNDLED } from './bundled.mjs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

// The compiler's and the bundler's dependencies are their programs for each platform.
const building = ['typescript', '@types/node', 'esbuild', 'marked', ...BUNDLED].flatMap(withDependencies);

for (const [path, { version, integrity, dev, devOptional, os, cpu }] of Object.entries(packages)) {
  const name = path.replace(/.*node_modules\//, '');
  if (path === '' || ((dev || devOptional) && !building.includes(name))) continue;
  if (os?.includes(process.platform) === false || cpu?.includes(process.arch) === false) continue;
  console.log(path, name, version, integrity);
}

function withDependencies(name) {
  const { dependencies, optionalDependencies } = packages[`node_modules/${name}`];
  return [name, ...Object.keys({ ...dependencies, ...optionalDependencies })];
}
