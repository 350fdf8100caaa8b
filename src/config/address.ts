import { isIPv4, isIPv6 } from 'node:net';
import type { Fit } from './fit.ts';

/** Where to listen. An empty `host` is every address of the machine; port 0 is one that the system picks. */
export type ListenAddress = { readonly host: string; readonly port: number };

const LISTEN_ADDRESS = /^(?:\[(?<six>[^\]]*)\]|(?<name>[^:[\]]*)):(?<port>\d{1,5})$/;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9][a-z0-9-]{0,62})*$/i;

/** `host:port`, `:port` for every address, or `[address]:port` for IPv6, as in Prometheus' own flags. */
export function parseListenAddress(text: string): Fit<ListenAddress> {
  const { six, name, port } = LISTEN_ADDRESS.exec(text)?.groups ?? {};
  const known = six === undefined ? name !== undefined && isHost(name) : isIPv6(six);
  if (!known || Number(port) > 65_535) {
    return { expected: 'an address such as 127.0.0.1:9823, :9823 or [::1]:9823' };
  }
  return { value: { host: six ?? name ?? '', port: Number(port) } };
}

function isHost(name: string): boolean {
  // Digits and dots that are no address would be looked up as a name, and fail much later.
  return name === '' || (/^[\d.]+$/.test(name) ? isIPv4(name) : HOST_NAME.test(name));
}

/**
 * The base address of the API, without a slash at the end of its path. Nothing that can carry a login or a key is
 * allowed in it, and plain HTTP is only for this machine, since the key is sent with every request.
 */
export function parseApiUrl(text: string): Fit<URL> {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    return { expected: 'an address such as https://api.example.com' };
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || text.includes('@')) {
    return { expected: 'an address without a user name: the API key goes into api_key_file or api_key_env' };
  }
  if (/[?#]/.test(text)) return { expected: 'an address without a query (?…) and a fragment (#…)' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return {
      expected: 'https, since plain http would show the API key to everyone on the way: write https://',
    };
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { value: url };
}

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}

const PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

/** Below these the exporter answers itself; metrics can't be served in their place. */
const TAKEN = /^\/(?:-|api|assets|sd)(?:\/|$)/;

/** The path of the metrics page: one or more plain segments. */
export function parseTelemetryPath(text: string): Fit<string> {
  if (!PATH.test(text) || text.length > 100) return { expected: 'a path such as /metrics' };
  if (TAKEN.test(text)) {
    return { expected: 'a path that is not below /-, /api, /assets or /sd, which serve something else' };
  }
  return { value: text };
}
