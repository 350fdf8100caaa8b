/* Limits of the listener: times in milliseconds, sizes in bytes. docs/decisions/0013 explains them. */

export const NODE_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep a connection for reuse (nginx 60 s, Go 90 s, Caddy 120 s), and not a scrape interval.
  keepAliveTimeout: 125_000,
  // Login proxies and other programs in the same domain set large cookies.
  maxHeaderSize: 32 * 1024,
} as const;

/** Connections that the kernel queues while the event loop is busy: Linux's default maximum. */
export const BACKLOG = 4_096;

/** Maximum length of a request target, in characters. */
export const MAX_URL_LENGTH = 2_048;

/** Maximum size of a request body: 1,000 of the longest ids fit. */
export const MAX_BODY_BYTES = 128 * 1024;

/** Size of a write when a response is sent at the reader's pace. */
export const PACED_WRITE_BYTES = 64 * 1024;

/** Maximum size of a response without compression. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Maximum number of open connections. */
export const MAX_CONNECTIONS = 512;

/** Maximum time for a request to arrive, and for a response to be read. */
export const STEP_TIMEOUT = 10_000;

/** Maximum time to compute a response: a slow machine takes a minute to read a month of 100,000 phones. */
export const COMPUTE_TIMEOUT = 300_000;
