// Makes the Debian packages from the built program: `node packaging/deb.mjs FOLDER`, also `npm run deb`.
//
//   hoster-exporter_VERSION_all.deb         the bundled program, its services, rules and dashboards
//   hoster-exporter-node_VERSION_ARCH.deb   the image's Node.js, if the distribution's is too old
//
// The same sources give the same bytes. DEBFULLNAME and DEBEMAIL name the maintainer, as in Debian's own tools, and
// --homepage=ADDRESS says where the project is.
//
// Options for install.sh: --node=FOLDER names an extracted Node.js package to use instead of downloading each; --no-node
// makes none; --built-from=TEXT becomes a field of the package; --uncompressed is fast.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { sourceEpoch } from './epoch.mjs';
import { fetchNodes } from './fetch-nodes.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string' },
    'no-node': { type: 'boolean' },
    'built-from': { type: 'string' },
    uncompressed: { type: 'boolean' },
    homepage: { type: 'string' },
  },
});
const [target = '.build/deb'] = positionals;

const DEPENDENCIES_OF_NODE = 'libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6';
/** Until the project is published, nobody has an address. `.invalid` is reserved for that (RFC 2606). */
const { DEBFULLNAME = 'The authors of hoster-exporter', DEBEMAIL = 'nobody@hoster-exporter.invalid' } =
  process.env;
const MAINTAINER = `${DEBFULLNAME} <${DEBEMAIL}>`;
const EPOCH = sourceEpoch();

const [, stateVersion] = /const VERSION = (\d+);/.exec(readFileSync('dist/state/codec.js', 'utf8'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'hoster-exporter-deb-'));
try {
  mkdirSync(target, { recursive: true });
  makeProgram(join(work, 'program'));
  const nodes = options['no-node']
    ? []
    : options.node
      ? [options.node]
      : fetchNodes('packaging/node.txt', join(work, 'fetched'));
  for (const [index, folder] of nodes.entries()) makeNode(folder, join(work, `node-${index}`));
} finally {
  rmSync(work, { recursive: true });
}

function makeProgram(root) {
  const name = 'hoster-exporter';
  const share = `usr/share/${name}`;
  execFileSync(process.execPath, ['packaging/bundle.mjs', join(root, share)], { stdio: 'inherit' });
  const licences = readFileSync(join(root, share, 'LICENSES'), 'utf8').replaceAll(
    / *Apache License\s+Version 2\.0[\s\S]*?END OF TERMS AND CONDITIONS/g,
    'See /usr/share/common-licenses/Apache-2.0',
  );
  rmSync(join(root, share, 'LICENSES'));
  for (const folder of ['config/prometheus', 'grafana/dashboards', 'grafana/provisioning'])
    cpSync(folder, join(root, share, folder), { recursive: true });
  // Parts of install.sh, and the script that the package calls before it is removed.
  for (const file of [
    'files.sh',
    'grafana.sh',
    'join.sh',
    'packages.sh',
    'remove.sh',
    'services.sh',
    'leave',
  ])
    put(root, `${share}/packaging/deb/${file}`, readFileSync(`packaging/deb/${file}`));
  // install.sh reads both.
  put(root, `${share}/state-version`, `${stateVersion}\n`);
  if (options['built-from']) put(root, `${share}/built-from`, `${options['built-from']}\n`);
  mkdirSync(join(root, 'etc', name), { recursive: true });
  put(root, `usr/share/man/man8/${name}.8.gz`, gzipSync(readFileSync(`docs/${name}.8`), { level: 9 }));
  put(root, `usr/lib/sysusers.d/${name}.conf`, readFileSync(`config/systemd/${name}.sysusers`));
  put(root, `usr/bin/${name}`, readFileSync(`packaging/deb/${name}`), 0o755);
  put(root, `usr/share/bash-completion/completions/${name}`, readFileSync('packaging/deb/completion'));
  for (const unit of [`${name}.service`, `${name}-telegram.service`]) {
    const text = readFileSync(`config/systemd/${unit}`, 'utf8');
    // Not one of /usr/local, which somebody may have installed with npm.
    put(
      root,
      `usr/lib/systemd/system/${unit}`,
      text.replace('/usr/bin/env hoster-exporter', '/usr/bin/hoster-exporter'),
    );
  }
  const doc = `usr/share/doc/${name}`;
  cpSync('docs', join(root, doc, 'docs'), {
    recursive: true,
    filter: (path) => !/\/pictures|\.8$/.test(path),
  });
  for (const file of ['README.md', 'SECURITY.md', 'CHANGELOG.md'])
    put(root, `${doc}/${file}`, readFileSync(file));
  put(root, `${doc}/examples/environment`, readFileSync('config/systemd/environment'));
  put(
    root,
    `${doc}/copyright`,
    `${name} is under the Apache License 2.0, see /usr/share/common-licenses/Apache-2.0.\n\nCopyright: the authors of ${name}\n\nThe program and the fleet page contain these packages:\n\n${licences}`,
  );
  build(root, {
    Package: name,
    Version: version.replace('-', '~'),
    Architecture: 'all',
    Depends: 'nodejs (>= 20.18.1) | hoster-exporter-node, ca-certificates',
    Suggests: 'curl, grafana, prometheus, prometheus-alertmanager, libatomic1',
    Section: 'net',
    Description: 'Prometheus exporter for hosters of mobile proxies',
    ' ': `Polls the marketplace's API of phones, and serves metrics, a fleet page and
 alerts.
 .
 The service starts once there is a configuration: "hoster-exporter setup" or
 install.sh writes it.`,
  });
}

