import type { SecureVersion } from 'node:tls';

/*
 * The names that Go gives to what TLS is made of, which the file is written in, and those that OpenSSL gives to it.
 */

/** The suites that Go counts as secure. Those of TLS 1.3 have the same name on both sides. */
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

export type CipherSuite = keyof typeof CIPHER_SUITES;

/** HTTP/2 (RFC 9113, 9.2.2) demands that TLS 1.2 has one of these. */
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

export type Curve = keyof typeof CURVES;

/** From the oldest to the newest. */
export const VERSIONS = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
} as const satisfies Readonly<Record<string, SecureVersion>>;

export type Version = keyof typeof VERSIONS;

/** What becomes of certificates that clients show or don't. */
export type ClientAuthentication = 'ignore' | 'request' | 'require' | 'verifyIfGiven' | 'requireAndVerify';

export const CLIENT_AUTHENTICATION = {
  NoClientCert: 'ignore',
  RequestClientCert: 'request',
  RequireAnyClientCert: 'require',
  RequireClientCert: 'require',
  VerifyClientCertIfGiven: 'verifyIfGiven',
  RequireAndVerifyClientCert: 'requireAndVerify',
} as const satisfies Readonly<Record<string, ClientAuthentication>>;

/** Every suite of TLS 1.3, since the file does not restrict that version (nor does Go). */
const NEWEST = Object.values(CIPHER_SUITES).filter((name) => name.startsWith('TLS_'));

/**
 * OpenSSL's list for suites in Go's names, in that order; none means all. TLS 1.0 and 1.1 sign with SHA-1, which OpenSSL 3
 * allows at level 0 only.
 */
export function opensslCiphers(suites: readonly CipherSuite[], oldest: Version): string {
  const chosen =
    suites.length === 0 ? Object.values(CIPHER_SUITES) : suites.map((name) => CIPHER_SUITES[name]);
  const older = chosen.filter((name) => !name.startsWith('TLS_'));
  const level = oldest === 'TLS10' || oldest === 'TLS11' ? ['@SECLEVEL=0'] : [];
  return [...NEWEST, ...new Set(older), ...level].join(':');
}

/** OpenSSL's list of groups for curves in Go's names, in that order; none means Go's own. */
export function opensslCurves(curves: readonly Curve[]): string {
  const chosen: readonly Curve[] =
    curves.length === 0 ? ['X25519', 'CurveP256', 'CurveP384', 'CurveP521'] : curves;
  return [...new Set(chosen.map((name) => CURVES[name]))].join(':');
}
