import { isIPv6 } from 'node:net';

/** An entry of Node's text: kind, colon, then the name as it is, or as a JSON text where it could be mistaken. */
const ENTRY = /(?<kind>[A-Za-z ]+):(?<name>"(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;

const KINDS = ['DNS', 'email', 'IP Address', 'URI'];

/**
 * The names that a certificate carries beside its subject: DNS names, e-mail and IP addresses, URIs. Where the text can't
 * be read to its end, none: a name must not be smuggled in by what surrounds it.
 *
 * @param text as Node's `X509Certificate.subjectAltName` writes it
 */
export function subjectNames(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names: string[] = [];
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < text.length) {
    const { kind = '', name = '' } = ENTRY.exec(text)?.groups ?? {};
    if (kind === '') return [];
    if (KINDS.includes(kind)) names.push(kind === 'IP Address' ? shortest(unquoted(name)) : unquoted(name));
  }
  return names;
}

function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const value: unknown = JSON.parse(name);
  return String(value);
}

/** IPv6 addresses as Go and people write them (RFC 5952): `::1`, not `0:0:0:0:0:0:0:1`. */
function shortest(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
