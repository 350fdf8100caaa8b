import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { isCrossSite } from './cross-site.ts';
import { type Reply, textReply } from './reply.ts';
import type { Route } from './routes.ts';

/** The path by which an answer is counted that belongs to none of ours. */
export const OTHER_PATH = 'other';

/** Milliseconds and sizes that end a connection whose other end sends or reads too slowly. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 8 * 1024,
} as const;

/** A socket on which nothing moves for this many milliseconds while an answer is being sent is closed. */
const IDLE_SOCKET_MILLISECONDS = 10_000;

/** How long answers under way may take after `close`, in milliseconds. */
const CLOSE_GRACE_MILLISECONDS = 800;

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'",
} as const;

export type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly routes: ReadonlyMap<string, Route>;
  /** Told of every answer: the path if it is one of ours, else {@link OTHER_PATH}. */
  readonly onAnswer: (path: string, status: number) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** A listener that is up. */
export type Server = {
  /** The address to open, with the port that was given. */
  readonly url: string;
  /** Takes no more connections, lets answers under way be sent, and resolves when all sockets are closed. */
  readonly close: () => Promise<void>;
};

/** Rejects with the error of `listen` (EADDRINUSE, EACCES …) if the address cannot be had. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const server = createServer(LIMITS, (request, response) => void answer(options, request, response));
  server.timeout = IDLE_SOCKET_MILLISECONDS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  tellOfAccepting(server, options.log);
  return {
    url: urlOf(server.address(), options.host),
    close: () =>
      new Promise((resolve) => {
        const cancel = options.clock.after(CLOSE_GRACE_MILLISECONDS, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** A listener goes on after an error (EMFILE as a rule); each connection until the next good one would tell of it. */
function tellOfAccepting(server: HttpServer, log: Log): void {
  let failing = false;
  server.on('error', (error) => {
    if (!failing) log.error({ error }, 'connections cannot be accepted');
    failing = true;
  });
  server.on('connection', () => {
    if (failing) log.info({}, 'connections are accepted again');
    failing = false;
  });
}

async function answer(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const route = options.routes.get(path);
  const reply = await replyTo(options, route, request);
  options.onAnswer(route === undefined ? OTHER_PATH : path, reply.status);
  response.writeHead(reply.status, { ...SECURITY_HEADERS, ...reply.headers, 'content-length': reply.length });
  if (request.method === 'HEAD') response.end();
  else send(response, reply.content());
}

async function replyTo(
  options: ServerOptions,
  route: Route | undefined,
  request: IncomingMessage,
): Promise<Reply> {
  if (route === undefined) return textReply(404, 'not found');
  const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
  if (!methods.includes(request.method ?? '')) {
    const allow = methods.join(', ');
    return textReply(405, `the methods taken here: ${allow}`, { allow });
  }
  if (route.method !== 'GET' && isCrossSite(request.headers)) {
    return textReply(403, 'a page of another site may not ask for this');
  }
  try {
    return await route.answer({ acceptEncoding: request.headers['accept-encoding']?.toString() });
  } catch (error) {
    options.log.error({ error }, 'a request could not be answered: this is a bug');
    return textReply(500, 'internal error');
  }
}

/** Buffers are handed over as they are, in one turn; a stream goes at the pace of the reader. */
function send(response: ServerResponse, content: readonly Buffer[] | Readable): void {
  if (content instanceof Readable) {
    // The reader may leave at any time; there is nobody left to tell.
    pipeline(content, response, () => {});
    return;
  }
  response.cork();
  for (const chunk of content) response.write(chunk);
  response.end();
  response.uncork();
}

function urlOf(address: string | AddressInfo | null, host: string): string {
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
