import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../../log.ts';
import type { LoadedWebConfig } from './parse.ts';
import { secureContextOptions, type TlsConfig } from './tls-options.ts';

const PLAIN_HTTP_WORDS = 'this port speaks TLS only: write https:// in front of the address\n';

/** The response to plain HTTP, in plain text because there is no TLS yet. */
const PLAIN_HTTP_REFUSED = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${PLAIN_HTTP_WORDS.length}\r\n\r\n${PLAIN_HTTP_WORDS}`;

/**
 * Creates an HTTPS server. Each connection is secured by the present configuration, and closed without a response if that
 * can't be used. Connections that are open keep their configuration.
 *
 * @param current returns the present configuration
 * @param limits options of the HTTP server
 */
export function createHttpsServer(
  current: () => LoadedWebConfig | undefined,
  limits: ServerOptions,
  log: Log,
  listener: RequestListener,
): Server {
  const server = createServer(limits, listener);
  let active: LoadedWebConfig | undefined;
  server.prependListener('connection', (connection: Socket) => {
    connection.on('error', () => {});
    const setup = current();
    const { config, material } = setup ?? {};
    if (config?.tls === undefined || material === undefined) {
      connection.destroy();
      return;
    }
    if (setup === active) return;
    active = setup;
    server.setSecureContext(secureContextOptions(config.tls, material));
    // Node documents these as options only, and reads them for each connection.
    Object.assign(server, {
      requestCert: config.tls.clientAuthentication !== 'ignore',
      // OpenSSL does not know the other policies; they are checked after the handshake.
      rejectUnauthorized: config.tls.clientAuthentication === 'requireAndVerify',
    });
  });
  server.prependListener('secureConnection', (socket) => {
    const refusal = active?.config.tls && refusalOfClient(active.config.tls, certificateOf(socket));
    if (refusal === undefined) return;
    log.debug({ refusal }, 'a TLS client was refused');
    socket.destroy();
  });
  return server;
}

/** @param connectionOf returns the connection below a TLS socket */
export function reportFailedHandshakes(
  server: Server,
  connectionOf: (socket: TLSSocket) => Socket | undefined,
  log: Log,
): void {
  server.prependListener('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    log.debug({ code: error.code ?? error.name }, 'a TLS handshake failed');
    if (error.code === 'ERR_SSL_HTTP_REQUEST') connectionOf(socket)?.end(PLAIN_HTTP_REFUSED);
  });
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
