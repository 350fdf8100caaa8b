import { compareSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { BAD_FILES, USERS } from './cases.ts';
import { say, startDaemon } from './program.ts';
import { outcomeOf, place, showing, TLS } from './stage.ts';

const POLICY = '  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n';

describe('a start', () => {
  it.each([
    [
      'an unknown key',
      BAD_FILES[1]?.[1] ?? '',
      /bad\.yml:2:3: tls_server_config\.cert_filse: unknown key; did you mean cert_file\?/,
    ],
    [
      'a clear password for a hash',
      'basic_auth_users:\n  john: canary-doe\n',
      /bad\.yml:2:3: basic_auth_users\.john: got a text, expected a bcrypt hash \(\$2a\$, \$2b\$ or \$2y\$\), as hoster-exporter hash-password prints it/,
    ],
    [
      'a key that is none',
      'tls_server_config:\n  cert_file: server.pem\n  key: canary-key\n',
      /tls_server_config\.key: holds no key that can be used, expected a private key in PEM form/,
    ],
    [
      'a key of another certificate',
      'tls_server_config:\n  cert_file: renewed.pem\n  key_file: server.test-key.pem\n',
      /renewed\.pem: the certificate does not belong to the key/,
    ],
  ])('with %s ends with code 2 and says why', async (_, file, message) => {
    const flags = [`--web.config.file=${place('bad.yml', file)}`, '--web.listen-address=127.0.0.1:0'];
    const { code, out, error } = await say(['demo', '--phones=1', ...flags]);
    expect(error).toMatch(message);
    expect(code).toBe(2);
    expect(out + error).not.toContain('canary');
  });

  it('without the file that was named ends with code 2', async () => {
    const { code, error } = await say(['demo', '--web.config.file=/nowhere/web.yml']);
    expect(error).toContain(
      '/nowhere/web.yml: no such file: create it, or name another one with --web.config.file',
    );
    expect(code).toBe(2);
  });
});

describe('the daemon', () => {
  it('goes bad and good again without ending, and says each once', async () => {
    const { url, said, rewrite, hears } = await startDaemon(TLS + USERS);
    const alice = { user: 'alice', password: 'alice123' };
    expect(url).toMatch(/^https:/);
    expect([await outcomeOf(`${url}/metrics`, alice), await outcomeOf(`${url}/metrics`)]).toEqual([200, 401]);
    rewrite(`${TLS}basic_auth_users:\n  alice: canary-clear\n`);
    expect(await outcomeOf(`${url}/metrics`, alice)).toBe('refused');
    await hears(
      /level=error msg="the web configuration can not be used: nobody is let in until it is mended"/,
    );
    expect(await outcomeOf(`${url}/metrics`, alice)).toBe('refused');
    rewrite(TLS + USERS);
    expect(await outcomeOf(`${url}/metrics`, alice)).toBe(200);
    expect(said().match(/can not be used/g)).toHaveLength(1);
    expect(said()).not.toContain('canary');
  });

  it('checks right and wrong passwords in its worker thread, and stops in time', async () => {
    const { url, stop } = await startDaemon(USERS);
    const outcomes = [];
    for (const user of ['alice', 'carol', 'dave']) {
      outcomes.push(await outcomeOf(url, { user, password: `${user}123` }));
      outcomes.push(await outcomeOf(url, { user, password: 'wrong' }));
    }
    expect(outcomes).toEqual([200, 401, 200, 401, 200, 401]);
    const asked = performance.now();
    expect(await stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(2_000);
  });
});

describe('the health check, which has neither password nor certificate', () => {
  it.each([
    ['plain HTTP', '', '127.0.0.1'],
    ['every address of the machine', '', ''],
    ['IPv6', TLS, '[::1]'],
    ['passwords', USERS, '127.0.0.1'],
    ['TLS', TLS, '127.0.0.1'],
    ['TLS and passwords', TLS + USERS, '127.0.0.1'],
    ['client certificates', TLS + POLICY, '127.0.0.1'],
    ['client certificates by TLS 1.2', `${TLS}${POLICY}  max_version: TLS12\n`, '127.0.0.1'],
    ['any client certificate', `${TLS}  client_auth_type: RequireAnyClientCert\n`, '127.0.0.1'],
    ['a rate that is used up', 'rate_limit:\n  interval: 1h\n  burst: 0\n', '127.0.0.1'],
  ])('finds the daemon alive behind %s', async (_, file, host) => {
    const { flags, stop } = await startDaemon(file, host);
    expect(await say(['healthcheck', ...flags])).toEqual({ code: 0, out: '', error: '' });
    await stop();
    expect((await say(['healthcheck', ...flags])).code).toBe(1);
  });

  it('finds it unhealthy whose file went bad, since nobody is let in', async () => {
    const { flags, rewrite } = await startDaemon(TLS);
    rewrite('{');
    const { code, error } = await say(['healthcheck', ...flags]);
    expect(error).toMatch(/^unhealthy: \S+\.yml:\d+:\d+: a bracket, quote, colon or comma is missing/);
    expect(code).toBe(1);
  });

  it('does not take a stranger for the daemon that asks for what the file does not', async () => {
    const { flags } = await startDaemon(USERS);
    const others = [flags[0] ?? '', `--web.config.file=${place('other.yml', '')}`];
    const { code, error } = await say(['healthcheck', ...others]);
    expect(error).toMatch(/^unhealthy: http:\S+ answered 401, expected 200\n$/);
    expect(code).toBe(1);
  });
});

describe('hash-password', () => {
  it('prints a hash for the password on standard input', async () => {
    const { code, out } = await say(['hash-password', '--cost=8'], 'päss:wörd\n');
    expect(out).toMatch(/^\$2y\$08\$[./A-Za-z0-9]{53}\n$/);
    expect(compareSync('päss:wörd', out.trim())).toBe(true);
    expect(code).toBe(0);
  });

  it.each([
    ['prometheus', 'prometheus'],
    ['007', '"007"'],
    ['yes', '"yes"'],
  ])('prints a line that lets in the user %s', async (user, name) => {
    const { out } = await say(['hash-password', '--cost=8', `--user=${user}`], 'secret');
    expect(out).toMatch(/^\S+: "\$2y\$08\$\S{53}"\n$/);
    expect(out.startsWith(`${name}: `)).toBe(true);
    const { url, stop } = await startDaemon(`basic_auth_users:\n  ${out}`);
    expect(await outcomeOf(url, { user, password: 'secret' })).toBe(200);
    await stop();
  });

  it.each([
    ['nothing', '', 'got an empty password'],
    ['two lines', 'one\ntwo\n', 'got more than one line or a control character'],
    ['more than bcrypt reads', 'x'.repeat(73), 'got a password of more than 72 bytes'],
  ])('refuses %s', async (_, input, message) => {
    const { code, out, error } = await say(['hash-password'], input);
    expect(error).toContain(message);
    expect([code, out]).toEqual([2, '']);
  });

  it('takes no password from the command line', async () => {
    const { code, error } = await say(['hash-password', '--password=canary']);
    expect(code).toBe(2);
    expect(error).not.toContain('canary');
  });
});

describe('a client with a certificate', () => {
  it('is let in by the built program', async () => {
    const { url } = await startDaemon(`${TLS}${POLICY}  client_allowed_sans: [prometheus.example.org]\n`);
    expect([await outcomeOf(url, showing('client')), await outcomeOf(url)]).toEqual([200, 'refused']);
  });
});
