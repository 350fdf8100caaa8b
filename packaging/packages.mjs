// Lists the npm packages that the program needs on this machine, and those that build it: a line for each, with its folder,
// name, version and checksum. install.sh downloads them without npm, browsers, linters and test runners in a third of the time.
//
// Packages that the program needs go into the parent folder, so that they remain when this folder is removed. The folder of a
// published package is already built.

import { existsSync, readFileSync } from 'node:fs';
import { BUNDLED } from './bundled.mjs';

const BUILD = ['typescript', '@types/node', 'esbuild', 'marked', ...BUNDLED];

const isBuilt = !existsSync('src');
const { packages } = JSON.parse(readFileSync(isBuilt ? 'npm-shrinkwrap.json' : 'package-lock.json', 'utf8'));

// The dependencies of the compiler and the bundler are the programs for the platforms.
const building = isBuilt ? [] : BUILD.flatMap(withDependencies);

for (const [path, { version, integrity, dev, devOptional, os, cpu }] of Object.entries(packages)) {
  const name = path.replace(/.*node_modules\//, '');
  const isDevelopment = dev || devOptional;
  if (path === '' || (isDevelopment && !building.includes(name))) continue;
  if (os?.includes(process.platform) === false || cpu?.includes(process.arch) === false) continue;
  console.log(isDevelopment ? path : `../${path}`, name, version, integrity);
}

function withDependencies(name) {
  const { dependencies, optionalDependencies } = packages[`node_modules/${name}`];
  return [name, ...Object.keys({ ...dependencies, ...optionalDependencies })];
}
