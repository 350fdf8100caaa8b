import { Secret } from '../../secret.ts';

/** What a client says who it is, as it came. */
export type Credentials = { readonly user: string; readonly password: Secret };

const HEADER = /^basic ([A-Za-z0-9+/]*={0,2})$/i;

/**
 * The name and password of an Authorization header (RFC 7617); undefined for anything else. The first colon ends the
 * name, all others belong to the password. What is not UTF-8 is no password that a hash could be made of here.
 */
export function parseBasic(header: string | undefined): Credentials | undefined {
  const encoded = HEADER.exec(header ?? '')?.[1];
  if (encoded === undefined || encoded.length % 4 !== 0) return undefined;
  const text = decode(Buffer.from(encoded, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1) return undefined;
  return { user: text.slice(0, colon), password: new Secret(text.slice(colon + 1)) };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
