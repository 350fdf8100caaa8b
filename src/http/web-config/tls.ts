import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../../base/log.ts';
import type { LoadedWebConfig } from './parse.ts';
import { type ClientAuthentication, secureContextOptions } from './tls-options.ts';

const PLAIN_HTTP_TEXT = 'this port uses TLS: write https:// in front of the address\n';

/** The response to plain HTTP, in plain text because there is no TLS yet. */
const PLAIN_HTTP_REFUSED = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${PLAIN_HTTP_TEXT.length}\r\n\r\n${PLAIN_HTTP_TEXT}`;

/**
 * Creates an HTTPS server. New connections use the present configuration, and are closed if it is invalid. Open connections
 * keep theirs.
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
    // Documented as options only, but Node reads them for each connection.
    Object.assign(server, {
      requestCert: config.tls.clientAuthentication !== 'ignore',
      // The other policies are checked after the handshake.
      rejectUnauthorized: config.tls.clientAuthentication === 'requireAndVerify',
    });
  });
  server.prependListener('secureConnection', (socket) => {
    const policy = active?.config.tls?.clientAuthentication ?? 'ignore';
    const refusal = refusalOfClient(policy, certificateOf(socket));
    if (refusal === undefined) return;
    log.debug({ refusal }, 'a TLS client was rejected');
    socket.destroy();
  });
  return server;
}

/**
 * Logs failed handshakes, and responds to plain HTTP.
 *
 * @param connectionOf returns the connection below a TLS socket
 */
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

/**
 * Returns the reason to reject a client; undefined to accept it.
 *
 * @param certificate of the client: `verified` if it is valid for clients and signed by a configured authority
 */
function refusalOfClient(
  policy: ClientAuthentication,
  certificate: 'none' | 'unverified' | 'verified',
): string | undefined {
  const isRequired = policy === 'require' || policy === 'requireAndVerify';
  const mustVerify = policy === 'verifyIfGiven' || policy === 'requireAndVerify';
  if (isRequired && certificate === 'none') return 'no certificate';
  if (mustVerify && certificate === 'unverified') return 'a certificate that no configured authority signed';
  return undefined;
}

function certificateOf(socket: TLSSocket): 'none' | 'unverified' | 'verified' {
  if (socket.getPeerX509Certificate() === undefined) return 'none';
  return socket.authorized ? 'verified' : 'unverified';
}
