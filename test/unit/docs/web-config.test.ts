import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bcryptMatches } from '../../../src/http/web-config/bcrypt.ts';
import { parseWebConfig } from '../../../src/http/web-config/parse.ts';
import { UNSUPPORTED, WEB_KEYS } from '../../../src/http/web-config/schema.ts';

const ROOT = join(import.meta.dirname, '../../..');
const EXAMPLE = readFileSync(join(ROOT, 'config/web.example.yml'), 'utf8');
const DOCUMENT = readFileSync(join(ROOT, 'docs/WEB-CONFIG.md'), 'utf8');

describe('config/web.example.yml', () => {
  it('is valid and has the password that it names', () => {
    const { tls, users } = parseWebConfig(EXAMPLE, '/etc/web.example.yml');
    expect(tls?.certificate).toBe('/etc/server.pem');
    expect(bcryptMatches('example', users.get('prometheus') ?? '')).toBe(true);
  });

  it('is valid with all commented settings', () => {
    const whole = EXAMPLE.replace(/^( *)# (?=(?:client_|min_))/gm, '$1');
    const { tls } = parseWebConfig(whole, '/etc/web.example.yml');
    expect(tls).toMatchObject({ verifiesClients: true, minVersion: 'TLSv1.3' });
  });

  it.each(WEB_KEYS.get('') ?? [])('shows the section %s', (section) => {
    expect(EXAMPLE).toContain(`${section}:`);
  });
});

describe('docs/WEB-CONFIG.md', () => {
  const files = Array.from(
    DOCUMENT.matchAll(/```yaml\n((?:# web\.yml\n)?tls_server_config:[\s\S]*?)```/g),
    ([, file = '']) => file,
  );

  it.each(files)('shows a valid file: %j', (file) => {
    expect(() =>
      parseWebConfig(file.replace('$2y$10$...', `$2y$10$${'x'.repeat(53)}`), '/etc/web.yml'),
    ).not.toThrow();
  });

  it.each([...UNSUPPORTED.keys()])('names the key %s, which is not served', (path) => {
    expect(DOCUMENT).toMatch(new RegExp(`^\\| .*\`${path.split('.').at(-1)}\``, 'm'));
  });

  it('shows two files', () => {
    expect(files).toHaveLength(2);
  });
});
