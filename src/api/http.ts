import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Clock } from '../base/clock.ts';
import { ADDRESS_MILLISECONDS, CONNECT_MILLISECONDS, type Proxies, proxyOf } from '../base/outbound.ts';
import type { Secret } from '../base/secret.ts';
import { CLOSED_CODE, DEADLINE_CODE, NetworkError, noteBytesRead } from './errors.ts';

/** A whole HTTP response. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
};

/** Headers of a response by lower-case name; a list where a header came more than once. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** GET over the network, and nothing else. */
export type HttpClient = {
  /**
   * Fetches a path below the base URL. Rejects with a {@link NetworkError}, or with the signal's reason once that aborts.
   * Redirects are responses like any other: following one would hand the key to another origin.
   */
  readonly get: (path: string, key: Secret, signal: AbortSignal) => Promise<HttpResponse>;
  /** Closes every connection at once; requests in flight fail. */
  readonly close: () => Promise<void>;
};

export type HttpClientOptions = {
  /** May carry a path, which is put before every requested path. */
  readonly baseUrl: URL;
  /** Maximum number of connections. */
  readonly concurrency: number;
  /** Time from sending a request to the last byte of its response. */
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  /** Certificates (PEM) of the authorities to trust in place of the public ones. */
  readonly authorities: string | undefined;
  readonly proxies: Proxies | undefined;
  readonly clock: Clock;
};

/** Maximum size of a body: twenty times a page of a hundred devices with the longest texts that are kept. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Longest silence within a body. */
const SILENCE_MILLISECONDS = 5_000;

/**
 * Time for which an idle connection is reused: without a hint of the server, and at most. A server whose own limit is
 * near the poll interval would otherwise close connections under our requests.
 */
const KEEP_ALIVE_MILLISECONDS = 1_000;
const KEEP_ALIVE_MAX_MILLISECONDS = 2_000;

/** Creates a client with one pool of connections to the origin of the API. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, clock, timeoutMilliseconds } = options;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const budget = createConnectionBudget(options.concurrency);
  const dispatcher = createDispatcher(options, budget);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    // No cache in between may serve one page in place of another.
    'cache-control': 'no-cache',
    'user-agent': options.userAgent,
  };
  let lastResponseAt = clock.monotonic();

  return {
    get: async (path, key, signal) => {
      signal.throwIfAborted();
      const idleMilliseconds = clock.monotonic() - lastResponseAt;
      const request = new AbortController();
      const abort = (): void => request.abort(signal.reason);
      signal.addEventListener('abort', abort);
      // undici's own limits bound silences, never the whole: one byte a second would go on for ever.
      const cancelDeadline = clock.after(timeoutMilliseconds, () =>
        request.abort(deadlineError(timeoutMilliseconds)),
      );
      // undici notices an abort only once a connection is there.
      const aborted = rejectionOnAbort(request.signal);
      let part: 'head' | 'body' = 'head';
      budget.grant();
      try {
        const sent = dispatcher.request({
          origin: baseUrl.origin,
          method: 'GET',
          path: prefix + path,
          headers: { ...headers, 'x-api-key': key.reveal() },
          signal: request.signal,
        });
        const response = await Promise.race([sent, aborted]);
        part = 'body';
        const body = await response.body.bytes();
        return { status: response.statusCode, headers: response.headers, body };
      } catch (error) {
        signal.throwIfAborted();
        throw new NetworkError(error, part, idleMilliseconds);
      } finally {
        lastResponseAt = clock.monotonic();
        cancelDeadline();
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Creates the pool, direct or through proxies. Proxies only pass bytes on: TLS is between the API and us. */
function createDispatcher(options: HttpClientOptions, budget: ConnectionBudget): Dispatcher {
  const { baseUrl, authorities, proxies } = options;
  const tls = {
    timeout: CONNECT_MILLISECONDS,
    autoSelectFamilyAttemptTimeout: ADDRESS_MILLISECONDS,
    ...(authorities === undefined ? {} : { ca: authorities }),
  };
  const limits = {
    connections: options.concurrency,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MILLISECONDS,
    maxResponseSize: MAX_BODY_BYTES,
    headersTimeout: options.timeoutMilliseconds,
    bodyTimeout: SILENCE_MILLISECONDS,
    connect: notingBytesRead(budget.limit('server', buildConnector(tls))),
  };
  const uri = proxies === undefined ? '' : proxyOf(baseUrl, proxies);
  if (uri === '') return new Pool(baseUrl.origin, limits);
  return new ProxyAgent({
    ...limits,
    uri,
    requestTls: tls,
    proxyTls: tls,
    // A proxy that accepts our connection and then says nothing would block it for undici's five minutes.
    clientFactory: (proxy, settings) =>
      new Pool(proxy, {
        ...settings,
        connect: budget.limit('proxy', buildConnector(tls)),
        headersTimeout: CONNECT_MILLISECONDS,
      }),
  });
}

/** Bounds the number of connections by the number of requests. */
type ConnectionBudget = {
  /** Allows one more connection: a request is sent, and may need it. */
  readonly grant: () => void;
  /** Returns a connector that fails where no connection is allowed. */
  readonly limit: (side: 'server' | 'proxy', connect: buildConnector.connector) => buildConnector.connector;
};

/**
 * Creates the budget of one client. undici takes some closed connections for recoverable and connects again without end,
 * thousands of times a second (nodejs/undici#3897): a request gets one connection, and then fails.
 *
 * @param most connections that may be saved up by requests that needed none
 */
function createConnectionBudget(most: number): ConnectionBudget {
  let allowed = 0;
  return {
    grant: () => {
      allowed = Math.min(allowed + 1, most);
    },
    limit: (side, connect) => (options, callback) => {
      if (allowed === 0) {
        callback(Object.assign(new Error(`the ${side} closed the connection`), { code: CLOSED_CODE }), null);
        return;
      }
      allowed -= 1;
      connect(options, callback);
    },
  };
}

/** Adds to the errors of a connection how many bytes it had read, so that a reused one can be told from a new one. */
function notingBytesRead(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      socket?.on('error', (error) => noteBytesRead(error, socket.bytesRead));
      callback(...outcome);
    });
}

/** Returns a promise that rejects with the signal's reason when it aborts, and needs no handler. */
function rejectionOnAbort(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  rejection.catch(() => {});
  return rejection;
}

function deadlineError(milliseconds: number): Error {
  return Object.assign(new Error(`no complete response within ${milliseconds} ms`), { code: DEADLINE_CODE });
}
