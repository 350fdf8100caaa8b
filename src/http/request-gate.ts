import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RefusalReason } from '../model/enums.ts';
import { MAX_BODY_BYTES } from './limits.ts';

/*
 * Node parses up to 1,900 requests of a read of 64 kB in one turn of the event loop. So the gate reads the connection, and
 * passes one head at a time to the parser.
 */

/**
 * Lets one request of a connection through at a time. A connection that sends a second request before its response is
 * closed. Node's parser refuses malformed, large and slow requests.
 *
 * @param event of a connection that sends HTTP: with TLS, the end of the handshake
 */
export function gateRequests(
  server: Server,
  event: 'connection' | 'secureConnection',
  onRefusal: (reason: RefusalReason) => void,
): void {
  const responding = new WeakMap<Duplex, ServerResponse>();
  /** Bytes of the body still to come. */
  const missingOf = new WeakMap<ServerResponse, number>();
  server.prependListener('request', ({ socket }, response) => {
    responding.set(socket, response);
    response.once('close', () => responding.delete(socket));
  });
  server.on(event, (socket: Socket) => {
    // Node's parser, which reads from the kernel itself until somebody else listens.
    const [parse] = socket.listeners('data');
    if (parse === undefined) throw new Error('the HTTP server does not listen to its connections');
    socket.removeAllListeners('data');
    // The last bytes of an unfinished head; empty between two requests.
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      let bytes = tail === '' ? withoutEmptyLines(chunk) : chunk;
      if (bytes.length === 0 || !socket.writable) return;
      if (!responding.has(socket)) {
        const text = tail + bytes.toString('latin1');
        const end = END_OF_HEAD.exec(text);
        const length = end === null ? bytes.length : end.index + end[0].length - tail.length;
        tail = end === null ? text.slice(-2) : '';
        Reflect.apply(parse, socket, [bytes.subarray(0, length)]);
        bytes = withoutEmptyLines(bytes.subarray(length));
      }
      if (bytes.length === 0 || !socket.writable) return;
      const response = responding.get(socket);
      const missing = response === undefined ? 0 : (missingOf.get(response) ?? bodyLength(response.req) ?? 0);
      if (response !== undefined && missing > 0) {
        const body = bytes.subarray(0, missing);
        missingOf.set(response, missing - body.length);
        Reflect.apply(parse, socket, [body]);
        bytes = withoutEmptyLines(bytes.subarray(body.length));
        if (bytes.length === 0) return;
      }
      // A body that is too long is never read; the response ends the connection.
      if (response !== undefined && hasBody(response.req.headers)) return;
      onRefusal('pipelined');
      response?.destroy();
      socket.destroy();
    });
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const status = statusOf(code);
    if (status === undefined || responding.has(socket) || !socket.writable) {
      socket.destroy();
      return;
    }
    onRefusal(status === 408 ? 'slow' : 'malformed');
    // An empty response, which repeats nothing of the request.
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
    socket.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
  });
}

/** Some parsers end a line at LF alone. */
const END_OF_HEAD = /\n\r?\n/;

/** Some clients send empty lines before or behind a request. Servers ignore them (RFC 9112, 2.2). */
function withoutEmptyLines(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  return bytes.subarray(first === -1 ? bytes.length : first);
}

/** Returns the length of a body that is read; undefined if it has none that is known, or is too long. */
export function bodyLength({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): number | undefined {
  const length = Number(headers['content-length'] ?? 0);
  const isRead = method === 'POST' && headers['transfer-encoding'] === undefined;
  return isRead && length <= MAX_BODY_BYTES ? length : undefined;
}

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Returns the status of the response to a request that the parser refuses; undefined for an error of the connection. */
function statusOf(code: string): 400 | 408 | 431 | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code.startsWith('HPE_') ? 400 : undefined;
}
