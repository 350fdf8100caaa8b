// Writes dist/sbom.cdx.json, the bill of materials (CycloneDX) of the daemon's and the fleet page's dependencies. Called by
// `npm run build`.
//
// npm creates it from a copy of the lock file without development dependencies: `npm sbom --omit dev` would leave out packages
// that a development dependency also uses, such as `yaml`. npm 9, as in Debian 13, cannot create one.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLED } from './bundled.mjs';
import { productionLock } from './production-lock.mjs';

const QUESTION = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];

const npmVersion = /^npm\/(\d+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
if (Number(npmVersion) < 10) {
  console.error(
    `npm ${npmVersion} cannot make a bill of materials (npm 10 can): dist/sbom.cdx.json is left out.`,
  );
  process.exit();
}

const manifest = read('package.json');
for (const name of BUNDLED) manifest.dependencies[name] = manifest.devDependencies[name];
delete manifest.devDependencies;

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-sbom-'));
try {
  // npm names the program after its folder.
  const copy = join(folder, manifest.name);
  mkdirSync(copy);
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(copy, 'package-lock.json'), JSON.stringify(productionLock(BUNDLED)));
  const npm = process.env.npm_execpath ?? fail('npm_execpath is not set: run this by `npm run sbom`');
  const options = { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [npm, ...QUESTION], options);
  if (status !== 0) fail(`npm sbom ended with ${status}: ${stderr}`);
  writeFileSync('dist/sbom.cdx.json', stdout);
} finally {
  rmSync(folder, { recursive: true });
}

/** Reads a JSON file next to package.json, where npm starts scripts. */
function read(name) {
  return JSON.parse(readFileSync(name, 'utf8'));
}

/** @returns {never} */
function fail(message) {
  throw new Error(message);
}
