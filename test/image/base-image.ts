import { chmodSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf } from '../output.ts';
import { ROOT } from '../rules/shipped.ts';
import { buildah, STORE } from './engine.ts';

/** The newest LTS of Node, where `packaging/with-node.sh newest` puts it. */
export const NODE = join(ROOT, '.build/node/newest/node');

/** Programs of the build stage, besides node and npm. */
const PROGRAMS = ['/bin/sh', '/bin/rm', '/bin/chmod', '/bin/mkdir', '/bin/cp', '/usr/bin/env'];

/** Debian files that the real base also has. */
const DEBIAN = [
  '/etc/debian_version',
  '/etc/os-release',
  '/var/lib/dpkg/status',
  '/usr/share/common-licenses',
];

/** Packages of {@link DEBIAN} that Node needs. */
const PACKAGES = ['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'];

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** This machine may reach the registry through a proxy that signs with an authority of its own. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes an image that takes the place of the base image, for want of a registry: the newest LTS of Node, this machine's
 * npm and a handful of its programs, with the libraries that they need, and files of Debian in the same places as in the
 * real one. This machine has to be a Debian or an Ubuntu.
 *
 * @param image what it is to be called
 */
export async function makeBaseImage(image: string): Promise<void> {
  const root = join(STORE, 'stand-in');
  rmSync(root, { recursive: true, force: true });
  await furnish(root);
  const container = await buildah('from', 'scratch');
  await buildah('copy', '-q', container, root, '/');
  await buildah('config', '--env', `PATH=${PATH}`, '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, container);
  await buildah('commit', '-q', container, image);
  await buildah('rm', container);
  rmSync(root, { recursive: true });
}

/** Fills a folder with a file system that is just enough. */
async function furnish(root: string): Promise<void> {
  for (const folder of ['usr/bin', 'usr/lib', 'usr/lib64', 'etc', 'root', 'tmp']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const folder of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(root, folder));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  const copyrights = PACKAGES.map((name) => `/usr/share/doc/${name}/copyright`);
  const libraries = await librariesOf([NODE, ...PROGRAMS]);
  for (const file of [...PROGRAMS, ...libraries, AUTHORITIES, ...DEBIAN, ...copyrights]) {
    copy(file, join(root, file));
  }
  copy(NODE, join(root, 'usr/local/bin/node'));
  copy(join(dirname(realpathSync(NODE)), '../LICENSE'), join(root, 'usr/local/LICENSE'));
  copy(
    join(await outputOf('npm', ['root', '--global']), 'npm'),
    join(root, 'usr/local/lib/node_modules/npm'),
  );
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

/** Lists the libraries of programs, and the linker, also in the place where its package has it. */
async function librariesOf(programs: readonly string[]): Promise<ReadonlySet<string>> {
  const said = await outputOf('ldd', programs);
  const paths = Array.from(said.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm), ([, path = '']) => path);
  return new Set(paths.flatMap((path) => (/\/ld-linux/.test(path) ? [path, realpathSync(path)] : path)));
}

/** Copies what a path leads to. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to, { recursive: true, verbatimSymlinks: true });
}
