import { X509Certificate } from 'node:crypto';
import { ConfigError } from './messages.ts';

/** Text in PEM form, and the name of its place in messages. */
export type Pem = { readonly place: string; readonly text: string };

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Parses all certificates of a text.
 *
 * @throws ConfigError if there is none, or one is invalid
 */
export function parseCertificates({ place, text }: Pem): readonly [X509Certificate, ...X509Certificate[]] {
  const expected = 'expected one or more in PEM form (-----BEGIN CERTIFICATE-----)';
  try {
    const [first, ...others] = (text.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each));
    if (first !== undefined) return [first, ...others];
  } catch {
    throw new ConfigError([`${place}: contains an invalid certificate, ${expected}`]);
  }
  throw new ConfigError([`${place}: contains no certificate, ${expected}`]);
}
