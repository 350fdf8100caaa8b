import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { USERS } from './cases.ts';
import {
  ask,
  closeServers,
  fingerprintOf,
  fixture,
  lines,
  outcomeOf,
  place,
  serve,
  shownBy,
  TLS,
} from './test-server.ts';

afterEach(closeServers);

/*
 * Changes of the file while the server runs.
 */

/** New connections cannot wait for a look at the files, which takes place every second. */
const WITHIN = { timeout: 5_000, interval: 100 };

const NAMED = 'tls_server_config:\n  cert_file: live.pem\n  key_file: live.test-key.pem\n';

function placeLive(name: string): void {
  place('live.pem', fixture(`${name}.pem`));
  place('live.test-key.pem', fixture(`${name}.test-key.pem`));
}

describe('a renewed certificate', () => {
  it('is used for new connections while open ones stay', async () => {
    placeLive('server');
    const { url, port } = await serve(NAMED);
    expect(await shownBy(port)).toBe(fingerprintOf('server'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: fixture('authority.pem') });
    const first = await ask(url, { agent });
    placeLive('renewed');
    await expect.poll(() => shownBy(port), WITHIN).toBe(fingerprintOf('renewed'));
    expect([first.status, (await ask(url, { agent })).status]).toEqual([200, 200]);
    agent.destroy();
    expect(lines).toEqual(['info the web configuration changed']);
  });

  it('is refused until its key file is replaced too', async () => {
    placeLive('server');
    const { url } = await serve(NAMED);
    place('live.pem', fixture('renewed.pem'));
    await expect.poll(() => outcomeOf(url), WITHIN).toBe('refused');
    placeLive('renewed');
    await expect.poll(() => outcomeOf(url), WITHIN).toBe(200);
    // A look between the two files may be a change of its own.
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^error the web configuration is invalid: requests get status 500, and TLS handshakes fail, until you correct the file: .*live\.pem: the certificate does not match the key/,
      ),
      'info the web configuration is valid again',
    ]);
  });
});

const ALICE = { user: 'alice', password: 'alice123' };

describe('a web configuration file that becomes invalid', () => {
  it.each([
    ['is not YAML any more', '{'],
    ['has an unknown key', `${USERS}user: x\n`],
    ['has an invalid hash', 'basic_auth_users:\n  alice: alice123\n'],
    ['was cut off within a hash', USERS.slice(0, 60)],
  ])('and %s makes every request fail with 500 until it is valid again', async (_, bad) => {
    const { url, rewrite } = await serve(USERS);
    expect(await outcomeOf(url, ALICE)).toBe(200);
    rewrite(bad);
    expect([await outcomeOf(url, ALICE), await outcomeOf(url), await outcomeOf(`${url}/-/healthy`)]).toEqual([
      500, 500, 500,
    ]);
    rewrite(USERS);
    expect([await outcomeOf(url, ALICE), await outcomeOf(url)]).toEqual([200, 401]);
    expect(lines).toEqual([
      expect.stringMatching(/^error the web configuration is invalid/),
      'info the web configuration is valid again',
    ]);
    expect(lines.join()).not.toContain('alice123');
  });

  it('fails handshakes, and requests on open connections with 500', async () => {
    const { url, rewrite } = await serve(TLS);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: fixture('authority.pem') });
    expect((await ask(url, { agent })).status).toBe(200);
    rewrite('{');
    await expect.poll(() => outcomeOf(url), WITHIN).toBe('refused');
    expect((await ask(url, { agent })).status).toBe(500);
    agent.destroy();
  });

  it('is logged once for any number of requests', async () => {
    const { url, rewrite } = await serve(USERS);
    rewrite('{');
    await Promise.all(Array.from({ length: 20 }, () => outcomeOf(url)));
    await outcomeOf(url);
    expect(lines).toHaveLength(1);
  });
});

describe('a web configuration file that changes', () => {
  it('lets added users in and keeps removed ones out, also with a cached password', async () => {
    const { url, rewrite } = await serve(USERS);
    expect(await outcomeOf(url, ALICE)).toBe(200);
    rewrite(USERS.replace(/ {2}alice.*\n/, ''));
    expect(await outcomeOf(url, ALICE)).toBe(401);
    rewrite(USERS);
    expect(await outcomeOf(url, ALICE)).toBe(200);
  });

  it('does not switch TLS on, and says that this needs a restart', async () => {
    const { url, rewrite } = await serve('');
    rewrite(TLS);
    expect(await outcomeOf(url)).toBe(200);
    expect(lines).toEqual(['info the web configuration changed', 'warn restart the exporter to enable TLS']);
  });
});

describe('a connection with TLS', () => {
  it('that is reset during the handshake does not affect others', async () => {
    const { url, port } = await serve(TLS);
    const socket = connect(port, '127.0.0.1');
    socket.write(Buffer.from('16030102000100', 'hex'));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.resetAndDestroy();
    expect(await outcomeOf(url)).toBe(200);
  });

  it('carries large responses and several requests', async () => {
    const { url } = await serve(TLS);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: fixture('authority.pem') });
    for (let asked = 0; asked < 5; asked++) {
      const length = await new Promise<number>((resolve, reject) => {
        const sent = request(`${url}/large`, { agent }, async (response) =>
          resolve((await text(response)).length),
        );
        sent.on('error', reject);
        sent.end();
      });
      expect(length).toBe(3_000_001);
    }
    agent.destroy();
  });
});
