/*
 * Limits of the listener. They are constants and no settings; docs/decisions/0013 gives the reason for each figure.
 * Times are in milliseconds, sizes in bytes.
 */

/** Limits that Node enforces, by Node's names. */
export const NODE_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 8_000,
  maxHeaderSize: 8 * 1024,
} as const;

/** Connections that the kernel queues while the event loop is busy: as many as Linux allows by default. */
export const BACKLOG = 4_096;

/** Maximum length of a request target, in characters. */
export const MAX_URL_LENGTH = 2_048;

/** Maximum size of the body of a request that has one: 1,000 of the longest ids fit. */
export const MAX_BODY_BYTES = 128 * 1024;

/** Bytes of a response that are written at once where it is sent at the pace of the reader. */
export const PACED_WRITE_BYTES = 64 * 1024;

/** Maximum size of a response without compression. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Maximum number of open connections. */
export const MAX_CONNECTIONS = 512;

/** Maximum time for a request to arrive whole, and for a response to be read whole. */
export const STEP_TIMEOUT = 10_000;

const MAPPED_IPV4 = /^::ffff:(?<ipv4>\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the client address that limits count by: an IPv4 address, or the /64 network of an IPv6 address, because one
 * household or server has all addresses of a /64.
 *
 * @param address of the remote end, as a socket reports it
 */
export function clientAddressOf(address: string): string {
  const ipv4 = MAPPED_IPV4.exec(address)?.groups?.['ipv4'];
  if (ipv4 !== undefined) return ipv4;
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  const [before = [], after = []] = plain.split('::').map((part) => part.split(':').filter((group) => group));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
