// Copies Node.js and the files that it needs out of an image with Debian: `node packaging/image-root.mjs IMAGE TARGET`, both
// folders. The target becomes the file system of our image, which has no shell, no npm and no other program.
//
// Nothing in IMAGE is run, so it can be for another platform.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Debian packages, and the libraries in them that Node.js needs. */
const LIBRARIES = {
  libatomic1: ['libatomic.so.1'],
  libc6: ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'],
  'libgcc-s1': ['libgcc_s.so.1'],
  'libstdc++6': ['libstdc++.so.6'],
};

const [, , image, target] = process.argv;
if (target === undefined) throw new Error('expected two folders: that of the image, and that to write');

copy('usr/local/bin/node');
copy('usr/local/LICENSE', 'usr/share/doc/nodejs/copyright');
// `--user root` needs the first; lookups in /etc/hosts before DNS need the last.
for (const file of ['passwd', 'group', 'nsswitch.conf']) copy(`etc/${file}`);

const folder = `usr/lib/${only(readdirSync(join(image, 'usr/lib')), /^[a-z0-9_]+-linux-gnu$/)}`;
// The linker finds libraries in /lib on every platform. For amd64, it is itself in /lib64.
const linker = only(readdirSync(join(image, folder)), /^ld-linux-.*\.so\.\d$/);
for (const library of [linker, ...Object.values(LIBRARIES).flat()])
  copy(`${folder}/${library}`, `lib/${library}`);
symlinkSync('lib', join(target, 'lib64'));

// Vulnerability scanners find the versions of Debian and of these packages here.
for (const file of ['debian_version', 'os-release']) copy(`etc/${file}`);
const installed = readFileSync(join(image, 'var/lib/dpkg/status'), 'utf8').split(/\n\n+/);
for (const name of Object.keys(LIBRARIES)) {
  const status = installed.find((each) => each.startsWith(`Package: ${name}\n`));
  if (status === undefined) throw new Error(`the image has no package ${name}`);
  write(`var/lib/dpkg/status.d/${name}`, `${status}\n`);
  copy(`usr/share/doc/${name}/copyright`);
}
// The texts that these files refer to.
for (const name of readdirSync(join(image, 'usr/share/common-licenses')))
  copy(`usr/share/common-licenses/${name}`);

// Its folder for the socket has another owner. If made there, this folder would have that owner too.
mkdirSync(join(target, 'run'));
mkdirSync(join(target, 'tmp'));
chmodSync(join(target, 'tmp'), 0o1777);

/** Copies a file with its mode. A link becomes its target. */
function copy(from, to = from) {
  mkdirSync(dirname(join(target, to)), { recursive: true });
  copyFileSync(join(image, from), join(target, to));
}

function write(path, content) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), content);
}

/** Returns the one name that matches. */
function only(names, pattern) {
  const found = names.filter((name) => pattern.test(name));
  if (found.length !== 1)
    throw new Error(`got ${found.join(', ') || 'nothing'} for ${pattern}, expected one file`);
  return found[0];
}
