import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Log } from '../../base/log.ts';
import type { LoadedWebConfig } from './parse.ts';
import { secureContextOptions } from './tls-options.ts';

/**
 * Creates an HTTPS server. New connections use the current configuration, and are closed if it is invalid. Open connections
 * keep theirs.
 *
 * @param current returns the current configuration
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
    // Documented only as options, but Node reads them for each connection.
    const { verifiesClients } = config.tls;
    Object.assign(server, { requestCert: verifiesClients, rejectUnauthorized: verifiesClients });
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException) =>
    log.debug({ code: error.code ?? error.name }, 'a TLS handshake failed'),
  );
  return server;
}
