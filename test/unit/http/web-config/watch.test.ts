import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Disk, HangingFile } from '../../../../src/base/disk.ts';
import { ConfigError } from '../../../../src/config/messages.ts';
import { parseWebConfig } from '../../../../src/http/web-config/parse.ts';
import { watchWebConfig, withdrawnProtections } from '../../../../src/http/web-config/watch.ts';
import { openDisk } from '../../../open-disk.ts';
import { silentLog } from '../../../silent-log.ts';

const HASH = `$2y$10$${'x'.repeat(53)}`;
const users = (...names: readonly string[]): string =>
  `basic_auth_users:\n${names.map((name) => `  ${name}: ${HASH}\n`).join('')}`;

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-watch-'));
const path = join(folder, 'web.yml');
afterAll(() => rmSync(folder, { recursive: true }));

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

  it('that lost its users cannot be used, also after another fault', async () => {
    const { namesOf } = await setUp(users('alice'));
    for (const bad of ['', 'junk', '# nothing']) {
      writeFileSync(path, bad);
      expect(await namesOf()).toBeUndefined();
    }
    writeFileSync(path, users('bob'));
    expect(await namesOf()).toEqual(['bob']);
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

describe('withdrawnProtections', () => {
  const PAIR = 'tls_server_config:\n  cert_file: c\n  key_file: k\n';
  const POLICY = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: a\n';
  const TWO_USERS = `basic_auth_users:\n  a: ${HASH}\n  b: ${HASH}\n`;

  it.each([
    ['nothing, when all are added', '', PAIR + POLICY + TWO_USERS, []],
    ['TLS', PAIR, '', ['tls_server_config']],
    ['the policy', PAIR + POLICY, PAIR, ['tls_server_config.client_auth_type']],
    [
      'the policy, set to NoClientCert',
      PAIR + POLICY,
      `${PAIR}  client_auth_type: NoClientCert\n`,
      ['tls_server_config.client_auth_type'],
    ],
    ['nothing, for another policy', PAIR + POLICY, `${PAIR}  client_auth_type: RequestClientCert\n`, []],
    ['nothing, for one of two users', TWO_USERS, TWO_USERS.replace(/ {2}b.*\n/, ''), []],
    ['the last user', TWO_USERS, 'basic_auth_users: {}\n', ['basic_auth_users']],
    ['nothing, when TLS is added', TWO_USERS, PAIR + TWO_USERS, []],
  ])('lists a protection that the new file lacks: %s', (_, before, after, names) => {
    const parse = (text: string) => parseWebConfig(text, '/etc/web.yml');
    expect(withdrawnProtections(parse(before), parse(after))).toEqual(names);
  });
});
