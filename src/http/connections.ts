import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { type Clock, every } from '../base/clock.ts';
import type { RefusalReason } from '../model/enums.ts';
import { COMPUTE_TIMEOUT, MAX_CONNECTIONS, STEP_TIMEOUT } from './limits.ts';

/*
 * Limits on connections and their requests. Node's parser rejects malformed, large and slow requests, and closes idle
 * connections.
 */

/** The two ends of a TCP connection, equal for a TLS socket and the socket below it; otherwise the socket itself. */
type ConnectionKey = string | Duplex;

/** `new`: no request yet; `idle`: between two requests; `computing`, `sending`: the parts of a response. */
type Phase = 'new' | 'idle' | 'computing' | 'sending';

type Connection = {
  readonly key: ConnectionKey;
  readonly socket: Socket;
  phase: Phase;
  /** Start of the phase by the monotonic clock, in milliseconds. */
  since: number;
  response?: ServerResponse | undefined;
};

/** Maximum duration of a phase, in milliseconds. Idle connections have no limit here: Node's timeout applies. */
const TIMEOUTS: Readonly<Record<Phase, number>> = {
  new: STEP_TIMEOUT,
  idle: Number.POSITIVE_INFINITY,
  computing: COMPUTE_TIMEOUT,
  sending: STEP_TIMEOUT,
};

const CHECK_INTERVAL = 1_000;

/** Maximum number of empty lines in a single read from a connection. A request has one. */
const MAX_EMPTY_LINES = 8;

const TOO_LARGE = "the headers are larger than 32 kB: delete this site's cookies\n";

type LimitOptions = {
  readonly clock: Clock;
  /** Called for each rejected request, and for each connection that is closed because of a limit. */
  readonly onRefusal: (reason: RefusalReason) => void;
};

type Connections = { readonly closeAll: () => void };

/** Keeps the connections of all servers together within the limits. Call it before they listen. */
export function limitConnections(
  servers: readonly Server[],
  { clock, onRefusal }: LimitOptions,
): Connections {
  const connections = new Map<ConnectionKey, Connection>();
  const close = ({ key, socket }: Connection, reason: RefusalReason): void => {
    connections.delete(key);
    // A reset makes the kernel drop unread data. Node resets TCP only.
    if (typeof key === 'string') socket.resetAndDestroy();
    else socket.destroy();
    onRefusal(reason);
  };
  /** Closes the connection that has been idle for longest, or the new one if none is idle. */
  const closeExcess = (added: Connection): void => {
    if (connections.size <= MAX_CONNECTIONS) return;
    const unused = [...connections.values()].find(({ response }) => response === undefined);
    close(unused ?? added, 'connections');
  };
  /** Moves a connection to the end of the map, which is ordered by the start of the phase. */
  const enter = (connection: Connection, phase: Phase, response?: ServerResponse): void => {
    Object.assign(connection, { phase, response, since: clock.monotonic() });
    if (connections.get(connection.key) !== connection) return;
    connections.delete(connection.key);
    connections.set(connection.key, connection);
  };

  const onConnection = (socket: Socket): void => {
    const key = keyOf(socket);
    const connection: Connection = { key, socket, phase: 'new', since: clock.monotonic() };
    connections.set(key, connection);
    socket.once('close', () => {
      // A new connection may already have the same ends.
      if (connections.get(key) === connection) connections.delete(key);
    });
    // A new connection's request is read in the next turn of the event loop.
    if (connections.size > MAX_CONNECTIONS) setImmediate(() => setImmediate(closeExcess, connection));
  };
  /** Closes a connection that sends a second request before the response to the first. */
  const closePipelined = (socket: Duplex): void => {
    onRefusal('pipelined');
    connections.get(keyOf(socket))?.response?.destroy();
    socket.destroy();
  };
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(keyOf(socket));
    if (connection === undefined) return;
    if (connection.response !== undefined) {
      closePipelined(socket);
      return;
    }
    enter(connection, 'computing', response);
    response.once('close', () => enter(connection, 'idle'));
  };
  const onData = (socket: Socket, bytes: Buffer): void => {
    if (!hasManyRequests(bytes)) return;
    // Node's parser gets these bytes next. Up to 1,900 requests in them would block the event loop.
    bytes.fill(0);
    if (!socket.destroyed) closePipelined(socket);
  };
  const onClientError = ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
    const status = statusOf(code);
    const isResponding = connections.get(keyOf(socket))?.response !== undefined;
    if (status === undefined || isResponding || !socket.writable) {
      socket.destroy();
      return;
    }
    onRefusal(status === 408 ? 'slow' : 'malformed');
    const text = status === 431 ? TOO_LARGE : '';
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
    socket.end(`${head}\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`, () =>
      socket.destroy(),
    );
  };
  const stop = every(clock, CHECK_INTERVAL, () => {
    for (const connection of [...connections.values()]) {
      const { phase, response, since } = connection;
      if (phase === 'computing' && response?.headersSent) enter(connection, 'sending', response);
      else if (clock.monotonic() - since >= TIMEOUTS[phase]) close(connection, 'slow');
    }
  });
  for (const server of servers) {
    // Several connections may be accepted at once before the excess is closed.
    server.maxConnections = 2 * MAX_CONNECTIONS;
    server.on('drop', () => onRefusal('connections'));
    server.on('connection', onConnection);
    // HTTP starts here: with TLS, after the handshake.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) =>
      socket.prependListener('data', (bytes: Buffer) => onData(socket, bytes)),
    );
    server.prependListener('request', onRequest);
    server.on('clientError', onClientError);
    server.once('close', stop);
  }
  return {
    closeAll: () => {
      for (const { socket } of connections.values()) socket.destroy();
    },
  };
}

function keyOf(socket: Duplex & Partial<Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>>) {
  const { remoteAddress, remotePort, localAddress } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort} ${localAddress}`;
}

function hasManyRequests(bytes: Buffer): boolean {
  const parts = bytes.toString('latin1').split(/\n\r?\n/, MAX_EMPTY_LINES + 2);
  return parts.length > MAX_EMPTY_LINES + 1;
}

/** Returns the status for a request that the parser rejects; undefined for an error of the connection. */
function statusOf(code: string): 400 | 408 | 431 | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code.startsWith('HPE_') ? 400 : undefined;
}
