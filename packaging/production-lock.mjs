// Writes a lock file without development dependencies. `npm pack` uses it as npm-shrinkwrap.json, which pins all packages for
// users who install ours from the registry; npm ignores a package's package-lock.json.

import { readFileSync, writeFileSync } from 'node:fs';

/** @param kept names of development dependencies to keep */
export function productionLock(kept = []) {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  delete lock.packages[''].devDependencies;
  for (const [path, entry] of Object.entries(lock.packages)) {
    const isKept = kept.includes(path.replace('node_modules/', ''));
    if (!isKept && (entry.dev || entry.devOptional)) delete lock.packages[path];
  }
  for (const name of kept) {
    delete lock.packages[`node_modules/${name}`].dev;
    lock.packages[''].dependencies[name] = lock.packages[`node_modules/${name}`].version;
  }
  return lock;
}

const [, , target] = process.argv;
if (target !== undefined) writeFileSync(target, `${JSON.stringify(productionLock(), null, 2)}\n`);
