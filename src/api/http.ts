import type { Clock } from '../base/clock.ts';
import { createOutbound, type Network } from '../base/outbound.ts';
import type { Secret } from '../base/secret.ts';
import { DEADLINE_CODE, NetworkError } from './errors.ts';

export type HttpResponse = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
};

/** Response headers by lower-case name; a list if a header appears more than once. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Sends GET requests over the network. */
export type HttpClient = {
  /**
   * Fetches a path below the base URL. Rejects with a {@link NetworkError}, or with the signal's reason if that aborts.
   * Redirects are responses like any other: following one would send the key to another origin.
   */
  readonly get: (path: string, key: Secret, signal: AbortSignal) => Promise<HttpResponse>;
  /** Closes every connection at once; requests in flight fail. */
  readonly close: () => Promise<void>;
};

export type HttpClientOptions = Network & {
  /** May carry a path, which is put before every requested path. */
  readonly baseUrl: URL;
  /** Maximum number of connections. */
  readonly concurrency: number;
  /** Time from sending a request to the last byte of its response. */
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  readonly clock: Clock;
};

/** Maximum size of a body: twenty times a page of a hundred devices with the longest texts we keep. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Longest time without a byte of a body. */
const BODY_IDLE_MILLISECONDS = 5_000;

/**
 * How long an idle connection is reused: without a hint from the server, and at most. Otherwise, a server whose own
 * limit is close to the poll interval would close connections under our requests.
 */
const KEEP_ALIVE_MILLISECONDS = 1_000;
const KEEP_ALIVE_MAX_MILLISECONDS = 2_000;

/** Creates a client with one pool of connections to the origin of the API. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, clock, timeoutMilliseconds } = options;
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const outbound = createOutbound(baseUrl, options, {
    connections: options.concurrency,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MILLISECONDS,
    maxResponseSize: MAX_BODY_BYTES,
    headersTimeout: timeoutMilliseconds,
    bodyTimeout: BODY_IDLE_MILLISECONDS,
  });
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    // No cache on the way may serve one page instead of another.
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
      // undici limits the gaps, not the total: at one byte a second, a body would take forever.
      const cancelDeadline = clock.after(timeoutMilliseconds, () =>
        request.abort(deadlineError(timeoutMilliseconds)),
      );
      // undici notices an abort only once it has a connection.
      const aborted = rejectionOnAbort(request.signal);
      let part: 'head' | 'body' = 'head';
      try {
        const sent = outbound.request({
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
    close: outbound.close,
  };
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
