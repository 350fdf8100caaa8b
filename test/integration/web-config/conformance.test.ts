import { request } from 'node:https';
import { hashSync } from 'bcryptjs';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/messages.ts';
import { BAD_FILES, CASES, USERS } from './cases.ts';
import { ask, closeServers, outcomeOf, serve, showing, TLS } from './test-server.ts';

afterEach(closeServers);

/*
 * The tests of exporter-toolkit, case by case; docs/WEB-CONFIG.md lists the differences.
 */

describe('an invalid web configuration file', () => {
  it.each(BAD_FILES)('prevents the start: %s', async (_, file, message) => {
    const started = await serve(file).catch((error: unknown) => error);
    expect(started).toBeInstanceOf(ConfigError);
    expect(String(started)).toMatch(message);
  });
});

describe('a valid web configuration file', () => {
  it.each(CASES.map((each) => [each.name, each] as const))(
    'is served as the exporter toolkit of Prometheus does: %s',
    async (_, { file, scheme, asking, outcome }) => {
      const { port } = await serve(file);
      const url = `${scheme}://localhost:${port}/`;
      expect(await outcomeOf(url, asking)).toBe(outcome);
    },
  );
});

describe('configured headers', () => {
  it('are sent with every response, 404 and 401 included', async () => {
    const { url } = await serve(`http_server_config:
  headers:
    X-Frame-Options: deny
    Strict-Transport-Security: max-age=31536000; includeSubDomains
    X-Content-Type-Options: nosniff
    X-XSS-Protection: 1
    Content-Security-Policy: "default-src 'self' *.test.example.net"
${USERS}`);
    const expected = {
      'x-frame-options': 'deny',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-xss-protection': '1',
      'content-security-policy': "default-src 'self' *.test.example.net",
    };
    const alice = { user: 'alice', password: 'alice123' };
    expect(await ask(url, alice)).toMatchObject({ status: 200, headers: expected });
    expect(await ask(`${url}/nowhere`, alice)).toMatchObject({ status: 404, headers: expected });
    expect(await ask(url)).toMatchObject({
      status: 401,
      headers: { ...expected, 'www-authenticate': 'Basic' },
      body: 'Unauthorized\n',
    });
  });
});

describe('basic auth', () => {
  it('gives 300 concurrent logins the right result', async () => {
    const { url } = await serve(USERS);
    const login = (password: string) => outcomeOf(url, { user: 'alice', password });
    for (let round = 0; round < 15; round++) {
      const right = Array.from({ length: 10 }, () => login('alice123'));
      const wrong = Array.from({ length: 10 }, () => login('alice1234'));
      expect(new Set(await Promise.all(right))).toEqual(new Set([200]));
      expect(new Set(await Promise.all(wrong))).toEqual(new Set([401]));
    }
  });

  it('refuses the fake password of unknown users, cached or not', async () => {
    const { url } = await serve(USERS);
    const nobody = { user: 'fakeuser', password: 'fakepassword' };
    expect(await outcomeOf(url, nobody)).toBe(401);
    expect(await outcomeOf(url, nobody)).toBe(401);
  });

  it('does not let a login poison the cache (CVE-2022-46146)', async () => {
    const hash = hashSync('secret', 4);
    const { url } = await serve(`basic_auth_users:\n  alice: ${hash}\n`);
    const fake = '$2y$04$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';
    expect(await outcomeOf(url, { user: `alice${hash}`, password: 'fakepassword' })).toBe(401);
    expect(await outcomeOf(url, { user: 'alice', password: `${fake}fakepassword` })).toBe(401);
  });
});

describe('a policy for client certificates', () => {
  const WITHIN = { timeout: 5_000, interval: 100 };

  it('applies to new connections within a second after it was added or removed', async () => {
    const { url, rewrite } = await serve(TLS);
    expect(await outcomeOf(url)).toBe(200);
    rewrite(`${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n`);
    await expect.poll(() => outcomeOf(url), WITHIN).toBe('refused');
    expect(await outcomeOf(url, showing('client'))).toBe(200);
    rewrite(TLS);
    await expect.poll(() => outcomeOf(url), WITHIN).toBe(200);
  });

  it('leaves no TLS session that could be resumed without a certificate', async () => {
    const { url } = await serve(
      `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: authority.pem\n`,
    );
    const session = await new Promise<Buffer | undefined>((resolve, reject) => {
      let last: Buffer | undefined;
      const asked = request(
        url,
        { ...showing('client'), rejectUnauthorized: false, agent: false },
        (response) => {
          response.resume();
          response.on('end', () => resolve(last));
        },
      );
      asked.on('socket', (socket) =>
        socket.on('session', (ticket: Buffer) => {
          last = ticket;
        }),
      );
      asked.on('error', reject);
      asked.end();
    });
    expect(await outcomeOf(url, session === undefined ? {} : { session })).toBe('refused');
  });
});
