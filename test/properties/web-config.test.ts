import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/messages.ts';
import { parseBasic } from '../../src/http/web-config/auth.ts';
import { parseWebConfig, type WebConfig } from '../../src/http/web-config/parse.ts';
import { withdrawnProtections } from '../../src/http/web-config/watch.ts';
import { anyCharacter } from '../any-character.ts';

const WHOLE = `tls_server_config:
  cert_file: server.pem
  key_file: server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: clients.pem
basic_auth_users:
  alice: "$2y$10$${'a'.repeat(53)}"
  bob: $2b$12$${'b'.repeat(53)}
`;

/** Undefined for an invalid text. Fails for any error but a ConfigError. */
function parse(text: string): WebConfig | undefined {
  try {
    return parseWebConfig(text, '/etc/web.yml');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return undefined;
  }
}

/** Tests if a server with the whole file in force would accept this one in its place. */
function isAccepted(text: string): boolean {
  const before = parseWebConfig(WHOLE, '/etc/web.yml');
  const after = parse(text);
  if (after === undefined || withdrawnProtections(before, after).length > 0) return false;
  const { tls, users } = after;
  expect(tls?.clientAuthentication).toBe('requireAndVerify');
  expect([...users].every(([name, hash]) => before.users.get(name) === hash) && users.size > 0).toBe(true);
  return true;
}

describe('a web configuration file', () => {
  it('that is cut off anywhere never removes a protection', () => {
    const accepted = Array.from({ length: WHOLE.length + 1 }, (_, end) => WHOLE.slice(0, end)).filter(
      isAccepted,
    );
    // Whole, with or without its last line end, and after the first user.
    expect(accepted.length).toBeLessThan(12);
    expect(accepted.at(-1)).toBe(WHOLE);
  });

  it('of any text is parsed or refused with a ConfigError', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => void parse(text)),
      { numRuns: 300 },
    );
  });

  it('with any piece replaced is parsed or refused with a ConfigError', () => {
    fc.assert(
      fc.property(
        fc.nat(WHOLE.length),
        fc.nat(20),
        fc.string({ unit: 'grapheme-ascii', maxLength: 10 }),
        (from, length, piece) => void parse(WHOLE.slice(0, from) + piece + WHOLE.slice(from + length)),
      ),
      { numRuns: 300 },
    );
  });
});

describe('an Authorization header', () => {
  it('returns the name and the password that were encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, password) => {
        const user = name.replaceAll(':', '');
        const header = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
        const found = parseBasic(header);
        expect([found?.user, found?.password]).toEqual([user, password]);
      }),
      { numRuns: 300 },
    );
  });

  it('of any text is parsed or rejected without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => void parseBasic(`Basic ${text}`)),
      { numRuns: 300 },
    );
  });
});
