import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startMarketplace } from '../integration/exporter.ts';
import { outputOf } from '../output.ts';
import { start } from '../process.ts';
import type { Simulator } from '../simulator.ts';
import { NODE } from './base-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-archives-'));
let marketplace: Simulator;
let archive = '';
let root = '';

/** Builds an archive with the newest Node, and returns its path. */
async function build(name: string): Promise<string> {
  const node = join(dirname(realpathSync(NODE)), '..');
  const target = join(folder, name);
  return await outputOf('node', ['packaging/archives.mjs', target, `--node=${node}`]);
}

beforeAll(async () => {
  marketplace = await startMarketplace(20);
  archive = await build('first');
  await outputOf('tar', ['--extract', '--file', archive, '--directory', folder]);
  root = join(folder, archive.replace(/^.*\/(.*)\.tar\.gz$/, '$1'));
});

afterAll(async () => {
  await marketplace.close();
  rmSync(folder, { recursive: true });
});

describe('the archive', () => {
  it('is named like those of Prometheus, and has one folder of that name', () => {
    expect(root).toMatch(/\/hoster-exporter-\d+\.\d+\.\d+\.linux-(?:amd64|arm64)$/);
    expect(readdirSync(root)).toEqual([
      'LICENSE',
      'hoster-exporter',
      'hoster-exporter.example.yml',
      'hoster-exporter.service',
      'hoster-exporter.sysusers',
      'lib',
      'web.example.yml',
    ]);
  });

  it('has the same bytes when it is built again', async () => {
    expect(readFileSync(await build('second')).equals(readFileSync(archive))).toBe(true);
  });

  it('has its sum in SHA256SUMS', async () => {
    expect(await outputOf('sha256sum', ['--check', 'SHA256SUMS'], join(folder, 'first'))).toMatch(
      /^hoster-exporter-\S+\.tar\.gz: OK$/,
    );
  });

  it('polls by a link from elsewhere, on a machine whose PATH has no Node', async () => {
    const link = join(folder, 'linked');
    const tools = join(folder, 'tools');
    await outputOf('mkdir', [tools]);
    await outputOf('ln', ['-s', join(root, 'hoster-exporter'), link]);
    for (const tool of ['dirname', 'readlink']) await outputOf('ln', ['-s', `/usr/bin/${tool}`, tools]);
    const environment = { PATH: tools, HOSTER_API_URL: marketplace.url, HOSTER_API_KEY: KEY };
    const once = start(link, ['once'], environment);
    expect(await new Promise((resolve) => once.child.once('close', resolve))).toBe(0);
    expect(once.output().match(/^hoster_device_info\{/gm)).toHaveLength(20);
  });
});
