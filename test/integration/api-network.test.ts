import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Certificate, type CertificateOptions, createCertificate } from '../certificate.ts';
import { never } from '../never.ts';
import { success, wireBalance } from '../unit/api/wire-fixtures.ts';
import { clientOf, closeAll, errorOf, KEY, listen } from './api-client.ts';
import { serveProxy } from './proxy.ts';

afterEach(closeAll);

const AUTHORITY = createCertificate({ name: 'an authority', isAuthority: true });
const INTERMEDIATE = createCertificate({
  name: 'an intermediate authority',
  isAuthority: true,
  issuer: AUTHORITY,
});
const OTHER_AUTHORITY = createCertificate({ name: 'another authority', isAuthority: true });
const SELF_SIGNED = createCertificate({ name: 'the API', hosts: ['127.0.0.1'] });

/** A certificate of the authority for this machine, unless told otherwise. */
function issued(own: Partial<CertificateOptions> = {}): Certificate {
  return createCertificate({ name: 'the API', hosts: ['127.0.0.1'], issuer: AUTHORITY, ...own });
}

const answer: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(success(wireBalance()));
};

async function serveTls({ certificate, key }: Certificate) {
  let connections = 0;
  const server = createTlsServer({ cert: certificate, key }, answer).on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  return { port, url: `https://127.0.0.1:${port}`, connections: () => connections };
}

describe('an API behind a private authority', () => {
  it.each([
    ['its own authority', AUTHORITY.certificate],
    ['several authorities', OTHER_AUTHORITY.certificate + AUTHORITY.certificate],
    ['the intermediate certificate that the server does not send', INTERMEDIATE.certificate, INTERMEDIATE],
    ['that one and its root', INTERMEDIATE.certificate + AUTHORITY.certificate, INTERMEDIATE],
  ])('is reached with a client.ca_file that contains %s', async (_, authorities, issuer = AUTHORITY) => {
    const { url } = await serveTls(issued({ issuer }));
    const { client } = clientOf(url, { authorities });
    expect((await client.balance(never)).value.totalCents).toBe(13_023);
  });

  const UNKNOWN =
    'the certificate was issued by an authority that is not trusted here; client.ca_file can name the file';

  const UNKNOWN_ISSUER =
    'the issuer of the last certificate that the server sends is not trusted here: an intermediate certificate may be missing; client.ca_file can name a file';
  const LEAF_ONLY =
    'the server sends only its own certificate, and its issuer is not trusted here; have the server send its intermediate';

  it.each<[string, Certificate, string | undefined, string]>([
    ['without a client.ca_file', issued(), undefined, `UNABLE_TO_VERIFY_LEAF_SIGNATURE: ${LEAF_ONLY}`],
    [
      'with a client.ca_file of another authority',
      issued(),
      OTHER_AUTHORITY.certificate,
      `UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ${UNKNOWN_ISSUER}`,
    ],
    [
      'with a client.ca_file of the root alone, where the server does not send its intermediate certificate',
      issued({ issuer: INTERMEDIATE }),
      AUTHORITY.certificate,
      `UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ${UNKNOWN_ISSUER}`,
    ],
    [
      'with a self-signed certificate',
      SELF_SIGNED,
      AUTHORITY.certificate,
      `DEPTH_ZERO_SELF_SIGNED_CERT: ${UNKNOWN}`,
    ],
    [
      'once its certificate has expired',
      issued({ to: new Date(Date.UTC(2020)) }),
      AUTHORITY.certificate,
      'CERT_HAS_EXPIRED: the certificate has expired). The TLS handshake failed',
    ],
    [
      'before its certificate is valid',
      issued({ from: new Date(Date.UTC(2048)) }),
      AUTHORITY.certificate,
      'CERT_NOT_YET_VALID: the certificate is not valid yet). The TLS handshake failed',
    ],
    [
      'with a certificate for another host',
      issued({ hosts: ['api.example.com'] }),
      AUTHORITY.certificate,
      'ERR_TLS_CERT_ALTNAME_INVALID: the certificate is for another host). The TLS handshake failed',
    ],
  ])('is not reached %s, and the request is not retried', async (_, certificate, authorities, message) => {
    const { url, connections } = await serveTls(certificate);
    const { client, seen } = clientOf(url, { authorities });
    const error = await errorOf(client.balance(never));
    expect(error.reason).toBe('tls');
    expect(error.message).toContain(`no usable response (${message}`);
    expect(connections()).toBe(1);
    expect(seen).toEqual(['failed balance tls']);
  });
});

it('a request can be aborted while its connection is being made', async () => {
  const port = await listen(createTcpServer());
  const { client, seen } = clientOf(`https://127.0.0.1:${port}`);
  const impatient = new AbortController();
  const asked = client.balance(impatient.signal);
  // By then it waits for the other side to say the first word of TLS.
  await new Promise((resolve) => setImmediate(resolve));
  impatient.abort('enough');
  await expect(asked).rejects.toBe('enough');
  expect(seen).toEqual([]);
});