/** Makes a Node.js package from its npm package. */
function makeNode(folder, root) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const name = 'hoster-exporter-node';
  put(root, `usr/lib/${name}/node`, readFileSync(join(folder, 'bin/node')), 0o755);
  put(root, `usr/share/doc/${name}/copyright`, readFileSync(join(folder, 'LICENSE')));
  // The program contains its own libraries, and its licence file contains all their licences.
  const tags = [
    'embedded-library',
    'hardening-no-pie',
    'unstripped-binary-or-object',
    'malformed-deb-archive',
    'copyright-file-contains-full-apache-2-license',
    'copyright-not-using-common-license-for-gpl',
    'old-fsf-address-in-copyright-file',
  ].map((tag) => `${name}: ${tag}\n`);
  put(
    root,
    `usr/share/lintian/overrides/${name}`,
    `# Program and licence are as the Node.js project publishes them. The compression is zstd.\n${tags.join('')}`,
  );
  build(root, {
    Package: name,
    Version: manifest.version,
    Architecture: String(manifest.cpu).replace('x64', 'amd64'),
    Depends: DEPENDENCIES_OF_NODE,
    Section: 'javascript',
    Description: 'Node.js for hoster-exporter',
    ' ': `The runtime of hoster-exporter, as the Node.js project publishes it, for
 systems whose own Node.js is too old. Only hoster-exporter uses it.`,
  });
}

function put(root, path, content, mode = 0o644) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content, { mode });
}

/** Builds a package from a folder, with the same time for each file. */
function build(root, { Package: name, Version, Architecture, ...fields }) {
  const date = new Date(EPOCH * 1000).toUTCString().replace('GMT', '+0000');
  const changes = `${name} (${Version}) unstable; urgency=medium\n\n  * See CHANGELOG.md of hoster-exporter.\n\n -- ${MAINTAINER}  ${date}\n`;
  put(root, `usr/share/doc/${name}/changelog.gz`, gzipSync(changes, { level: 9 }));
  const files = readdirSync(root, { recursive: true }).sort();
  const sums = [];
  let bytes = 0;
  for (const path of files) {
    const file = join(root, path);
    const status = statSync(file);
    const isProgram = /^usr\/(?:bin\/|lib\/.*\/node$)|\/(?:start\.sh|leave)$/.test(path);
    chmodSync(file, status.isDirectory() || isProgram ? 0o755 : 0o644);
    if (status.isDirectory()) continue;
    bytes += status.size;
    sums.push(`${createHash('md5').update(readFileSync(file)).digest('hex')}  ${path}\n`);
  }
  const all = {
    Package: name,
    Version,
    Architecture,
    Maintainer: MAINTAINER,
    ...(options.homepage && { Homepage: options.homepage }),
    'Installed-Size': Math.ceil(bytes / 1024),
  };
  const control = Object.entries({ ...all, Priority: 'optional', ...fields });
  const text = control
    .map(([field, value]) => (field === ' ' ? ` ${value}\n` : `${field}: ${value}\n`))
    .join('');
  put(root, 'DEBIAN/control', text);
  put(root, 'DEBIAN/md5sums', sums.join(''));
  if (name === 'hoster-exporter') {
    for (const script of ['preinst', 'postinst', 'prerm', 'postrm'])
      put(root, `DEBIAN/${script}`, readFileSync(`packaging/deb/${script}`), 0o755);
    put(root, 'DEBIAN/triggers', 'interest-noawait /usr/lib/hoster-exporter-node\n');
  }
  for (const path of ['', ...readdirSync(root, { recursive: true })])
    lutimesSync(join(root, path), EPOCH, EPOCH);
  // zstd unpacks Node.js in a quarter of xz's time, and install.sh needs it for its first question.
  const compression = options.uncompressed ? 'none' : name === 'hoster-exporter' ? 'xz' : 'zstd';
  const deb = join(target, `${name}_${Version}_${Architecture}.deb`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH) };
  execFileSync(
    'dpkg-deb',
    ['--root-owner-group', `-Z${compression}`, '--threads-max=1', '--build', root, deb],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  console.log(deb);
}
