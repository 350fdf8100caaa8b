import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';

/*
 * How the program sends requests: to the API, Telegram, a running exporter, and what `setup` checks.
 */

/** Longest wait for a connection, TLS included. */
export const CONNECT_MILLISECONDS = 5_000;

/** Longest wait for one of a host's addresses. A handshake over a mobile uplink takes longer than Node's own 250 ms. */
const ADDRESS_MILLISECONDS = 2_500;

/** Network settings, from `client` of the configuration. */
export type Network = {
  /** Certificates (PEM) of the authorities to trust instead of the public ones. */
  readonly authorities: string | undefined;
  /** The proxies from the environment; undefined to use none. */
  readonly proxies: Proxies | undefined;
  /** Accepts any certificate, for servers on this machine. */
  readonly takesAnyCertificate?: boolean;
  /** Path of a Unix socket to connect to, whatever host the URL has. */
  readonly socketPath?: string | undefined;
};

/** The network for programs on this machine, such as Prometheus. */
export const THIS_MACHINE: Network = {
  authorities: undefined,
  proxies: undefined,
  takesAnyCertificate: true,
};

/** Addresses of proxies; `''` for none. */
export type Proxies = {
  readonly http: string;
  readonly https: string;
  /** Hosts to reach without a proxy, separated by commas or spaces. */
  readonly except: string;
};

/**
 * Returns the address of the proxy for a URL; `''` for none. An exception is a domain, which includes its subdomains, an
 * address, or `*`; a port may follow.
 */
export function proxyOf({ protocol, hostname, port }: URL, { http, https, except }: Proxies): string {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '');
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  const isExcepted = except.split(/[,\s]+/).some((entry) => {
    const [, name = entry, onlyPort = ownPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    const domain = name.toLowerCase().replaceAll(/^\*?\.|[[\]]|\.$/g, '');
    const isSubdomain = isIP(host) === 0 && domain !== '' && host.endsWith(`.${domain}`);
    return onlyPort === ownPort && (domain === '*' || domain === host || isSubdomain);
  });
  if (isExcepted) return '';
  return protocol === 'https:' ? https : http;
}

/** Returns a network that also trusts the public authorities: a private one is the API's, not other services'. */
export function withPublicAuthorities(network: Network): Network {
  const { authorities } = network;
  return authorities === undefined
    ? network
    : { ...network, authorities: [authorities, ...rootCertificates].join('\n') };
}

export type Outbound = {
  /** Sends a request. Redirects are responses like any other. */
  readonly request: (options: Omit<Dispatcher.RequestOptions, 'origin'>) => Promise<Dispatcher.ResponseData>;
  /** Closes every connection at once; requests in flight fail. */
  readonly close: () => Promise<void>;
};

/** Our own error code for a connection that was closed before it could be used. */
export const CLOSED_CODE = 'CLOSED';

/** Maximum number of unused permissions to connect, if the pool has no limit. */
const SAVED_CONNECTIONS = 8;

/**
 * Creates a pool of connections, direct or through the environment's proxy. A proxy only passes on bytes: TLS is
 * between the server and us.
 *
 * Each request may make one connection, and fails without it: undici thinks some closed connections are recoverable,
 * and reconnects endlessly, thousands of times a second (nodejs/undici#3897).
 */
