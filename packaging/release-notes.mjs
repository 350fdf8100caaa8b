// Prints the section of CHANGELOG.md for a tag's version. Fails unless package.json has the same version.

import { readFileSync } from 'node:fs';

export function releaseNotes(changelog, version, tag) {
  if (tag !== `v${version}`)
    throw new Error(`got the tag ${tag}, expected v${version}, the version of package.json`);
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((each) => each.split(/\s/, 1)[0] === version);
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section "## ${version}": give "## Unreleased" this name`);
  }
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

const [, , tag] = process.argv;
if (import.meta.url === `file://${process.argv[1]}` && tag !== undefined) {
  const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  process.stdout.write(releaseNotes(read('CHANGELOG.md'), JSON.parse(read('package.json')).version, tag));
}
