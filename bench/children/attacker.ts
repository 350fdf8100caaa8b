import { connect, type Socket } from 'node:net';
import { answerQuestions } from './answers.ts';

/*
 * Attacks a listener from many addresses of this machine. Parameter: the port of the listener.
 */

const port = Number(process.argv[2]);

/** Whoever is thrown out comes back after so many milliseconds. */
const RETURN_MILLISECONDS = 1_000;
const TRICKLE_MILLISECONDS = 1_000;
const BURST_MILLISECONDS = 10;

/** A flood waits while so many of its connections are open, or it would drown the machine before the listener. */
const MOST_FLOODING = 500;

const REQUEST = 'GET /metrics HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n\r\n';
const PLAIN_REQUEST = 'GET /metrics HTTP/1.1\r\nHost: bench\r\n\r\n';
const GARBAGE = '\u0016\u0003\u0001 no HTTP at all\r\n\r\n';
const WRONG_PASSWORD = 'GET /metrics HTTP/1.1\r\nHost: bench\r\nConnection: close\r\nAuthorization: Basic ';

let attacking = true;
let connections = 0;

/** Addresses 127.0.`network`.1 and so on; with network 0 only the one that everybody else has too. */
function addressOf(network: number, addresses: number, index: number): string {
  return network === 0 ? '127.0.0.1' : `127.0.${network}.${1 + (index % addresses)}`;
}

function dial(localAddress: string): Socket {
  connections += 1;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  return socket;
}

/** Keeps so many connections open, as far as it is let. */
function occupy(
  count: number,
  network: number,
  addresses: number,
  begin: (socket: Socket, index: number) => void,
): void {
  const hold = (index: number): void => {
    if (!attacking) return;
    const socket = dial(addressOf(network, addresses, index));
    begin(socket, index);
    socket.once('close', () => setTimeout(() => hold(index), RETURN_MILLISECONDS));
  };
  for (let index = 0; index < count; index += 1) hold(index);
}

/** Makes so many connections in each second, as far as the machine can. */
function flood(
  perSecond: number,
  network: number,
  addresses: number,
  begin: (socket: Socket, index: number) => void,
): void {
  let [made, open, due, lookedAt] = [0, 0, 0, performance.now()];
  const timer = setInterval(() => {
    if (!attacking) clearInterval(timer);
    const now = performance.now();
    // What could not be made in time is not made up for.
    due = Math.min(due + ((now - lookedAt) / 1000) * perSecond, perSecond);
    lookedAt = now;
    for (; attacking && due >= 1 && open < MOST_FLOODING; due -= 1) {
      const socket = dial(addressOf(network, addresses, made));
      made += 1;
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      begin(socket, made);
    }
  }, BURST_MILLISECONDS);
}

answerQuestions({
  /** Connections that never end their header. */
  slowloris: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket) => {
      socket.write('GET /metrics HTTP/1.1\r\nHost: bench\r\n');
      const timer = setInterval(() => socket.write('X: y\r\n'), TRICKLE_MILLISECONDS);
      socket.once('close', () => clearInterval(timer));
      socket.resume();
    });
    return [];
  },
  /** Connections that ask and never read; every fourth asks for text that is not compressed. */
  slowReaders: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket, index) => {
      socket.pause();
      socket.write(index % 4 === 0 ? PLAIN_REQUEST : REQUEST);
    });
    return [];
  },
  garbage: (perSecond = 0, network = 0, addresses = 1) => {
    flood(perSecond, network, addresses, (socket) => {
      socket.write(GARBAGE);
      socket.resume();
    });
    return [];
  },
  /** Never the same one twice. */
  wrongPasswords: (perSecond = 0, network = 0, addresses = 1) => {
    flood(perSecond, network, addresses, (socket, index) => {
      const login = Buffer.from(`bench:wrong-${index}`).toString('base64');
      socket.write(`${WRONG_PASSWORD}${login}\r\n\r\n`);
      socket.resume();
    });
    return [];
  },
  /** How many connections were made until now. */
  connections: () => [connections],
  /** Makes no more connections, and leaves those that there are as they are. */
  cease: () => {
    attacking = false;
    return [];
  },
});
