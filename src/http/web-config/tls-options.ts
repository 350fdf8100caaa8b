import { constants, createPrivateKey, type KeyObject } from 'node:crypto';
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContextOptions,
  type SecureVersion,
} from 'node:tls';
import { readErrorText, readProblem } from '../../base/files.ts';
import { Secret } from '../../base/secret.ts';
import { type Pem, parseCertificates } from '../../config/certificates.ts';
import { ConfigError } from '../../config/messages.ts';

/** Minimum TLS versions, by the toolkit's names. */
export const TLS_VERSIONS: ReadonlyMap<string, SecureVersion> = new Map([
  ['TLS12', 'TLSv1.2'],
  ['TLS13', 'TLSv1.3'],
]);

/** The policy for client certificates. */
export type ClientAuthentication = 'ignore' | 'request' | 'require' | 'verifyIfGiven' | 'requireAndVerify';

/** Policies by the toolkit's names. */
export const CLIENT_AUTHENTICATION: ReadonlyMap<string, ClientAuthentication> = new Map([
  ['NoClientCert', 'ignore'],
  ['RequestClientCert', 'request'],
  ['RequireAnyClientCert', 'require'],
  ['RequireClientCert', 'require'],
  ['VerifyClientCertIfGiven', 'verifyIfGiven'],
  ['RequireAndVerifyClientCert', 'requireAndVerify'],
]);

/** A PEM text, or the absolute path of a file. */
export type PemSource = { readonly file: string } | { readonly text: Secret };

/** TLS in Node's and OpenSSL's terms. */
export type TlsConfig = {
  readonly certificate: PemSource;
  readonly key: PemSource;
  readonly clientAuthentication: ClientAuthentication;
  /** Authorities that sign client certificates. */
  readonly clientAuthorities: PemSource | undefined;
  readonly minVersion: SecureVersion;
};

/** The content of the PEM sources. */
export type TlsMaterial = {
  /** The certificate of the server and its chain. */
  readonly certificate: string;
  readonly key: Secret;
  readonly clientAuthorities: string | undefined;
};

/**
 * Translates the configuration for Node. Without configured authorities, no client certificate is verified, because Node would
 * trust the public ones. With client certificates there are no session tickets, because a resumed session would keep an earlier
 * verification.
 */
export function secureContextOptions(tls: TlsConfig, material: TlsMaterial): SecureContextOptions {
  const requestsCertificate = tls.clientAuthentication !== 'ignore';
  return {
    cert: material.certificate,
    key: material.key.reveal(),
    ca: material.clientAuthorities ?? [],
    minVersion: tls.minVersion,
    // With forward secrecy only, as in Go.
    ciphers: `${DEFAULT_CIPHERS}:!kRSA`,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | (requestsCertificate ? constants.SSL_OP_NO_TICKET : 0),
  };
}

/**
 * Reads the PEM sources of a configuration and tries them with OpenSSL.
 *
 * @param readFile throws Node's error if the file can't be read
 * @throws ConfigError if they can't be read, are broken or don't match; no message contains them
 */
export function readTlsMaterial(tls: TlsConfig, readFile: (path: string) => string): TlsMaterial {
  const problems: string[] = [];
  const read = (name: string, source: PemSource): Pem | undefined => {
    const setting = `tls_server_config.${name}`;
    if ('text' in source) return { place: setting, text: source.text.reveal() };
    const place = `${setting}_file ${source.file}`;
    try {
      return { place, text: readFile(source.file) };
    } catch (error) {
      problems.push(`${place}: ${readProblem(error)}`);
      return undefined;
    }
  };
  const certificate = read('cert', tls.certificate);
  const key = read('key', tls.key);
  const authorities =
    tls.clientAuthorities === undefined ? undefined : read('client_ca', tls.clientAuthorities);
  if (certificate === undefined || key === undefined || problems.length > 0) throw new ConfigError(problems);
  if (!parseCertificates(certificate)[0].checkPrivateKey(parseKey(key))) {
    throw new ConfigError([
      `${certificate.place}: the certificate does not match the key (${key.place}): renew both together`,
    ]);
  }
  if (authorities !== undefined) checkAuthorities(authorities);
  const material = {
    certificate: certificate.text,
    key: new Secret(key.text),
    clientAuthorities: authorities?.text,
  };
  checkSecureContext(tls, material);
  return material;
}

/** Rejects incomplete chains of authorities: OpenSSL, unlike Go, needs a self-signed root. */
function checkAuthorities(authorities: Pem): void {
  const all = parseCertificates(authorities);
  for (const each of all) {
    if (all.some((other) => each.checkIssued(other))) continue;
    const [subject, issuer] = [each.subject, each.issuer].map((name) =>
      JSON.stringify(name.replaceAll('\n', ', ')),
    );
    throw new ConfigError([
      `${authorities.place}: holds ${subject} without its issuer ${issuer}, expected all authorities up to a self-signed one: add the missing ones`,
    ]);
  }
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
