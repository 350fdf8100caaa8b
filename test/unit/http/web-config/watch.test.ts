import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/config/messages.ts';
import { parseWebConfig } from '../../../../src/http/web-config/parse.ts';
import { watchWebConfig, withdrawnProtections } from '../../../../src/http/web-config/watch.ts';
import { silentLog } from '../../../silent-log.ts';

const HASH = `$2y$10$${'x'.repeat(53)}`;
const users = (...names: readonly string[]): string =>
  `basic_auth_users:\n${names.map((name) => `  ${name}: ${HASH}\n`).join('')}`;

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-watch-'));
const path = join(folder, 'web.yml');
afterAll(() => rmSync(folder, { recursive: true }));

/** A file that the test writes. */
function setUp(content: string) {
  writeFileSync(path, content);
  const file = watchWebConfig(path, silentLog);
  return {
    ...file,
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

  it('is the same while it does not change', () => {
    const { current, initial } = setUp(users('alice'));
    expect([current(), current()]).toEqual([initial, initial]);
    expect(current()).toBe(initial);
  });

  it('that is removed cannot be used until it is back', () => {
    const { namesOf } = setUp(users('alice'));
    rmSync(path);
    expect([namesOf(), namesOf()]).toEqual([undefined, undefined]);
    writeFileSync(path, users('alice', 'bob'));
    expect(namesOf()).toEqual(['alice', 'bob']);
  });

  it('that becomes a loop of links cannot be used until it is back', () => {
    const { namesOf } = setUp(users('alice'));
    rmSync(path);
    symlinkSync('web.yml', path);
    expect(namesOf()).toBeUndefined();
    rmSync(path);
    writeFileSync(path, users('bob'));
    expect(namesOf()).toEqual(['bob']);
  });

  it('that lost its users cannot be used, also after another fault', () => {
    const { namesOf } = setUp(users('alice'));
    for (const bad of ['', 'junk', '# nothing']) {
      writeFileSync(path, bad);
      expect(namesOf()).toBeUndefined();
    }
    writeFileSync(path, users('bob'));
    expect(namesOf()).toEqual(['bob']);
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
