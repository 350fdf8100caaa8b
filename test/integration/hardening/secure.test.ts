import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { openWebAccess, type WebAccess } from '../../../src/http/web-config/access.ts';
import { createCertificate } from '../../certificate.ts';
import { openDisk } from '../../open-disk.ts';
import { silentLog } from '../../silent-log.ts';
import { requestTo, startTestServer, type TestServer } from './test-server.ts';

const { certificate, key } = createCertificate({ name: 'exporter', hosts: ['127.0.0.1'] });
const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-hardening-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'server.pem'), certificate);
writeFileSync(join(folder, 'server.test-key.pem'), key);
const path = join(folder, 'web.yml');
writeFileSync(path, 'tls_server_config:\n  cert_file: server.pem\n  key_file: server.test-key.pem\n');

let web: WebAccess;
let server: TestServer;

beforeEach(async () => {
  web = await openWebAccess({ path, disk: openDisk, clock: systemClock, log: silentLog });
  server = await startTestServer(web);
});
afterEach(async () => {
  await server.close();
  web.stop();
});

async function dialSecurely(): Promise<TLSSocket> {
  const socket = connectSecurely({
    port: server.port,
    host: '127.0.0.1',
    ca: certificate,
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

/** Resolves when the server has read everything sent before. */
async function settled(): Promise<void> {
  const socket = await dialSecurely();
  socket.write('GET /short HTTP/1.1\r\nHost: exporter\r\nConnection: close\r\n\r\n');
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

describe('a connection to a server with TLS', () => {
  it('is closed after ten seconds when it stops in the handshake', async () => {
    const offline = server.dial();
    await offline.connected;
    offline.socket.write('\u0016\u0003\u0001\u0002\u0000\u0001', 'latin1');
    await settled();
    server.clock.advance(10_000);
    expect(await offline.closed).toBe('');
    expect(new Set(server.refusals)).toEqual(new Set(['slow']));
  });

  it('is closed after ten seconds of a response that is not read', async () => {
    const socket = await dialSecurely();
    socket.pause();
    socket.write(requestTo('/large'));
    await settled();
    // Sending is noticed at the first look.
    server.clock.advance(1_000);
    server.clock.advance(10_000);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(new Set(server.refusals)).toEqual(new Set(['slow']));
  });

  it('counts against the limit before the handshake', async () => {
    const offline = Array.from({ length: 520 }, () => server.dial('127.0.0.1'));
    await Promise.all(offline.slice(0, 8).map(({ closed }) => closed));
    await settled();
    expect(new Set(server.refusals)).toEqual(new Set(['connections']));
  });

  it('is cut off when it sends a second request before the response', async () => {
    const socket = await dialSecurely();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(requestTo('/never').repeat(2));
    await closed;
    expect(server.refusals).toEqual(['pipelined']);
  });
});
