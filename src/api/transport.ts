import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { Clock } from '../clock.ts';
import type { Secret } from '../secret.ts';
import { onAbort } from './abort.ts';
import { DEADLINE, NetworkError, noteBytesRead } from './network-error.ts';
import { type Reply, receive } from './receive.ts';

/** GET over the network, and nothing else. */
export type Transport = {
  /**
   * Asks for a path below the base URL. Rejects with a {@link NetworkError}, or with the signal's reason once that
   * aborted. Redirects are answers like any other: following one would hand the key to another origin.
   */
  readonly get: (path: string, signal: AbortSignal) => Promise<Reply>;
  /** Ends every connection at once; what is still under way fails. */
  readonly close: () => Promise<void>;
};

/** Addresses of proxies; `''` for none. */
export type Proxies = {
  readonly http: string;
  readonly https: string;
  /** Hosts to reach without one, with commas between them. */
  readonly except: string;
};

export type TransportOptions = {
  /** May carry a path, which stands before every path asked for. */
  readonly baseUrl: URL;
  /** Asked at each request, so that a new key needs no restart. */
  readonly key: () => Secret;
  readonly connections: number;
  /** From the sending of a request to the last byte of its answer. */
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  /** Certificates (PEM) of the authorities to trust in place of the public ones. */
  readonly authorities: string | undefined;
  readonly proxies: Proxies | undefined;
  readonly clock: Clock;
};

/** Largest body: twenty times a page of a hundred phones with the longest texts that we keep. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Longest wait for a connection, TLS included, and longest silence in the midst of a body. */
const CONNECT_MILLISECONDS = 5_000;
const SILENCE_MILLISECONDS = 5_000;

/**
 * How long an idle connection is used again: where the server gives no hint, and at most whatever its hint. A server
 * whose own limit is near the poll interval would otherwise close connections under our requests.
 */
const IDLE_MILLISECONDS = 1_000;
const IDLE_MAX_MILLISECONDS = 2_000;

/** One pool of connections to the origin of the API. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, clock, timeoutMilliseconds } = options;
  const { origin } = baseUrl;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const dispatcher = createDispatcher(options);
  const headers = {
    accept: 'application/json',
    // A compressed answer of 8 MiB could unfold to gigabytes.
    'accept-encoding': 'identity',
    // No cache in between may serve one page in place of another.
    'cache-control': 'no-cache',
    'user-agent': options.userAgent,
  };

  let heardAt = clock.monotonic();

  return {
    get: async (path, signal) => {
      signal.throwIfAborted();
      const idleMilliseconds = clock.monotonic() - heardAt;
      const { reply, stage, abort } = receive(dispatcher, {
        origin,
        method: 'GET',
        path: prefix + path,
        headers: { ...headers, 'x-api-key': options.key().reveal() },
      });
      // undici's own limits bound the silences, never the whole: one byte every second would go on for ever.
      const cancelDeadline = clock.after(timeoutMilliseconds, () =>
        abort(deadlineError(timeoutMilliseconds)),
      );
      const stopListening = onAbort(signal, () => abort(signal.reason));
      try {
        return await reply;
      } catch (error) {
        signal.throwIfAborted();
        throw new NetworkError(error, stage(), idleMilliseconds);
      } finally {
        heardAt = clock.monotonic();
        cancelDeadline();
        stopListening();
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** The pool, straight to the origin or through proxies. Those only pass bytes on: TLS is between the API and us. */
function createDispatcher(options: TransportOptions): Dispatcher {
  const { baseUrl, authorities, proxies } = options;
  const tls = {
    timeout: CONNECT_MILLISECONDS,
    ...(authorities === undefined ? {} : { ca: authorities }),
  };
  const limits = {
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: IDLE_MILLISECONDS,
    keepAliveMaxTimeout: IDLE_MAX_MILLISECONDS,
    maxResponseSize: MAX_BODY_BYTES,
    headersTimeout: options.timeoutMilliseconds,
    bodyTimeout: SILENCE_MILLISECONDS,
    connect: notingBytesRead(buildConnector(tls)),
  };
  if (proxies === undefined) return new Pool(baseUrl.origin, limits);
  return new EnvHttpProxyAgent({
    ...limits,
    httpProxy: proxies.http,
    httpsProxy: proxies.https,
    noProxy: proxies.except,
    requestTls: tls,
    proxyTls: tls,
    // A proxy that takes our connection and then says nothing would hold it up for undici's five minutes.
    clientFactory: (proxy, settings) =>
      new Pool(proxy, { ...settings, headersTimeout: CONNECT_MILLISECONDS }),
  });
}

/** Connections whose errors tell whether they had been used before. */
function notingBytesRead(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      socket?.on('error', (error) => noteBytesRead(error, socket.bytesRead));
      callback(...outcome);
    });
}

function deadlineError(milliseconds: number): Error {
  return Object.assign(new Error(`no whole answer within ${milliseconds} ms`), { code: DEADLINE });
}
