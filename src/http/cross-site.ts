import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser sent this request for a page of another site, or can't be told not to have. A page anywhere may make
 * a browser send POST to an address that only this machine or its network reaches; programs such as curl send neither of
 * the two headers. `Sec-Fetch-Site` (Fetch Metadata) counts `same-site` as foreign too, since ports don't make a site:
 * anything else that listens on this machine would pass.
 */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // A page in a sandbox or a file has the origin `null`, which is no address.
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
