import { hashSync } from 'bcryptjs';
import { type Asking, showing, TLS } from './test-server.ts';

/*
 * The cases of exporter-toolkit's own tests (web/tls_config_test.go, web/handler_test.go), with files of our own.
 */

/** Files that prevent the start, with their error messages. */
export const BAD_FILES: readonly (readonly [name: string, file: string, message: RegExp])[] = [
  [
    'invalid structure',
    'hWkNKCp3fvIx3jKnsaBI\nTuEjdwNS8A2vYdFbiKqr\n',
    /got a text, expected a map with tls_server_config/,
  ],
  [
    'invalid key',
    'tls_server_config:\n  cert_filse: server.pem\n',
    /2:3: tls_server_config\.cert_filse: unknown key. Did you mean cert_file\?/,
  ],
  [
    'cert path empty',
    'tls_server_config:\n  cert_file: ""\n  key_file: server.test-key.pem\n',
    /missing cert_file/,
  ],
  ['key path empty', 'tls_server_config:\n  cert_file: server.pem\n  key_file: ""\n', /missing key_file/],
  [
    'cert path and key path empty',
    'tls_server_config:\n  cert_file: ""\n  key_file: ""\n  client_auth_type: NoClientCert\n',
    /missing cert_file[\s\S]*missing key_file/,
  ],
  [
    'cert path invalid',
    'tls_server_config:\n  cert_file: somefile\n  key_file: server.test-key.pem\n',
    /cert_file \S+somefile: no such file/,
  ],
  [
    'key path invalid',
    'tls_server_config:\n  cert_file: server.pem\n  key_file: somefile\n',
    /key_file \S+somefile: no such file/,
  ],
  [
    'cert path and key path invalid',
    'tls_server_config:\n  cert_file: somefile\n  key_file: somefile\n',
    /cert_file \S+somefile: no such file[\s\S]*key_file \S+somefile: no such file/,
  ],
  [
    'client CAs without a policy',
    `${TLS}  client_ca_file: /dev/null\n`,
    /client CA's have been configured without a Client Auth Policy/,
  ],
  [
    'client CAs that do not exist',
    `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: somefile\n`,
    /client_ca_file \S+somefile: no such file/,
  ],
  [
    'invalid ClientAuth',
    `${TLS}  client_auth_type: x\n`,
    /got "x", expected NoClientCert or RequireAndVerifyClientCert/,
  ],
  [
    'invalid user list',
    `${TLS}basic_auth_users:\n  john: doe\n`,
    /basic_auth_users\.john: got a text, expected a bcrypt hash/,
  ],
  ['bad TLS version', `${TLS}  min_version: TLS111\n`, /got "TLS111", expected one of TLS12, TLS13/],
  [
    'a bad X-Content-Type-Options',
    'http_server_config:\n  headers:\n    X-Content-Type-Options: sniff\n',
    /got "sniff", expected nosniff/,
  ],
  [
    'a bad X-Frame-Options',
    'http_server_config:\n  headers:\n    X-Frame-Options: foo\n',
    /got "foo", expected deny or sameorigin/,
  ],
  [
    'a header that can not be set',
    'http_server_config:\n  headers:\n    Content-Type: foo\n',
    /headers\.Content-Type: unknown key. Expected one of Strict-Transport-Security, /,
  ],
];

const VERIFIED = `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n`;

/** Hashes of the lowest cost with the three prefixes of bcrypt. */
export const USERS = `basic_auth_users:
  alice: ${hashSync('alice123', 4)}
  carol: ${hashSync('carol123', 4).replace('$2b$', '$2a$')}
  dave: ${hashSync('dave123', 4).replace('$2b$', '$2y$')}
`;

export type Case = {
  readonly name: string;
  /** Undefined for no file. */
  readonly file: string | undefined;
  readonly scheme: 'http' | 'https';
  readonly asking?: Asking;
  readonly outcome: number | 'refused';
};

