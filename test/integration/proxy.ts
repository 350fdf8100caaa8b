import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from './api-client.ts';

/**
 * A proxy that connects whoever asks, or answers all with a status; what it heard and what passed through it. `instead` is a
 * port of this machine to connect to, whatever is asked for.
 */
export async function serveProxy(refusal?: number, instead?: number) {
  const asked: string[] = [];
  const passed: Buffer[] = [];
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push([url, headers['proxy-authorization']].filter(Boolean).join(' '));
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(instead ?? Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket
        .on('data', (chunk) => passed.push(chunk))
        .pipe(upstream)
        .pipe(socket);
    });
    for (const end of [socket, upstream]) end.on('error', () => {}).on('close', () => upstream.destroy());
  });
  const port = await listen(server);
  return { port, asked, passed: () => Buffer.concat(passed).toString('latin1') };
}
