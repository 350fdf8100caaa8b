import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Certificate, createCertificate } from '../../certificate.ts';
import { type Asking, closeServers, fixture, outcomeOf, place, serve, TLS } from './test-server.ts';

afterEach(closeServers);

const root = createCertificate({ name: 'root', isAuthority: true });
const intermediate = createCertificate({ name: 'intermediate', isAuthority: true, issuer: root });
const leaf = createCertificate({ name: 'leaf', issuer: intermediate });

/** Starts a server that trusts an authority and returns the outcome for a client with this chain of certificates. */
async function outcomeFor(authority: Certificate, ...chain: readonly Certificate[]): Promise<unknown> {
  place('clients.pem', authority.certificate);
  const { url } = await serve(
    `${TLS}  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: clients.pem\n`,
  );
  const asking: Asking = {
    cert: chain.map(({ certificate }) => certificate).join(''),
    key: chain[0]?.key,
    // OpenSSL would not even send a weak one.
    ciphers: 'DEFAULT@SECLEVEL=0',
  };
  return outcomeOf(url, asking);
}

describe('a client certificate', () => {
  it('logs in with the certificates of its chain', async () => {
    expect(await outcomeFor(root, leaf, intermediate)).toBe(200);
  });

  it('is refused when it is signed with SHA-1', async () => {
    const weak = createCertificate({ name: 'weak', issuer: root, hash: 'sha1' });
    expect(await outcomeFor(root, weak)).toBe('refused');
  });
});

describe('client_ca_file', () => {
  it('can contain an intermediate authority next to its root', async () => {
    const both = { ...root, certificate: intermediate.certificate + root.certificate };
    expect(await outcomeFor(both, leaf)).toBe(200);
  });

  it('can hold the self-signed certificate of one client, which lets in no other', async () => {
    const pinned = createCertificate({ name: 'pinned' });
    expect(await outcomeFor(pinned, pinned)).toBe(200);
    expect(await outcomeFor(pinned, createCertificate({ name: 'pinned' }))).toBe('refused');
  });
});

describe('a server with TLS', () => {
  it('refuses to renegotiate', async () => {
    const { port } = await serve(TLS);
    const socket = connect({ port, host: '127.0.0.1', ca: fixture('authority.pem'), maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    const failed = once(socket, 'error').then(([error]) => String(error));
    // The end of the connection may be a second error.
    socket.on('error', () => {});
    socket.renegotiate({}, () => {});
    expect(await failed).toMatch(/no renegotiation/);
  });
});
