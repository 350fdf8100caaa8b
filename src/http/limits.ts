/*
 * Limits of the listener: times in milliseconds, sizes in bytes. docs/decisions/0013 has the reasons.
 */

export const NODE_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep a connection that they reuse (nginx 60 s, Go 90 s, Caddy 120 s), and no interval of scrapes.
  keepAliveTimeout: 125_000,
  // Login proxies and other programs of the domain set large cookies.
  maxHeaderSize: 32 * 1024,
} as const;

/** Connections that the kernel queues while the event loop is busy: the default maximum of Linux. */
export const BACKLOG = 4_096;

/** Maximum length of a request target, in characters. */
export const MAX_URL_LENGTH = 2_048;

/** Maximum size of the body of a request: 1,000 of the longest ids fit. */
export const MAX_BODY_BYTES = 128 * 1024;

/** Size of a write where a response is sent at the pace of the reader. */
export const PACED_WRITE_BYTES = 64 * 1024;

/** Maximum size of a response without compression. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Maximum number of open connections. */
export const MAX_CONNECTIONS = 512;

/** Maximum time for a request to arrive, and for a response to be read. */
export const STEP_TIMEOUT = 10_000;

/** Maximum time to compute a response: a slow machine reads a month of 100,000 phones in a minute. */
export const COMPUTE_TIMEOUT = 300_000;
