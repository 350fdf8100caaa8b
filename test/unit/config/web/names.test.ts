import { getCurves } from 'node:crypto';
import { createSecureContext, getCiphers } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { parseGoDuration } from '../../../../src/config/web/go-duration.ts';
import { CIPHER_SUITES, CURVES, opensslCiphers, opensslCurves } from '../../../../src/config/web/go-names.ts';
import { parseWebConfig } from '../../../../src/config/web/parse.ts';
import { withdrawnProtections } from '../../../../src/config/web/withdrawn.ts';

describe("Go's names", () => {
  it.each(Object.entries(CIPHER_SUITES))('%s is %s, which OpenSSL knows', (_, name) => {
    expect(getCiphers()).toContain(name.toLowerCase());
  });

  it.each(Object.entries(CURVES))('%s is %s, which OpenSSL knows', (_, name) => {
    if (name !== 'X25519') expect(getCurves()).toContain(name);
    expect(() => createSecureContext({ ecdhCurve: name })).not.toThrow();
  });

  it('make lists in their order, each once, with all of TLS 1.3', () => {
    expect(
      opensslCiphers(
        ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
        'TLS12',
      ),
    ).toBe(
      'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES256-GCM-SHA384',
    );
    expect(opensslCurves(['X25519', 'CurveP521', 'X25519'])).toBe('X25519:secp521r1');
  });
});

describe("Go's durations", () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['1s', 1_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1.s', 1_000],
    ['1h15m30.918s', 4_530_918],
    ['250ms', 250],
    ['1000us', 1],
    ['1000µs', 1],
    ['1000μs', 1],
    ['1000000ns', 1],
  ])('%s are %d milliseconds', (text, milliseconds) => {
    expect(parseGoDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  it.each(['', '5', '-1s', '1d', '1 s', 's', '1s!', '!1s', '..5s'])('are not %j', (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });
});

describe('a protection that is left out', () => {
  const HASH = `$2y$10$${'x'.repeat(53)}`;
  const PAIR = 'tls_server_config:\n  cert_file: c\n  key_file: k\n';
  const POLICY = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: a\n';
  const SANS = '  client_allowed_sans: [one]\n';
  const USERS = `basic_auth_users:\n  a: ${HASH}\n  b: ${HASH}\n`;

  it.each([
    ['all', '', PAIR + POLICY + USERS, []],
    ['TLS', PAIR, '', ['tls_server_config']],
    ['the policy', PAIR + POLICY, PAIR, ['tls_server_config.client_auth_type']],
    [
      'the policy, said aloud',
      PAIR + POLICY,
      `${PAIR}  client_auth_type: NoClientCert\n`,
      ['tls_server_config.client_auth_type'],
    ],
    ['a policy for another', PAIR + POLICY, `${PAIR}  client_auth_type: RequestClientCert\n`, []],
    ['the names', PAIR + POLICY + SANS, PAIR + POLICY, ['tls_server_config.client_allowed_sans']],
    ['one of two users', USERS, USERS.replace(/ {2}b.*\n/, ''), []],
    ['the last user', USERS, 'basic_auth_users: {}\n', ['basic_auth_users']],
    ['none, where TLS comes', USERS, PAIR + USERS, []],
  ])('is told: %s', (_, before, after, names) => {
    const parse = (text: string) => parseWebConfig(text, '/etc/web.yml');
    expect(withdrawnProtections(parse(before), parse(after))).toEqual(names);
  });
});
