import { isIP } from 'node:net';

/*
 * How the program reaches another machine, the API or Telegram: how long each address of a name may take, and through which
 * proxy.
 */

/** Longest wait for a connection, TLS included. */
export const CONNECT_MILLISECONDS = 5_000;

/** Longest wait for one address of a host. Node's own 250 ms are less than a handshake of a telephone's uplink takes. */
export const ADDRESS_MILLISECONDS = 2_500;

/** Addresses of proxies; `''` for none. */
export type Proxies = {
  readonly http: string;
  readonly https: string;
  /** Hosts to reach without a proxy, separated by commas or blanks. */
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
