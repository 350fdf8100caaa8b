// Makes archives from the built program that run without an installation: `node packaging/archives.mjs FOLDER`, also
// `npm run archives`.
//
//   hoster-exporter-VERSION.linux-ARCH.tar.gz   the bundled program with a Node.js, a unit and examples
//   SHA256SUMS                                  their checksums
//
// The same sources give the same bytes. --node=FOLDER names an extracted Node.js package, instead of downloading each.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { sourceEpoch } from './epoch.mjs';
import { fetchNodes } from './fetch-nodes.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'string' } },
});
const [target = '.build/archives'] = positionals;

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'hoster-exporter-archives-'));
try {
  mkdirSync(target, { recursive: true });
  // Not the Debian package's Node.js: it needs libatomic1, which a small system does not have.
  const nodes = options.node
    ? [options.node]
    : fetchNodes('packaging/archive-node.txt', join(work, 'fetched'));
  const archives = nodes.map(makeArchive);
  const sums = archives.map((file) => {
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${sum}  ${basename(file)}\n`;
  });
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
} finally {
  rmSync(work, { recursive: true });
}

/** Makes the archive for the architecture of a Node.js, and returns its path. */
function makeArchive(node) {
  const { cpu } = JSON.parse(readFileSync(join(node, 'package.json'), 'utf8'));
  const name = `hoster-exporter-${version}.linux-${String(cpu).replace('x64', 'amd64')}`;
  const root = join(work, name);
  execFileSync(process.execPath, ['packaging/bundle.mjs', join(root, 'lib')], { stdio: 'inherit' });
  cpSync(join(node, 'bin/node'), join(root, 'lib/node'));
  cpSync(join(node, 'LICENSE'), join(root, 'lib/LICENSE-of-Node.js'));
  cpSync('packaging/archive-start', join(root, 'hoster-exporter'));
  cpSync('LICENSE', join(root, 'LICENSE'));
  for (const file of ['hoster-exporter.service', 'hoster-exporter.sysusers'])
    cpSync(`config/systemd/${file}`, join(root, file));
  for (const file of ['hoster-exporter.example.yml', 'web.example.yml'])
    cpSync(`config/${file}`, join(root, file));
  for (const file of ['hoster-exporter', 'lib/node']) chmodSync(join(root, file), 0o755);
  const archive = join(target, `${name}.tar.gz`);
  const reproducible = [
    ...['--sort=name', `--mtime=@${sourceEpoch()}`, '--format=ustar'],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
  ];
  execFileSync('tar', ['--create', '--file', join(work, 'tar'), ...reproducible, '--directory', work, name]);
  writeFileSync(
    archive,
    execFileSync('gzip', ['--no-name', '--stdout', join(work, 'tar')], { maxBuffer: 2 ** 28 }),
  );
  console.log(archive);
  return archive;
}
