import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, HangingFile } from '../../../../src/base/disk.ts';
import { ConfigError } from '../../../../src/config/messages.ts';
import { watchWebConfig } from '../../../../src/http/web-config/watch.ts';
import { openDisk } from '../../../open-disk.ts';
import { silentLog } from '../../../silent-log.ts';
import { folderOfFile } from '../../temporary-folder.ts';

const HASH = `$2y$10$${'x'.repeat(53)}`;
const users = (...names: readonly string[]): string =>
  `basic_auth_users:\n${names.map((name) => `  ${name}: ${HASH}\n`).join('')}`;

const folder = folderOfFile();
const path = join(folder, 'web.yml');

/** A file that the test writes. */
async function setUp(content: string, disk = openDisk) {
  writeFileSync(path, content);
  const file = await watchWebConfig(path, { disk, log: silentLog });
  return {
    ...file,
    namesOf: async () => {
      await file.look();
      const setup = file.current();
      return setup === undefined ? undefined : [...setup.config.users.keys()];
    },
  };
}

describe('a web configuration file', () => {
  it('that cannot be used fails to open', async () => {
    await expect(setUp('junk')).rejects.toThrow(ConfigError);
  });

  it('is the same while it does not change', async () => {
    const { current, initial, look } = await setUp(users('alice'));
    await look();
    expect(current()).toBe(initial);
  });

  it('that is removed cannot be used until it is back', async () => {
    const { namesOf } = await setUp(users('alice'));
    rmSync(path);
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    writeFileSync(path, users('alice', 'bob'));
    expect(await namesOf()).toEqual(['alice', 'bob']);
  });

  it('that becomes a loop of links cannot be used until it is back', async () => {
    const { namesOf } = await setUp(users('alice'));
    rmSync(path);
    symlinkSync('web.yml', path);
    expect(await namesOf()).toBeUndefined();
    rmSync(path);
    writeFileSync(path, users('bob'));
    expect(await namesOf()).toEqual(['bob']);
  });

  it('that lost its users has none, as in the exporter toolkit', async () => {
    const { namesOf } = await setUp(users('alice'));
    writeFileSync(path, '# nothing');
    expect(await namesOf()).toEqual([]);
    writeFileSync(path, 'junk');
    expect(await namesOf()).toBeUndefined();
  });
});

describe('a web configuration file on a file system that hangs', () => {
  it('stays as it was, and is read again afterwards', async () => {
    let hangs = false;
    const disk: Disk = {
      use: async (_, operation) => {
        if (hangs) throw new HangingFile('the file system does not respond');
        return await operation();
      },
      warnings: () => [],
    };
    const { namesOf } = await setUp(users('alice'), disk);
    writeFileSync(path, users('alice', 'bob'));
    hangs = true;
    expect(await namesOf()).toEqual(['alice']);
    hangs = false;
    expect(await namesOf()).toEqual(['alice', 'bob']);
    hangs = true;
    await expect(setUp(users('alice'), disk)).rejects.toThrow(ConfigError);
  });
});
