import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/config/messages.ts';
import { parseWebConfig } from '../../../../src/http/web-config/parse.ts';
import { systemFiles, watchWebConfig, withdrawnProtections } from '../../../../src/http/web-config/watch.ts';
import { silentLog } from '../../../silent-log.ts';

const PATH = '/etc/web.yml';
const HASH = `$2y$10$${'x'.repeat(53)}`;
const users = (...names: readonly string[]): string =>
  `basic_auth_users:\n${names.map((name) => `  ${name}: ${HASH}\n`).join('')}`;

/** A file system with one file, which the test writes. */
function setUp(content: string) {
  let held: string | undefined = content;
  let version = 0;
  let reads = 0;
  const files = {
    stamp: () => (held === undefined ? 'missing' : String(version)),
    read: () => {
      reads += 1;
      if (held === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return held;
    },
  };
  const file = watchWebConfig(PATH, files, silentLog);
  return {
    ...file,
    reads: () => reads,
    write: (next: string | undefined) => {
      held = next;
      version += 1;
    },
    namesOf: () => {
      const setup = file.current();
      return setup === undefined ? undefined : [...setup.config.users.keys()];
    },
  };
}

describe('a web configuration file', () => {
  it('that cannot be used fails to open', () => {
    expect(() => setUp('junk')).toThrow(ConfigError);
  });

  it('is read once while it does not change', () => {
    const { current, initial, reads } = setUp(users('alice'));
    expect([current() === initial, current() === initial, reads()]).toEqual([true, true, 1]);
  });

  it('that is removed cannot be used until it is back', () => {
    const { namesOf, write } = setUp(users('alice'));
    write(undefined);
    expect([namesOf(), namesOf()]).toEqual([undefined, undefined]);
    write(users('alice', 'bob'));
    expect(namesOf()).toEqual(['alice', 'bob']);
  });

  it('that lost its users cannot be used, also after another fault', () => {
    const { namesOf, write } = setUp(users('alice'));
    write('');
    expect(namesOf()).toBeUndefined();
    write('junk');
    expect(namesOf()).toBeUndefined();
    write('# nothing');
    expect(namesOf()).toBeUndefined();
    write(users('bob'));
    expect(namesOf()).toEqual(['bob']);
  });
});

describe('the stamp of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-watch-'));
  const path = join(folder, 'web.yml');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('differs after the file was written, and is its error where there is none', () => {
    const missing = systemFiles.stamp(path);
    writeFileSync(path, 'one');
    const first = systemFiles.stamp(path);
    writeFileSync(path, 'other');
    expect([missing, systemFiles.stamp(path) === first]).toEqual(['ENOENT', false]);
    symlinkSync('loop', join(folder, 'loop'));
    expect(systemFiles.stamp(join(folder, 'loop'))).toBe('ELOOP');
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
