import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, every } from '../clock.ts';
import type { RefusalReason } from '../model/enums.ts';
import {
  clientAddressOf,
  EVICTION_AGE,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_PER_ADDRESS,
  MAX_REQUESTS_PER_CONNECTION,
  MAX_RESPONSES,
  STEP_TIMEOUT,
} from './limits.ts';

/** A connection that may be evicted. */
export type Connection = {
  /** `silent`: no request yet; `idle`: between two requests; `responding`: a response is under way. */
  readonly phase: 'silent' | 'idle' | 'responding';
  /** Monotonic start of the phase, in milliseconds; of several responses, the start of the oldest. */
  readonly since: number;
};

type OpenConnection = { -readonly [Key in keyof Connection]: Connection[Key] } & {
  readonly key: string;
  readonly socket: Socket;
  readonly address: string;
  /** Responses under way with their start, oldest first. */
  readonly responses: Map<ServerResponse, number>;
};

/** The two ends of a connection. A TLS socket is another object than the socket below it, and has the same ends. */
type Ends = Partial<Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>>;

type LimitOptions = {
  readonly clock: Clock;
  /** Called for each evicted connection and each malformed request. */
  readonly onRefusal: (reason: RefusalReason) => void;
};

const CHECK_INTERVAL = 1_000;

/**
 * Keeps the connections of a server within the limits, with or without TLS. Call it before the server listens.
 */
export function limitConnections(server: Server, { clock, onRefusal }: LimitOptions): void {
  const open = new Map<string, OpenConnection>();
  const find = (ends: Ends): OpenConnection | undefined => open.get(keyOf(ends) ?? '');
  const ofAddress = (address: string): readonly OpenConnection[] =>
    [...open.values()].filter((connection) => connection.address === address);
  const evict = (connection: OpenConnection | undefined, reason: RefusalReason): void => {
    if (connection === undefined) return;
    open.delete(connection.key);
    // A reset makes the kernel drop the data that the client does not read.
    connection.socket.resetAndDestroy();
    onRefusal(reason);
  };
  const isExcess = (address: string): boolean =>
    open.size > MAX_CONNECTIONS || ofAddress(address).length > MAX_CONNECTIONS_PER_ADDRESS;
  const evictExcess = (address: string): void => {
    const now = clock.monotonic();
    for (let own = ofAddress(address); own.length > MAX_CONNECTIONS_PER_ADDRESS; own = ofAddress(address)) {
      evict(firstToEvict(own, now), 'address_connections');
    }
    while (open.size > MAX_CONNECTIONS) evict(firstToEvict(open.values(), now), 'connections');
  };

  // The kernel accepts several connections at once, before any of them is read and the excess is evicted.
  server.maxConnections = 2 * MAX_CONNECTIONS;
  server.on('drop', () => onRefusal('connections'));
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    if (key === undefined) return;
    const address = clientAddressOf(socket.remoteAddress ?? '');
    const connection: OpenConnection = {
      key,
      socket,
      address,
      phase: 'silent',
      since: clock.monotonic(),
      responses: new Map(),
    };
    open.set(key, connection);
    socket.once('close', () => {
      // A new connection with the same ends may be open already.
      if (open.get(key) === connection) open.delete(key);
      // Node emits `close` only for the first response of a pipeline; the others would count for ever.
      for (const response of connection.responses.keys()) response.emit('close');
    });
    // New connections are read in the next turn of the event loop. Evict after it, so that one with a request stays.
    if (isExcess(address)) setImmediate(() => setImmediate(() => evictExcess(address)));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = find(socket);
    if (connection === undefined) return;
    connection.responses.set(response, clock.monotonic());
    updatePhase(connection, clock.monotonic());
    response.once('close', () => {
      connection.responses.delete(response);
      updatePhase(connection, clock.monotonic());
    });
    if (connection.responses.size > MAX_REQUESTS_PER_CONNECTION) evict(connection, 'busy');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & Ends) => {
    const refusal = refusalOfMalformed(error.code ?? '');
    if (refusal !== undefined) onRefusal(refusal.reason);
    // While another response is under way, the client would take this one for a part of it.
    const isResponding = find(socket)?.phase === 'responding';
    if (refusal === undefined || isResponding || !socket.writable) socket.destroy();
    else socket.end(refusal.response, () => socket.destroy());
  });
  const stop = every(clock, CHECK_INTERVAL, () => {
    for (const connection of open.values()) {
      if (clock.monotonic() - connection.since >= STEP_TIMEOUT) evict(connection, 'slow');
    }
  });
  server.once('close', stop);
}

