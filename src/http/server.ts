import {
  createServer,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { hostAndPort, isLoopback } from '../config/values.ts';
import type { RefusalReason } from '../model/enums.ts';
import { limitConnections } from './connections.ts';
import { BACKLOG, MAX_BODY_BYTES, MAX_URL_LENGTH, NODE_LIMITS, PACED_WRITE_BYTES } from './limits.ts';
import { type Reply, type Route, textReply } from './reply.ts';
import { gateRequests } from './request-gate.ts';
import type { WebAccess } from './web-config/access.ts';
import { createHttpsServer, reportFailedHandshakes } from './web-config/tls.ts';

/** The label value for requests to a path without a route. */
const OTHER_PATH = 'other';

/** Maximum time for responses under way after `close`, in milliseconds. */
const CLOSE_GRACE_MILLISECONDS = 800;

const BUG = 'a request could not be answered: this is a bug';

/** Headers of every response; a route may set its own values. */
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

type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly routes: ReadonlyMap<string, Route>;
  /** Called for every response with the path of its route, or {@link OTHER_PATH}. */
  readonly onAnswer: (path: string, status: number) => void;
  /** Called for each refused request and each evicted connection. */
  readonly onRefusal: (reason: RefusalReason) => void;
  /** The web configuration file; undefined for plain HTTP without passwords. */
  readonly web?: WebAccess | undefined;
  /** The address by which people open this exporter, besides that of the listener. */
  readonly externalUrl?: URL | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** A server that listens. */
export type Server = {
  /** The address to open, with the actual port. */
  readonly url: string;
  /** Stops accepting, lets responses under way end, and resolves when all sockets are closed. */
  readonly close: () => Promise<void>;
};

/** Rejects with the error of `listen` (EADDRINUSE, EACCES …). */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { log } = options;
  const listener: RequestListener = (request, response) => {
    // Refused by the gate.
    if (request.socket.destroyed) return;
    answer(options, request, response).catch((error: unknown) => {
      log.error({ error }, BUG);
      response.destroy();
    });
  };
  const tlsSetup = options.web?.tlsSetup;
  const secure = tlsSetup && createHttpsServer(tlsSetup, NODE_LIMITS, log, listener);
  const server = secure ?? createServer(NODE_LIMITS, listener);
  // A client that ends its side behind the request (nc -N) still gets the response. Node documents no option for this.
  Object.assign(server, { httpAllowHalfOpen: true });
  gateRequests(server, secure === undefined ? 'connection' : 'secureConnection', options.onRefusal);
  const connections = limitConnections(server, options);
  if (secure !== undefined) reportFailedHandshakes(secure, connections.find, log);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, BACKLOG, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  logAcceptErrors(server, log);
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : options.port;
  return {
    url: `${secure === undefined ? 'http' : 'https'}://${hostAndPort({ host: options.host, port })}`,
    close: () =>
      new Promise((resolve) => {
        const cancel = options.clock.after(CLOSE_GRACE_MILLISECONDS, connections.closeAll);
        server.close(() => {
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Logs the first of several errors of `accept` (EMFILE as a rule), and the next success. */
function logAcceptErrors(server: HttpServer, log: Log): void {
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
  const target = targetOf(request);
  const { path } = target;
  const route = options.routes.get(path);
  const access = await options.web?.authorize(request.headers.authorization);
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
    ...access?.headers,
    // A 304 has no Content-Length, since it would be that of the content that is not sent (RFC 9110, 8.6).
    ...(reply.status === 304 || reply.stream !== undefined ? {} : { 'content-length': reply.length }),
    // A body that has not arrived is not waited for.
    ...(reply.status >= 400 || !request.complete ? { connection: 'close' } : {}),
  });
  await send(reply, request, response).catch((error: unknown) => {
    if (reply.stream !== undefined) options.log.warn({ error, path }, 'a response ended early');
  });
}

async function send(
  { stream, content }: Reply,
  { method, socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method === 'HEAD') {
    response.end();
  } else if (stream !== undefined) {
    response.flushHeaders();
    await pipeline(stream, response);
  } else if (socket instanceof TLSSocket) {
    // At the pace of the reader, so that no more is encrypted than is about to be sent.
    await pipeline(content.flatMap(toPieces), response);
  } else {
    for (const chunk of content) response.write(chunk);
    response.end();
  }
}

/** The path and query of a request, and the host that it names. */
type Target = {
  /** As it was sent. */
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly host: string | undefined;
  /** False for several Host headers, and for one with an invalid value. */
  readonly isHostValid: boolean;
};

/** The absolute form of a request target: an address with scheme and host. */
const ABSOLUTE_FORM = /^https?:\/\/(?<host>(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?)(?<rest>(?:[/?].*)?)$/is;

/** RFC 3986, 3.2: a name or address, with a port. */
const VALID_HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/i;

/** Parses the target of a request. The host of an absolute one replaces the Host header (RFC 9112, 3.2.2). */
function targetOf({ url = '/', headers, headersDistinct }: IncomingMessage): Target {
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

function refusalOf(
  { host: listenHost, web, externalUrl, onRefusal }: ServerOptions,
  { url, host, isHostValid }: Target,
): Reply | undefined {
  if (!isHostValid) {
    onRefusal('malformed');
    return textReply(400, 'expected one Host header, with a name or an address');
  }
  if (url.length > MAX_URL_LENGTH) {
    onRefusal('url_length');
    return textReply(414, `the address is longer than ${MAX_URL_LENGTH} characters`);
  }
  if (web !== undefined || !isLoopback(listenHost) || isOwnHost(host, listenHost, externalUrl))
    return undefined;
  onRefusal('host');
  return textReply(
    421,
    'this exporter listens on this machine only, and the request names another host: open it by its own address, or set web.external_url (--web.external-url) to the address in front of it',
  );
}

/**
 * Tests a Host header for a name of this exporter. After DNS rebinding, a page of another site has the address of this
 * machine, and a browser sends the name of that site.
 */
function isOwnHost(host: string | undefined, listenHost: string, externalUrl: URL | undefined): boolean {
  // Browsers always send one.
  if (host === undefined) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(hostname) || name === listenHost.toLowerCase() || hostname === externalUrl?.hostname;
}

async function replyOf(
  options: ServerOptions,
  route: Route | undefined,
  request: IncomingMessage,
  { query, host }: Target,
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
  if (!route.methods.includes('GET') && isCrossSite({ ...request.headers, host }, options.externalUrl)) {
    return textReply(403, 'cross-site request rejected');
  }
  try {
    return await route.answer({
      acceptEncoding: request.headers['accept-encoding']?.toString(),
      ifNoneMatch: request.headers['if-none-match'],
      accept: request.headers.accept,
      acceptLanguage: request.headers['accept-language'],
      query: new URLSearchParams(query),
      method,
      sender: { login, isLocal: isLocal(options, request, host) },
      body: () => readBody(request),
      contentType: request.headers['content-type'],
    });
  } catch (error) {
    options.log.error({ error }, BUG);
    return textReply(500, 'internal error');
  }
}

/** Names of headers that proxies and tunnels add. */
const PROXY_HEADER =
  /^(?:forwarded|via|true-client-ip|(?:x-(?:forwarded|real|client|cluster|envoy|original|request-id)|cf|tailscale|cdn|fly|fastly)(?:-.*)?)$/;

/**
 * Reports whether a request comes from this machine, through no proxy, and names this exporter (no DNS rebinding). A proxy on
 * this machine may add no header. So nobody is local where `web.external_url` says that there is one, and no request of
 * HTTP/1.0 is, which is what nginx speaks unless told otherwise.
 */
function isLocal(
  { host: listenHost, externalUrl }: ServerOptions,
  { headers, socket, httpVersion }: IncomingMessage,
  host: string | undefined,
): boolean {
  const isProxied = httpVersion === '1.0' || Object.keys(headers).some((name) => PROXY_HEADER.test(name));
  if (externalUrl !== undefined || isProxied) return false;
  return isLoopback(socket.remoteAddress ?? '') && isOwnHost(host, listenHost, undefined);
}

/** Reads the body of a request. Resolves with undefined if it is too long, has no length, or did not arrive. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || Number(length) > MAX_BODY_BYTES) return undefined;
  return await text(request).catch(() => undefined);
}

/**
 * Tests if a page of another site may have made a browser send this request. Programs such as curl send neither header.
 * `same-site` counts as foreign, because any other port of this host is of the same site.
 *
 * @param externalUrl the address by which people open this exporter: a proxy in front of it may send another Host
 */
export function isCrossSite(headers: IncomingHttpHeaders, externalUrl: URL | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // The origin of a sandboxed page or a local file is `null`, which is no URL.
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  return page.host !== host?.toLowerCase() && page.origin !== externalUrl?.origin;
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
  return 'everybody who can reach this address can read the fleet and the balance, since no authentication is configured: set web.config_file, or listen on 127.0.0.1';
}
