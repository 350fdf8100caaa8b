import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Downloads the Node.js that a file pins from the npm registry, for each architecture. Returns the folders. */
export function fetchNodes(list, folder) {
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name, pinned, integrity] = line.split(' ');
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', own, `${name}@${pinned}`], {
      stdio: 'pipe',
    });
    const archive = join(own, `${name}-${pinned}.tgz`);
    if (`sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}` !== integrity)
      throw new Error(`${name} has a wrong checksum`);
    execFileSync('tar', ['--extract', '--file', archive, '--directory', own, '--strip-components=1']);
    return own;
  });
}
