import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openWebAccess } from '../../../../src/http/web-config/access.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { silentLog } from '../../../silent-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-access-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADERS = 'http_server_config:\n  headers:\n    X-Frame-Options: deny\n';
const USERS = `basic_auth_users:\n  alice: $2y$10$${'x'.repeat(53)}\n`;
const LOGIN = `Basic ${Buffer.from('alice:secret').toString('base64')}`;

/** Authorizes one request by this file, with a checker that accepts every password. */
async function authorize(
  content: string,
  authorization?: string,
  matches: () => Promise<boolean> = async () => true,
) {
  const path = join(folder, 'web.yml');
  writeFileSync(path, content);
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => errors.push(message) };
  const checker = { matches, stop: () => {} };
  const access = openWebAccess({ path, clock: createFakeClock(), log, checker });
  const ask = async () => {
    const { refusal, headers } = await access.authorize(authorization, '127.0.0.1');
    return {
      status: refusal?.status,
      body: refusal && String(refusal.content),
      own: refusal?.headers,
      headers,
    };
  };
  return { ...(await ask()), errors, again: ask, path };
}

const CONFIGURED = { 'x-frame-options': 'deny' };

describe('the web configuration', () => {
  it('lets in a request with a right password, with the configured headers', async () => {
    expect(await authorize(HEADERS + USERS, LOGIN)).toMatchObject({ status: undefined, headers: CONFIGURED });
  });

  it('lets in a request without a password when there are no users', async () => {
    expect(await authorize(HEADERS)).toMatchObject({ status: undefined, headers: CONFIGURED });
  });

  it('answers 401 to a wrong password, with the configured headers', async () => {
    expect(await authorize(HEADERS + USERS, LOGIN, async () => false)).toMatchObject({
      status: 401,
      body: 'Unauthorized\n',
      own: { 'www-authenticate': 'Basic' },
      headers: CONFIGURED,
    });
  });

  it('answers 500 to every request while the file cannot be used', async () => {
    const { again, path } = await authorize(HEADERS);
    writeFileSync(path, '{');
    expect(await again()).toMatchObject({ status: 500, body: 'Internal Server Error\n', headers: {} });
  });

  it('answers 500 when passwords cannot be checked', async () => {
    const matches = () => Promise.reject(new Error('the thread has ended'));
    expect(await authorize(USERS, LOGIN, matches)).toMatchObject({
      status: 500,
      errors: ['a password could not be checked'],
    });
  });
});
