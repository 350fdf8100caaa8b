import { describe, expect, it } from 'vitest';
import { parseWebConfig } from '../../../../src/http/web-config/parse.ts';
import { problemsOf } from '../../config/sources.ts';

const HASH = `$2y$10$${'x'.repeat(53)}`;
const PAIR = 'tls_server_config:\n  cert_file: c.pem\n  key_file: /keys/k.pem\n';

const parse = (text: string) => parseWebConfig(text, '/etc/web.yml');
const problems = (text: string) => problemsOf(() => parse(text));

const NOTHING = { tls: undefined, headers: {}, users: new Map() };

describe('a web configuration file', () => {
  it.each([
    ['empty', ''],
    ['only comments', '# nothing\n'],
    ['empty sections', 'tls_server_config:\nhttp_server_config: ~\nbasic_auth_users: {}\n'],
    ['blank headers', 'http_server_config:\n  headers:\n    X-XSS-Protection: ""\n'],
  ])('configures nothing with this content: %s', (_, text) => {
    expect(parse(text)).toEqual(NOTHING);
  });

  it('with a certificate has the defaults of the toolkit', () => {
    expect(parse(PAIR).tls).toEqual({
      certificate: '/etc/c.pem',
      key: '/keys/k.pem',
      verifiesClients: false,
      clientAuthorities: undefined,
      minVersion: 'TLSv1.2',
    });
  });

  it('can hold every setting', () => {
    const whole = parse(`${PAIR}  client_ca_file: clients.pem
  client_auth_type: RequireAndVerifyClientCert
  min_version: TLS13
http_server_config:
  http2: False
  headers:
    Strict-Transport-Security: max-age=1
    X-XSS-Protection: 1
basic_auth_users:
  007: ${HASH}
  __proto__: ${HASH}
  "null": ${HASH}
`);
    expect(whole).toEqual({
      tls: {
        certificate: '/etc/c.pem',
        key: '/keys/k.pem',
        verifiesClients: true,
        clientAuthorities: '/etc/clients.pem',
        minVersion: 'TLSv1.3',
      },
      headers: { 'strict-transport-security': 'max-age=1', 'x-xss-protection': '1' },
      users: new Map([
        ['007', HASH],
        ['__proto__', HASH],
        ['null', HASH],
      ]),
    });
  });

  it.each([
    'cert_file: x',
    'key_file: x',
    'client_ca_file: x',
    'client_auth_type: RequireAndVerifyClientCert',
    'min_version: TLS13',
  ])('that switches TLS on with %s alone lacks the certificate or the key', (line) => {
    expect(problems(`tls_server_config:\n  ${line}\n`).join('\n')).toMatch(/missing (?:cert_file|key_file)/);
  });
});

describe('a key of the exporter toolkit that is not served', () => {
  it.each([
    ['max_version: TLS12', 'remove it: both sides use the newest version that they support'],
    [
      'cipher_suites: [TLS_AES_128_GCM_SHA256]',
      'remove it: all suites have forward secrecy. For TLS 1.3 only, write min_version: TLS13',
    ],
    ['prefer_server_cipher_suites: true', 'remove it: the server always chooses'],
    [
      'client_allowed_sans: [prometheus.example.com]',
      'in client_ca_file, use an authority that signs only the allowed clients, or their self-signed certificates',
    ],
    ['curve_preferences: [X25519]', 'remove it: OpenSSL offers no weak curve'],
    ['cert: canary', 'write the certificate into a file, and name it with cert_file'],
    ['key: canary', 'write the key into a file, and name it with key_file'],
    ['client_ca: canary', 'write the authorities into a file, and name it with client_ca_file'],
  ])('is refused by name with what to do instead: %s', (line, advice) => {
    const key = line.slice(0, line.indexOf(':'));
    expect(problems(`tls_server_config:\n  ${line}\n`)).toContain(
      `/etc/web.yml:2:3: tls_server_config.${key}: not supported by this exporter: ${advice}`,
    );
  });

  it('may be a section', () => {
    expect(problems('rate_limit:\n  interval: 1s\n  burst: 20\n')).toEqual([
      '/etc/web.yml:1:1: rate_limit: not supported by this exporter: remove it: connections and password checks are limited anyway. To limit requests, use a proxy',
    ]);
  });
});

