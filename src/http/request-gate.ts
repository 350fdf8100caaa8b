import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RefusalReason } from '../model/enums.ts';

/** Maximum number of empty lines in one read of a connection. A request has one. */
const MAX_EMPTY_LINES = 8;

/**
 * Closes connections that send a second request before the response. Node's parser rejects malformed, large and slow requests.
 *
 * @param event start of HTTP on a connection: with TLS, the end of the handshake
 */
export function gateRequests(
  server: Server,
  event: 'connection' | 'secureConnection',
  onRefusal: (reason: RefusalReason) => void,
): void {
  const responding = new WeakMap<Duplex, ServerResponse>();
  const refuse = (socket: Duplex): void => {
    if (socket.destroyed) return;
    onRefusal('pipelined');
    responding.get(socket)?.destroy();
    socket.destroy();
  };
  server.prependListener('request', ({ socket }, response) => {
    if (responding.has(socket)) return refuse(socket);
    responding.set(socket, response);
    response.once('close', () => responding.delete(socket));
  });
  server.on(event, (socket: Socket) => {
    socket.prependListener('data', (bytes: Buffer) => {
      if (!hasManyRequests(bytes)) return;
      // Node's parser gets these bytes next, and would block the event loop with up to 1,900 requests.
      bytes.fill(0);
      refuse(socket);
    });
  });
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const status = statusOf(code);
    if (status === undefined || responding.has(socket) || !socket.writable) {
      socket.destroy();
      return;
    }
    onRefusal(status === 408 ? 'slow' : 'malformed');
    const text = status === 431 ? TOO_LARGE : '';
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
    socket.end(`${head}\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`, () =>
      socket.destroy(),
    );
  });
}

const TOO_LARGE = 'the headers are larger than 32 kB: delete the cookies of this site\n';

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
