import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, every } from '../clock.ts';
import type { RefusalReason } from '../model/refusal.ts';
import {
  type ConnectionRegister,
  createConnectionRegister,
  type Ends,
  type OpenConnection,
} from './connection-register.ts';
import { firstToGiveWay } from './giving-way.ts';
import type { ConnectionLimits } from './limits.ts';
import { answerToMalformed } from './malformed.ts';

export type GuardOptions = {
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  /** Told of each connection that is cut off, and of each that brought no HTTP. */
  readonly onRefusal: (reason: RefusalReason) => void;
};

/** How often connections are looked at whether they take too long, in milliseconds. */
const LOOK_MILLISECONDS = 1_000;

/** The system accepts no more than these, as a multiple of the limit, until some of them were heard. */
const MOST_UNHEARD = 2;

/** What is used of a request and its answer, whatever version of HTTP they came in. */
type Request = { readonly socket: Ends };
type Answer = {
  readonly once: (event: 'close', listener: () => void) => unknown;
  readonly emit: (event: 'close') => unknown;
};

type Cut = (connection: OpenConnection, reason: RefusalReason) => void;

/**
 * Keeps the connections of a listener within limits, whatever is spoken on them: HTTP or HTTPS. It has to be put
 * in place before the server listens, and ends with it.
 */
export function guardConnections(server: Server, options: GuardOptions): void {
  const { limits, clock, onRefusal } = options;
  const register = createConnectionRegister();
  const cut: Cut = (connection, reason) => {
    register.remove(connection);
    // With a reset, the system drops what it still holds for the other end.
    connection.socket.resetAndDestroy();
    onRefusal(reason);
  };
  watchArrivals(server, options, register, cut);
  server.prependListener('request', (request: Request, answer: Answer) => {
    const connection = register.find(request.socket);
    if (connection === undefined) return;
    // Node tells this only to the answer whose turn it is, and those behind it would wait for ever.
    const end = connection.ask(clock.monotonic(), () => answer.emit('close'));
    answer.once('close', () => end(clock.monotonic()));
    if (connection.answers() > limits.requestsPerConnection) cut(connection, 'busy');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & Ends) => {
    const malformed = answerToMalformed(error.code ?? '');
    if (malformed !== undefined) onRefusal(malformed.reason);
    // In the midst of an answer to an earlier request, another one would be taken for a part of it.
    const isAnswering = (register.find(socket)?.answers() ?? 0) > 0;
    if (malformed === undefined || isAnswering || !socket.writable) socket.destroy();
    else socket.end(malformed.answer, () => socket.destroy());
  });
  const stop = every(clock, LOOK_MILLISECONDS, () => {
    const now = clock.monotonic();
    for (const connection of register.all()) {
      if (now - connection.since >= limits.stepMilliseconds) cut(connection, 'slow');
    }
  });
  server.once('close', stop);
}

/**
 * A connection that is one too many counts only after it was heard: all that come in one turn of the event loop are
 * accepted before any of them is read, and the honest among them would be turned away for those that never speak.
 */
function watchArrivals(
  server: Server,
  { limits, clock, onRefusal }: GuardOptions,
  register: ConnectionRegister,
  cut: Cut,
): void {
  const cutFirst = (among: Iterable<OpenConnection>, reason: RefusalReason): void => {
    const first = firstToGiveWay(among, clock.monotonic(), limits.patienceMilliseconds);
    if (first !== undefined) cut(first, reason);
  };
  const makeRoom = (address: string): void => {
    while (register.ofAddress(address).size > limits.perAddress) {
      cutFirst(register.ofAddress(address), 'address_connections');
    }
    while (register.size() > limits.all) cutFirst(register.all(), 'connections');
  };
  server.maxConnections = MOST_UNHEARD * limits.all;
  server.on('drop', () => onRefusal('connections'));
  server.on('connection', (socket: Socket) => {
    const connection = register.add(socket, clock.monotonic());
    if (connection === undefined) return;
    socket.once('close', () => {
      register.remove(connection);
      connection.lose();
    });
    const { address } = connection;
    if (register.ofAddress(address).size <= limits.perAddress && register.size() <= limits.all) return;
    // They are read in the next turn, so it is the one after that in which all have been heard.
    setImmediate(() => setImmediate(() => makeRoom(address)));
  });
}
