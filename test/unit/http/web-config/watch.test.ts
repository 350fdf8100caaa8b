import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/config/messages.ts';
import { parseWebConfig } from '../../../../src/http/web-config/parse.ts';
import { watchWebConfig, withdrawnProtections } from '../../../../src/http/web-config/watch.ts';
import { NOON } from '../../../builders.ts';
import { silentLog } from '../../../silent-log.ts';

const PATH = '/etc/web.yml';
const HASH = `$2y$10$${'x'.repeat(53)}`;
const users = (...names: readonly string[]): string =>
  `basic_auth_users:\n${names.map((name) => `  ${name}: ${HASH}\n`).join('')}`;

/** A file system with one file and a clock that the test moves. */
async function setUp(content: string) {
  const lines: string[] = [];
  let held: string | undefined = content;
  let changedAt = NOON - 60_000;
  let now = NOON;
  let reads = 0;
  const files = {
    stamp: async () => ({
      text: held === undefined ? 'ENOENT' : String(changedAt),
      changedAt: held === undefined ? undefined : changedAt,
    }),
    read: async () => {
      reads += 1;
      if (held === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return held;
    },
  };
  const log = {
    ...silentLog,
    info: (_: object, message: string) => lines.push(message),
    error: (fields: object, message: string) => lines.push(`${message}: ${JSON.stringify(fields)}`),
  };
  const file = await watchWebConfig(PATH, files, () => now, log);
  return {
    ...file,
    lines,
    reads: () => reads,
    write: (next: string | undefined, at = now) => {
      held = next;
      changedAt = at;
    },
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    namesOf: async () => {
      const setup = await file.current();
      return setup === undefined ? undefined : [...setup.config.users.keys()];
    },
  };
}

describe('a web configuration file', () => {
  it('that cannot be used fails to open', async () => {
    await expect(setUp('junk')).rejects.toBeInstanceOf(ConfigError);
  });

  it('is read once while it does not change', async () => {
    const { current, initial, reads } = await setUp(users('alice'));
    const found = await Promise.all([current(), current(), current()]);
    expect(found.every((setup) => setup === initial)).toBe(true);
    expect([await current(), reads()]).toEqual([initial, 1]);
  });

  it('gives the same object after it was written without a change', async () => {
    const { current, initial, reads, write, lines } = await setUp(users('alice'));
    write(users('alice'));
    expect([(await current()) === initial, reads(), lines]).toEqual([true, 2, []]);
  });

  it('is read again while another change could leave the same file time', async () => {
    const { namesOf, write, wait, reads } = await setUp(users('alice'));
    write(users('bob'));
    expect(await namesOf()).toEqual(['bob']);
    // The same file time.
    write(users('eve'));
    expect(await namesOf()).toEqual(['eve']);
    wait(2_001);
    await namesOf();
    const before = reads();
    await namesOf();
    expect(reads()).toBe(before);
  });

  it('logs once that it cannot be used and once that it is valid again', async () => {
    const { namesOf, write, wait, lines } = await setUp(users('alice'));
    write('{');
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    wait(60_000);
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    write(users('alice'));
    expect([await namesOf(), await namesOf()]).toEqual([['alice'], ['alice']]);
    expect(lines).toEqual([
      'the web configuration is invalid: requests get status 500 and TLS handshakes fail until the file is corrected: {"problems":["/etc/web.yml:1:2: a bracket, quote, colon or comma is missing"]}',
      'the web configuration is valid again',
    ]);
  });

  it('that is removed cannot be used until it is back', async () => {
    const { namesOf, write, wait } = await setUp(users('alice'));
    write(undefined);
    wait(60_000);
    expect([await namesOf(), await namesOf()]).toEqual([undefined, undefined]);
    write(users('alice', 'bob'));
    expect(await namesOf()).toEqual(['alice', 'bob']);
  });

  it('that lost its users cannot be used, also after another fault', async () => {
    const { namesOf, write } = await setUp(users('alice'));
    write('');
    expect(await namesOf()).toBeUndefined();
    write('junk', NOON + 1);
    expect(await namesOf()).toBeUndefined();
    write('# nothing', NOON + 2);
    expect(await namesOf()).toBeUndefined();
    write(users('bob'), NOON + 3);
    expect(await namesOf()).toEqual(['bob']);
  });
});

describe('withdrawnProtections', () => {
  const PAIR = 'tls_server_config:\n  cert_file: c\n  key_file: k\n';
  const POLICY = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: a\n';
  const SANS = '  client_allowed_sans: [one]\n';
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
    ['the names', PAIR + POLICY + SANS, PAIR + POLICY, ['tls_server_config.client_allowed_sans']],
    ['nothing, for one of two users', TWO_USERS, TWO_USERS.replace(/ {2}b.*\n/, ''), []],
    ['the last user', TWO_USERS, 'basic_auth_users: {}\n', ['basic_auth_users']],
    ['nothing, when TLS is added', TWO_USERS, PAIR + TWO_USERS, []],
  ])('lists a protection that the new file lacks: %s', (_, before, after, names) => {
    const parse = (text: string) => parseWebConfig(text, '/etc/web.yml');
    expect(withdrawnProtections(parse(before), parse(after))).toEqual(names);
  });
});
