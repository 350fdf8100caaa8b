import { ENDPOINTS } from '../../model/endpoint.ts';
import { headOf, honestHead, type Message } from '../message.ts';
import { type Fault, faultsOf, type Wire } from './fault.ts';

/**
 * How long a reset waits after bytes were written, so that they were read before it. To a client on libuv, bytes and a
 * reset that arrive together look like an orderly end.
 */
const FLUSH_MILLISECONDS = 20;

const whole = (message: Message) => Buffer.concat([Buffer.from(honestHead(message)), message.body]);

/** The head and the first half of the body. */
const firstHalf = (message: Message) => {
  const head = Buffer.from(honestHead(message));
  return Buffer.concat([head, message.body.subarray(0, message.body.length >> 1)]);
};

function resetAfter({ socket, after }: Wire, bytes: Buffer): void {
  socket.write(bytes, () => after(FLUSH_MILLISECONDS, () => socket.resetAndDestroy()));
}

/** Writes so many bytes at a time, with a pause after each, and then ends the connection. */
function drip({ socket, after }: Wire, bytes: Buffer, size: number, pauseMilliseconds: number): void {
  const writeFrom = (offset: number) => {
    if (socket.destroyed) return;
    if (offset >= bytes.length) {
      socket.end();
      return;
    }
    socket.write(bytes.subarray(offset, offset + size));
    after(pauseMilliseconds, () => writeFrom(offset + size));
  };
  writeFrom(0);
}

/** Writes byte by byte, each as soon as the one before has left, so that each is a packet of its own. */
function slice({ socket }: Wire, bytes: Buffer): void {
  socket.setNoDelay(true);
  const writeFrom = (offset: number) => {
    if (socket.destroyed) return;
    if (offset >= bytes.length) socket.end();
    else socket.write(bytes.subarray(offset, offset + 1), () => writeFrom(offset + 1));
  };
  writeFrom(0);
}

/** Connections that hang, crawl or break. */
export const SOCKET_FAULTS: readonly Fault[] = faultsOf('socket', ENDPOINTS, [
  { name: 'hang', description: 'the request is read and never answered', onSocket: () => {} },
  {
    name: 'trickle',
    description: 'the body comes at one byte per 200 ms',
    onSocket: (wire, message) => {
      wire.socket.write(honestHead(message));
      drip(wire, message.body, 1, 200);
    },
  },
  {
    name: 'slow-body',
    description: 'the whole answer comes at 1 kB/s',
    onSocket: (wire, message) => drip(wire, whole(message), 100, 100),
  },
  {
    name: 'one-byte-packets',
    description: 'the whole answer comes at full speed, byte by byte',
    onSocket: (wire, message) => slice(wire, whole(message)),
  },
  {
    name: 'reset-before-headers',
    description: 'a TCP reset instead of an answer',
    onSocket: ({ socket }) => {
      socket.resetAndDestroy();
    },
  },
  {
    name: 'reset-after-headers',
    description: 'a TCP reset after the headers',
    onSocket: (wire, message) => resetAfter(wire, Buffer.from(honestHead(message))),
  },
  {
    name: 'reset-mid-body',
    description: 'a TCP reset after half of the body',
    onSocket: (wire, message) => resetAfter(wire, firstHalf(message)),
  },
  {
    name: 'close-before-headers',
    description: 'the connection is closed in an orderly way instead of an answer',
    onSocket: ({ socket }) => {
      socket.end();
    },
  },
  {
    name: 'close-mid-body',
    description: 'the connection is closed in an orderly way after half of the body',
    onSocket: ({ socket }, message) => {
      socket.end(firstHalf(message));
    },
  },
  {
    name: 'close-after-answer',
    description: 'a good answer that promises keep-alive, on a connection that is closed at once',
    onSocket: ({ socket }, message) => {
      const head = headOf(message, ['connection: keep-alive', `content-length: ${message.body.length}`]);
      socket.end(Buffer.concat([Buffer.from(head), message.body]));
    },
  },
]);
