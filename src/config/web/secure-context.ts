import { constants } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigError } from '../messages.ts';
import type { TlsConfig, TlsMaterial } from './web-config.ts';

/**
 * The same in Node's words. Where no authority is named, none vouches for clients: Node would ask the public ones, who
 * sign for everyone.
 *
 * Whoever shows a certificate shows it on every connection: a session that is taken up again would bring along what was
 * found of it under an earlier configuration.
 */
export function secureContextOptions(tls: TlsConfig, material: TlsMaterial): SecureContextOptions {
  const asksClients = tls.clientAuthentication !== 'ignore';
  return {
    cert: material.certificate,
    key: material.key.reveal(),
    ca: material.clientAuthorities ?? [],
    minVersion: tls.minVersion,
    maxVersion: tls.maxVersion,
    ciphers: tls.ciphers,
    honorCipherOrder: tls.honorCipherOrder,
    ecdhCurve: tls.ecdhCurve,
    secureOptions: asksClients ? constants.SSL_OP_NO_TICKET : 0,
  };
}

/**
 * Tries whether OpenSSL can work with all of it.
 *
 * @throws ConfigError with OpenSSL's code where it can't
 */
export function checkSecureContext(tls: TlsConfig, material: TlsMaterial): void {
  try {
    createSecureContext(secureContextOptions(tls, material));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([
      `tls_server_config: OpenSSL refuses it (${code}): choose other versions, ciphers or curves, or a stronger certificate`,
    ]);
  }
}
