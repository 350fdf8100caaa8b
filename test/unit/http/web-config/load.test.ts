import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileCache, permissionAdvice } from '../../../../src/base/files.ts';
import { readWebConfig } from '../../../../src/http/web-config/parse.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/web');
const fixture = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');

const FILES: Readonly<Record<string, string>> = {
  '/etc/server.pem': fixture('server.pem'),
  '/etc/server.key': fixture('server.test-key.pem'),
  '/etc/chain.pem': fixture('server.pem') + fixture('authority.pem'),
  '/etc/other.key': fixture('renewed.test-key.pem'),
  '/etc/broken.pem': fixture('server.pem').replace(/MII/, 'MIX'),
  '/etc/empty.pem': '',
  '/etc/encrypted.key':
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\ncanary\n-----END ENCRYPTED PRIVATE KEY-----\n',
};

async function read(lines: string) {
  const all = { ...FILES, '/etc/web.yml': `tls_server_config:\n${lines.replace(/^/gm, '  ')}\n` };
  const files = createFileCache(async (path) => {
    const content = new Map(Object.entries(all)).get(path);
    if (content === undefined)
      throw Object.assign(new Error(path), { code: path.includes('locked') ? 'EACCES' : 'ENOENT' });
    return content;
  });
  return await readWebConfig('/etc/web.yml', files);
}

describe('readWebConfig', () => {
  it.each(['server.pem', 'chain.pem'])('reads the certificate %s and its key', async (name) => {
    const { material } = await read(`cert_file: ${name}\nkey_file: server.key`);
    expect(material?.certificate).toBe(FILES[`/etc/${name}`]);
    expect(JSON.stringify(material)).not.toContain('PRIVATE');
  });

  const SERVER = { cert_file: 'server.pem', key_file: 'server.key' };
  const PEM = 'expected one or more in PEM form (-----BEGIN CERTIFICATE-----)';
  const NO_KEY =
    'contains no usable key, expected a private key in PEM form, not encrypted with a passphrase';

  it.each<[Readonly<Record<string, string>>, ...string[]]>([
    [
      { cert_file: 'nowhere.pem', key_file: 'locked.key' },
      'cert_file /etc/nowhere.pem: no such file: create it, or name another one',
      `key_file /etc/locked.key: ${permissionAdvice()}`,
    ],
    [{ cert_file: 'server.key' }, `cert_file /etc/server.key: contains no certificate, ${PEM}`],
    [{ cert_file: 'broken.pem' }, `cert_file /etc/broken.pem: contains an invalid certificate, ${PEM}`],
    [{ key_file: 'server.pem' }, `key_file /etc/server.pem: ${NO_KEY}`],
    [{ key_file: 'encrypted.key' }, `key_file /etc/encrypted.key: ${NO_KEY}`],
    [
      { key_file: 'other.key' },
      'cert_file /etc/server.pem: the certificate does not match the key (tls_server_config.key_file /etc/other.key): renew both together',
    ],
    [
      { client_auth_type: 'RequireAndVerifyClientCert', client_ca_file: 'empty.pem' },
      `client_ca_file /etc/empty.pem: contains no certificate, ${PEM}`,
    ],
  ])('reports the faults of certificates and keys: %j', async (settings, ...expected) => {
    const lines = Object.entries({ ...SERVER, ...settings }).map(([key, value]) => `${key}: ${value}`);
    const problems = expected.map((problem) => `tls_server_config.${problem}`);
    await expect(read(lines.join('\n'))).rejects.toMatchObject({ problems });
  });
});
