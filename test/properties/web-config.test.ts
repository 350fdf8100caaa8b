import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/messages.ts';
import { parseWebConfig } from '../../src/config/web/parse.ts';
import type { WebConfig } from '../../src/config/web/web-config.ts';
import { withdrawnProtections } from '../../src/config/web/withdrawn.ts';
import { parseBasic } from '../../src/http/auth/basic.ts';
import { subjectNames } from '../../src/http/subject-names.ts';

const WHOLE = `tls_server_config:
  cert_file: server.pem
  key_file: server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: clients.pem
  client_allowed_sans: ["prometheus.example.com"]
basic_auth_users:
  alice: "$2y$10$${'a'.repeat(53)}"
  bob: $2b$12$${'b'.repeat(53)}
`;

/** Undefined where a text can't be used, which is said in one way only. */
function parse(text: string): WebConfig | undefined {
  try {
    return parseWebConfig(text, '/etc/web.yml');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return undefined;
  }
}

/** Whether a server that had all of it in force would take this in its place. */
function isTaken(text: string): boolean {
  const before = parseWebConfig(WHOLE, '/etc/web.yml');
  const after = parse(text);
  if (after === undefined || withdrawnProtections(before, after).length > 0) return false;
  const { tls, users } = after;
  expect(tls?.clientAuthentication).toBe('requireAndVerify');
  expect(tls?.clientAllowedSans).toEqual(['prometheus.example.com']);
  expect([...users].every(([name, hash]) => before.users.get(name) === hash) && users.size > 0).toBe(true);
  return true;
}

describe('a web configuration file', () => {
  it('that is cut off anywhere never opens the door', () => {
    const taken = Array.from({ length: WHOLE.length + 1 }, (_, end) => WHOLE.slice(0, end)).filter(isTaken);
    // Whole, with or without its last line end, and after the first user.
    expect(taken.length).toBeLessThan(12);
    expect(taken.at(-1)).toBe(WHOLE);
  });

  it('of any text is read or refused, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void parse(text)),
      { numRuns: 3_000 },
    );
  });

  it('with any piece replaced is read or refused', () => {
    fc.assert(
      fc.property(
        fc.nat(WHOLE.length),
        fc.nat(20),
        fc.string({ unit: 'grapheme-ascii', maxLength: 10 }),
        (from, length, piece) => void parse(WHOLE.slice(0, from) + piece + WHOLE.slice(from + length)),
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('a name and a password', () => {
  it('come out of the header as they went in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, password) => {
        const user = name.replaceAll(':', '');
        const header = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
        const found = parseBasic(header);
        expect([found?.user, found?.password.reveal()]).toEqual([user, password]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('of any header are some or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void parseBasic(`Basic ${text}`)),
      { numRuns: 5_000 },
    );
  });
});

describe('the names of a certificate', () => {
  it('can not be smuggled into by another name, as Node quotes it', () => {
    const name = fc.string({ unit: fc.constantFrom(...'aB:,," \\D.N=S') });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), (names) => {
        const text = names.map((each) => `URI:${JSON.stringify(each)}`).join(', ');
        expect(subjectNames(text)).toEqual(names);
      }),
      { numRuns: 5_000 },
    );
  });
});
