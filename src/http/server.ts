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
import type { RefusalReason } from '../model/refusal.ts';
import { addressGroupOf } from './address-group.ts';
import { type Admission, createAdmission, endsConnection } from './admission.ts';
import { guardConnections } from './connections.ts';
import { isCrossSite } from './cross-site.ts';
import type { Passage } from './gate.ts';
import {
  ANSWER_LIMITS,
  BACKLOG,
  CONNECTION_LIMITS,
  IDLE_SOCKET_MILLISECONDS,
  NODE_LIMITS,
} from './limits.ts';
import { type Reply, textReply } from './reply.ts';
import type { Route } from './routes.ts';
import { secureServer } from './tls.ts';
import type { Web } from './web.ts';

/** The path by which an answer is counted that belongs to none of ours. */
export const OTHER_PATH = 'other';

/** How long answers under way may take after `close`, in milliseconds. */
const CLOSE_GRACE_MILLISECONDS = 800;

const BUG = 'a request could not be answered: this is a bug';

/** A route may say otherwise for itself. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly routes: ReadonlyMap<string, Route>;
  /** Told of every answer: the path if it is one of ours, else {@link OTHER_PATH}. */
  readonly onAnswer: (path: string, status: number) => void;
  /** Told of each request that is refused and each connection that is cut off to keep within the limits. */
  readonly onRefusal: (reason: RefusalReason) => void;
  /** What a web configuration file demands; without it, plain HTTP for everyone. */
  readonly web?: Web | undefined;
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
  const admission = createAdmission({ ...options, limits: ANSWER_LIMITS });
  const server = createServer(NODE_LIMITS, (request, response) => {
    answer(options, admission, request, response).catch((error: unknown) => {
      options.log.error({ error }, BUG);
      response.destroy();
    });
  });
  server.timeout = IDLE_SOCKET_MILLISECONDS;
  const tls = options.web?.tls;
  const secure = tls && secureServer(server, tls, options.log);
  guardConnections(server, { ...options, limits: CONNECTION_LIMITS });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, BACKLOG, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  tellOfAccepting(server, options.log);
  return {
    url: `${secure === undefined ? 'http' : 'https'}://${placeOf(server.address(), options.host)}`,
    close: () =>
      new Promise((resolve) => {
        const cancel = options.clock.after(CLOSE_GRACE_MILLISECONDS, () => {
          server.closeAllConnections();
          secure?.destroy();
        });
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
  admission: Admission,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const route = options.routes.get(path);
  let isGone = false;
  response.once('close', () => {
    isGone = true;
  });
  const { refusal, headers } = await passageOf(options, request);
  // Whoever left meanwhile would take a place that nobody gives back.
  if (isGone) return;
  const reply = refusal ?? admission(request, response) ?? (await replyTo(options, route, request));
  options.onAnswer(route === undefined ? OTHER_PATH : path, reply.status);
  // The length of "not modified" would be that of what is not sent (RFC 9110, 8.6).
  const length = reply.status === 304 ? {} : { 'content-length': reply.length };
  const connection = endsConnection(request, reply.status) ? { connection: 'close' } : {};
  const own = { ...SECURITY_HEADERS, ...reply.headers, ...headers };
  response.writeHead(reply.status, { ...own, ...length, ...connection });
  if (request.method === 'HEAD') response.end();
  else send(response, reply.content());
}

/** Before anything is given away, answers under way included: what a flood of wrong passwords may take is its own. */
async function passageOf({ web }: ServerOptions, { headers, socket }: IncomingMessage): Promise<Passage> {
  if (web === undefined) return { refusal: undefined, headers: {} };
  const client = addressGroupOf(socket.remoteAddress ?? '');
  return web.gate({ authorization: headers.authorization, client });
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
    return await route.answer({
      acceptEncoding: request.headers['accept-encoding']?.toString(),
      ifNoneMatch: request.headers['if-none-match'],
      query: new URLSearchParams((request.url ?? '').split('?').slice(1).join('?')),
    });
  } catch (error) {
    options.log.error({ error }, BUG);
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

function placeOf(address: string | AddressInfo | null, host: string): string {
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
