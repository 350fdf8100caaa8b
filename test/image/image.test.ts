import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificate } from '../certificate.ts';
import { filesIn, weightOf } from '../files.ts';
import { KEY, startMarketplace } from '../integration/exporter.ts';
import { startStandInTelegram, TOKEN } from '../integration/stand-in-telegram.ts';
import { outputOf } from '../output.ts';
import { freePort, get } from '../process.ts';
import { shippedText } from '../rules/shipped.ts';
import { COMPOSE } from '../unit/stack/compose.ts';
import { makeBaseImage } from './base-image.ts';
import { type Contained, runContained, startContained } from './container.ts';
import { buildah, type Image, inspect, missing } from './engine.ts';

const TAG = 'localhost/hoster-exporter';
/** Stays in the store until Node has another version. */
const [, NODE_VERSION] = shippedText('Dockerfile').match(/^ARG NODE_IMAGE=\S+:([\d.]+)-slim@/m) ?? [];
const BASE_IMAGE = `localhost/debian-with-node:${NODE_VERSION}`;
const KEY_FILE = '/run/secrets/hoster';
const AUTHORITY_FILE = '/run/secrets/authority.pem';

/** A name that only /etc/hosts of the container knows. */
const HOST = 'marketplace.test';
const USER = 65532;

const reason = await missing();

async function buildImage(): Promise<void> {
  await buildah('inspect', '--type', 'image', BASE_IMAGE).catch(() => makeBaseImage(BASE_IMAGE));
  const options = ['--isolation', 'chroot', '--pull-never', '--network', 'host', '--format', 'docker'];
  const parameters = [`NODE_IMAGE=${BASE_IMAGE}`, 'VERSION=1.2.3', 'REVISION=abc'];
  const own = parameters.flatMap((parameter) => ['--build-arg', parameter]);
  await buildah('build', ...options, ...own, '-t', TAG, '.');
}

/** The container of these tests. */
type PreparedImage = {
  readonly image: Image;
  /** The folder of its file system. */
  readonly root: string;
  /** Programs of this machine that it needs. */
  readonly close: () => Promise<void>;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Every file of the image, before anything was mounted into it. */
  readonly files: readonly string[];
};

