import { connect, type Socket } from 'node:net';
import { sleep } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/** Reads expositions over connections that it keeps, as Prometheus does, and does nothing with them. */
const sockets = new Map<number, Socket>();

const REQUEST =
  'GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nUser-Agent: bench\r\n\r\n';

function socketTo(port: number): Socket {
  const known = sockets.get(port);
  if (known !== undefined && !known.destroyed) return known;
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  // Closed by the server while it was idle; the next scrape opens another one.
  socket.on('error', () => socket.destroy());
  sockets.set(port, socket);
  return socket;
}

/** Milliseconds from the request to the last byte of the body, and the length of the body. */
function scrapeOnce(port: number): Promise<readonly [milliseconds: number, bytes: number]> {
  const socket = socketTo(port);
  return new Promise((resolve, reject) => {
    let head = '';
    let missing = Number.POSITIVE_INFINITY;
    let length = 0;
    const onData = (chunk: Buffer): void => {
      let bytes = chunk.length;
      if (missing === Number.POSITIVE_INFINITY) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, end)));
        length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        missing = length;
        bytes = head.length - end - 4;
      }
      missing -= bytes;
      if (missing > 0) return;
      socket.off('data', onData);
      socket.off('error', reject);
      resolve([performance.now() - startedAt, length]);
    };
    socket.on('data', onData);
    socket.once('error', reject);
    const startedAt = performance.now();
    socket.write(REQUEST);
  });
}

handleRequests({
  /** One scrape after the other, with gaps in between; milliseconds of each. */
  scrape: async (port = 0, count = 1, gap = 0) => {
    const times: number[] = [];
    for (let scrape = 0; scrape < count; scrape += 1) {
      await sleep(gap);
      const [milliseconds] = await scrapeOnce(port);
      times.push(milliseconds);
    }
    return times;
  },
  /** Connections that ask and never read. */
  hang: async (port = 0, count = 1) => {
    for (let each = 0; each < count; each += 1) {
      // From many addresses, since the listener bounds what one of them may hold.
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (each % 100)}` });
      socket.on('error', () => {});
      socket.pause();
      socket.write(REQUEST);
    }
    await sleep(100);
    return [];
  },
});
