import { connect, type Socket } from 'node:net';
import { handleRequests } from './handlers.ts';

/*
 * Attacks a listener from many addresses of this machine. Parameter: the port of the listener.
 */

const port = Number(process.argv[2]);

/** An evicted client reconnects after this time. */
const RECONNECT_MILLISECONDS = 1_000;
const TRICKLE_MILLISECONDS = 1_000;
const BURST_MILLISECONDS = 10;

/** Maximum number of open connections of a flood, so that the machine is not the bottleneck. */
const MAX_FLOOD_CONNECTIONS = 500;

const REQUEST = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n';
const PLAIN_REQUEST = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** More than a read of 64 kB. */
const PIPELINE = PLAIN_REQUEST.repeat(1_700);
const WRONG_PASSWORD =
  'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Basic ';

/** Returns an address of 127.0.`network`.0/24; with network 0, 127.0.0.1. */
function addressOf(network: number, addresses: number, index: number): string {
  return network === 0 ? '127.0.0.1' : `127.0.${network}.${1 + (index % addresses)}`;
}

function dial(localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  return socket;
}

/** Keeps so many connections open, as far as the server allows. */
function occupy(
  count: number,
  network: number,
  addresses: number,
  begin: (socket: Socket, index: number) => void,
): void {
  const hold = (index: number): void => {
    const socket = dial(addressOf(network, addresses, index));
    begin(socket, index);
    socket.once('close', () => setTimeout(() => hold(index), RECONNECT_MILLISECONDS));
  };
  for (let index = 0; index < count; index += 1) hold(index);
}

/** Opens so many connections a second, as far as the machine allows. */
function flood(
  perSecond: number,
  network: number,
  addresses: number,
  begin: (socket: Socket, index: number) => void,
): void {
  let [made, open, due, lookedAt] = [0, 0, 0, performance.now()];
  setInterval(() => {
    const now = performance.now();
    // Connections that are late by more than a second are skipped.
    due = Math.min(due + ((now - lookedAt) / 1000) * perSecond, perSecond);
    lookedAt = now;
    for (; due >= 1 && open < MAX_FLOOD_CONNECTIONS; due -= 1) {
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

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Returns the length of a response with its head, which its first piece holds; infinite without a Content-Length. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1');
  const end = head.indexOf('\r\n\r\n') + 4;
  return end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY);
}

handleRequests({
  /** Connections that never complete their header. */
  slowloris: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket) => {
      socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n');
      const timer = setInterval(() => socket.write('X: y\r\n'), TRICKLE_MILLISECONDS);
      socket.once('close', () => clearInterval(timer));
      socket.resume();
    });
    return [];
  },
  /** Connections that send a request and never read; every fourth requests text without gzip. */
  slowReaders: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket, index) => {
      socket.pause();
      socket.write(index % 4 === 0 ? PLAIN_REQUEST : REQUEST);
    });
    return [];
  },
  /** Connections that send 64 kB of requests at once, and read what comes. */
  pipelining: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket) => {
      socket.write(PIPELINE);
      socket.resume();
    });
    return [];
  },
  /** Connections that request, read, and request again. */
  readers: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket) => {
      let missing = 0;
      socket.write(REQUEST);
      socket.on('data', (chunk) => {
        if (missing === 0) missing = lengthOf(chunk);
        missing -= chunk.length;
        if (missing <= 0 || (missing === Number.POSITIVE_INFINITY && chunk.subarray(-5).equals(LAST_CHUNK))) {
          missing = 0;
          socket.write(REQUEST);
        }
      });
    });
    return [];
  },
  /** Connections that never send anything. */
  idle: (count = 0, network = 0, addresses = 1) => {
    occupy(count, network, addresses, (socket) => socket.resume());
    return [];
  },
  /** A different password each time. */
  wrongPasswords: (perSecond = 0, network = 0, addresses = 1) => {
    flood(perSecond, network, addresses, (socket, index) => {
      const login = Buffer.from(`bench:wrong-${index}`).toString('base64');
      socket.write(`${WRONG_PASSWORD}${login}\r\n\r\n`);
      socket.resume();
    });
    return [];
  },
});
