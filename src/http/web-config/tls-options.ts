import { constants, createPrivateKey, type KeyObject } from 'node:crypto';
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContextOptions,
  type SecureVersion,
} from 'node:tls';
import { readErrorText, readProblem } from '../../base/files.ts';
import { Secret } from '../../base/secret.ts';
import { ConfigError } from '../../config/messages.ts';
import { type Pem, parseCertificates } from '../../config/network.ts';

/** Minimum TLS versions, by the toolkit's names. */
export const TLS_VERSIONS: ReadonlyMap<string, SecureVersion> = new Map([
  ['TLS12', 'TLSv1.2'],
  ['TLS13', 'TLSv1.3'],
]);

/** TLS in Node's and OpenSSL's terms. */
export type TlsConfig = {
  /** Absolute paths of PEM files. */
  readonly certificate: string;
  readonly key: string;
  readonly clientAuthorities: string | undefined;
  /** Clients need a certificate from one of these authorities. */
  readonly verifiesClients: boolean;
  readonly minVersion: SecureVersion;
};

/** The content of the PEM files. */
export type TlsMaterial = {
  readonly certificate: string;
  readonly key: Secret;
  readonly clientAuthorities: string | undefined;
};

/**
 * Translates the configuration for Node. Without configured authorities, client certificates are not verified, because Node
 * would trust the public ones. With client certificates there are no session tickets, because a resumed session would keep an
 * earlier verification.
 */
export function secureContextOptions(tls: TlsConfig, material: TlsMaterial): SecureContextOptions {
  return {
    cert: material.certificate,
    key: material.key.reveal(),
    ca: material.clientAuthorities ?? [],
    minVersion: tls.minVersion,
    // Only with forward secrecy, as in Go.
    ciphers: `${DEFAULT_CIPHERS}:!kRSA`,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | (tls.verifiesClients ? constants.SSL_OP_NO_TICKET : 0),
  };
}

/**
 * Reads the PEM files of a configuration and tries them with OpenSSL.
 *
 * @param readFile throws Node's error if the file can't be read
 * @throws ConfigError if they can't be read, are broken or don't match; no message contains them
 */
export function readTlsMaterial(tls: TlsConfig, readFile: (path: string) => string): TlsMaterial {
  const problems: string[] = [];
  const read = (name: string, path: string): Pem | undefined => {
    const place = `tls_server_config.${name} ${path}`;
    try {
      return { place, text: readFile(path) };
    } catch (error) {
      problems.push(`${place}: ${readProblem(error)}`);
      return undefined;
    }
  };
  const certificate = read('cert_file', tls.certificate);
  const key = read('key_file', tls.key);
  const authorities =
    tls.clientAuthorities === undefined ? undefined : read('client_ca_file', tls.clientAuthorities);
  if (certificate === undefined || key === undefined || problems.length > 0) throw new ConfigError(problems);
  if (!parseCertificates(certificate)[0].checkPrivateKey(parseKey(key)))
    throw new ConfigError([
      `${certificate.place}: the certificate does not match the key (${key.place}): renew both together`,
    ]);
  if (authorities !== undefined) parseCertificates(authorities);
  const material = {
    certificate: certificate.text,
    key: new Secret(key.text),
    clientAuthorities: authorities?.text,
  };
  checkSecureContext(tls, material);
  return material;
}

function parseKey({ place, text }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // OpenSSL's error may contain parts of the key.
    const expected = 'expected a private key in PEM form, not encrypted with a passphrase';
    throw new ConfigError([`${place}: contains no usable key, ${expected}`]);
  }
}

function checkSecureContext(tls: TlsConfig, material: TlsMaterial): void {
  try {
    createSecureContext(secureContextOptions(tls, material));
  } catch (error) {
    throw new ConfigError([
      `tls_server_config: OpenSSL rejects it (${readErrorText(error)}): use a stronger certificate`,
    ]);
  }
}