it.each(['RequestClientCert', 'RequireAnyClientCert', 'RequireClientCert', 'VerifyClientCertIfGiven'])(
  'the type of client authentication %s is refused with what to use instead',
  (type) => {
    expect(problems(`${PAIR}  client_auth_type: ${type}\n`)).toEqual([
      `/etc/web.yml:4:3: tls_server_config.client_auth_type: got "${type}", expected NoClientCert or RequireAndVerifyClientCert: the other types let in clients that nobody verified. Use RequireAndVerifyClientCert with client_ca_file, or passwords (basic_auth_users)`,
    ]);
  },
);

describe('an invalid web configuration file', () => {
  const UTF8 = 'invalid UTF-8: save the file as UTF-8; the character \ufffd of a name is "\\ufffd"';

  it.each<[string, ...string[]]>([
    [
      'users:\n  a: b\n',
      '1:1: users: unknown key. Expected one of tls_server_config, http_server_config, basic_auth_users',
    ],
    ['basic_auth_user: {}\n', '1:1: basic_auth_user: unknown key. Did you mean basic_auth_users?'],
    [
      'tls_server_config:\n  http2: true\n',
      '2:3: tls_server_config.http2: unknown key. Did you mean http_server_config.http2?',
    ],
    ['http_server_config:\n  headers: { X-XSS-Protection: "\ufffd" }\n', `2:33: ${UTF8}`],
    ['h\0t\0t\0p\0', `1:2: ${UTF8}`],
    [
      'http_server_config:\n  http2: yes\n',
      '2:3: http_server_config.http2: got "yes", expected true or false',
    ],
    [
      `${PAIR}  min_version: TLS11\n`,
      '4:3: tls_server_config.min_version: got "TLS11", expected one of TLS12, TLS13',
    ],
    [
      'basic_auth_users:\n  "a:b": x\n  long: $2y$10$short\n',
      '2:3: basic_auth_users."a:b": got a text, expected a name without a colon, since nobody can log in with one',
      '3:3: basic_auth_users.long: got a text, expected a bcrypt hash ($2a$, $2b$ or $2y$), as htpasswd -nBC 10 prints it',
    ],
    [
      'basic_auth_users: [a]\n',
      '1:1: basic_auth_users: got a list, expected a map of users and their hashes',
    ],
    ['a: 1\na: 2\n', '2:1: duplicate key: keep one of the two'],
  ])('is reported with its place: %j', (text, ...expected) => {
    expect(problems(text)).toEqual(expected.map((problem) => `/etc/web.yml:${problem}`));
  });

  it('is reported for a header of several lines', () => {
    const file = 'http_server_config:\n  headers:\n    Content-Security-Policy: "a\\nb"\n';
    expect(problems(file)).toEqual([expect.stringMatching(/expected one line of visible characters$/)]);
  });

  it.each([
    ['$2a$', '10'],
    ['$2b$', '04'],
    ['$2y$', '15'],
  ])('is not reported for a hash with the prefix %s and the cost %s', (form, cost) => {
    expect(problems(`basic_auth_users:\n  a: ${form}${cost}$${'x'.repeat(53)}\n`)).toEqual([]);
  });

  it.each(['16', '31'])('is reported for a hash of the cost %s, with the reason', (cost) => {
    expect(problems(`basic_auth_users:\n  a: $2y$${cost}$${'x'.repeat(53)}\n`)).toEqual([
      '/etc/web.yml:2:3: basic_auth_users.a: got a text, expected a bcrypt hash of cost 15 at most: a check of cost 16 takes about five seconds. htpasswd -nBC 10 prints one',
    ]);
  });

  it.each([
    `$2x$10$${'x'.repeat(53)}`,
    `$2$10$${'x'.repeat(53)}`,
    `$1$10$${'x'.repeat(53)}`,
    `$2y$03$${'x'.repeat(53)}`,
    `$2y$32$${'x'.repeat(53)}`,
    `$2y$10$${'x'.repeat(52)}`,
    `$2y$10$${'x'.repeat(54)}`,
    `$2y$10$${'x'.repeat(52)}!`,
    'clear',
  ])('is reported for the hash %s without repeating it', (hash) => {
    const [problem = ''] = problems(`basic_auth_users:\n  a: "${hash}"\n`);
    expect(problem).toContain('expected a bcrypt hash');
    expect(problem).not.toContain(hash);
  });

  it('is reported without repeating a value that may be a key', () => {
    const canaries = `tls_server_config:\n  key: [canary]\n  cert: {canary: canary}\n  client_ca: [canary]\n  key_file: [canary]\nbasic_auth_users:\n  a: canary\n`;
    expect(problems(canaries).length).toBeGreaterThan(3);
    expect(problems(canaries).join()).not.toContain('canary');
  });
});
