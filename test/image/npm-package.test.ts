import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startMarketplace } from '../integration/exporter.ts';
import { outputOf } from '../output.ts';
import { start } from '../process.ts';
import { productionPackages } from '../production-packages.ts';
import type { Simulator } from '../simulator.ts';
import { NODE } from './base-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-npm-'));
const program = join(folder, 'bin/hoster-exporter');
const installed = join(folder, 'lib/node_modules/hoster-exporter');
let marketplace: Simulator;

/** Runs the installed program with one Node or the other, and gives what it said and its exit code. */
async function hosterExporter(node: string, ...parameters: readonly string[]) {
  const environment = { HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY };
  const running = start(node, [program, ...parameters], environment);
  const code = await new Promise((resolve) => running.child.once('close', resolve));
  return { code, said: running.output() };
}

beforeAll(async () => {
  marketplace = await startMarketplace(20);
  const [packed] = JSON.parse(
    await outputOf('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]),
  );
  const options = ['--global', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund'];
  await outputOf('npm', ['install', ...options, join(folder, packed.filename)]);
});

afterAll(async () => {
  await marketplace?.close();
  rmSync(folder, { recursive: true });
});

describe('the package, installed by npm into an empty prefix', () => {
  it.each([
    ['this Node', process.execPath],
    ['the newest LTS', NODE],
  ])('runs on %s', async (_, node) => {
    const version = await hosterExporter(node, '--version');
    expect(version.said).toMatch(
      /^hoster-exporter \d+\.\d+\.\d+ \(revision (?:[0-9a-f]{40}(?:-dirty)?|unknown), Node\.js v2\d\./,
    );
    expect(version.code).toBe(0);
    const { code, said } = await hosterExporter(node, 'once');
    expect(said.match(/^hoster_device_info\{/gm)).toHaveLength(20);
    expect(said).toMatch(/^hoster_up\{account="default"\} 1$/m);
    expect(code).toBe(0);
  });

  it('installs the packages of the lock file, and no others', () => {
    const names = readdirSync(join(installed, 'node_modules')).flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(installed, 'node_modules', name)).map((own) => `${name}/${own}`)
        : name,
    );
    const expected = productionPackages().map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith('.')).sort()).toEqual(expected.sort());
  });

  it('is a program that cannot be imported', async () => {
    const script = `import('hoster-exporter').catch(({ code }) => console.log(code))`;
    expect(await outputOf(process.execPath, ['-e', script], installed)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
