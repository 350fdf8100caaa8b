import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USERS } from './cases.ts';
import { startDaemon, stopDaemons } from './program.ts';

afterAll(stopDaemons);

describe('with web.anonymous_reading, and logins', () => {
  let url = '';

  beforeAll(async () => {
    ({ url } = await startDaemon(
      USERS,
      '--web.anonymous-reading',
      '--web.enable-changes',
      '--web.enable-lifecycle',
      '--web.change-users=alice',
    ));
  });

  /** Sends a request, perhaps with a login of `user`. */
  async function ask(path: string, method = 'GET', user = '', password = `${user}123`): Promise<Response> {
    const login = Buffer.from(`${user}:${password}`).toString('base64');
    const headers = user === '' ? {} : { authorization: `Basic ${login}` };
    return await fetch(`${url}${path}`, { method, headers });
  }

  it.each(['/', '/metrics', '/-/healthy', '/api/v1/fleet'])('shows %s to everybody', async (path) => {
    expect((await ask(path)).status).toBe(200);
    expect((await ask(path, 'HEAD')).status).toBe(200);
  });

  it('checks a login that is given', async () => {
    expect((await ask('/metrics', 'GET', 'dave')).status).toBe(200);
    expect((await ask('/metrics', 'GET', 'dave', 'wrong')).status).toBe(401);
  });

  it.each([
    ['POST', '/api/v1/maintenance'],
    ['DELETE', '/api/v1/maintenance?id=a'],
    ['POST', '/-/reload'],
    ['POST', '/metrics'],
    ['OPTIONS', '/'],
    ['PUT', '/'],
  ])('asks for a login for %s %s', async (method, path) => {
    const response = await ask(path, method);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
  });

  it('lets the users of web.change_users change something, and nobody else', async () => {
    expect((await ask('/api/v1/maintenance', 'POST', 'alice')).status).toBe(415);
    expect((await ask('/api/v1/maintenance', 'POST', 'dave')).status).toBe(403);
  });

  it.each([
    ['nobody yet', '', true],
    ['one of them', 'alice', true],
    ['another user', 'dave', false],
  ])('offers maintenance to who is logged in as %s: %s', async (_, user, isOffered) => {
    const { exporter } = JSON.parse(await (await ask('/api/v1/fleet', 'GET', user)).text());
    expect(exporter.allowsChanges).toBe(isOffered);
  });

  it('refuses other sites’ names, because there is no password against DNS rebinding', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.end(`GET /metrics HTTP/1.1\r\nHost: evil.example:${port}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /);
  });
});
