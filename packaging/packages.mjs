// Lists the packages of npm that the program needs here, and those that build it: a line for each, with its folder, name,
// version and checksum. install.sh downloads them: without browsers, linters and test runners, and without npm, it takes a
// third of the time.
//
// Packages that the program needs go into the folder above this one, so that they stay when this one is removed. The folder
// of a published package is built already.

import { existsSync, readFileSync } from 'node:fs';
import { BUNDLED } from './bundled.mjs';

const BUILD = ['typescript', '@types/node', 'esbuild', 'marked', ...BUNDLED];

const isBuilt = !existsSync('src');
const { packages } = JSON.parse(readFileSync(isBuilt ? 'npm-shrinkwrap.json' : 'package-lock.json', 'utf8'));

// The dependencies of compiler and bundler are the programs of the platforms.
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
