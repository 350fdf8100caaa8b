import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from '../../src/base/clock.ts';

/** A message as it came in, at a time: by HTTP to a path, or by mail with the path `mail`. */
export type Message = { readonly at: number; readonly path: string; readonly body: string };

/** A server on loopback that takes every message and keeps it. */
export type Inbox = {
  readonly port: number;
  readonly messages: readonly Message[];
  readonly close: () => Promise<void>;
};

/** Takes what Slack, Telegram and a webhook would take. */
export async function openHttpInbox(): Promise<Inbox> {
  const messages: Message[] = [];
  const server = createHttpServer(async (request, response) => {
    messages.push({ at: systemClock.now(), path: request.url ?? '', body: await text(request) });
    // What Telegram answers: Alertmanager 0.25 dies of a chat that is missing. Nobody else reads it.
    response
      .setHeader('content-type', 'application/json')
      .end('{"ok":true,"result":{"message_id":1,"chat":{"id":1}}}');
  });
  return opened(server, messages);
}

/** A proxy that takes the requests for every host itself, by a certificate of its own. What they say is in the query. */
export async function openProxyInbox(certificate: {
  readonly key: string;
  readonly cert: string;
}): Promise<Inbox> {
  const messages: Message[] = [];
  const server = createHttpsServer(certificate, async (request, response) => {
    await text(request);
    const [path = '', body = ''] = (request.url ?? '').split('?');
    messages.push({ at: systemClock.now(), path, body });
    response.setHeader('content-type', 'application/json').end('{"status":1}');
  });
  const proxy = createHttpServer().on('connect', (_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    server.emit('connection', socket);
  });
  return opened(proxy, messages);
}

/** Takes mail, as far as one sender without encryption needs it (RFC 5321). */
export async function openMailInbox(): Promise<Inbox> {
  const messages: Message[] = [];
  const server = createTcpServer((socket) =>
    receiveMail(socket, (body) => messages.push({ at: systemClock.now(), path: 'mail', body })),
  );
  return opened(server, messages);
}

function receiveMail(socket: Socket, received: (body: string) => void): void {
  let pending = '';
  let isBody = false;
  socket.setEncoding('utf8').on('data', (piece: string) => {
    pending += piece;
    const end = isBody ? '\r\n.\r\n' : '\r\n';
    for (let at = pending.indexOf(end); at !== -1; at = pending.indexOf(end)) {
      const line = pending.slice(0, at);
      pending = pending.slice(at + end.length);
      if (isBody) received(line);
      isBody = !isBody && /^DATA$/i.test(line);
      socket.write(isBody ? '354 go on\r\n' : /^QUIT$/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
      if (isBody) return;
    }
  });
  socket.on('error', () => socket.destroy());
  socket.write('220 inbox\r\n');
}

async function opened(server: Server, messages: readonly Message[]): Promise<Inbox> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server);
  return {
    port,
    messages,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('An inbox has no port.');
  return address;
}
