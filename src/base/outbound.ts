import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

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
 * Returns the address of the proxy for a URL; `''` for none. Exceptions have the forms of curl, and those that Go takes
 * besides (a port, `*.`, brackets): a domain with its subdomains, an address, a network such as `10.0.0.0/8`, or `*`.
 */
export function proxyOf({ protocol, hostname, port }: URL, { http, https, except }: Proxies): string {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  const isHost = (entry: string): boolean => {
    const [, name = entry, onlyPort = ownPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    const [address = '', bits] = name.replaceAll(/[[\]]/g, '').split('/');
    if (onlyPort !== ownPort) return false;
    if (name === '*') return true;
    if (isIP(host) === 0) {
      const domain = domainToASCII(address.replaceAll(/^\*?\.|\.$/g, ''));
      return domain !== '' && `.${host}`.endsWith(`.${domain}`);
    }
    if (isIP(host) !== isIP(address)) return false;
    const network = new BlockList();
    network.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    return network.check(host, family);
  };
  if (except.split(/[,\s]+/).some((entry) => entry !== '' && isHost(entry))) return '';
  return protocol === 'https:' ? https : http;
}