/** Undefined for a socket that is closed already. */
function keyOf({ remoteAddress, remotePort, localAddress }: Ends): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort} ${localAddress}`;
}

function updatePhase(connection: OpenConnection, now: number): void {
  const [oldest] = connection.responses.values();
  connection.phase = oldest === undefined ? 'idle' : 'responding';
  connection.since = oldest ?? now;
}

/** Lowest first. The lowest rank, and within it the longest phase, is evicted; of `new reader` the newest. */
const RANKS = ['silent', 'idle', 'new', 'slow reader', 'new reader'] as const;

/**
 * Chooses the connection to evict: one that has been silent for longer than {@link EVICTION_AGE}; then the longest idle
 * one; then a new silent one; then the slowest reader; else the newest connection.
 */
export function firstToEvict<Each extends Connection>(
  connections: Iterable<Each>,
  now: number,
): Each | undefined {
  let chosen: Each | undefined;
  let best = { rank: Number.POSITIVE_INFINITY, weight: 0 };
  for (const each of connections) {
    const age = now - each.since;
    const rank = RANKS.indexOf(rankOf(each.phase, age > EVICTION_AGE));
    const weight = rank === RANKS.indexOf('new reader') ? -age : age;
    if (rank > best.rank || (rank === best.rank && weight <= best.weight)) continue;
    chosen = each;
    best = { rank, weight };
  }
  return chosen;
}

function rankOf(phase: Connection['phase'], isOld: boolean): (typeof RANKS)[number] {
  switch (phase) {
    case 'silent':
      return isOld ? 'silent' : 'new';
    case 'idle':
      return 'idle';
    case 'responding':
      return isOld ? 'slow reader' : 'new reader';
  }
}

/**
 * Returns the whole response to a malformed request, which repeats nothing of it, and the reason for metrics; undefined if
 * the connection itself failed.
 */
function refusalOfMalformed(
  errorCode: string,
): { readonly response: string; readonly reason: RefusalReason } | undefined {
  if (errorCode === 'ERR_HTTP_REQUEST_TIMEOUT') return { response: emptyResponse(408), reason: 'slow' };
  if (errorCode === 'HPE_HEADER_OVERFLOW') return { response: emptyResponse(431), reason: 'malformed' };
  // HPE_* are the codes of Node's HTTP parser.
  return errorCode.startsWith('HPE_') ? { response: emptyResponse(400), reason: 'malformed' } : undefined;
}

function emptyResponse(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}

/**
 * Limits the responses under way to {@link MAX_RESPONSES}. At the limit, the oldest response is evicted if its reader is
 * slow; otherwise the new one is refused.
 *
 * @returns a function that says if a response may be sent
 */
export function limitResponses({ clock, onRefusal }: LimitOptions): (response: ServerResponse) => boolean {
  const started = new Map<ServerResponse, number>();
  return (response) => {
    const now = clock.monotonic();
    const [oldest] = started;
    if (started.size >= MAX_RESPONSES && oldest !== undefined) {
      onRefusal('busy');
      const [slowest, since] = oldest;
      if (now - since <= EVICTION_AGE) return false;
      started.delete(slowest);
      slowest.destroy();
    }
    started.set(response, now);
    response.once('close', () => started.delete(response));
    return true;
  };
}
