import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { openWeb, type Web } from '../../../src/http/web.ts';
import { createCertificate } from '../../certificate.ts';
import { silentLog } from '../../silent-log.ts';
import { requestTo, type Stage, setStage } from './stage.ts';

const { certificate, key } = createCertificate({ name: 'exporter', hosts: ['127.0.0.1'] });
const folder = mkdtempSync(join(tmpdir(), 'hoster-exporter-hardening-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'server.pem'), certificate);
writeFileSync(join(folder, 'server.test-key.pem'), key);
const path = join(folder, 'web.yml');
writeFileSync(path, 'tls_server_config:\n  cert_file: server.pem\n  key_file: server.test-key.pem\n');

let web: Web;
let stage: Stage;

beforeEach(async () => {
  web = await openWeb({ path, clock: systemClock, log: silentLog });
  stage = await setStage(web);
});
afterEach(async () => {
  await stage.close();
  web.stop();
});

async function dialSecurely(): Promise<TLSSocket> {
  const socket = connectSecurely({
    port: stage.port,
    host: '127.0.0.1',
    ca: certificate,
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

/** Asks for something short over a connection of its own, so that what came before has been seen. */
async function settled(): Promise<void> {
  const socket = await dialSecurely();
  socket.write('GET /short HTTP/1.1\r\nHost: exporter\r\nConnection: close\r\n\r\n');
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
}

describe('a connection to a listener with TLS', () => {
  it.each([
    ['never begins to agree on one', ''],
    ['ends in the midst of agreeing', '\u0016\u0003\u0001\u0002\u0000\u0001'],
  ])('is cut off after ten seconds where it %s', async (_, bytes) => {
    const mute = stage.dial();
    await mute.connected;
    mute.socket.write(bytes, 'latin1');
    await settled();
    stage.clock.advance(10_000);
    expect(await mute.closed).toBe('');
    expect(new Set(stage.refusals)).toEqual(new Set(['slow']));
  });

  it('is cut off after ten seconds of an answer that is not read', async () => {
    const socket = await dialSecurely();
    socket.pause();
    socket.write(requestTo('/large'));
    await settled();
    stage.clock.advance(10_000);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(new Set(stage.refusals)).toEqual(new Set(['slow']));
  });

  it('counts for its address before it has agreed on anything', async () => {
    const mute = Array.from({ length: 40 }, () => stage.dial('127.0.0.1'));
    await Promise.all(mute.slice(0, 8).map(({ closed }) => closed));
    await settled();
    expect(new Set(stage.refusals)).toEqual(new Set(['address_connections']));
  });
});