/** Serves a marketplace over TLS. */
async function startTlsMarketplace() {
  const marketplace = await startMarketplace(50);
  const authority = createCertificate({ name: 'an authority', isAuthority: true });
  const { certificate, key } = createCertificate({ name: 'the API', hosts: [HOST], issuer: authority });
  const server = createServer({ cert: certificate, key }, ({ url, headers }, response) => {
    request(`${marketplace.url}${url}`, { headers }, (received) => {
      response.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(response);
    }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `https://${HOST}:${typeof address === 'object' ? address?.port : address}`,
    authority: authority.certificate,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await marketplace.close();
    },
  };
}

/** Adds what an engine mounts. */
async function prepareImage(container: string): Promise<PreparedImage> {
  const root = await buildah('mount', container);
  const files = filesIn(root);
  const marketplace = await startTlsMarketplace();
  const port = await freePort();
  for (const folder of ['dev', 'proc', 'run/secrets', 'secrets'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${HOST}\n`);
  writeFileSync(join(root, KEY_FILE), KEY, { mode: 0o444 });
  writeFileSync(join(root, AUTHORITY_FILE), marketplace.authority);
  const environment = {
    HOSTER_API_URL: marketplace.url,
    HOSTER_API_KEY_FILE: KEY_FILE,
    HOSTER_CLIENT_CA_FILE: AUTHORITY_FILE,
    HOSTER_WEB_LISTEN_ADDRESS: `:${port}`,
  };
  const url = `http://127.0.0.1:${port}`;
  return { image: await inspect(TAG), root, close: marketplace.close, url, environment, files };
}

describe.skipIf(reason !== undefined)(
  `the image${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let container = '';
    let prepared: PreparedImage;
    let daemon: Contained;
    const folders = mkdtempSync(join(tmpdir(), 'hoster-exporter-image-'));

    /** Makes a folder of the user of the image. */
    const folder = (name: string): string => {
      const path = join(folders, name);
      mkdirSync(path);
      chownSync(path, USER, USER);
      return path;
    };
    const state = folder('state');
    const sockets = folder('sockets');

    const run = (...command: readonly string[]) =>
      runContained(prepared.image, prepared.root, command, prepared.environment);
    /** Runs the program as `docker run IMAGE …` does. */
    const hosterExporter = (...parameters: readonly string[]) =>
      run(...prepared.image.entrypoint, ...parameters);

    beforeAll(async () => {
      await buildImage();
      container = await buildah('from', '--pull-never', TAG);
      prepared = await prepareImage(container);
      const { image, root, environment } = prepared;
      const own = {
        ...environment,
        HOSTER_STATE_FILE: '/var/lib/hoster-exporter/state.json',
        HOSTER_WEB_SOCKET: '/run/hoster-exporter/web.sock',
        HOSTER_TIME_ZONE: 'Europe/Berlin',
      };
      const volumes = [`${state}:/var/lib/hoster-exporter`, `${sockets}:/run/hoster-exporter`];
      daemon = startContained(image, root, image.entrypoint, own, volumes);
      await daemon.waitForOutput(/msg=listening/);
    });

    afterAll(async () => {
      daemon?.child.kill('SIGKILL');
      await prepared?.close();
      if (container !== '') await buildah('rm', container);
      rmSync(folders, { recursive: true });
    });

    it('has the labels of the OCI specification', () => {
      const { description, license } = JSON.parse(shippedText('package.json'));
      const { labels, ports, user, environment } = prepared.image;
      expect(labels).toEqual({
        'io.buildah.version': expect.any(String),
        'org.opencontainers.image.title': 'hoster-exporter',
        'org.opencontainers.image.description': expect.stringMatching(/^Prometheus exporter for hosters: /),
        'org.opencontainers.image.licenses': license,
        'org.opencontainers.image.version': '1.2.3',
        'org.opencontainers.image.revision': 'abc',
      });
      expect(description).toMatch(/^Prometheus exporter for hosters: /);
      expect({ ports, user }).toEqual({ ports: ['9823/tcp'], user: '65532:65532' });
      expect(environment).toMatchObject({ HOSTER_WEB_LISTEN_ADDRESS: ':9823', REVISION: 'abc' });
    });

    it('contains the bundled program, and nothing else', () => {
      const files = filesIn(join(prepared.root, 'app'));
      // The files that `setup` fills in or copies are there too.
      expect(
        files.filter((file) => !/^(?:dist|config\/alertmanager|config\/prometheus)\//.test(file)).sort(),
      ).toEqual(['LICENSES', 'package.json']);
      // compose.yaml runs it for the past of its demo.
      expect(files).toContain('dist/demo-history.js');
      expect(files.filter((file) => /\.node$|^dist\/.*\.(?:ts|map)$/.test(file))).toEqual([]);
    });

    it('contains the same bytes as the Debian package', async () => {
      const bundle = join(folders, 'bundle');
      await outputOf('node', ['packaging/bundle.mjs', bundle]);
      const own = join(prepared.root, 'app');
      // The bill of materials has a time, and the revision of the image is a variable.
      const files = filesIn(bundle).filter((file) => !/^dist\/(?:sbom\.cdx\.json|revision\.txt)$/.test(file));
      expect(files).toContain('dist/main.js');
      const differing = files.filter(
        (file) => !readFileSync(join(bundle, file)).equals(readFileSync(join(own, file))),
      );
      expect(differing).toEqual([]);
    });

    it('contains Node.js and its libraries, and no other program', () => {
      const { files, root } = prepared;
      const programs = files.filter((file) => (statSync(join(root, file)).mode & 0o111) !== 0);
      // `lib64` is a link to `lib`.
      expect(programs.filter((file) => !/^(?:lib64$|lib\/|app\/)/.test(file))).toEqual([
        'usr/local/bin/node',
      ]);
      const names = files.map((file) => file.split('/').at(-1));
      for (const name of ['npm', 'npx', 'yarn', 'corepack', 'sh', 'bash', 'dash', 'busybox', 'apt', 'dpkg'])
        expect(names).not.toContain(name);
    });

    it('lists the packages of its libraries for scanners, and has their licences', () => {
      const { root } = prepared;
      const folder = join(root, 'var/lib/dpkg/status.d');
      const packages = readdirSync(folder);
      expect(packages.sort()).toEqual(['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6']);
      for (const name of packages) {
        const fields = readFileSync(join(folder, name), 'utf8').split('\n');
        expect(fields).toEqual(
          expect.arrayContaining([`Package: ${name}`, expect.stringMatching(/^Version: \d/)]),
        );
      }
      for (const name of [...packages, 'nodejs']) {
        const copyright = readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8');
        const texts = copyright.match(/\/usr\/share\/common-licenses\/[A-Z]\w+(?:-[\d.]*\d)?/g) ?? [];
        expect(texts.filter((path) => !existsSync(join(root, path)))).toEqual([]);
      }
    });

    it('adds less than 8 MB to Node.js', () => {
      expect(weightOf(join(prepared.root, 'app'))).toBeLessThan(8_000_000);
    });

    it('polls, and is scraped', async () => {
      let page = '';
      // The first round is under way.
      while (!/^hoster_up\{account="default"\} 1$/m.test(page))
        page = (await get(`${prepared.url}/metrics`)).body;
      expect(page.match(/^hoster_device_info\{/gm)).toHaveLength(50);
      expect(page).toMatch(/^hoster_exporter_build_info\{.*revision="abc",node_version="v26\./m);
    });

    it('runs as an unprivileged user, without another process', () => {
      const status = readFileSync(`/proc/${daemon.pid()}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m);
      expect(status).toMatch(/^Gid:\t65532\t65532\t65532\t65532$/m);
      expect(status).toMatch(/^Groups:\t *$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    });

    it('finds the marketplace by its name and checks its certificate', async () => {
      const { code, output } = await hosterExporter('check');
      expect(output).toMatch(/50 phones/);
      expect(code).toBe(0);
    });

    it('knows time zones', async () => {
      const hour = `new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeStyle: 'short' }).format(0)`;
      expect((await run('node', '-p', hour)).output).toMatch(/^1:00\sAM\n$/);
    });

    it('answers in the chat over the socket', async () => {
      const { image, root, environment } = prepared;
      const telegram = await startStandInTelegram();
      writeFileSync(join(sockets, 'token'), TOKEN, { mode: 0o444 });
      const socket = '/run/hoster-exporter/web.sock';
      const chat = startContained(
        image,
        root,
        [
          ...[...image.entrypoint, 'telegram', '--token-file=/run/hoster-exporter/token', '--chats=7'],
          ...[`--bot-api-url=${telegram.url}`, '--time-zone=Europe/Berlin'],
        ],
        { ...environment, HOSTER_WEB_SOCKET: socket },
        [`${sockets}:/run/hoster-exporter`],
      );
      telegram.write('/status');
      expect((await telegram.next()).text).toMatch(/50 phones/);
      expect(await chat.end('SIGTERM')).toBe(0);
      telegram.close();
    });

    it('is set up by the service of compose.yaml', async () => {
      const { image, root, environment } = prepared;
      const command = COMPOSE.services['setup']?.command ?? [];
      const secrets = folder('secrets');
      const { code, output } = await runContained(
        { ...image, user: 'root' },
        root,
        [...image.entrypoint, ...command],
        { ...environment, NODE_EXTRA_CA_CERTS: AUTHORITY_FILE, HOSTER_CHANNEL: 'none' },
        [`${secrets}:/secrets`],
      );
      expect([code, output]).toEqual([0, expect.stringContaining('50 phones')]);
      expect(readFileSync(join(secrets, 'exporter/key'), 'utf8').trim()).toBe(KEY);
      expect(readFileSync(join(secrets, 'alertmanager/alertmanager.yml'), 'utf8')).toContain('Sends to none');
    });

    it.each(['/app', '/tmp', '/var/lib/hoster-exporter'])('cannot write to %s', async (folder) => {
      const script = `require('node:fs').writeFileSync('${folder}/new', '')`;
      const { code, output } = await run('node', '-e', script);
      expect(output).toContain('EROFS: read-only file system');
      expect(code).toBe(1);
    });

    it.each(['var/lib/hoster-exporter', 'run/hoster-exporter'])(
      'has a folder %s that its user may write to, once a volume is there',
      (folder) => {
        const { uid, gid } = statSync(join(prepared.root, folder));
        expect([uid, gid]).toEqual([65532, 65532]);
      },
    );

    it.each(['run', 'var/lib'])('leaves the folder %s around it to root', (folder) => {
      expect(statSync(join(prepared.root, folder)).uid).toBe(0);
    });

    it('is healthy by its own check while it runs', async () => {
      expect(await run(...prepared.image.healthcheck)).toEqual({ code: 0, output: '' });
    });

    it('ends with code 0 on SIGTERM, and is not healthy then', async () => {
      expect(await daemon.end('SIGTERM')).toBe(0);
      expect(daemon.output()).toContain('msg=stopped');
      expect(readdirSync(state)).toContain('state.json');
      expect((await run(...prepared.image.healthcheck)).code).toBe(1);
    });
  },
);
