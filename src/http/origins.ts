import type { IncomingHttpHeaders } from 'node:http';
import { type Reply, textReply } from './reply.ts';

/*
 * Permissions of web pages of other origins. Pages that the owner lists may read responses with JavaScript (CORS, in the Fetch
 * standard) and show the fleet page in a frame. No other page may change anything.
 */

const POLICY = 'content-security-policy';

/** The policy of responses without one of their own. */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'";

/** The response to a browser that asks whether a page may send a request with a login or an ETag. */
export const PERMISSION: Reply = textReply(200, 'pages of this origin may send GET requests', {
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': '600',
});

/** Reports whether a request asks for permission. It never has a login (Fetch standard, CORS-preflight fetch). */
export function asksForPermission(
  { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  allowed: readonly string[],
): boolean {
  return method === 'OPTIONS' && allowed.includes(headers.origin ?? '');
}

/**
 * Returns the headers of a response that say which pages may read or frame it.
 *
 * @param origin the origin of the page that sent the request
 * @param headers the other headers of the response
 */
export function originHeaders(
  allowed: readonly string[],
  origin: string | undefined,
  headers: Reply['headers'],
): Readonly<Record<string, string>> {
  const policy = headers[POLICY] ?? NOTHING;
  if (allowed.length === 0)
    return { [POLICY]: `${policy}; frame-ancestors 'none'`, 'x-frame-options': 'DENY' };
  return {
    [POLICY]: `${policy}; frame-ancestors ${allowed.join(' ')}`,
    vary: headers['vary'] === undefined ? 'Origin' : `${headers['vary']}, Origin`,
    ...(origin !== undefined &&
      allowed.includes(origin) && {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'ETag',
        'cross-origin-resource-policy': 'cross-origin',
      }),
  };
}

/**
 * Reports whether a page of another site may have sent this request. Programs such as curl send neither header. `same-site`
 * counts as foreign, because it includes other ports of this host.
 *
 * @param externalUrl address of a proxy in front of the exporter, which may send another Host
 */
export function isCrossSite(headers: IncomingHttpHeaders, externalUrl: URL | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // Sandboxed pages and local files have the origin `null`.
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  return page.host !== host?.toLowerCase() && page.origin !== externalUrl?.origin;
}
