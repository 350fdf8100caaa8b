import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RefusalReason } from '../model/enums.ts';
import { MAX_HEAD_BYTES } from './limits.ts';

/*
 * Node parses all requests of a read of 64 kB in one turn of the event loop: 1,900 of them, which nothing can stop. So the
 * gate reads the connection, and passes the parser one whole head at a time.
 */

/**
 * Lets one request of a connection through at a time. A malformed one gets 400 or 431. A connection that sends a second
 * request before its response is closed.
 *
 * @param event of a connection that sends HTTP: with TLS, the end of the handshake
 */
export function gateRequests(
  server: Server,
  event: 'connection' | 'secureConnection',
  onRefusal: (reason: RefusalReason) => void,
): void {
  const responding = new WeakSet<Duplex>();
  server.prependListener('request', ({ socket }, response) => {
    responding.add(socket);
    response.once('close', () => responding.delete(socket));
  });
  const closePipelined = (socket: Socket): void => {
    onRefusal('pipelined');
    socket.destroy();
  };
  server.on(event, (socket: Socket) => {
    // Node's parser, which reads from the kernel itself until somebody else listens.
    const [parse] = socket.listeners('data');
    if (parse === undefined) throw new Error('the HTTP server does not listen to its connections');
    socket.removeAllListeners('data');
    let head: Buffer = Buffer.alloc(0);
    let hasBody = false;
    socket.on('data', (chunk: Buffer) => {
      // Bodies are never read; the response ends the connection.
      if (hasBody || socket.destroyed) return;
      const bytes = withoutEmptyLines(head.length === 0 ? chunk : Buffer.concat([head, chunk]));
      if (bytes.length === 0) return;
      const end = bytes.indexOf(END_OF_HEAD);
      const isWhole = end !== -1 && end <= MAX_HEAD_BYTES;
      head = bytes.subarray(0, isWhole ? end + END_OF_HEAD.length : MAX_HEAD_BYTES);
      const text = head.toString('latin1');
      hasBody = isWhole && HAS_BODY.test(text);
      if (responding.has(socket)) return closePipelined(socket);
      const status = isMalformed(text) ? 400 : !isWhole && bytes.length > MAX_HEAD_BYTES ? 431 : undefined;
      if (status !== undefined) {
        onRefusal('malformed');
        return refuse(socket, status);
      }
      if (!isWhole) return;
      if (!hasBody && withoutEmptyLines(bytes.subarray(head.length)).length > 0)
        return closePipelined(socket);
      const request = head;
      head = Buffer.alloc(0);
      Reflect.apply(parse, socket, [request]);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { code = '' } = error;
    const isSlow = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // HPE_* are the codes of Node's HTTP parser; other errors are those of the connection.
    if ((!isSlow && !code.startsWith('HPE_')) || !socket.writable) {
      socket.destroy();
      return;
    }
    onRefusal(isSlow ? 'slow' : 'malformed');
    refuse(socket, isSlow ? 408 : 400);
  });
}

/** Some clients send empty lines before or behind a request. Servers ignore them (RFC 9112, 2.2). */
function withoutEmptyLines(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  return bytes.subarray(first === -1 ? bytes.length : first);
}

const END_OF_HEAD = '\r\n\r\n';

const HAS_BODY = /^(?:transfer-encoding:|content-length:[ \t]*0*[1-9])/im;

const REQUEST_LINE = /^[A-Z-]+ [!-~\x80-\xff]+ HTTP\/1\.[01]\r$/;
const START_OF_REQUEST_LINE = /^[A-Z-]*(?: |$)/;
const HOST = /^host:[ \t]*(.*?)[ \t]*\r$/gim;

/** RFC 3986, 3.2: a name or address, with a port. */
const VALID_HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i;

/** Tests the beginning of a request for what Node's parser accepts, and servers in front of this one may read otherwise. */
function isMalformed(head: string): boolean {
  const end = head.indexOf('\n');
  if (end === -1) return !START_OF_REQUEST_LINE.test(head);
  const hosts = Array.from(head.matchAll(HOST), ([, host = '']) => host);
  return (
    !REQUEST_LINE.test(head.slice(0, end)) ||
    /(?<!\r)\n/.test(head) ||
    hosts.length > 1 ||
    !hosts.every((host) => VALID_HOST.test(host))
  );
}

/** Sends an empty response, which repeats nothing of the request, and closes the connection. */
function refuse(socket: Duplex, status: 400 | 408 | 431): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  socket.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
