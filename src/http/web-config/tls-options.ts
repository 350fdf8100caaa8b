import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions, type SecureVersion } from 'node:tls';
import { ConfigError } from '../../config/messages.ts';
import { permissionAdvice, readErrorText } from '../../files.ts';
import { Secret } from '../../secret.ts';

/*
 * The file names ciphers, curves and versions as Go does. This module translates them for OpenSSL, and reads certificates
 * and keys.
 */

/** Suites that Go counts as secure. Those of TLS 1.3 have the same name in OpenSSL. */
export const CIPHER_SUITES = {
  TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
  TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
  TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
} as const;

type CipherSuite = keyof typeof CIPHER_SUITES;

/** HTTP/2 needs one of these below TLS 1.3 (RFC 9113, 9.2.2). */
export const HTTP2_SUITES: readonly CipherSuite[] = [
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
];

export const CURVES = {
  CurveP256: 'prime256v1',
  CurveP384: 'secp384r1',
  CurveP521: 'secp521r1',
  X25519: 'X25519',
} as const;

type Curve = keyof typeof CURVES;

/** Oldest first. */
export const TLS_VERSIONS = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
} as const satisfies Readonly<Record<string, SecureVersion>>;

type TlsVersion = keyof typeof TLS_VERSIONS;

/** The policy for client certificates. */
export type ClientAuthentication = 'ignore' | 'request' | 'require' | 'verifyIfGiven' | 'requireAndVerify';

export const CLIENT_AUTHENTICATION = {
  NoClientCert: 'ignore',
  RequestClientCert: 'request',
  RequireAnyClientCert: 'require',
  RequireClientCert: 'require',
  VerifyClientCertIfGiven: 'verifyIfGiven',
  RequireAndVerifyClientCert: 'requireAndVerify',
} as const satisfies Readonly<Record<string, ClientAuthentication>>;

/**
 * Returns OpenSSL's cipher list for suites in their order; all suites if there are none. TLS 1.3 always has all of its
 * suites, as in Go. TLS 1.0 and 1.1 sign with SHA-1, which OpenSSL 3 allows at level 0 only.
 */
export function opensslCiphers(suites: readonly CipherSuite[], oldest: TlsVersion): string {
  const all = Object.values(CIPHER_SUITES);
  const chosen = suites.length === 0 ? all : suites.map((name) => CIPHER_SUITES[name]);
  const tls13 = all.filter((name) => name.startsWith('TLS_'));
  const older = chosen.filter((name) => !name.startsWith('TLS_'));
  const level = oldest === 'TLS10' || oldest === 'TLS11' ? ['@SECLEVEL=0'] : [];
  return [...tls13, ...new Set(older), ...level].join(':');
}

/** Returns OpenSSL's group list for curves in their order; Go's default if there are none. */
export function opensslCurves(curves: readonly Curve[]): string {
  const chosen: readonly Curve[] =
    curves.length === 0 ? ['X25519', 'CurveP256', 'CurveP384', 'CurveP521'] : curves;
  return [...new Set(chosen.map((name) => CURVES[name]))].join(':');
}

/** Text in PEM form: the text itself, or the absolute path of a file. */
export type PemSource = { readonly file: string } | { readonly text: Secret };

/** TLS in Node's and OpenSSL's terms. */
export type TlsConfig = {
  readonly certificate: PemSource;
  readonly key: PemSource;
  readonly clientAuthentication: ClientAuthentication;
  /** Authorities that sign client certificates. */
  readonly clientAuthorities: PemSource | undefined;
  /** A client certificate needs one of these names; undefined for any name. */
  readonly clientAllowedSans: readonly string[] | undefined;
  readonly minVersion: SecureVersion;
  readonly maxVersion: SecureVersion;
  readonly ciphers: string;
  readonly honorCipherOrder: boolean;
  readonly ecdhCurve: string;
};

/** The content of the PEM sources. */
export type TlsMaterial = {
  /** The certificate of the server and its chain. */
  readonly certificate: string;
  readonly key: Secret;
  readonly clientAuthorities: string | undefined;
};

/**
 * Translates the configuration for Node. Without configured authorities no client certificate is verified, because Node
 * would trust the public ones. With client certificates there are no session tickets, because a resumed session would
 * keep what was verified under an earlier configuration.
 */
export function secureContextOptions(tls: TlsConfig, material: TlsMaterial): SecureContextOptions {
  const requestsCertificate = tls.clientAuthentication !== 'ignore';
  return {
    cert: material.certificate,
    key: material.key.reveal(),
    ca: material.clientAuthorities ?? [],
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    ciphers: tls.ciphers,
    honorCipherOrder: tls.honorCipherOrder,
    ecdhCurve: tls.ecdhCurve,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | (requestsCertificate ? constants.SSL_OP_NO_TICKET : 0),
  };
}

/**
 * Reads the PEM sources of a configuration and tries them with OpenSSL.
 *
 * @param readFile throws Node's error if the file can't be read
 * @throws ConfigError if they can't be read, are broken or don't fit together; no message holds their content
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
      `${certificate.place}: the certificate does not belong to the key (${key.place}): renew both together`,
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

/**
 * Returns the reason why a file can't be read, with advice.
 *
 * @param hint completes "name another one"
 */
export function readProblem(error: unknown, hint = ''): string {
  const code = readErrorText(error);
  switch (code) {
    case 'ENOENT':
      return `no such file: create it, or name another one${hint}`;
    case 'EACCES':
      return permissionAdvice();
    case 'EISDIR':
      return 'a folder, expected a file';
    default:
      return `cannot be read (${code})`;
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Text in PEM form, and the name of its place in messages. */
type Pem = { readonly place: string; readonly text: string };

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Parses all certificates; there is one at least. */
function parseCertificates({ place, text }: Pem): readonly [X509Certificate, ...X509Certificate[]] {
  const all = text.match(CERTIFICATE) ?? [];
  try {
    const [first, ...others] = all.map((each) => new X509Certificate(each));
    if (first !== undefined) return [first, ...others];
  } catch {
    throw new ConfigError([`${place}: holds a broken certificate, expected one or more in PEM form`]);
  }
  throw new ConfigError([
    `${place}: holds no certificate, expected one or more in PEM form (-----BEGIN CERTIFICATE-----)`,
  ]);
}

/** Refuses authorities with which nobody could log in: OpenSSL, unlike Go, follows a chain to a self-signed certificate. */
function checkAuthorities(authorities: Pem): void {
  const all = parseCertificates(authorities);
  for (const each of all) {
    if (all.some((other) => each.checkIssued(other))) continue;
    const [subject, issuer] = [each.subject, each.issuer].map((name) =>
      JSON.stringify(name.replaceAll('\n', ', ')),
    );
    throw new ConfigError([
      `${authorities.place}: holds ${subject} without its issuer ${issuer}, expected all authorities up to a self-signed one: add the missing ones, and limit the clients with client_allowed_sans`,
    ]);
  }
}

function parseKey({ place, text }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // OpenSSL's error may hold parts of the key.
    const expected = 'expected a private key in PEM form, not encrypted with a passphrase';
    throw new ConfigError([`${place}: holds no key that can be used, ${expected}`]);
  }
}

function checkSecureContext(tls: TlsConfig, material: TlsMaterial): void {
  try {
    createSecureContext(secureContextOptions(tls, material));
  } catch (error) {
    throw new ConfigError([
      `tls_server_config: OpenSSL refuses it (${errorCode(error)}): choose other versions, ciphers or curves, or a stronger certificate`,
    ]);
  }
}