export function createOutbound(
  url: URL,
  { authorities, proxies, takesAnyCertificate = false, socketPath }: Network,
  limits: Omit<Pool.Options, 'connect'> = {},
): Outbound {
  const tls = {
    timeout: CONNECT_MILLISECONDS,
    autoSelectFamilyAttemptTimeout: ADDRESS_MILLISECONDS,
    // The file may contain an intermediate certificate that the server does not send, without its root.
    ...(authorities !== undefined && { ca: authorities, allowPartialTrustChain: true }),
    ...(takesAnyCertificate && { rejectUnauthorized: false }),
    ...(socketPath !== undefined && { socketPath }),
  };
  let allowed = 0;
  const limited = (side: 'server' | 'proxy'): buildConnector.connector => {
    const connect = buildConnector(tls);
    return (options, callback) => {
      if (allowed > 0) {
        allowed -= 1;
        connect(options, callback);
        return;
      }
      callback(Object.assign(new Error(`the ${side} closed the connection`), { code: CLOSED_CODE }), null);
    };
  };
  const dispatcherOf = (uri: string): Dispatcher => {
    if (uri === '') return new Pool(url.origin, { ...limits, connect: notingBytesRead(limited('server')) });
    return new ProxyAgent({
      ...limits,
      uri,
      requestTls: tls,
      proxyTls: tls,
      // A proxy that accepts our connection but then sends nothing would block it for undici's five minutes.
      clientFactory: (proxy, settings) =>
        new Pool(proxy, { ...settings, connect: limited('proxy'), headersTimeout: CONNECT_MILLISECONDS }),
    });
  };
  const dispatcher = dispatcherOf(proxies === undefined ? '' : proxyOf(url, proxies));
  return {
    request: async (options) => {
      allowed = Math.min(allowed + 1, limits.connections ?? SAVED_CONNECTIONS);
      return await dispatcher.request({ ...options, origin: url.origin });
    },
    close: () => dispatcher.destroy(),
  };
}

/** Adds the number of bytes read to a connection's errors, as in undici's own errors. */
function notingBytesRead(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      socket?.on('error', (error) => Object.assign(error, { socket: { bytesRead: socket.bytesRead } }));
      callback(...outcome);
    });
}

/** Returns how many bytes the connection of a failed request had read; undefined if there was no connection. */
export function bytesReadBefore(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('socket' in error)) return undefined;
  const { socket } = error;
  if (typeof socket !== 'object' || socket === null || !('bytesRead' in socket)) return undefined;
  return typeof socket.bytesRead === 'number' ? socket.bytesRead : undefined;
}

export type OutboundResponse = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly content: string;
};

/** Sends a request to the origin, and reads the whole response. */
type Send = (
  url: URL,
  request: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
) => Promise<OutboundResponse>;

/**
 * Creates a function that sends each request over its own connection.
 *
 * @param origin an address of the server
 * @param patience milliseconds without any data after which a request fails
 */
export function createSender(origin: URL, network: Network, patience: number): Send {
  const limits = { pipelining: 0, headersTimeout: patience, bodyTimeout: patience };
  const outbound = createOutbound(origin, network, limits);
  return async (url, request) => {
    const path = url.pathname + url.search;
    const { statusCode: status, headers, body } = await outbound.request({ ...request, path });
    // `text` would drop a CSV's byte order mark.
    return { status, headers, content: Buffer.from(await body.bytes()).toString() };
  };
}

const UNKNOWN_AUTHORITY =
  'the certificate was issued by an authority that is not trusted here; client.ca_file can name the file of a private one';

const UNKNOWN_ISSUER =
  "the issuer of the last certificate that the server sends is not trusted here: an intermediate certificate may be missing; client.ca_file can name a file with that issuer's certificate";

/** Texts for TLS errors, by OpenSSL's, Node's or undici's code. */
export const TLS_WORDS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['CERT_REVOKED', 'the certificate was revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host'],
  ['HOSTNAME_MISMATCH', 'the certificate is for another host'],
  ['UND_ERR_PRX_TLS', 'the certificate of the proxy is for another host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_ISSUER],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_ISSUER],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    "the server sends only its own certificate, and its issuer is not trusted here; have the server send its intermediate certificates too, or name a file with the issuer's certificate in client.ca_file",
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'this server speaks http, not https'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'this server speaks http, not https'],
]);

/** Describes why a request failed. If a host has several addresses, names each, such as `IPv6 ENETUNREACH`. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ');
  if (!(error instanceof Error)) return 'no reason given';
  const code = 'code' in error ? String(error.code) : '';
  const words = TLS_WORDS.get(code);
  if (words !== undefined) return words;
  const reason = code === '' || code === CLOSED_CODE || code.startsWith('UND_ERR_') ? error.message : code;
  const version = 'address' in error ? isIP(String(error.address)) : 0;
  return version === 0 ? reason : `IPv${version} ${reason}`;
}
