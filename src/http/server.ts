import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import { type Clock, every } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { hostAndPort, isLoopback } from '../config/values.ts';
import type { RefusalReason } from '../model/enums.ts';
import { languageOf, speaking } from '../text/say.ts';
import { limitConnections } from './connections.ts';
import { BACKLOG, MAX_BODY_BYTES, MAX_URL_LENGTH, NODE_LIMITS, PACED_WRITE_BYTES } from './limits.ts';
import { isCrossSite } from './permission.ts';
import { type Reply, type Route, textReply } from './reply.ts';
import { listenOnSocket, type OwnSocket } from './unix-socket.ts';
import type { WebAccess } from './web-config/access.ts';
import { createHttpsServer } from './web-config/tls.ts';

/** Label value for requests to a path without a route. */
const OTHER_PATH = 'other';

/** Maximum time for responses in progress after `close`, in milliseconds. */
const CLOSE_GRACE_MILLISECONDS = 800;

const BUG = 'a request failed: this is a bug';

/** Headers of every response; a route may set its own values. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
} as const;

const POLICY = 'content-security-policy';

/** The policy of responses without one of their own. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'";

type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly routes: ReadonlyMap<string, Route>;
  /** Called for each response with the path of its route, or {@link OTHER_PATH}. */
  readonly onAnswer: (path: string, status: number) => void;
  /** Called for each rejected request and each evicted connection. */
  readonly onRefusal: (reason: RefusalReason) => void;
  /** The web configuration file; undefined for plain HTTP without passwords. */
  readonly web?: WebAccess | undefined;
  /** Path of a Unix socket to listen on as well. */
  readonly socket?: string | undefined;
  /** Lets everyone read without a login, although there are logins. */
  readonly isAnonymousReading?: boolean;
  readonly externalUrl?: URL | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

export type Server = {
  /** Address with the actual port. */
  readonly url: string;
  /** Stops accepting, finishes responses in progress, and resolves when all sockets are closed. */
  readonly close: () => Promise<void>;
};

/** The senders and requests that a listener accepts. */
type Access = Omit<ServerOptions, 'socket'> & { readonly isUnixSocket: boolean };

/**
 * Returns the access over the Unix socket: the file's permissions replace logins. The host is checked as on loopback,
 * because `ssh -L` and other programs forward browser requests here.
 */
function socketAccess(options: ServerOptions): Access {
  const none = { web: undefined, isAnonymousReading: false, externalUrl: undefined };
  return { ...options, ...none, host: 'localhost', isUnixSocket: true };
}

/** Starts a server. Rejects with the error of `listen` (EADDRINUSE, EACCES …), or with a SocketError. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { log, socket } = options;
  const listenerOf =
    (access: Access): RequestListener =>
    (request, response) => {
      // It was closed because of a limit.
      if (request.socket.destroyed) return;
      answer(access, request, response).catch((error: unknown) => {
        log.error({ error }, BUG);
        response.destroy();
      });
    };
  const tlsSetup = options.web?.tlsSetup;
  const listener = listenerOf({ ...options, isUnixSocket: false });
  const secure = tlsSetup && createHttpsServer(tlsSetup, NODE_LIMITS, log, listener);
  const server = secure ?? createServer(NODE_LIMITS, listener);
  const unix = socket === undefined ? [] : [createServer(NODE_LIMITS, listenerOf(socketAccess(options)))];
  const servers = [server, ...unix];
  for (const each of servers) {
    // A client that closes its side after the request (nc -N) still gets the response. No option is documented.
    Object.assign(each, { httpAllowHalfOpen: true });
  }
  const connections = limitConnections(servers, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, BACKLOG, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const own: OwnSocket[] = [];
  let stopWatching = (): void => {};
  const close = async (): Promise<void> => {
    stopWatching();
    for (const each of own) await each.remove();
    const cancel = options.clock.after(CLOSE_GRACE_MILLISECONDS, connections.closeAll);
    await Promise.all(
      servers.map((each) => {
        const closed = new Promise((resolve) => each.close(resolve));
        each.closeIdleConnections();
        return closed;
      }),
    );
    cancel();
  };
  try {
    if (socket !== undefined) for (const each of unix) own.push(await listenOnSocket(each, socket, BACKLOG));
  } catch (error) {
    await close();
    throw error;
  }
  for (const each of servers) logAcceptErrors(each, log);
  for (const each of own) stopWatching = watchSocket(each, socket, options);
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : options.port;
  return {
    url: `${secure === undefined ? 'http' : 'https'}://${hostAndPort({ host: options.host, port })}`,
    close,
  };
}

/** Time between two checks of the socket file, in milliseconds. */
const SOCKET_MILLISECONDS = 60_000;