/** Files, clients and the outcome of a request. */
export const CASES: readonly Case[] = [
  { name: 'no file and a plain client', file: undefined, scheme: 'http', outcome: 200 },
  { name: 'no file and a TLS client', file: undefined, scheme: 'https', outcome: 'refused' },
  { name: 'an empty file', file: '', scheme: 'http', outcome: 200 },
  { name: 'TLS and a plain client', file: TLS, scheme: 'http', outcome: 'refused' },
  { name: 'TLS and a TLS client', file: TLS, scheme: 'https', outcome: 200 },
  {
    name: 'TLS and a client that prefers HTTP/2',
    file: `${TLS}http_server_config:\n  http2: true\n`,
    scheme: 'https',
    asking: { ALPNProtocols: ['h2', 'http/1.1'] },
    outcome: 200,
  },
  {
    name: 'TLS and a client that speaks HTTP/2 only',
    file: TLS,
    scheme: 'https',
    asking: { ALPNProtocols: ['h2'] },
    outcome: 'refused',
  },
  {
    name: 'TLS and a client of TLS 1.1',
    file: TLS,
    scheme: 'https',
    asking: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    outcome: 'refused',
  },
  {
    name: 'TLS and a client that has no suite with forward secrecy',
    file: TLS,
    scheme: 'https',
    asking: { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256:AES256-SHA' },
    outcome: 'refused',
  },
  {
    name: 'min_version TLS13 and a client of TLS 1.2',
    file: `${TLS}  min_version: TLS13\n`,
    scheme: 'https',
    asking: { maxVersion: 'TLSv1.2' },
    outcome: 'refused',
  },
  {
    name: 'min_version TLS12 and a client of TLS 1.2',
    file: `${TLS}  min_version: TLS12\n`,
    scheme: 'https',
    asking: { maxVersion: 'TLSv1.2' },
    outcome: 200,
  },
  {
    name: 'RequireAndVerifyClientCert and a certificate',
    file: VERIFIED,
    scheme: 'https',
    asking: showing('client'),
    outcome: 200,
  },
  {
    name: 'RequireAndVerifyClientCert and no certificate',
    file: VERIFIED,
    scheme: 'https',
    outcome: 'refused',
  },
  {
    name: 'RequireAndVerifyClientCert and a certificate of another authority',
    file: VERIFIED,
    scheme: 'https',
    asking: showing('impostor'),
    outcome: 'refused',
  },
  {
    name: 'RequireAndVerifyClientCert and a certificate for servers',
    file: VERIFIED,
    scheme: 'https',
    asking: showing('server'),
    outcome: 'refused',
  },
  {
    name: 'RequireAndVerifyClientCert without client CAs',
    file: `${TLS}  client_auth_type: RequireAndVerifyClientCert\n`,
    scheme: 'https',
    asking: showing('client'),
    outcome: 'refused',
  },
  { name: 'users and no password', file: USERS, scheme: 'http', outcome: 401 },
  {
    name: 'users and a right password',
    file: USERS,
    scheme: 'http',
    asking: { user: 'dave', password: 'dave123' },
    outcome: 200,
  },
  { name: 'users behind TLS and no password', file: TLS + USERS, scheme: 'https', outcome: 401 },
  {
    name: 'users behind TLS and a right password',
    file: TLS + USERS,
    scheme: 'https',
    asking: { user: 'dave', password: 'dave123' },
    outcome: 200,
  },
  {
    name: 'users behind TLS and another right password',
    file: TLS + USERS,
    scheme: 'https',
    asking: { user: 'carol', password: 'carol123' },
    outcome: 200,
  },
  {
    name: 'users behind TLS and a third one',
    file: TLS + USERS,
    scheme: 'https',
    asking: { user: 'alice', password: 'alice123' },
    outcome: 200,
  },
  {
    name: 'users behind TLS and a wrong password',
    file: TLS + USERS,
    scheme: 'https',
    asking: { user: 'dave', password: 'bad' },
    outcome: 401,
  },
  {
    name: 'users behind TLS and an unknown name',
    file: TLS + USERS,
    scheme: 'https',
    asking: { user: 'nonexistent', password: 'nonexistent' },
    outcome: 401,
  },
];
