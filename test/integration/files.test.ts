import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { isReadableByAll, readErrorText, readRegularFile } from '../../src/base/files.ts';
import { MAIN, start } from '../process.ts';
import { runCommand } from '../run-command.ts';
import type { Simulator } from '../simulator.ts';
import { EACH_SECOND, exporterTest as it, KEY, startMarketplace } from './exporter.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-files-'));
const pipe = join(folder, 'pipe');
let marketplace: Simulator;

beforeAll(async () => {
  execFileSync('mkfifo', [pipe]);
  marketplace = await startMarketplace(5);
});
afterAll(async () => {
  await marketplace.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a file', () => {
  it('is read whole when it is regular', async () => {
    expect(await readRegularFile(write('regular', 'one\ntwo\n'))).toBe('one\ntwo\n');
    expect(await readRegularFile('/proc/self/comm')).not.toBe('');
  });

  it('that everybody may read is accepted for a user who can only read it that way, as in a container', async () => {
    const open = mkdtempSync(join(folder, 'open-'));
    chmodSync(open, 0o755);
    writeFileSync(join(open, 'key'), 'key', { mode: 0o644 });
    const owner = statSync(join(open, 'key')).uid;
    expect(await isReadableByAll(join(open, 'key'), owner)).toBe(true);
    expect(await isReadableByAll(join(open, 'key'), 0)).toBe(true);
    expect(await isReadableByAll(join(open, 'key'), owner + 65532)).toBe(false);
  });

  it.each([
    ['a pipe without a writer', pipe, /^a pipe, expected a regular file: write the text to a file/],
    ['a device', '/dev/zero', /^a device, expected a regular file/],
    ['a folder', folder, /^EISDIR$/],
    ['missing', join(folder, 'missing'), /^ENOENT$/],
  ])('is refused at once when it is %s', async (_, path, message) => {
    const error = await readRegularFile(path).catch((error: unknown) => error);
    expect(readErrorText(error)).toMatch(message);
  });

  it('is refused when it is larger than allowed', async () => {
    expect(await readRegularFile(write('four', 'four'), 4)).toBe('four');
    await expect(readRegularFile(write('five', 'five!'), 4)).rejects.toThrow('more than 4 bytes');
  });
});

describe('a start with too few file descriptors', () => {
  /** Starts the program with so many descriptors more than this version of Node needs to load a module. */
  async function startWith(more: number) {
    const module = write('module.mjs', `await import(${JSON.stringify(write('imported.mjs', ''))});`);
    const script = `
      ulimit -c 0
      limit=10
      until (ulimit -n $limit; exec "${process.execPath}" "${module}"); do limit=$((limit + 1)); done 2>/dev/null
      ulimit -n $((limit + ${more})); exec "${process.execPath}" "${MAIN}" run`;
    const { child, output } = start('sh', ['-c', script]);
    await once(child, 'close');
    return [child.exitCode, output()];
  }

  const TOO_FEW = [
    1,
    expect.stringMatching(/^hoster-exporter: could not start \(\w+\): [^\n]*ulimit -n 1024[^\n]*\n$/),
  ];

  it('fails with one line that names the limit to set', async () => {
    expect(await startWith(0)).toEqual(TOO_FEW);
  });

  it.each([1, 2, 6, 20])('fails with that line, or loads everything, with %d more', async (more) => {
    const loaded = [2, expect.stringMatching(/^hoster-exporter: no account yet: [^\n]*\n$/)];
    expect([TOO_FEW, loaded]).toContainEqual(await startWith(more));
  });
});

describe('a pipe or device in place of a file', () => {
  const web = (content: string) => `--web.config.file=${write('web.yml', content)}`;
  const WORDS = /(?:a pipe|a device), expected a regular file: write the text to a file, and name that one/;

  it.each([
    ['the configuration', () => [`--config.file=${pipe}`]],
    ['the key', () => [`--api.key-file=${pipe}`]],
    ['a key that never ends', () => ['--api.key-file=/dev/zero']],
    ['the authorities', () => ['--client.ca-file=/dev/zero']],
    ['the web configuration', () => [`--web.config.file=${pipe}`]],
    ['a certificate', () => [web(`tls_server_config: { cert_file: ${pipe}, key_file: ${pipe} }\n`)]],
  ])('makes the command check fail with an error that asks for a regular file: %s', async (_, flags) => {
    const { code, error } = await runCommand(['check', ...flags()], {
      HOSTER_API_URL: marketplace.url,
      ...(flags().some((flag) => flag.startsWith('--api.key-file')) ? {} : { HOSTER_API_KEY: KEY }),
    });
    expect([code, WORDS.test(error)]).toEqual([2, true]);
  });

  it('that a shell has opened makes the start fail with an error that asks for a regular file', async () => {
    const script = `echo key | "${process.execPath}" "${MAIN}" run --web.listen-address=127.0.0.1:0 --api.key-file=/dev/fd/0`;
    const { child, waitForOutput } = start('sh', ['-c', script], { HOSTER_API_URL: marketplace.url });
    await waitForOutput(WORDS);
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    expect(child.exitCode).toBe(2);
  });

  it('that replaces the key file counts as an unreadable key, and delays neither polls nor scrapes', async ({
    run,
  }) => {
    const key = write('key', KEY);
    const exporter = await run({
      apiUrl: marketplace.url,
      parameters: [`--api.key-file=${key}`, ...EACH_SECOND],
    });
    await exporter.shows(/hoster_up\{account="default"\} 1/);
    // Renamed over the file, so that the exporter never finds none, which is another error.
    execFileSync('mkfifo', [`${key}.pipe`]);
    renameSync(`${key}.pipe`, key);
    await exporter.shows(/hoster_exporter_key_file_errors_total\{account="default"\} (?:[3-9]|\d\d)/);
    expect(await exporter.shows(/hoster_up\{account="default"\} 1/)).toContain('hoster_device_info{');
    expect(exporter.output()).toMatch(/the key cannot be read again.*a pipe, expected a regular file/);
  });
});
