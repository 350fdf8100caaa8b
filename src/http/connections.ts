import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, every } from '../base/clock.ts';
import type { RefusalReason } from '../model/enums.ts';
import { clientOf, MAX_CONNECTIONS, STEP_TIMEOUT } from './limits.ts';

/** A connection that may be evicted. */
export type Connection = {
  readonly address: string;
  /** `new`: no request yet; `idle`: between two requests; `responding`: a response is being sent. */
  readonly phase: 'new' | 'idle' | 'responding';
  /** Start of the phase, in milliseconds of the monotonic clock. */
  readonly since: number;
};

type OpenConnection = { -readonly [Key in keyof Connection]: Connection[Key] } & {
  readonly key: ConnectionKey;
  readonly socket: Socket;
  response?: ServerResponse;
};

/** The two ends of a TCP connection, the same for a TLS socket and the socket below it; otherwise the socket itself. */
type ConnectionKey = string | Socket;

type LimitOptions = {
  readonly clock: Clock;
  /** Called for each evicted connection. */
  readonly onRefusal: (reason: RefusalReason) => void;
};

const CHECK_INTERVAL = 1_000;

/** The open connections of all listeners. */
type Connections = {
  /** Returns the TCP socket of a socket or TLS socket. */
  readonly find: (socket: Socket) => Socket | undefined;
  readonly closeAll: () => void;
};

/** Keeps the connections of all servers together within the limits. Call it before they listen. */
export function limitConnections(
  servers: readonly Server[],
  { clock, onRefusal }: LimitOptions,
): Connections {
  const connections = new Map<ConnectionKey, OpenConnection>();
  const evict = (connection: OpenConnection | undefined, reason: RefusalReason): void => {
    if (connection === undefined) return;
    connections.delete(connection.key);
    // A reset makes the kernel drop unread data. Node resets TCP only.
    if (typeof connection.key === 'string') connection.socket.resetAndDestroy();
    else connection.socket.destroy();
    onRefusal(reason);
  };
  const evictExcess = (): void => {
    while (connections.size > MAX_CONNECTIONS) evict(firstToEvict([...connections.values()]), 'connections');
  };

  const onConnection = (socket: Socket): void => {
    const key = keyOf(socket);
    const address = clientOf(socket.remoteAddress ?? '');
    const connection: OpenConnection = { key, socket, address, phase: 'new', since: clock.monotonic() };
    connections.set(key, connection);
    socket.once('close', () => {
      // A new connection may already have the same ends.
      if (connections.get(key) === connection) connections.delete(key);
    });
    // Requests of new connections are read in the next turn of the event loop; evict after it.
    if (connections.size > MAX_CONNECTIONS) setImmediate(() => setImmediate(evictExcess));
  };
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(keyOf(socket));
    if (connection === undefined) return;
    const enter = (phase: Connection['phase']): void => {
      connection.phase = phase;
      connection.since = clock.monotonic();
    };
    connection.response = response;
    enter('responding');
    response.once('close', () => enter('idle'));
  };
  const stop = every(clock, CHECK_INTERVAL, () => {
    for (const connection of connections.values()) {
      if (waitsForUs(connection)) connection.since = clock.monotonic();
      if (clock.monotonic() - connection.since >= STEP_TIMEOUT) evict(connection, 'slow');
    }
  });
  for (const server of servers) {
    // Several connections are accepted at once, before the excess is evicted.
    server.maxConnections = 2 * MAX_CONNECTIONS;
    server.on('drop', () => onRefusal('connections'));
    server.on('connection', onConnection);
    server.prependListener('request', onRequest);
    server.once('close', stop);
  }
  return {
    find: (socket) => connections.get(keyOf(socket))?.socket,
    closeAll: () => {
      for (const { socket } of connections.values()) socket.destroy();
    },
  };
}

/** Reports whether the client has read everything, and waits for more of a streamed response. */
function waitsForUs({ response }: OpenConnection): boolean {
  return response?.headersSent === true && !response.writableEnded && response.writableLength === 0;
}

function keyOf(socket: Socket): ConnectionKey {
  const { remoteAddress, remotePort, localAddress } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** Phases in the order of eviction. The client of an idle connection has its response already. */
const PHASES: readonly Connection['phase'][] = ['idle', 'new', 'responding'];

function byEviction(one: Connection, other: Connection): number {
  return PHASES.indexOf(one.phase) - PHASES.indexOf(other.phase) || one.since - other.since;
}

/**
 * Chooses the connection to evict, among those of the address with most connections: the one that has been idle longest, else
 * the one that has been without a request longest, else the slowest reader.
 */
export function firstToEvict<Each extends Connection>(connections: readonly Each[]): Each | undefined {
  const counts = new Map<string, number>();
  for (const { address } of connections) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return connections.filter(({ address }) => counts.get(address) === most).toSorted(byEviction)[0];
}