/** Logs once that the socket file was removed, so that clients can no longer find it. */
function watchSocket(own: OwnSocket, path: string | undefined, { clock, log }: ServerOptions): () => void {
  let isGone = false;
  const look = async (): Promise<void> => {
    if (isGone || (await own.isThere())) return;
    isGone = true;
    log.error({ path }, 'the socket file was removed: restart the exporter to create it again');
  };
  return every(clock, SOCKET_MILLISECONDS, () => void look());
}

/** Logs the first error of `accept` (usually EMFILE), and the next success. */
function logAcceptErrors(server: HttpServer, log: Log): void {
  let failing = false;
  server.on('error', (error) => {
    if (!failing) log.error({ error }, 'cannot accept connections');
    failing = true;
  });
  server.on('connection', () => {
    if (failing) log.info({}, 'accepting connections again');
    failing = false;
  });
}

async function answer(options: Access, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = targetOf(request);
  const { path } = target;
  const route = options.routes.get(path);
  const { web, isAnonymousReading = false } = options;
  const isOptional = isAnonymousReading && isReading(request);
  const access = await web?.authorize(request.headers.authorization, isOptional);
  if (response.destroyed) return;
  const reply =
    access?.refusal ??
    refusalOf(options, target) ??
    (await replyOf(options, route, request, target, access?.login));
  options.onAnswer(route === undefined ? OTHER_PATH : path, reply.status);
  if (response.destroyed) return;
  response.writeHead(reply.status, {
    ...SECURITY_HEADERS,
    ...reply.headers,
    [POLICY]: `${reply.headers[POLICY] ?? NOTHING}; frame-ancestors 'none'`,
    ...access?.headers,
    // A 304 has no Content-Length (RFC 9110, 8.6).
    ...(reply.status === 304 ? {} : { 'content-length': reply.length }),
    // Does not wait for the rest of the body.
    ...(reply.status >= 400 || !request.complete ? { connection: 'close' } : {}),
  });
  // It is not an error if a client leaves early.
  await send(reply, request, response).catch(() => undefined);
}

function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function send(
  { content }: Reply,
  { method, socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method === 'HEAD') {
    response.end();
  } else if (socket instanceof TLSSocket) {
    // At the reader's pace, so that only the next piece is encrypted.
    await pipeline(content.flatMap(toPieces), response);
  } else {
    for (const chunk of content) response.write(chunk);
    response.end();
  }
}

type RequestTarget = {
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly host: string | undefined;
  /** False with several Host headers, or an invalid one. */
  readonly isHostValid: boolean;
};

