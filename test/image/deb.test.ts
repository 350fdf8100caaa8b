import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startMarketplace } from '../integration/exporter.ts';
import { outputOf } from '../output.ts';
import { freePort, get, type Running, start } from '../process.ts';
import { productionPackages } from '../production-packages.ts';
import { ROOT, shippedText } from '../rules/shipped.ts';
import type { Simulator } from '../simulator.ts';

/* The Debian package: what is in it, and that the bundled program does what the compiled one does. */

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-deb-'));
const root = join(folder, 'root');
const isMissing = spawnSync('dpkg-deb', ['--version']).error !== undefined;

let deb = '';
let files: readonly string[] = [];
let marketplace: Simulator;

/** Builds the package of the program, and returns its path. */
async function build(name: string): Promise<string> {
  return await outputOf('node', ['packaging/deb.mjs', join(folder, name), '--no-node'], ROOT);
}

const bundled = (...parameters: readonly string[]): readonly string[] => [
  join(root, 'usr/share/hoster-exporter/dist/main.js'),
  ...parameters,
];

/** Starts the bundled daemon, and waits until it listens. */
async function startDaemon(...flags: readonly string[]): Promise<Running & { readonly url: string }> {
  const port = await freePort();
  const environment = { HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY };
  const parameters = bundled(`--web.listen-address=127.0.0.1:${port}`, ...flags);
  const running = start(process.execPath, parameters, environment);
  await running.waitForOutput(/msg=listening/);
  return { ...running, url: `http://127.0.0.1:${port}` };
}

