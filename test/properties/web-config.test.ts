import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/messages.ts';
import { parseBasic } from '../../src/http/web-config/auth.ts';
import { parseWebConfig, type WebConfig } from '../../src/http/web-config/parse.ts';
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

describe('a web configuration file', () => {
  it('that is cut off anywhere is parsed, without a user that it does not name, or refused', () => {
    const known = parse(WHOLE)?.users;
    for (let end = 0; end <= WHOLE.length; end += 1)
      for (const [name, hash] of parse(WHOLE.slice(0, end))?.users ?? []) expect(known?.get(name)).toBe(hash);
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