/** Absolute form of a request target: scheme and host, then the path. */
const ABSOLUTE_FORM = /^https?:\/\/(?<host>(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?)(?<rest>(?:[/?].*)?)$/is;

/** RFC 3986, 3.2: a name or address, with a port. */
const VALID_HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i;

/** Parses a request target. The host of an absolute one replaces the Host header (RFC 9112, 3.2.2). */
function targetOf({ url = '/', headers, headersDistinct }: IncomingMessage): RequestTarget {
  const { host, rest } = ABSOLUTE_FORM.exec(url)?.groups ?? {};
  const [path = '', ...query] = (rest ?? url).split('?');
  const hosts = headersDistinct['host'] ?? [];
  return {
    url,
    path: path === '' ? '/' : path,
    query: query.join('?'),
    host: host ?? headers.host,
    isHostValid: hosts.length < 2 && hosts.every((each) => VALID_HOST.test(each)),
  };
}

const SOCKET_HOST =
  'the request is for another host: expected localhost as the host of a request to the socket';
const LOOPBACK_HOST =
  'this exporter listens on this machine only, and the request is for another host: open it by its own address, or set web.external_url (--web.external-url) to the address of the proxy in front of it';

function refusalOf(
  { host: listenHost, web, isAnonymousReading = false, externalUrl, isUnixSocket, onRefusal }: Access,
  { url, host, isHostValid }: RequestTarget,
): Reply | undefined {
  if (!isHostValid) {
    onRefusal('malformed');
    return textReply(400, 'expected one Host header with a name or an address');
  }
  if (url.length > MAX_URL_LENGTH) {
    onRefusal('url_length');
    return textReply(414, `the address is longer than ${MAX_URL_LENGTH} characters`);
  }
  const isOpen = web === undefined || isAnonymousReading;
  if (!isOpen || !isLoopback(listenHost) || isOwnHost(host, listenHost, externalUrl)) return undefined;
  onRefusal('host');
  return textReply(421, isUnixSocket ? SOCKET_HOST : LOOPBACK_HOST);
}

/**
 * Tests whether a Host header names this exporter. After DNS rebinding, a browser sends another site's name to this
 * machine.
 */
function isOwnHost(host: string | undefined, listenHost: string, externalUrl: URL | undefined): boolean {
  // Browsers always send a Host header.
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(hostname) || name === listenHost.toLowerCase() || hostname === externalUrl?.hostname;
}

async function replyOf(
  options: Access,
  route: Route | undefined,
  request: IncomingMessage,
  { query, host }: RequestTarget,
  login: string | undefined,
): Promise<Reply> {
  if (route === undefined) return textReply(404, 'not found');
  const { method = '' } = request;
  const methods: readonly string[] = route.methods.includes('GET')
    ? [...route.methods, 'HEAD']
    : route.methods;
  if (!methods.includes(method)) {
    const problem = `method not allowed: expected ${methods.join(' or ')}`;
    return textReply(405, problem, { allow: methods.join(', ') });
  }
  if (!isReading(request) && isCrossSite({ ...request.headers, host }, options.externalUrl))
    return textReply(403, 'cross-site request rejected');
  try {
    const given = {
      acceptEncoding: request.headers['accept-encoding']?.toString(),
      ifNoneMatch: request.headers['if-none-match'],
      accept: request.headers.accept,
      query: new URLSearchParams(query),
      method,
      sender: {
        login,
        isLocal: isLocal(options, request, host),
        canLogIn: options.isAnonymousReading === true && login === undefined,
      },
      body: () => readBody(request),
      contentType: request.headers['content-type'],
      isGone: () => request.socket.destroyed,
    };
    // The response to a change is a sentence for the person who made it. Documents are the same for all readers.
    if (isReading(request)) return await route.answer(given);
    const language = languageOf(request.headers['accept-language'] ?? '');
    return await speaking(language, async () => await route.answer(given));
  } catch (error) {
    options.log.error({ error }, BUG);
    return textReply(500, 'internal error');
  }
}

/** Headers that browsers, curl and HTTP libraries send. Any other header may come from a proxy, tunnel or access gate. */
const CLIENT_HEADER =
  /^(?:host|connection|keep-alive|user-agent|accept(?:-.*)?|content-(?:type|length|encoding)|transfer-encoding|te|expect|origin|referer|cookie|authorization|cache-control|pragma|if-.*|range|dnt|sec-.*|upgrade|upgrade-insecure-requests|http2-settings|priority|save-data)$/;

/**
 * Reports whether a request comes from this machine, through no proxy, and names this exporter (no DNS rebinding). A proxy on
 * this machine may not add headers, so no request is local with `web.external_url`, or without HTTP/1.1: nginx uses 1.0.
 */
function isLocal(
  { host: listenHost, externalUrl, isUnixSocket }: Access,
  { headers, socket, httpVersion }: IncomingMessage,
  host: string | undefined,
): boolean {
  const isProxied = httpVersion !== '1.1' || !Object.keys(headers).every((name) => CLIENT_HEADER.test(name));
  if (externalUrl !== undefined || isProxied) return false;
  return (isUnixSocket || isLoopback(socket.remoteAddress ?? '')) && isOwnHost(host, listenHost, undefined);
}

/** Reads a body, with a length or in chunks. Resolves with undefined if it is too long or does not arrive. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? '0') > MAX_BODY_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // The connection stays open for the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}

function toPieces(buffer: Buffer): readonly Buffer[] {
  const count = Math.ceil(buffer.length / PACED_WRITE_BYTES);
  return Array.from({ length: count }, (_, index) =>
    buffer.subarray(index * PACED_WRITE_BYTES, (index + 1) * PACED_WRITE_BYTES),
  );
}

/** Returns a warning if the address is reachable from other machines without authentication. */
export function exposureWarning(host: string, isAuthenticated: boolean): string | undefined {
  if (isAuthenticated || isLoopback(host)) return undefined;
  return 'no authentication: anyone who can reach this address can read the fleet and the balance: set web.config_file, or listen on 127.0.0.1';
}