describe.skipIf(isMissing)(`the Debian package${isMissing ? ' (skipped: needs dpkg-deb)' : ''}`, () => {
  beforeAll(async () => {
    marketplace = await startMarketplace(20);
    deb = await build('first');
    await outputOf('dpkg-deb', ['--extract', deb, root]);
    files = (await outputOf('find', ['.', '!', '-type', 'd'], root)).split('\n').sort();
  });

  afterAll(async () => {
    await marketplace?.close();
    rmSync(folder, { recursive: true });
  });

  it('has the same bytes when it is built again', async () => {
    expect(readFileSync(await build('second')).equals(readFileSync(deb))).toBe(true);
  });

  it('has no errors and no warnings for lintian', ({ skip }) => {
    const { error, stdout } = spawnSync('lintian', ['--fail-on', 'none', deb], { encoding: 'utf8' });
    skip(error !== undefined, 'needs lintian');
    expect(stdout.split('\n').filter((line) => /^[EW]:/.test(line))).toEqual([]);
  });

  it('has a folder for the configuration, which is empty, and the version of the state file', async () => {
    expect(statSync(join(root, 'etc/hoster-exporter')).mode & 0o777).toBe(0o755);
    const [, version] = /const VERSION = (\d+);/.exec(shippedText('src/state/codec.ts')) ?? [];
    expect(readFileSync(join(root, 'usr/share/hoster-exporter/state-version'), 'utf8')).toBe(`${version}\n`);
  });

  it('names its maintainer and its homepage', async () => {
    const own = join(folder, 'own');
    const maker = { DEBFULLNAME: 'Ann Owner', DEBEMAIL: 'ann@example.com' };
    const options = ['--no-node', '--uncompressed', '--homepage=https://example.com'];
    const building = start(process.execPath, ['packaging/deb.mjs', own, ...options], maker);
    await new Promise((resolve) => building.child.once('close', resolve));
    const fields = await outputOf('dpkg-deb', ['--field', building.output().trim()]);
    expect(fields).toMatch(/^Maintainer: Ann Owner <ann@example\.com>\nHomepage: https:\/\/example\.com$/m);
  });

  it('contains the program, its services, what people read, and nothing of npm', () => {
    const rules = [
      /^\.\/usr\/bin\/hoster-exporter$/,
      /^\.\/usr\/share\/hoster-exporter\/(?:package\.json|state-version|dist\/.+|config\/.+|grafana\/.+|packaging\/deb\/.+)$/,
      /^\.\/usr\/share\/bash-completion\/completions\/hoster-exporter$/,
      /^\.\/usr\/lib\/systemd\/system\/hoster-exporter(?:-telegram)?\.service$/,
      /^\.\/usr\/lib\/sysusers\.d\/hoster-exporter\.conf$/,
      /^\.\/usr\/share\/doc\/hoster-exporter\/.+$/,
      /^\.\/usr\/share\/man\/man8\/hoster-exporter\.8\.gz$/,
    ];
    expect(files.filter((file) => !rules.some((rule) => rule.test(file)))).toEqual([]);
    expect(rules.filter((rule) => !files.some((file) => rule.test(file)))).toEqual([]);
  });

  it('starts its services with the program of the package', () => {
    const unit = readFileSync(join(root, 'usr/lib/systemd/system/hoster-exporter.service'), 'utf8');
    expect(unit).toContain('\nExecStart=/usr/bin/hoster-exporter\n');
    expect(unit.replace('/usr/bin/hoster', '/usr/bin/env hoster')).toBe(
      shippedText('config/systemd/hoster-exporter.service'),
    );
  });

  it('names the licence of each bundled package', () => {
    const copyright = readFileSync(join(root, 'usr/share/doc/hoster-exporter/copyright'), 'utf8');
    const named = productionPackages().filter(({ name, version }) =>
      copyright.includes(`\n${name} ${version} (`),
    );
    // Others are types, or code that is never called.
    expect(named.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'bcryptjs',
        'grammy',
        'nodemailer',
        'papaparse',
        'pino',
        'undici',
        'yaml',
        'zod',
      ]),
    );
    expect(copyright).toMatch(/^preact \d/m);
  });

  it.each([
    ['another sum', (sum: string) => `${sum.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`, false],
    ['no sum', () => '', false],
    ['its sum', (sum: string) => sum, true],
    ['its sum, as sha256sum ./*.deb writes it', (sum: string) => sum.replace('  ', '  ./'), true],
  ])('is used by install.sh beside a SHA256SUMS with %s: %#', async (_, written, isUsed) => {
    const release = mkdtempSync(join(folder, 'release-'));
    await outputOf('cp', ['install.sh', deb, release]);
    const [file = ''] = deb.split('/').slice(-1);
    writeFileSync(join(release, 'SHA256SUMS'), `${written(await outputOf('sha256sum', [file], release))}\n`);
    const installing = start('bash', [join(release, 'install.sh'), '--dry-run'], { TMPDIR: release });
    expect(await new Promise((resolve) => installing.child.once('close', resolve))).toBe(1);
    expect(installing.output().includes('== This machine')).toBe(isUsed);
    expect(installing.output().includes(`${file} does not match SHA256SUMS next to it`)).toBe(!isUsed);
  });

  it('has a program that prints its version, and polls', async () => {
    expect(await outputOf(process.execPath, bundled('--version'))).toMatch(
      /^hoster-exporter \d+\.\d+\.\d+ \(/,
    );
    const environment = { HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY };
    const once = start(process.execPath, bundled('once'), environment);
    await new Promise((resolve) => once.child.once('close', resolve));
    expect(once.output().match(/^hoster_device_info\{/gm)).toHaveLength(20);
  });

  it('serves the page, a runbook and the script, and checks passwords in a worker', async () => {
    const web = join(folder, 'web.yml');
    // The password is "right", at the lowest cost.
    const hash = '$2b$04$O1fTOnoYCWStFP5hxLBQpOEXd1/ne8AqqbBZHS8meHe7rL7ZQrGGO';
    writeFileSync(web, `basic_auth_users:\n  owner: ${hash}\n`, { mode: 0o600 });
    const daemon = await startDaemon(`--web.config.file=${web}`);
    const authorization = `Basic ${Buffer.from('owner:right').toString('base64')}`;
    const paths = ['/', '/assets/main.js', '/runbooks/HosterSoldPhoneOffline'];
    const statuses = await Promise.all(
      paths.map(async (path) => (await fetch(`${daemon.url}${path}`, { headers: { authorization } })).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
    expect((await get(`${daemon.url}/`)).status).toBe(401);
    await daemon.stop();
  });

  it('fills in the shipped configuration of Alertmanager', async () => {
    const home = join(folder, 'home');
    const key = join(folder, 'key');
    writeFileSync(key, KEY, { mode: 0o600 });
    const answers = { HOSTER_API_URL: marketplace.url, HOSTER_API_KEY_FILE: key, HOSTER_CHANNEL: 'none' };
    const setup = start(process.execPath, bundled('setup', `--directory=${home}`), answers);
    expect(await new Promise((resolve) => setup.child.once('close', resolve))).toBe(0);
    expect(readFileSync(join(home, 'alertmanager/alertmanager.yml'), 'utf8')).toContain('Sends to none');
  });
});
