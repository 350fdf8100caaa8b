import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { createServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Log } from '../../log.ts';
import type { LoadedWebConfig } from './parse.ts';
import { secureContextOptions, type TlsConfig, type TlsMaterial } from './tls-options.ts';

/** Maximum time for a TLS handshake, in milliseconds. */
const HANDSHAKE_TIMEOUT = 5_000;

const PLAIN_HTTP_WORDS = 'this port speaks TLS only: write https:// in front of the address\n';

/** The response to plain HTTP, in plain text because there is no TLS yet. */
const PLAIN_HTTP_REFUSED = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${PLAIN_HTTP_WORDS.length}\r\n\r\n${PLAIN_HTTP_WORDS}`;

/**
 * Puts TLS in front of an HTTP server that has just been created. Each connection is secured by the present configuration,
 * and closed without a response if that can't be used. Connections that are open keep their configuration.
 *
 * @param current returns the present configuration
 */
export function putTlsInFront(
  server: Server,
  current: () => Promise<LoadedWebConfig | undefined>,
  log: Log,
): { readonly closeAllConnections: () => void } {
  // Node's own listener, which reads HTTP/1 from any connection.
  const listeners = server.rawListeners('connection');
  server.removeAllListeners('connection');
  const serve = (socket: TLSSocket): void => {
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  };
  const open = new Set<Socket>();
  let last: { readonly setup: LoadedWebConfig; readonly tlsServer: TlsServer } | undefined;
  const tlsServerOf = (setup: LoadedWebConfig | undefined): TlsServer | undefined => {
    if (setup?.config.tls === undefined || setup.material === undefined) return undefined;
    if (last?.setup !== setup) {
      last = { setup, tlsServer: createTlsServer(setup.config.tls, setup.material, serve, log) };
      last.tlsServer.on('tlsClientError', (error: NodeJS.ErrnoException, { remoteAddress, remotePort }) => {
        if (error.code !== 'ERR_SSL_HTTP_REQUEST') return;
        const connection = [...open].find(
          (each) => each.remotePort === remotePort && each.remoteAddress === remoteAddress,
        );
        connection?.end(PLAIN_HTTP_REFUSED);
      });
    }
    return last.tlsServer;
  };
  server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    connection.on('error', () => {});
    // TLS, unlike HTTP, has no half-closed connections.
    connection.allowHalfOpen = false;
    current()
      .then((setup) => {
        const tlsServer = tlsServerOf(setup);
        if (tlsServer === undefined) connection.destroy();
        else if (!connection.destroyed) tlsServer.emit('connection', connection);
      })
      .catch((error: unknown) => {
        log.error({ error }, 'a connection could not be secured: this is a bug');
        connection.destroy();
      });
  });
  return {
    closeAllConnections: () => {
      for (const connection of open) connection.destroy();
    },
  };
}

/** Never listens; connections are passed to it. */
function createTlsServer(
  tls: TlsConfig,
  material: TlsMaterial,
  serve: (socket: TLSSocket) => void,
  log: Log,
): TlsServer {
  const tlsServer = createServer({
    ...secureContextOptions(tls, material),
    handshakeTimeout: HANDSHAKE_TIMEOUT,
    requestCert: tls.clientAuthentication !== 'ignore',
    // OpenSSL does not know the other policies; they are checked after the handshake.
    rejectUnauthorized: tls.clientAuthentication === 'requireAndVerify',
    ALPNProtocols: ['http/1.1'],
  });
  tlsServer.on('tlsClientError', (error) => {
    const code = 'code' in error ? String(error.code) : error.name;
    log.debug({ code }, 'a TLS handshake failed');
  });
  tlsServer.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    const refusal = refusalOfClient(tls, certificateOf(socket));
    if (refusal === undefined) return serve(socket);
    log.debug({ refusal }, 'a TLS client was refused');
    socket.destroy();
  });
  return tlsServer;
}

/** The certificate that a client sent. */
export type ClientCertificate = {
  /** True if it is valid for clients now and signed by a configured authority. */
  readonly isVerified: boolean;
  /** Subject alternative names. */
  readonly names: readonly string[];
};

function certificateOf(socket: TLSSocket): ClientCertificate | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return undefined;
  return { isVerified: socket.authorized, names: subjectNames(certificate.subjectAltName) };
}

/**
 * Returns the reason to refuse a client; undefined for one that is let in. Names are compared in any certificate, as the
 * toolkit does; only with RequireAndVerifyClientCert has an authority vouched for them.
 */
export function refusalOfClient(
  { clientAuthentication, clientAllowedSans: allowed }: TlsConfig,
  certificate: ClientCertificate | undefined,
): string | undefined {
  if (clientAuthentication === 'ignore') return undefined;
  if (certificate === undefined) {
    const isRequired = clientAuthentication === 'require' || clientAuthentication === 'requireAndVerify';
    return isRequired || allowed !== undefined ? 'no certificate' : undefined;
  }
  const mustVerify = clientAuthentication === 'verifyIfGiven' || clientAuthentication === 'requireAndVerify';
  if (mustVerify && !certificate.isVerified) return 'a certificate that no configured authority signed';
  if (allowed === undefined || certificate.names.some((name) => allowed.includes(name))) return undefined;
  return 'a certificate without an allowed name';
}

/** An entry of Node's text: kind, colon, then the name, which is a JSON string if it holds special characters. */
const ENTRY = /(?<kind>[A-Za-z ]+):(?<name>"(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;

const KINDS = ['DNS', 'email', 'IP Address', 'URI'];

/**
 * Lists the subject alternative names of a certificate: DNS names, e-mail and IP addresses, URIs. Empty if any part of the
 * text can't be parsed, so that no name can be smuggled in by another one.
 *
 * @param text as Node's `X509Certificate.subjectAltName` writes it
 */
export function subjectNames(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names: string[] = [];
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < text.length) {
    const { kind = '', name = '' } = ENTRY.exec(text)?.groups ?? {};
    if (kind === '') return [];
    if (KINDS.includes(kind)) names.push(kind === 'IP Address' ? shortIp(unquote(name)) : unquote(name));
  }
  return names;
}

function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const value: unknown = JSON.parse(name);
  return String(value);
}

/** Writes an IPv6 address as Go does (RFC 5952): `::1`, not `0:0:0:0:0:0:0:1`. */
function shortIp(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
