import type { Socket } from 'node:net';
import { addressGroupOf } from './address-group.ts';
import type { Occupant } from './giving-way.ts';

/** The two ends of a connection. The socket that TLS hands out is another one, and has the same ends. */
export type Ends = Partial<Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>>;

/** A connection that is open, and what became of it so far. */
export type OpenConnection = Occupant & {
  readonly address: string;
  readonly socket: Socket;
  /** How many answers are under way. */
  readonly answers: () => number;
  /** A request came; the function returned says that its answer has ended. `onLoss` is called if it can't any more. */
  readonly ask: (now: number, onLoss: () => void) => (now: number) => void;
  /** The connection is gone, and so is whoever waited for an answer. */
  readonly lose: () => void;
};

/** The connections that are open, in the order in which they came. */
export type ConnectionRegister = {
  /** Undefined where the other end is gone already. */
  readonly add: (socket: Socket, now: number) => OpenConnection | undefined;
  readonly remove: (connection: OpenConnection) => void;
  readonly find: (ends: Ends) => OpenConnection | undefined;
  readonly all: () => Iterable<OpenConnection>;
  readonly size: () => number;
  readonly ofAddress: (address: string) => ReadonlySet<OpenConnection>;
};

const NONE: ReadonlySet<OpenConnection> = new Set();

export function createConnectionRegister(): ConnectionRegister {
  const byEnds = new Map<string, OpenConnection>();
  const byAddress = new Map<string, Set<OpenConnection>>();
  const keys = new WeakMap<OpenConnection, string>();
  return {
    add: (socket, now) => {
      const key = keyOf(socket);
      if (key === undefined) return undefined;
      const connection = openConnection(socket, now);
      keys.set(connection, key);
      byEnds.set(key, connection);
      const neighbours = byAddress.get(connection.address) ?? new Set();
      byAddress.set(connection.address, neighbours.add(connection));
      return connection;
    },
    remove: (connection) => {
      const key = keys.get(connection);
      // A new connection between the same ends may have come before the old one was told to be gone.
      if (key !== undefined && byEnds.get(key) === connection) byEnds.delete(key);
      const neighbours = byAddress.get(connection.address);
      neighbours?.delete(connection);
      if (neighbours?.size === 0) byAddress.delete(connection.address);
    },
    find: (ends) => byEnds.get(keyOf(ends) ?? ''),
    all: () => byEnds.values(),
    size: () => byEnds.size,
    ofAddress: (address) => byAddress.get(address) ?? NONE,
  };
}

function openConnection(socket: Socket, now: number): OpenConnection {
  const answers = new Set<{ readonly since: number; readonly onLoss: () => void }>();
  const connection: Omit<OpenConnection, keyof Occupant> & {
    -readonly [Key in keyof Occupant]: Occupant[Key];
  } = {
    socket,
    address: addressGroupOf(socket.remoteAddress ?? ''),
    phase: 'silent',
    since: now,
    answers: () => answers.size,
    ask: (at, onLoss) => {
      const answer = { since: at, onLoss };
      answers.add(answer);
      if (answers.size === 1) connection.since = at;
      connection.phase = 'answering';
      return (endedAt) => {
        answers.delete(answer);
        const [oldest] = answers;
        connection.since = oldest?.since ?? endedAt;
        if (oldest === undefined) connection.phase = 'idle';
      };
    },
    lose: () => {
      for (const { onLoss } of answers) onLoss();
    },
  };
  return connection;
}

/** Undefined where the socket is closed and has no ends any more. */
function keyOf({ remoteAddress, remotePort, localAddress }: Ends): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort} ${localAddress}`;
}
