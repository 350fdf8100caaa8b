import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, weightOf } from '../files.ts';
import { KEY, startMarketplace } from '../integration/exporter.ts';
import { freePort, get } from '../process.ts';
import { shippedText } from '../rules/shipped.ts';
import type { Simulator } from '../simulator.ts';
import { makeBaseImage } from './base-image.ts';
import { type Contained, runContained, startContained } from './container.ts';
import { buildah, type Image, inspect, missing } from './engine.ts';

const TAG = 'localhost/hoster-exporter';
const KEY_FILE = '/run/secrets/hoster';
/** The base image by its version alone: what takes its place here has another digest. */
const [, BASE_IMAGE = ''] =
  shippedText('Dockerfile').match(/^ARG NODE_IMAGE=(\S+)@sha256:[0-9a-f]{64}$/m) ?? [];

const reason = await missing();

/** The container of these tests. */
type PreparedImage = {
  readonly image: Image;
  /** The folder of its file system. */
  readonly root: string;
  readonly marketplace: Simulator;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
};

async function buildImage(): Promise<void> {
  await buildah('inspect', '--type', 'image', BASE_IMAGE).catch(() => makeBaseImage(BASE_IMAGE));
  const options = ['--isolation', 'chroot', '--pull-never', '--network', 'host', '--format', 'docker'];
  const parameters = [`NODE_IMAGE=${BASE_IMAGE}`, 'VERSION=1.2.3', 'REVISION=abc'];
  const own = parameters.flatMap((parameter) => ['--build-arg', parameter]);
  await buildah('build', ...options, ...own, '-t', TAG, '.');
}

/** Everything that an engine would bring along, and nothing of the base image but Node and its libraries. */
async function prepareImage(container: string): Promise<PreparedImage> {
  const root = await buildah('mount', container);
  const marketplace = await startMarketplace(50);
  const port = await freePort();
  for (const folder of ['dev', 'proc', 'run/secrets']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, KEY_FILE), KEY, { mode: 0o444 });
  for (const folder of ['usr/bin', 'usr/local/bin/npm', 'usr/local/lib']) {
    rmSync(join(root, folder), { recursive: true });
  }
  const environment = {
    HOSTER_API_URL: marketplace.url,
    HOSTER_API_KEY_FILE: KEY_FILE,
    HOSTER_WEB_LISTEN_ADDRESS: `:${port}`,
  };
  return { image: await inspect(TAG), root, marketplace, url: `http://127.0.0.1:${port}`, environment };
}

describe.skipIf(reason !== undefined)(
  `the image${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let container = '';
    let prepared: PreparedImage;
    let daemon: Contained;

    const run = (...command: readonly string[]) =>
      runContained(prepared.image, prepared.root, command, prepared.environment);

    beforeAll(async () => {
      await buildImage();
      container = await buildah('from', '--pull-never', TAG);
      prepared = await prepareImage(container);
      daemon = startContained(prepared.image, prepared.root, prepared.image.entrypoint, prepared.environment);
      await daemon.waitForOutput(/msg=listening/);
    });

    afterAll(async () => {
      daemon?.child.kill('SIGKILL');
      await prepared?.marketplace.close();
      if (container !== '') await buildah('rm', container);
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
        'org.opencontainers.image.base.name': BASE_IMAGE,
      });
      expect(description).toMatch(/^Prometheus exporter for hosters: /);
      expect({ ports, user }).toEqual({ ports: ['9823/tcp'], user: '65532:65532' });
      expect(environment).toMatchObject({ HOSTER_WEB_LISTEN_ADDRESS: ':9823', REVISION: 'abc' });
    });

    it('contains the bundled program, and nothing else', () => {
      const files = filesIn(join(prepared.root, 'app'));
      // What `setup` fills in is there, too.
      expect(files.filter((file) => !/^(?:dist|config\/alertmanager)\//.test(file)).sort()).toEqual([
        'LICENSES',
        'package.json',
      ]);
      // compose.yaml runs it for the past of its demo.
      expect(files).toContain('dist/demo-history.js');
      expect(files.filter((file) => /\.node$|^dist\/.*\.(?:ts|map)$/.test(file))).toEqual([]);
    });

    it('adds less than 8 MB to its base', () => {
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

    it('needs no shell', () => {
      expect(existsSync(join(prepared.root, 'bin/sh'))).toBe(false);
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

    it('is healthy by its own check while it runs', async () => {
      expect(await run(...prepared.image.healthcheck)).toEqual({ code: 0, output: '' });
    });

    it('ends with code 0 on SIGTERM, and is not healthy then', async () => {
      expect(await daemon.end('SIGTERM')).toBe(0);
      expect(daemon.output()).toContain('msg=stopped');
      expect((await run(...prepared.image.healthcheck)).code).toBe(1);
    });
  },
);
