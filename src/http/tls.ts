import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import { secureContextOptions } from '../config/web/secure-context.ts';
import type { TlsConfig, TlsMaterial, WebSetup } from '../config/web/web-config.ts';
import type { Log } from '../log.ts';
import { refusalOfClient } from './client-certificate.ts';
import { subjectNames } from './subject-names.ts';

/** How long a client may take to agree on a secure connection, in milliseconds. */
const HANDSHAKE_TIMEOUT = 5_000;

/** What a server needs of the web configuration to speak TLS. */
export type Tls = {
  /** The configuration as it is now; undefined where it can't be used. */
  readonly look: () => Promise<WebSetup | undefined>;
};

/** A server behind TLS. */
export type SecureServer = {
  /** Ends all connections at once. */
  readonly destroy: () => void;
};

/**
 * Puts TLS in front of a server that has just been made: each connection agrees on it by the configuration of its moment,
 * and only then is the server's. Where the configuration can't be used, connections are closed without a word.
 */
export function secureServer(server: Server, { look }: Tls, log: Log): SecureServer {
  // Node's own listener, which speaks HTTP/1 on whatever connection it is given.
  const listeners = server.rawListeners('connection');
  server.removeAllListeners('connection');
  const serve = (socket: TLSSocket): void => {
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  };
  const open = new Set<Socket>();
  const layerOf = keepLast((tls, material) => createLayer(tls, material, serve, log));
  server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    connection.on('error', () => {});
    // HTTP allows its client to end first and go on reading; TLS does not.
    connection.allowHalfOpen = false;
    look()
      .then((setup) => {
        const layer = layerOf(setup);
        if (layer === undefined) connection.destroy();
        else if (!connection.destroyed) layer.emit('connection', connection);
      })
      .catch((error: unknown) => {
        log.error({ error }, 'a connection could not be secured: this is a bug');
        connection.destroy();
      });
  });
  return {
    destroy: () => {
      for (const connection of open) connection.destroy();
    },
  };
}

/** Makes a layer anew when the configuration is another one; what has agreed on the old one goes on. */
function keepLast(
  create: (tls: TlsConfig, material: TlsMaterial) => TlsServer,
): (setup: WebSetup | undefined) => TlsServer | undefined {
  let last: { readonly setup: WebSetup; readonly layer: TlsServer } | undefined;
  return (setup) => {
    if (setup?.config.tls === undefined || setup.material === undefined) return undefined;
    if (last?.setup !== setup) last = { setup, layer: create(setup.config.tls, setup.material) };
    return last.layer;
  };
}

/** It never listens: it is handed connections. */
function createLayer(
  tls: TlsConfig,
  material: TlsMaterial,
  serve: (socket: TLSSocket) => void,
  log: Log,
): TlsServer {
  const layer = createServer({
    ...secureContextOptions(tls, material),
    handshakeTimeout: HANDSHAKE_TIMEOUT,
    requestCert: tls.clientAuthentication !== 'ignore',
    // The others are looked at after the handshake, since OpenSSL does not know their rules.
    rejectUnauthorized: tls.clientAuthentication === 'requireAndVerify',
    ALPNProtocols: ['http/1.1'],
  });
  layer.on('tlsClientError', (error) => {
    const code = 'code' in error ? String(error.code) : error.name;
    log.debug({ code }, 'a client did not agree on a secure connection');
  });
  layer.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    const refusal = refusalOfClient(tls, certificateOf(socket));
    if (refusal !== undefined) {
      log.debug({ refusal }, 'a client is not let in');
      socket.destroy();
    } else serve(socket);
  });
  return layer;
}

function certificateOf(socket: TLSSocket) {
  const shown = socket.getPeerX509Certificate();
  if (shown === undefined) return undefined;
  return { isVerified: socket.authorized, names: subjectNames(shown.subjectAltName) };
}