describe('a proxy', () => {
  const throughProxy = (port: number, own: { except?: string; user?: string } = {}) => {
    const address = `http://${own.user ?? ''}127.0.0.1:${port}`;
    return {
      authorities: AUTHORITY.certificate,
      proxies: { http: address, https: address, except: own.except ?? '' },
    };
  };

  it('tunnels TLS without access to the key', async () => {
    const api = await serveTls(issued());
    const proxy = await serveProxy();
    const { client } = clientOf(api.url, { ...throughProxy(proxy.port), concurrency: 1 });
    await client.balance(never);
    await client.balance(never);
    expect(proxy.asked).toEqual([`127.0.0.1:${api.port}`]);
    expect(proxy.passed().length).toBeGreaterThan(500);
    expect(proxy.passed()).not.toContain(KEY);
  });

  it('gets the credentials of its address', async () => {
    const api = await serveTls(issued());
    const proxy = await serveProxy();
    const { client } = clientOf(api.url, throughProxy(proxy.port, { user: 'me:pw@' }));
    await client.balance(never);
    expect(proxy.asked).toEqual([`127.0.0.1:${api.port} Basic ${btoa('me:pw')}`]);
  });

  it('is not used for an excepted host', async () => {
    const api = await serveTls(issued());
    const proxy = await serveProxy();
    const { client } = clientOf(api.url, throughProxy(proxy.port, { except: 'example.com,127.0.0.1' }));
    await client.balance(never);
    expect(proxy.asked).toEqual([]);
  });

  it('is not used for https if it is only for http', async () => {
    const api = await serveTls(issued());
    const proxy = await serveProxy();
    const { authorities, proxies } = throughProxy(proxy.port);
    const { client } = clientOf(api.url, { authorities, proxies: { ...proxies, https: '' } });
    await client.balance(never);
    expect(proxy.asked).toEqual([]);
  });

  it('does not make the certificate of the API trusted', async () => {
    const api = await serveTls(SELF_SIGNED);
    const proxy = await serveProxy();
    const { client } = clientOf(api.url, throughProxy(proxy.port));
    expect((await errorOf(client.balance(never))).message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it.each([403, 407, 502])(
    'that refuses with %i fails the request with the reason connect',
    async (status) => {
      const api = await serveTls(issued());
      const proxy = await serveProxy(status);
      const { client } = clientOf(api.url, throughProxy(proxy.port, { user: 'me:secret@' }));
      const error = await errorOf(client.balance(never));
      expect(error.reason).toBe('connect');
      expect(error.message).toContain(`Proxy response (${status}) !== 200`);
      expect(String(error.stack)).not.toContain('secret');
      expect(api.connections()).toBe(0);
    },
  );

  it.each([
    ['closes', (socket: Socket) => socket.end()],
    ['closes after half a head', (socket: Socket) => socket.end('HTTP/1.1 20')],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('that %s each connection gets one for each request, and is named', async (_, close) => {
    let connections = 0;
    const port = await listen(
      createTcpServer((socket) => {
        connections += 1;
        socket.on('error', () => {}).once('data', () => close(socket));
      }),
    );
    const { client, seen } = clientOf('https://127.0.0.1:1', throughProxy(port));
    const errors = await Promise.all(Array.from({ length: 20 }, () => errorOf(client.devicePage(1, never))));
    const sent = seen.filter((line) => line.startsWith('failed')).length;
    expect(connections).toBeLessThanOrEqual(sent);
    expect(new Set(errors.map(({ reason }) => reason))).not.toContain('timeout');
    for (const { message } of errors) expect(message).toMatch(/the proxy closed the connection|ECONNRESET/);
  });

  it('that does not listen fails the request with the reason connect', async () => {
    const api = await serveTls(issued());
    const gone = createTcpServer();
    const port = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const { client } = clientOf(api.url, throughProxy(port));
    expect((await errorOf(client.balance(never))).reason).toBe('connect');
  });

  it('is not used unless it is configured', async () => {
    const proxy = await serveProxy();
    process.env['HTTPS_PROXY'] = process.env['https_proxy'] = `http://127.0.0.1:${proxy.port}`;
    try {
      const api = await serveTls(issued());
      await clientOf(api.url, { authorities: AUTHORITY.certificate }).client.balance(never);
      const nowhere = { http: '', https: '', except: '' };
      const own = { authorities: AUTHORITY.certificate, proxies: nowhere };
      await clientOf(api.url, own).client.balance(never);
      expect(proxy.asked).toEqual([]);
    } finally {
      delete process.env['HTTPS_PROXY'];
      delete process.env['https_proxy'];
    }
  });
});
